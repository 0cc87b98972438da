/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/buffer_stack.h"

#include <stdint.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/thread.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

static frt_frame
push(size_t size, size_t alignment)
{
    frt_frame frame;

    cr_assert_eq(frt_frame_push(&frame, size, alignment), FRT_OK, "%s",
                 frt_last_detail());
    cr_assert_eq(frame.size, size);
    memset(frame.address, 0xa5, size);
    return frame;
}

static void
pop(frt_frame *frame)
{
    cr_assert_eq(frt_frame_pop(frame), FRT_OK, "%s", frt_last_detail());
}

/* What a push or a pop that is refused must leave as it is. */
static struct frti_here
here(void)
{
    return frti_here;
}

static void
check_here(struct frti_here before)
{
    cr_assert_eq(frti_here.top, before.top);
    cr_assert_eq(frti_here.limit, before.limit);
}

Test(buffer_stack, pushed_and_popped)
{
    frt_frame frame = push(100, 0);
    void *address = frame.address;

    cr_assert_eq((uintptr_t)address % 16, 0);
    pop(&frame);
    frame = push(50, 0);
    cr_assert_eq(frame.address, address, "the same memory again");
    pop(&frame);
}

Test(buffer_stack, a_warm_thread_allocates_nothing)
{
    frt_frame first = push(1, 0);
    size_t made = frti_allocator_made();

    pop(&first);
    for (int i = 0; i < 1000; i++) {
        frt_frame outer = push((size_t)i, 0);
        frt_frame inner = push((size_t)i * 7, 64);

        pop(&inner);
        pop(&outer);
    }
    cr_assert_eq(frti_allocator_made(), made);
}

Test(buffer_stack, alignments)
{
    for (size_t alignment = 1; alignment <= 1 << 20; alignment *= 2)
        for (size_t size = 0; size < 100; size += 33) {
            frt_frame odd = push(1, 0);
            frt_frame frame = push(size, alignment);
            frt_frame next = push(8, 0);

            cr_assert_eq((uintptr_t)frame.address % alignment, 0);
            cr_assert_eq((uintptr_t)frame.address % 16, 0);
            cr_assert((char *)frame.address >= (char *)odd.address + 1 ||
                      (char *)frame.address + size <= (char *)odd.address);
            cr_assert((char *)next.address >= (char *)frame.address + size ||
                      (char *)next.address + 8 <= (char *)frame.address);
            pop(&next);
            pop(&frame);
            pop(&odd);
        }
}

Test(buffer_stack, size_0)
{
    frt_frame one = push(0, 0);
    frt_frame other = push(0, 0);

    cr_assert_not_null(one.address);
    cr_assert_neq(one.address, other.address);
    cr_assert_eq(frt_frame_pop(&one), FRT_OUT_OF_ORDER);
    pop(&other);
    pop(&one);
}

Test(buffer_stack, frames_are_apart)
{
    enum { FRAMES = 3000 };
    static frt_frame frames[FRAMES];
    size_t live = frti_allocator_live();

    for (int i = 0; i < FRAMES; i++) {
        frames[i] = push((size_t)(i * 53 % 301), (size_t)1 << i % 8);
        memset(frames[i].address, i % 256, frames[i].size);
    }
    for (int i = FRAMES - 1; i >= 0; i--) {
        frt_segment bytes =
            frt_segment_of_address(frames[i].address, frames[i].size);

        if (!is_filled(&bytes, (unsigned char)(i % 256)))
            cr_assert_fail("frame %d was written by another", i);
        pop(&frames[i]);
    }
    cr_assert_eq(frti_allocator_live(), live + 3,
                 "record, first block and spare");
}

Test(buffer_stack, fills_a_block_to_the_last_byte)
{
    frt_frame first = push(16, 0);
    size_t rest = (size_t)(frti_here.limit - frti_here.top);
    size_t made = frti_allocator_made();
    frt_frame all;
    frt_frame more;

    cr_assert_eq(rest % 16, 0);
    all = push(rest, 0);
    cr_assert_eq(frti_here.top, frti_here.limit);
    cr_assert_eq(frti_allocator_made(), made);
    more = push(0, 0);
    cr_assert_eq(frti_allocator_made(), made + 1);
    cr_assert_eq(frt_frame_pop(&all), FRT_OUT_OF_ORDER);
    pop(&more);
    pop(&all);
    pop(&first);
}

/* ----------------------------------------------------- a block more --- */

Test(buffer_stack, what_does_not_fit_gets_a_block)
{
    frt_frame first = push(100, 0);
    struct frti_here before = here();
    size_t live = frti_allocator_live();
    frt_frame large = push(10 * FRTI_BUFFER_BLOCK, 64);
    frt_frame inside;

    cr_assert_eq((uintptr_t)large.address % 64, 0);
    cr_assert_eq(frti_allocator_live(), live + 1);
    inside = push(8, 0);
    pop(&inside);
    pop(&large);
    cr_assert_eq(frti_allocator_live(), live, "it goes with its first frame");
    check_here(before);
    pop(&first);
}

Test(buffer_stack, the_first_frame_may_be_large)
{
    frt_frame frame = push(3 * FRTI_BUFFER_BLOCK, 0);

    pop(&frame);
    frame = push(8, 0);
    pop(&frame);
}

Test(buffer_stack, blocks_on_blocks)
{
    enum { DEPTH = 50 };
    frt_frame frames[DEPTH];
    size_t live = frti_allocator_live();

    for (int i = 0; i < DEPTH; i++)
        frames[i] = push(FRTI_BUFFER_BLOCK - 1000, (size_t)16 << i % 4);
    for (int i = DEPTH - 1; i >= 0; i--) {
        if (i > 0)
            cr_assert_eq(frt_frame_pop(&frames[0]), FRT_OUT_OF_ORDER);
        pop(&frames[i]);
    }
    cr_assert_eq(frti_allocator_live(), live + 3);
}

/* At the edge of a block each call would have to allocate. */
Test(buffer_stack, one_block_is_spare)
{
    frt_frame first = push(16, 0);
    frt_frame rest = push((size_t)(frti_here.limit - frti_here.top), 0);
    size_t made = frti_allocator_made();

    for (int i = 0; i < 1000; i++) {
        frt_frame outer = push(FRTI_BUFFER_BLOCK - 1000, 0);
        frt_frame inner = push(8, 0);

        pop(&inner);
        pop(&outer);
    }
    cr_assert_eq(frti_allocator_made(), made + 1);
    pop(&rest);
    pop(&first);
}

static void *
overflow_and_go_on(void *unused)
{
    frt_frame outer = push(FRTI_BUFFER_BLOCK - 1000, 0);
    frt_frame inner = push(FRTI_BUFFER_BLOCK - 1000, 0);

    pop(&inner);
    pop(&outer);
    return unused;
}

Test(buffer_stack, the_spare_goes_with_the_thread)
{
    size_t live = frti_allocator_live();

    for (int i = 0; i < 10; i++)
        elsewhere(overflow_and_go_on, NULL);
    cr_assert_eq(frti_allocator_live(), live);
}

/* ------------------------------------------------------------- refused --- */

Test(buffer_stack, out_of_order)
{
    frt_frame outer = push(8, 0);
    frt_frame inner = push(24, 0);
    frt_frame copy = outer;
    struct frti_here before = here();

    cr_assert_eq(frt_frame_pop(&outer), FRT_OUT_OF_ORDER);
    cr_assert_str_eq(frt_last_detail(),
                     "the frame of 8 bytes is not this thread's last one");
    cr_assert_eq(memcmp(&outer, &copy, sizeof copy), 0);
    check_here(before);
    pop(&inner);
    cr_assert_eq(frt_frame_pop(&inner), FRT_OUT_OF_ORDER);
    cr_assert_str_eq(frt_last_detail(),
                     "the frame was popped before, or never pushed");
    pop(&outer);
    cr_assert_eq(frt_frame_pop(&outer), FRT_OUT_OF_ORDER);
}

Test(buffer_stack, a_block_is_popped_once)
{
    frt_frame first = push(8, 0);
    frt_frame large = push(2 * FRTI_BUFFER_BLOCK, 0);

    pop(&large);
    cr_assert_eq(frt_frame_pop(&large), FRT_OUT_OF_ORDER);
    pop(&first);
    cr_assert_eq(frt_frame_pop(&large), FRT_OUT_OF_ORDER);
}

Test(buffer_stack, never_pushed)
{
    frt_frame frame = {0};

    cr_assert_eq(frt_frame_pop(&frame), FRT_OUT_OF_ORDER);
    check_detail("never pushed");
    cr_assert_eq(frt_frame_pop(NULL), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "frame is NULL");
    check_here((struct frti_here){0});
}

Test(buffer_stack, refused_pushes)
{
    frt_frame first = push(8, 0);
    struct frti_here before = here();
    frt_frame frame = {.size = 77};

    cr_assert_eq(frt_frame_push(NULL, 8, 0), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "out is NULL");
    cr_assert_eq(frt_frame_push(&frame, 8, 3), FRT_BAD_ALIGNMENT);
    cr_assert_str_eq(frt_last_detail(),
                     "the alignment 3 of a frame is not a power of two");
    cr_assert_eq(frt_frame_push(&frame, 8, 12), FRT_BAD_ALIGNMENT);
    cr_assert_eq(frt_frame_push(&frame, 8, 48), FRT_BAD_ALIGNMENT);
    cr_assert_eq(frt_frame_push(&frame, SIZE_MAX, 0), FRT_OVERFLOW);
    check_detail("bytes aligned to 16 does not fit in an address space");
    cr_assert_eq(frt_frame_push(&frame, SIZE_MAX - 15, 0), FRT_OVERFLOW);
    cr_assert_eq(frt_frame_push(&frame, PTRDIFF_MAX, 0), FRT_OVERFLOW);
    cr_assert_eq(frt_frame_push(&frame, 8, (size_t)1 << 63), FRT_OVERFLOW);
    cr_assert_eq(frame.size, 77, "outputs are written on success alone");
    check_here(before);
    pop(&first);
}

struct two_frames {
    frt_frame frame;
    bool has_own;
};

static void *
pop_elsewhere(void *context)
{
    struct two_frames *two = context;
    frt_frame own;

    if (two->has_own)
        own = push(8, 0);
    cr_assert_eq(frt_frame_pop(&two->frame), FRT_OUT_OF_ORDER);
    if (two->frame.end != NULL)
        cr_assert_str_eq(frt_last_detail(), "the frame of 8 bytes is not in "
                                            "this thread's buffer stack");
    if (two->has_own)
        pop(&own);
    return NULL;
}

Test(buffer_stack, on_another_thread)
{
    struct two_frames two = {.frame = push(8, 0)};

    elsewhere(pop_elsewhere, &two);
    two.has_own = true;
    elsewhere(pop_elsewhere, &two);
    pop(&two.frame);
    elsewhere(pop_elsewhere, &two);
    two.has_own = false;
    elsewhere(pop_elsewhere, &two);
}

/* ----------------------------------------------------------- no memory --- */

Test(buffer_stack, no_memory)
{
    frt_frame first;
    frt_frame frame = {.size = 77};
    struct frti_here before;
    size_t live;

    (void)frti_thread_record();
    live = frti_allocator_live();
    failing_begin_always();
    cr_assert_eq(frt_frame_push(&frame, 8, 0), FRT_NO_MEMORY);
    cr_assert(failing_end());
    cr_assert_str_eq(frt_last_detail(), "no memory for a frame of the buffer "
                                        "stack (65536 bytes)");
    check_here((struct frti_here){0});
    cr_assert_eq(frti_allocator_live(), live);
    first = push(8, 0);
    before = here();
    failing_begin(1);
    cr_assert_eq(frt_frame_push(&frame, FRTI_BUFFER_BLOCK, 0), FRT_NO_MEMORY);
    cr_assert(failing_end());
    check_here(before);
    cr_assert_eq(frti_allocator_live(), live + 1);
    cr_assert_eq(frame.size, 77);
    pop(&first);
}

/* A cleanup after it keeps its sentence. */
Test(buffer_stack, ends_with_its_scope)
{
    frt_frame frame = {0};
    char *before;

    {
        FRTI_CLEANUP(frti_frame_end) frt_frame inner = {0};

        cr_assert_eq(frt_frame_push(&inner, 8, 0), FRT_OK);
        before = inner.address;
    }
    cr_assert_eq(frti_here.top, before);
    failing_begin(1);
    cr_assert_eq(frt_frame_push(&frame, 2 * FRTI_BUFFER_BLOCK, 0),
                 FRT_NO_MEMORY);
    cr_assert(failing_end());
    frti_frame_end(&frame);
    check_detail("no memory for a frame of the buffer stack");
}

/* The n-th allocation of a thread's first push fails. */
static void *
push_with_a_failure(void *n)
{
    frt_frame frame;
    frt_status status;

    failing_begin(*(size_t *)n);
    status = frt_frame_push(&frame, 2 * FRTI_BUFFER_BLOCK, 0);
    *(size_t *)n = failing_end();
    if (status == FRT_OK)
        pop(&frame);
    else
        cr_assert_eq(status, FRT_NO_MEMORY);
    frame = push(8, 0);
    pop(&frame);
    return NULL;
}

Test(buffer_stack, each_allocation_fails_once)
{
    size_t live = frti_allocator_live();
    size_t failed = 1;

    for (size_t n = 1; failed != 0; n++) {
        failed = n;
        elsewhere(push_with_a_failure, &failed);
        cr_assert_eq(frti_allocator_live(), live, "with allocation %zu", n);
        cr_assert_lt(n, 10);
    }
}

/* -------------------------------------------------------- thread's end --- */

static void *
push_and_pop(void *unused)
{
    frt_frame outer = push(1000, 0);
    frt_frame large = push(FRTI_BUFFER_BLOCK, 0);

    pop(&large);
    pop(&outer);
    return unused;
}

Test(buffer_stack, is_freed_at_the_end_of_the_thread)
{
    size_t live = frti_allocator_live();

    for (int i = 0; i < 100; i++)
        elsewhere(push_and_pop, NULL);
    cr_assert_eq(frti_allocator_live(), live);
}

struct left {
    frt_frame frame;
    char *limit; /* of its block, which it opened or is the first in */
};

static void *
push_and_leave(void *context)
{
    struct left *left = context;

    left[0].frame = push(100, 0);
    left[0].limit = frti_here.limit;
    left[1].frame = push(2 * FRTI_BUFFER_BLOCK, 0);
    left[1].limit = frti_here.limit;
    return NULL;
}

/* The test knows that nobody uses it. */
static void
free_what_was_left(const struct left *left)
{
    frt_frame first = push(8, 0); /* this thread's */
    size_t head =
        (size_t)((char *)first.address - frti_here.limit) + FRTI_BUFFER_BLOCK;
    char *block = (char *)left->frame.address - head;

    frti_free(block, (size_t)(left->limit - block), 16);
    pop(&first);
}

/* Somebody may still use it: it is left, not freed. */
Test(buffer_stack, a_thread_that_ends_with_frames_open)
{
    struct left left[2];
    size_t live = frti_allocator_live();

    elsewhere(push_and_leave, left);
    cr_assert_eq(frti_allocator_live(), live + 2);
    for (int i = 0; i < 2; i++) {
        frt_segment bytes =
            frt_segment_of_address(left[i].frame.address, left[i].frame.size);

        cr_assert(is_filled(&bytes, 0xa5));
        cr_assert_eq(frt_frame_pop(&left[i].frame), FRT_OUT_OF_ORDER);
        free_what_was_left(&left[i]);
    }
}

static pthread_key_t late_key;
static int late_runs;

/* In a destructor of the thread, before and after the library's. */
static void
push_late(void *value)
{
    frt_frame outer = push(8, 0);
    frt_frame inner = push(100, 64);

    cr_assert_eq(frt_frame_pop(&outer), FRT_OUT_OF_ORDER);
    pop(&inner);
    pop(&outer);
    if (late_runs++ == 0)
        pthread_setspecific(late_key, value);
}

static void *
end_with_late_push(void *context)
{
    frt_frame frame = push(8, 0);

    pop(&frame);
    pthread_setspecific(late_key, context);
    return NULL;
}

Test(buffer_stack, in_a_thread_local_destructor)
{
    size_t live = frti_allocator_live();

    pthread_key_create(&late_key, push_late);
    elsewhere(end_with_late_push, &late_runs);
    cr_assert_eq(late_runs, 2);
    cr_assert_eq(frti_allocator_live(), live);
}

/* A frame that is open when the library's destructor runs, and popped after. */
static struct left held;

static void
pop_late(void *value)
{
    if (late_runs++ == 0)
        pthread_setspecific(late_key, value);
    else
        pop(&held.frame);
}

static void *
end_with_a_late_pop(void *context)
{
    held.frame = push(8, 0);
    held.limit = frti_here.limit;
    pthread_setspecific(late_key, context);
    return NULL;
}

Test(buffer_stack, popped_after_the_end)
{
    pthread_key_create(&late_key, pop_late);
    elsewhere(end_with_a_late_pop, &late_runs);
    cr_assert_eq(late_runs, 2);
    cr_assert_null(held.frame.end);
    free_what_was_left(&held);
}
