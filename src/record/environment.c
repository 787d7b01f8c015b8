/* environment.c - record because the environment says so, from before main to after the last exit
 * handler. See docs/reference/environment.md. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <oplens/record.h>

#include "base/failure.h"
#include "record/gate.h"
#include "record/process.h"
#include "record/settings.h"

const char opli_environment_is_here = 1;

/* The one line we may ever print. */
static void complain(const char *reason)
{
    char line[640];
    int length = snprintf(line, sizeof line, "oplens: %s; the program runs on, unrecorded\n", reason);
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

static void start_from_environment(void)
{
    opl_error err = {OPL_OK, ""};
    opl_recorder_options options = {0};
    if (!opli_settings_is_on(secure_getenv("OPLENS_OUTPUT")))
        return;
    opl_status st = opli_settings_read(&options, &err);
    if (st == OPL_OK)
        st = opl_recorder_start(&options, &err);
    if (st != OPL_OK)
        complain(err.message);
}

__attribute__((constructor(101))) static void library_begins(void)
{
    int kept_errno = errno;
    opli_process_init();
    start_from_environment();
    errno = kept_errno;
}

__attribute__((destructor(101))) static void library_ends(void) { opl_recorder_stop(); }
