/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Frames in frames: re-entered, left by longjmp, by many threads at once. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/memory/buffer_stack.h"
#include "test/unit/memory/help.h"

/* As a call does that is called back: a frame, what is inside, a look at what
 * the frame holds, the end. Returns how many frames were written by others. */
static size_t
nest(size_t depth, size_t size)
{
    frt_frame frame = {0};
    frt_segment bytes;
    size_t wrong = 0;

    if (frt_frame_push(&frame, size, (size_t)16 << depth % 4) != FRT_OK)
        return 1;
    memset(frame.address, (int)(depth % 256), size);
    bytes = frt_segment_of_address(frame.address, size);
    if (depth > 0)
        wrong = nest(depth - 1, (size * 31 + depth) % 5000);
    wrong += !is_filled(&bytes, (unsigned char)(depth % 256));
    return wrong + (frt_frame_pop(&frame) != FRT_OK);
}

Test(buffer_stack_nested, re_entered)
{
    size_t made;

    cr_assert_eq(nest(300, 16), 0);
    made = frti_allocator_made();
    cr_assert_eq(nest(10, 16), 0);
    cr_assert_eq(frti_allocator_made(), made, "the first block has room");
}

/* ------------------------------------------------------------- longjmp --- */

static jmp_buf out;

/* What it pushes stays. */
static _Noreturn void
push_and_jump(size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        frt_frame frame = {0};

        if (frt_frame_push(&frame, size, 0) != FRT_OK)
            abort();
    }
    longjmp(out, 1);
}

/* Blocks that were opened go, but for the spare. */
static void
jump_over(size_t count, size_t size, size_t kept)
{
    volatile size_t live = frti_allocator_live();
    frt_frame frame = {0};
    frt_frame after = {0};
    frt_height height;

    cr_assert_eq(frt_frame_push(&frame, 100, 0), FRT_OK);
    memset(frame.address, 0x5a, 100);
    height = frt_mark();
    if (setjmp(out) == 0)
        push_and_jump(count, size);
    cr_assert_eq(frt_frame_pop(&frame), FRT_OUT_OF_ORDER, "others are above");
    cr_assert_eq(frt_unwind_to(height), FRT_OK);
    cr_assert_eq(frti_here.top, frame.end);
    cr_assert_eq(frti_allocator_live(), live + kept);
    cr_assert_eq(frt_frame_push(&after, 100, 0), FRT_OK);
    cr_assert_eq(after.address, frame.end, "where it was");
    cr_assert_eq(frt_frame_pop(&after), FRT_OK);
    cr_assert_eq(*(char *)frame.address, 0x5a);
    cr_assert_eq(frt_frame_pop(&frame), FRT_OK);
}

Test(buffer_stack_nested, left_by_longjmp)
{
    frt_frame first = {0};

    cr_assert_eq(frt_frame_push(&first, 1, 0), FRT_OK);
    cr_assert_eq(frt_frame_pop(&first), FRT_OK);
    jump_over(10, 100, 0);
    jump_over(50, FRTI_BUFFER_BLOCK / 2, 1); /* the spare is new */
    jump_over(50, FRTI_BUFFER_BLOCK / 2, 0);
    jump_over(5, FRTI_BUFFER_BLOCK * 2, 0);
}

/* Marked before the thread had a block at all. */
Test(buffer_stack_nested, left_before_the_first_block)
{
    frt_height height = frt_mark();
    frt_frame frame = {0};

    if (setjmp(out) == 0)
        push_and_jump(20, FRTI_BUFFER_BLOCK / 3);
    cr_assert_eq(frt_unwind_to(height), FRT_OK);
    cr_assert_eq(frt_frame_push(&frame, 8, 0), FRT_OK);
    cr_assert_eq(frt_frame_pop(&frame), FRT_OK);
}

/* ------------------------------------------------------------- threads --- */

#define THREADS 8

static pthread_barrier_t together;

static void *
nest_often(void *context)
{
    size_t *wrong = context;

    pthread_barrier_wait(&together);
    for (size_t i = 0; i < 200; i++)
        *wrong += nest(i % 60, i);
    return NULL;
}

Test(buffer_stack_nested, many_threads)
{
    pthread_t threads[THREADS];
    size_t wrong[THREADS] = {0};
    size_t live = frti_allocator_live();

    pthread_barrier_init(&together, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, nest_often, &wrong[i]),
                     0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(wrong[i], 0, "thread %zu", i);
    }
    cr_assert_eq(frti_allocator_live(), live, "all is given back");
}
