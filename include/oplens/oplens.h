/* oplens.h - everything a program that records needs. */
#ifndef OPLENS_OPLENS_H
#define OPLENS_OPLENS_H

#include <oplens/annotate.h>
#include <oplens/device.h>
#include <oplens/error.h>
#include <oplens/record.h>

#endif
