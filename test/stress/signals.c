/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * signals [SECONDS]: a storm of signals while sessions are acquired and
 * released. Handlers acquire and release in pairs, take a ticket that they
 * leave to the thread, release one that it left to them, and run on an
 * alternative stack, on a thread that never used a session, too. Nothing may be
 * counted wrong: each session is held in between, and can be closed in the end.
 *
 * Exit status: 0 all is right, 3 something is not, 2 it did not run.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ffi_rt/ffi_rt.h"

#define THREADS 3 /* the last one uses no session itself */
#define LEFT 64

static frt_arena arena;
static _Atomic bool is_over;
static _Atomic unsigned long handled, acquired, wrong;

/* Tickets that a handler left to its thread. */
static __thread frt_ticket left[LEFT];
static __thread volatile sig_atomic_t left_count;

/* A ticket that a thread left to its handlers. */
static __thread frt_ticket given;
static __thread volatile sig_atomic_t is_given;

static void
need(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "signals: %s: %s\n", what, frt_last_detail());
    exit(2);
}

/* A thread that has used the session may do so in a handler as well; any may
 * by the function that is for handlers. */
static void
on_signal(int number)
{
    frt_session session = frt_arena_session(arena);
    frt_ticket ticket;

    (void)number;
    atomic_fetch_add_explicit(&handled, 1, memory_order_relaxed);
    if (frt_session_acquire_signal(&ticket, session) != FRT_OK ||
        frt_session_release(&ticket) != FRT_OK)
        atomic_fetch_add(&wrong, 1);
    if (is_given) {
        if (frt_session_release(&given) != FRT_OK)
            atomic_fetch_add(&wrong, 1);
        is_given = 0;
    }
    if (left_count < LEFT) {
        if (frt_session_acquire_signal(&left[left_count], session) != FRT_OK)
            atomic_fetch_add(&wrong, 1);
        left_count++;
    }
}

static void
on_signal_of_user(int number)
{
    frt_ticket ticket;

    on_signal(number);
    if (frt_session_acquire(&ticket, frt_arena_session(arena)) != FRT_OK ||
        frt_session_release(&ticket) != FRT_OK)
        atomic_fetch_add(&wrong, 1);
}

static void
release_left(void)
{
    while (left_count > 0) {
        frt_ticket ticket;
        sigset_t all, before;

        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before);
        ticket = left[--left_count];
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (frt_session_release(&ticket) != FRT_OK)
            atomic_fetch_add(&wrong, 1);
    }
}

static void
give_one(void)
{
    if (is_given)
        return;
    if (frt_session_acquire(&given, frt_arena_session(arena)) != FRT_OK)
        atomic_fetch_add(&wrong, 1);
    atomic_signal_fence(memory_order_seq_cst);
    is_given = 1;
}

static void
use_alternative_stack(void)
{
    static __thread char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};

    need(sigaltstack(&stack, NULL) == 0, "sigaltstack");
}

static void
use(unsigned long *count)
{
    frt_ticket tickets[3];

    for (int i = 0; i < 3; i++)
        if (frt_session_acquire(&tickets[i], frt_arena_session(arena)) !=
            FRT_OK)
            atomic_fetch_add(&wrong, 1);
    if (++*count % 64 == 0 && frt_arena_close(arena) != FRT_STILL_HELD)
        atomic_fetch_add(&wrong, 1);
    for (int i = 0; i < 3; i++)
        if (frt_session_release(&tickets[i]) != FRT_OK)
            atomic_fetch_add(&wrong, 1);
}

static void
mask_all(int how)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(how, &all, NULL);
}

/* A user has used the session before its first signal. */
static void *
user_run(void *is_user)
{
    unsigned long count = 0;

    use_alternative_stack();
    if (is_user != NULL)
        use(&count);
    mask_all(SIG_UNBLOCK);
    while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
        if (is_user != NULL) {
            give_one();
            use(&count);
        }
        release_left();
    }
    mask_all(SIG_BLOCK);
    release_left();
    if (is_given && frt_session_release(&given) != FRT_OK)
        atomic_fetch_add(&wrong, 1);
    atomic_fetch_add(&acquired, count * 3);
    return NULL;
}

static void
handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler,
                               .sa_flags = SA_ONSTACK | SA_RESTART};

    need(sigaction(number, &action, NULL) == 0, "sigaction");
}

/* Both signals to the users, the one that needs nothing to the stranger. */
static void
storm(pthread_t *threads, unsigned seconds)
{
    struct timespec now;
    time_t end;

    clock_gettime(CLOCK_MONOTONIC, &now);
    for (end = now.tv_sec + (time_t)seconds + 1; now.tv_sec < end;
         clock_gettime(CLOCK_MONOTONIC, &now))
        for (int i = 0; i < 100; i++) {
            int thread = i % THREADS;

            pthread_kill(threads[thread],
                         thread < THREADS - 1 && i % 2 ? SIGUSR2 : SIGUSR1);
        }
}

int
main(int argc, char **argv)
{
    unsigned seconds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2;
    pthread_t threads[THREADS];
    frt_ticket ticket;

    need(frt_arena_open_shared(&arena) == FRT_OK, "open");
    need(frt_session_acquire(&ticket, frt_arena_session(arena)) == FRT_OK,
         "acquire");
    handle(SIGUSR1, on_signal);
    handle(SIGUSR2, on_signal_of_user);
    mask_all(SIG_BLOCK);
    for (int i = 0; i < THREADS; i++)
        need(pthread_create(&threads[i], NULL, user_run,
                            i < THREADS - 1 ? &arena : NULL) == 0,
             "thread");
    storm(threads, seconds);
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    if (frt_arena_close(arena) != FRT_STILL_HELD ||
        frt_session_release(&ticket) != FRT_OK ||
        frt_arena_close(arena) != FRT_OK) {
        fprintf(stderr, "signals: in the end: %s\n", frt_last_detail());
        wrong++;
    }
    printf("%lu signals, %lu acquired: %lu wrong\n", handled, acquired, wrong);
    return wrong == 0 && handled > 0 ? 0 : 3;
}
