/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * storm [--seconds N]: 20 threads make, call and free upcalls, in arenas of
 * their own and in one that all share, while others' upcalls are called from
 * here and there. A plain program, for the sanitizers and for emulators.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/ffi_rt.h"

enum { STORM_THREADS = 20, STORM_SHARED = 16 };

static const frt_descriptor *storm_descriptor;
static frt_arena storm_arena;
static _Atomic(void *) storm_codes[STORM_SHARED]; /* open while they are here */
static atomic_int storm_users[STORM_SHARED];
static atomic_long storm_calls;
static time_t storm_end;

static void
storm_check(frt_status status, const char *what)
{
    if (status == FRT_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, frt_status_name(status),
            frt_last_detail());
    exit(EXIT_FAILURE);
}

static frt_status
storm_add(void *context, void *result, void *const *arguments)
{
    atomic_fetch_add_explicit(&storm_calls, 1, memory_order_relaxed);
    *(int *)result = *(int *)arguments[0] + (int)(intptr_t)context;
    return FRT_OK;
}

static void
storm_call(void *code, int context, int n)
{
    int (*f)(int) = (int (*)(int))code;

    if (f(n) != n + context) {
        fprintf(stderr, "%d is not %d\n", f(n), n + context);
        exit(EXIT_FAILURE);
    }
}

static frt_upcall
storm_open(frt_arena arena, int context)
{
    frt_upcall upcall;

    storm_check(frt_upcall_open(&upcall, arena, storm_descriptor, storm_add,
                                (void *)(intptr_t)context, NULL),
                "open");
    return upcall;
}

static void
storm_own_arena(int n)
{
    frt_arena arena;
    frt_upcall upcalls[3];

    storm_check(n % 2 ? frt_arena_open_shared(&arena)
                      : frt_arena_open_confined(&arena),
                "arena");
    for (int i = 0; i < 3; i++)
        upcalls[i] = storm_open(arena, i);
    for (int i = 0; i < 3; i++)
        storm_call(frt_upcall_address(upcalls[i]), i, n);
    storm_check(frt_upcall_close(upcalls[n % 3]), "close");
    storm_check(frt_arena_close(arena), "close of the arena");
}

/* Puts an upcall where the others find it, and takes it away again when nobody
 * is about to call it. A close meanwhile is refused or it is not. */
static void
storm_share(unsigned place)
{
    frt_upcall upcall = storm_open(storm_arena, 100);
    void *none = NULL;
    frt_status status;

    if (atomic_compare_exchange_strong(&storm_codes[place], &none,
                                       frt_upcall_address(upcall))) {
        storm_call(frt_upcall_address(upcall), 100, 1);
        /* an exchange, not a store: qemu on x86-64 lets the load below pass a
         * store-release before it, which the architecture forbids */
        (void)atomic_exchange(&storm_codes[place], NULL);
        while (atomic_load(&storm_users[place]) != 0)
            sched_yield();
    }
    while ((status = frt_upcall_close(upcall)) == FRT_STILL_HELD)
        sched_yield();
    storm_check(status, "close of a shared one");
}

static void
storm_use(unsigned place)
{
    void *code;

    atomic_fetch_add(&storm_users[place], 1);
    code = atomic_load(&storm_codes[place]);
    if (code != NULL)
        storm_call(code, 100, 7);
    atomic_fetch_sub(&storm_users[place], 1);
}

static void *
storm_thread(void *context)
{
    unsigned random = (unsigned)(uintptr_t)context;

    while (time(NULL) < storm_end) {
        for (int i = 0; i < 10; i++) {
            random = random * 1103515245 + 12345;
            storm_own_arena(i);
            storm_share(random >> 16 & (STORM_SHARED - 1));
            storm_use(random >> 20 & (STORM_SHARED - 1));
        }
    }
    return NULL;
}

static int
storm_seconds(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--seconds") == 0)
        return atoi(arguments[2]);
    return getenv("FRT_TEST_LONG") != NULL ? 60 : 3;
}

int
main(int count, char **arguments)
{
    pthread_t threads[STORM_THREADS];

    storm_end = time(NULL) + storm_seconds(count, arguments);
    storm_check(frt_descriptor_parse(&storm_descriptor, "int f(int)", NULL),
                "parse");
    storm_check(frt_arena_open_shared(&storm_arena), "arena");
    for (size_t i = 0; i < STORM_THREADS; i++)
        if (pthread_create(&threads[i], NULL, storm_thread,
                           (void *)(uintptr_t)(i + 1)) != 0)
            return EXIT_FAILURE;
    for (size_t i = 0; i < STORM_THREADS; i++)
        pthread_join(threads[i], NULL);
    storm_check(frt_arena_close(storm_arena), "close");
    frt_descriptor_drop(storm_descriptor);
    printf("%ld calls by %d threads\n", storm_calls, STORM_THREADS);
    return storm_calls > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
