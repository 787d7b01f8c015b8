/* export.h - which symbols leave the library. */
#ifndef OPLENS_EXPORT_H
#define OPLENS_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define OPL_API __attribute__((visibility("default")))
#else
#error "oplens needs gcc or clang"
#endif

#endif
