/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * threads [COUNT]: short-lived threads, each of which uses a session; every
 * eighth ends with its ticket out, which is released elsewhere. The stripes of
 * a thread go to the next one: memory in use stops growing.
 *
 * Exit status: 0 all is right, 3 something is not, 2 it did not run.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ffi_rt/ffi_rt.h"

#define AT_ONCE 4

struct visit {
    frt_arena arena;
    frt_ticket ticket;
    bool leaves_holding;
    frt_status status;
};

static void *
visit(void *context)
{
    struct visit *visit = context;
    frt_ticket ticket;

    visit->status =
        frt_session_acquire(&ticket, frt_arena_session(visit->arena));
    if (visit->status != FRT_OK)
        return NULL;
    if (visit->leaves_holding)
        visit->ticket = ticket;
    else
        visit->status = frt_session_release(&ticket);
    return NULL;
}

static void
need(bool condition, const char *what, int status)
{
    if (condition)
        return;
    fprintf(stderr, "threads: %s: %s\n", what, frt_last_detail());
    exit(status);
}

static void
visit_at_once(frt_arena arena, bool is_holding)
{
    struct visit visits[AT_ONCE];
    pthread_t threads[AT_ONCE];

    for (int i = 0; i < AT_ONCE; i++) {
        visits[i] = (struct visit){.arena = arena,
                                   .leaves_holding = is_holding && i == 0};
        need(pthread_create(&threads[i], NULL, visit, &visits[i]) == 0,
             "thread", 2);
    }
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < AT_ONCE; i++)
        need(visits[i].status == FRT_OK, "a visit", 3);
    if (is_holding) {
        need(frt_arena_close(arena) == FRT_STILL_HELD, "not held", 3);
        need(frt_session_release(&visits[0].ticket) == FRT_OK, "release", 3);
    }
}

int
main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    size_t used = 0;
    frt_arena arena;

    need(frt_arena_open_shared(&arena) == FRT_OK, "open", 2);
    for (unsigned long i = 0; i < count / AT_ONCE; i++) {
        visit_at_once(arena, i % 2 == 0);
        if (i == count / AT_ONCE / 2)
            used = mallinfo2().uordblks;
    }
    /* some room for what the system keeps of ended threads */
    need(mallinfo2().uordblks <= used + 65536, "it grows", 3);
    need(frt_arena_close(arena) == FRT_OK, "close", 3);
    printf("%lu threads, %zu bytes in use\n", count, mallinfo2().uordblks);
    return 0;
}
