/* program.h - run a program with an environment of its own, and keep what it says. */
#ifndef OPLI_TESTS_PROGRAM_H
#define OPLI_TESTS_PROGRAM_H

#include <sys/types.h>

typedef struct program {
    const char *path;
    const char *arguments[4]; /* after its name; NULL ends them */
    const char *output;       /* OPLENS_OUTPUT; NULL: not set */
    const char *directory;    /* to run in; NULL: here */
    uid_t user;               /* to run as; 0: as we are */
} program;

typedef struct program_end {
    pid_t pid;
    int status; /* as from waitpid() */
    char out[4096], err[4096];
} program_end;

void program_run(const program *p, program_end *end);

#endif
