/* child.h - run a piece of a program in a process of its own, and see how that ends.
 *
 * What a recorder does to its host is best seen from outside: a crash, a hang or a stray word then
 * belongs to the child, and the test that reads the trace stays clean. */
#ifndef OPLI_TESTS_CHILD_H
#define OPLI_TESTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A child that ends by returning leaves through exit(0), as a program does. */
pid_t child_start(void (*body)(void *context), void *context);

/* Whether it has ended by now; it is still to be waited for. */
bool child_has_ended(pid_t pid);

/* Waits for it; the status is as from waitpid(). */
int child_wait(pid_t pid);

/* Runs it to its end, which must be a good one. */
void child_run(void (*body)(void *context), void *context);

/* Kills it with SIGKILL; it must still have been running. */
void child_kill(pid_t pid);

/* Memory that the child and its parent share, zeroed; never given back. */
void *child_shared(size_t size);

/* In a child, where CHECK has nowhere to go: says what does not hold, and ends with status 99. */
#define MUST(condition) child_must((condition), #condition, __FILE__, __LINE__)
void child_must(bool holds, const char *condition, const char *file, int line);

#endif
