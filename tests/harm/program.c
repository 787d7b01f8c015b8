/* program.c - run a program with an environment of its own, and keep what it says. */
#define _GNU_SOURCE
#include "program.h"

#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "test.h"

typedef struct job {
    const program *program;
    int out, err;
} job;

static void become_user(uid_t user)
{
    if (user)
        MUST(setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0);
}

static void exec_program(void *context)
{
    const job *j = context;
    const program *p = j->program;
    const char *arguments[6] = {p->path};
    for (int i = 0; i < 4 && p->arguments[i]; i++)
        arguments[i + 1] = p->arguments[i];
    MUST(dup2(j->out, STDOUT_FILENO) >= 0 && dup2(j->err, STDERR_FILENO) >= 0);
    if (p->output)
        setenv("OPLENS_OUTPUT", p->output, 1);
    else
        unsetenv("OPLENS_OUTPUT");
    if (p->directory)
        MUST(chdir(p->directory) == 0);
    become_user(p->user);
    execv(p->path, (char **)(uintptr_t)arguments);
    MUST(false && "exec");
}

/* A file without a name. */
static int open_memory(void)
{
    int fd = memfd_create("program", MFD_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

static void read_back(int fd, char *text, size_t size)
{
    ssize_t length = pread(fd, text, size - 1, 0);
    CHECK(length >= 0);
    text[length] = '\0';
    close(fd);
}

void program_run(const program *p, program_end *end)
{
    job j = {p, open_memory(), open_memory()};
    end->pid = child_start(exec_program, &j);
    end->status = child_wait(end->pid);
    read_back(j.out, end->out, sizeof end->out);
    read_back(j.err, end->err, sizeof end->err);
}
