/* version.h - the version the recorder writes into its files; the build sets it. */
#ifndef OPLI_RECORD_VERSION_H
#define OPLI_RECORD_VERSION_H

#ifndef OPLI_VERSION
#define OPLI_VERSION "0.0.0"
#endif

#endif
