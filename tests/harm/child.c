/* child.c - run a piece of a program in a process of its own. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define FAILED 99
#define CPU_SECONDS 40

/* The test runner catches what crashes; in a child it would run the tests once more. */
static void crash_as_usual(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

/* A child that goes wrong may record for ever: it ends with its parent, and with its time. */
static void end_in_time(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS});
}

pid_t child_start(void (*body)(void *context), void *context)
{
    fflush(NULL); /* or the child would say again what we have said */
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        crash_as_usual();
        end_in_time();
        body(context);
        exit(0);
    }
    return pid;
}

bool child_has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

int child_wait(pid_t pid)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    CHECK_EQ(ended, pid);
    return status;
}

void child_run(void (*body)(void *context), void *context)
{
    int status = child_wait(child_start(body, context));
    if (WIFSIGNALED(status))
        fail_msg("the child was ended by signal %d", WTERMSIG(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

void child_kill(pid_t pid)
{
    kill(pid, SIGKILL);
    int status = child_wait(pid);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(WTERMSIG(status), SIGKILL);
}

void *child_shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

void child_must(bool holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: in a child: %s does not hold\n", file, line, condition);
    _exit(FAILED);
}
