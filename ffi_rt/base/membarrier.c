/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/membarrier.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* linux/membarrier.h; older headers lack the later two. */
#define MEMBARRIER_QUERY 0
#define MEMBARRIER_PRIVATE (1 << 3)
#define MEMBARRIER_REGISTER_PRIVATE (1 << 4)

static long
membarrier_call(int command)
{
    return syscall(SYS_membarrier, command, 0);
}

static bool
membarrier_try(void)
{
    long commands = membarrier_call(MEMBARRIER_QUERY);

    return commands > 0 && (commands & MEMBARRIER_PRIVATE) &&
           membarrier_call(MEMBARRIER_REGISTER_PRIVATE) == 0 &&
           membarrier_call(MEMBARRIER_PRIVATE) == 0;
}

/* A child without an exit signal: the host's SIGCHLD handler and wait() do not
 * see it. A copy of the process, which does nothing that takes a lock. */
static bool
membarrier_try_in_child(void)
{
    int ending = -1;
    long child = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

    if (child == 0)
        syscall(SYS_exit_group, membarrier_try() ? 0 : 1);
    if (child < 0)
        return false;
    while (waitpid((pid_t)child, &ending, __WALL) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(ending) && WEXITSTATUS(ending) == 0;
}

/* /proc/self/status has a line "Seccomp:\t0" when there is no filter. Where it
 * cannot be read, there may be one. */
static bool
membarrier_is_watched(void)
{
    char text[4096];
    const char *line;
    ssize_t length;
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return true;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length < 0)
        return true;
    text[length] = '\0';
    line = strstr(text, "\nSeccomp:");
    return line == NULL || strncmp(line, "\nSeccomp:\t0\n", 12) != 0;
}

bool
frti_membarrier_register(void)
{
    int saved = errno;
    bool is_there = (!membarrier_is_watched() || membarrier_try_in_child()) &&
                    membarrier_try();

    errno = saved;
    return is_there;
}

bool
frti_membarrier(void)
{
    int saved = errno;
    bool is_done = membarrier_call(MEMBARRIER_PRIVATE) == 0;

    errno = saved;
    return is_done;
}

#else

bool
frti_membarrier_register(void)
{
    return false;
}

bool
frti_membarrier(void)
{
    return false;
}

#endif
