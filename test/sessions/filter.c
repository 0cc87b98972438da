/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * filter refuse|kill|late: a system that does not let membarrier through. A
 * filter that is there before the first shared session is found out without
 * harm, even if it kills, and acquires fence; one that comes later makes a
 * close that needs the barrier fail and change nothing.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "test/sessions/check.h"

static void
refuse_membarrier(unsigned action)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        printf("1..0 # SKIP no seccomp filter can be set\n");
        exit(EXIT_SUCCESS);
    }
}

static void *
use(void *arena)
{
    frt_ticket ticket;

    need(frt_session_acquire(&ticket, frt_arena_session(*(frt_arena *)arena)) ==
                 FRT_OK &&
             frt_session_release(&ticket) == FRT_OK,
         "use");
    return NULL;
}

static frt_arena
open_and_use(void)
{
    frt_arena arena;
    pthread_t thread;

    need(frt_arena_open_shared(&arena) == FRT_OK, "open");
    use(&arena);
    need(pthread_create(&thread, NULL, use, &arena) == 0, "thread");
    pthread_join(thread, NULL);
    return arena;
}

static void
test_before(unsigned action)
{
    frt_arena arena;

    refuse_membarrier(action);
    arena = open_and_use();
    check(strstr(frt_version_text(), "sessions: fence\n") != NULL,
          "acquires fence, and it is told");
    check(frt_arena_close(arena) == FRT_OK, "sessions are closed all the same");
}

static void
test_late(void)
{
    frt_arena arena = open_and_use();
    frt_arena other;

    refuse_membarrier(SECCOMP_RET_ERRNO | EPERM);
    check(frt_arena_close(arena) == FRT_UNSUPPORTED, "the close is refused");
    check(strstr(frt_last_detail(), "membarrier") != NULL, "and says why");
    check(frt_arena_is_open(arena), "nothing has changed");
    use(&arena);
    need(frt_arena_open_shared(&other) == FRT_OK, "open");
    use(&other);
    check(frt_arena_close(other) == FRT_OK,
          "a session of one thread needs no barrier");
}

int
main(int argc, char **argv)
{
    const char *how = argc == 2 ? argv[1] : "";

    if (strcmp(how, "late") == 0)
        test_late();
    else
        test_before(strcmp(how, "kill") == 0 ? SECCOMP_RET_KILL_PROCESS
                                             : SECCOMP_RET_ERRNO | EPERM);
    return check_end();
}
