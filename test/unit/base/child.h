/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Forked children. One that is content stops and is killed: at an end of its
 * own a leak checker would complain of what belonged to threads that the child
 * does not have.
 */
#ifndef TEST_UNIT_BASE_CHILD_H
#define TEST_UNIT_BASE_CHILD_H

#include <criterion/criterion.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void
end_child(bool is_content)
{
    if (is_content)
        raise(SIGSTOP);
    _exit(1);
}

static inline void
wait_for_child(pid_t child)
{
    int ending = 0;

    cr_assert_eq(waitpid(child, &ending, WUNTRACED), child);
    cr_assert(WIFSTOPPED(ending), "the child ended with %x", (unsigned)ending);
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, &ending, 0), child);
}

#endif
