/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * fibers [SWITCHES]: a fiber that two threads run in turn. It acquires on one
 * thread and releases on the other, in the same function: an address of
 * thread-local data that is kept over the switch would be the wrong thread's.
 * Each count must be right after every switch.
 *
 * Exit status: 0 all is right, 3 something is not, 2 it did not run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "ffi_rt/ffi_rt.h"

#define RUNNERS 2
#define STACK ((size_t)256 << 10)

static frt_arena arena;
static ucontext_t fiber;
static ucontext_t *runner; /* whoever runs the fiber */
static unsigned long switches = 20000, done;
static unsigned long wrong;
static bool is_over;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void
need(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fibers: %s: %s\n", what, frt_last_detail());
    exit(2);
}

static void
expect(bool condition)
{
    wrong += !condition;
}

/* Comes back on the other thread. */
static void
switch_away(void)
{
    done++;
    swapcontext(&fiber, runner);
}

static void
fiber_run(void)
{
    frt_session session = frt_arena_session(arena);

    while (done < switches) {
        frt_ticket first, second;
        uint64_t thread = frt_thread_number();

        expect(frt_session_acquire(&first, session) == FRT_OK);
        switch_away();
        expect(frt_thread_number() != thread);
        expect(frt_session_acquire(&second, session) == FRT_OK);
        expect(frt_session_release(&first) == FRT_OK);
        expect(frt_arena_close(arena) == FRT_STILL_HELD);
        switch_away();
        expect(frt_session_release(&second) == FRT_OK);
        expect(frt_session_holders(NULL, 0, session) == 0);
    }
    is_over = true;
    switch_away();
}

static void *
run_in_turn(void *number)
{
    int mine = *(int *)number;
    ucontext_t here;

    pthread_mutex_lock(&lock);
    while (!is_over) {
        if (turn != mine) {
            pthread_cond_wait(&turned, &lock);
            continue;
        }
        runner = &here;
        swapcontext(&here, &fiber);
        turn = (turn + 1) % RUNNERS;
        pthread_cond_broadcast(&turned);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t threads[RUNNERS];
    int numbers[RUNNERS];

    if (argc > 1)
        switches = strtoul(argv[1], NULL, 10);
    need(frt_arena_open_shared(&arena) == FRT_OK, "open");
    need(getcontext(&fiber) == 0, "getcontext");
    fiber.uc_stack.ss_sp = malloc(STACK);
    fiber.uc_stack.ss_size = STACK;
    need(fiber.uc_stack.ss_sp != NULL, "memory");
    makecontext(&fiber, fiber_run, 0);
    for (int i = 0; i < RUNNERS; i++) {
        numbers[i] = i;
        need(pthread_create(&threads[i], NULL, run_in_turn, &numbers[i]) == 0,
             "thread");
    }
    for (int i = 0; i < RUNNERS; i++)
        pthread_join(threads[i], NULL);
    free(fiber.uc_stack.ss_sp);
    expect(frt_arena_close(arena) == FRT_OK);
    printf("%lu switches: %lu wrong\n", done, wrong);
    return wrong == 0 ? 0 : 3;
}
