/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * An arena shared by threads.
 *
 * Four threads fill their quarters of one block of memory by memset. The arena
 * is shared: any thread may use it, and any may close it, but never under the
 * feet of another. While somebody holds the arena's session the close is
 * refused and changes nothing.
 */
#include "examples/check.h"

#include <pthread.h>

#define THREADS 4
#define QUARTER 1000

struct work {
    const frt_function *fill;
    frt_segment quarter;
    char letter;
};

/* Each call holds the segment's session for as long as it runs. */
static void *
work_run(void *context)
{
    struct work *work = context;
    frt_segment result;

    check(FRT_CALL(work->fill, &result, &work->quarter, work->letter,
                   work->quarter.size));
    return NULL;
}

static void
run_threads(const frt_function *fill, const frt_segment *block)
{
    struct work works[THREADS];
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++) {
        works[i] = (struct work){.fill = fill, .letter = (char)('a' + i)};
        check(
            frt_segment_slice(&works[i].quarter, block, i * QUARTER, QUARTER));
        if (pthread_create(&threads[i], NULL, work_run, &works[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void
show_quarters(const frt_segment *block)
{
    for (size_t i = 0; i < THREADS; i++) {
        uint8_t first, last;

        check(frt_segment_get_u8(&first, block, i * QUARTER));
        check(frt_segment_get_u8(&last, block, i * QUARTER + QUARTER - 1));
        printf("quarter %zu: %c ... %c\n", i + 1, first, last);
    }
}

int
main(void)
{
    frt_arena arena;
    frt_segment block;
    frt_function *fill;
    frt_ticket ticket;
    uint8_t byte;

    check(frt_arena_open_shared(&arena));
    check(frt_arena_allocate(&block, arena, THREADS * (size_t)QUARTER, 0));
    check(frt_function_declare(&fill, frt_library_default(),
                               "void *memset(void *, int, size_t)", NULL));
    run_threads(fill, &block);
    show_quarters(&block);
    frt_function_free(fill);

    /* A ticket keeps the session open, here for a reader in a loop. */
    check(frt_session_acquire(&ticket, frt_arena_session(arena)));
    printf("close while it is held: %s\n",
           frt_status_name(frt_arena_close(arena)));
    check(frt_session_release(&ticket));
    printf("close after that: %s\n", frt_status_name(frt_arena_close(arena)));

    /* The segment knows that its memory is gone. */
    printf("read after the close: %s\n",
           frt_status_name(frt_segment_get_u8(&byte, &block, 0)));
    return EXIT_SUCCESS;
}
