/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * cases CALLEE: what has gone wrong elsewhere.
 *
 *   D04  a read waits for data into a segment, and its arena is closed
 *   D10  a large segment is copied in a loop, and its arena is closed
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "test/sessions/check.h"

/* ------------------------------------------------------------------ D04 --- */

struct reading {
    frt_function *read;
    frt_segment block;
    int pipe;
    _Atomic bool has_begun;
    ssize_t got;
};

static void *
read_it(void *context)
{
    struct reading *reading = context;
    size_t wanted = 4;
    void *arguments[] = {&reading->pipe, &reading->block, &wanted};

    atomic_store(&reading->has_begun, true);
    if (frt_call(reading->read, &reading->got, arguments, 3) != FRT_OK)
        reading->got = -2;
    return NULL;
}

static void
wait_until_held(frt_arena arena, struct reading *reading)
{
    while (!atomic_load(&reading->has_begun) ||
           frt_session_holders(NULL, 0, frt_arena_session(arena)) == 0)
        usleep(1000);
}

static void
test_waiting_read(void)
{
    struct reading reading = {.got = -1};
    frt_arena arena;
    pthread_t thread;
    int ends[2];

    need(pipe(ends) == 0, "pipe");
    reading.pipe = ends[0];
    need(frt_function_declare(&reading.read, frt_library_default(),
                              "ssize_t read(int, void *, size_t)",
                              NULL) == FRT_OK,
         "read");
    need(frt_arena_open_shared(&arena) == FRT_OK, "arena");
    need(frt_arena_allocate(&reading.block, arena, 4, 0) == FRT_OK, "memory");
    need(pthread_create(&thread, NULL, read_it, &reading) == 0, "thread");
    wait_until_held(arena, &reading);
    check(frt_arena_close(arena) == FRT_STILL_HELD,
          "D04: the close is refused while the read waits");
    check(frt_arena_close_wait(arena, 5000000) == FRT_STILL_HELD,
          "D04: one with patience, too, until it is over");
    need(write(ends[1], "data", 4) == 4, "write");
    check(frt_arena_close_wait(arena, UINT64_C(20000000000)) == FRT_OK,
          "D04: and succeeds when the data is there");
    pthread_join(thread, NULL);
    check(reading.got == 4, "D04: the read got it");
    frt_function_free(reading.read);
    close(ends[0]);
    close(ends[1]);
}

/* ------------------------------------------------------------------ D10 --- */

#define LARGE ((size_t)64 << 20)

struct copying {
    frt_segment from;
    frt_segment to;
    _Atomic unsigned long done;
    frt_status last;
};

static void *
copy_until_closed(void *context)
{
    struct copying *copying = context;

    do {
        copying->last =
            frt_segment_copy(&copying->to, 0, &copying->from, 0, LARGE);
        atomic_fetch_add(&copying->done, 1);
        usleep(20); /* a closer that only tries has a chance */
    } while (copying->last == FRT_OK);
    return NULL;
}

/* Closes as soon as it is let, in the middle of a copy if it could. */
static void
test_large_copy(void)
{
    struct copying copying = {.last = FRT_OK};
    frt_arena arena, target;
    frt_status status;
    unsigned long refused = 0;
    pthread_t thread;

    need(frt_arena_open_shared(&arena) == FRT_OK, "arena");
    need(frt_arena_open_shared(&target) == FRT_OK, "arena");
    need(frt_arena_allocate(&copying.from, arena, LARGE, 0) == FRT_OK, "64 M");
    need(frt_arena_allocate(&copying.to, target, LARGE, 0) == FRT_OK, "64 M");
    need(pthread_create(&thread, NULL, copy_until_closed, &copying) == 0,
         "thread");
    while (atomic_load(&copying.done) < 2 ||
           frt_session_holders(NULL, 0, frt_arena_session(arena)) == 0)
        continue;
    while ((status = frt_arena_close(arena)) == FRT_STILL_HELD)
        refused++;
    pthread_join(thread, NULL);
    check(status == FRT_OK, "D10: the close comes between two copies");
    check(copying.last == FRT_CLOSED, "D10: the next copy is told");
    check(refused > 0, "D10: within one it was refused");
    check(frt_arena_close(target) == FRT_OK, "D10: the other is not held");
}

int
main(void)
{
    test_waiting_read();
    test_large_copy();
    return check_end();
}
