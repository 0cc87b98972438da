/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/arena.h"

#include <stdint.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/thread.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

/* ------------------------------------------------------------- memory --- */

Test(arena, memory_is_zeroed_aligned_and_apart)
{
    enum { PIECES = 500 };
    static frt_segment pieces[PIECES];
    size_t live = live_without_stripes();
    frt_arena arena = open_confined();

    for (int i = 0; i < PIECES; i++) {
        size_t size = (size_t)i * 37 % 3000 + 1;
        size_t alignment = (size_t)1 << (i % 9);

        pieces[i] = allocate(arena, size, alignment);
        cr_assert_eq(pieces[i].size, size);
        cr_assert_eq((uintptr_t)pieces[i].address % alignment, 0);
        cr_assert(is_filled(&pieces[i], 0));
        memset(pieces[i].address, i % 255 + 1, size);
    }
    for (int i = 0; i < PIECES; i++)
        cr_assert(is_filled(&pieces[i], (unsigned char)(i % 255 + 1)),
                  "piece %d was written by another", i);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(live_without_stripes(), live);
}

Test(arena, large_pieces)
{
    size_t live = (warm(), live_without_stripes());
    frt_arena arena = open_shared();

    for (size_t size = 1; size < (size_t)4 << 20; size *= 3) {
        frt_segment segment = allocate(arena, size, 4096);
        frt_segment small = allocate(arena, 8, 8);

        cr_assert_eq((uintptr_t)segment.address % 4096, 0);
        cr_assert(is_filled(&segment, 0));
        memset(segment.address, 0xa5, size);
        cr_assert(is_filled(&small, 0));
        memset(small.address, 0x5a, 8);
        cr_assert(is_filled(&segment, 0xa5));
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(live_without_stripes(), live);
}

Test(arena, small_pieces_share_blocks)
{
    size_t made = frti_allocator_made();
    frt_arena arena = open_confined();

    for (int i = 0; i < 10000; i++)
        allocate(arena, 64, 0);
    cr_assert_leq(frti_allocator_made() - made, 40);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(arena, alignment_0_is_16)
{
    frt_arena arena = open_confined();

    for (int i = 0; i < 100; i++) {
        frt_segment segment = allocate(arena, 1, 0);

        cr_assert_eq((uintptr_t)segment.address % 16, 0);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(arena, size_0)
{
    frt_arena arena = open_confined();
    frt_segment one = allocate(arena, 0, 0);
    frt_segment other = allocate(arena, 0, 256);
    uint8_t byte;

    cr_assert_not_null(one.address);
    cr_assert_not_null(other.address);
    cr_assert_neq(one.address, other.address);
    cr_assert_eq((uintptr_t)other.address % 256, 0);
    cr_assert_eq(one.size, 0);
    cr_assert(frt_segment_is_alive(&one));
    cr_assert(!frt_segment_is_null(&one));
    cr_assert_eq(frt_segment_get_u8(&byte, &one, 0), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(arena, refused_sizes_and_alignments)
{
    frt_arena arena = open_shared();
    frt_segment segment = {.size = 77};
    size_t live;

    allocate(arena, 1, 1);
    live = live_without_stripes();
    cr_assert_eq(frt_arena_allocate(&segment, arena, 8, 24), FRT_BAD_ALIGNMENT);
    cr_assert_str_eq(frt_last_detail(),
                     "the alignment 24 is not a power of two");
    cr_assert_eq(frt_arena_allocate(&segment, arena, 8, SIZE_MAX),
                 FRT_BAD_ALIGNMENT);
    cr_assert_eq(frt_arena_allocate(&segment, arena, SIZE_MAX, 1),
                 FRT_OVERFLOW);
    check_detail("do not fit in an address space");
    cr_assert_eq(frt_arena_allocate(&segment, arena, SIZE_MAX, 4096),
                 FRT_OVERFLOW);
    cr_assert_eq(frt_arena_allocate(&segment, arena, (size_t)PTRDIFF_MAX, 16),
                 FRT_OVERFLOW);
    cr_assert_eq(frt_arena_allocate(&segment, arena, 8, (size_t)1 << 63),
                 FRT_OVERFLOW);
    cr_assert_eq(segment.size, 77, "outputs are written on success alone");
    cr_assert_eq(live_without_stripes(), live);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(arena, null_arguments)
{
    frt_arena arena = open_confined();
    frt_arena none = {0};
    frt_segment segment;

    cr_assert_eq(frt_arena_allocate(NULL, arena, 1, 1), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "out is NULL");
    cr_assert_eq(frt_arena_allocate_string(NULL, arena, "x"), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_allocate_string(&segment, arena, NULL),
                 FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "text is NULL");
    cr_assert_eq(frt_arena_allocate_layout(&segment, arena, NULL, 1),
                 FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "layout is NULL");
    cr_assert_eq(frt_arena_on_close(arena, NULL, NULL), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "action is NULL");
    cr_assert_eq(frt_arena_allocate(&segment, none, 1, 1), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "the arena was never opened");
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(arena, string)
{
    frt_arena arena = open_confined();
    frt_segment segment;

    cr_assert_eq(frt_arena_allocate_string(&segment, arena, "hello"), FRT_OK);
    cr_assert_eq(segment.size, 6);
    cr_assert_str_eq(segment.address, "hello");
    cr_assert_eq(frt_arena_allocate_string(&segment, arena, ""), FRT_OK);
    cr_assert_eq(segment.size, 1);
    cr_assert_str_eq(segment.address, "");
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(frt_arena_allocate_string(&segment, arena, "x"), FRT_CLOSED);
}

Test(arena, global)
{
    frt_arena arena = frt_arena_global();
    frt_segment segment = allocate(arena, 100, 64);

    cr_assert_null(segment.slot);
    cr_assert(frt_segment_is_alive(&segment));
    cr_assert(is_filled(&segment, 0));
    cr_assert_eq((uintptr_t)segment.address % 64, 0);
    cr_assert_eq(frt_arena_close(arena), FRT_UNSUPPORTED);
    cr_assert(is_filled(&segment, 0));
}

Test(arena, opening_and_closing_a_warm_one_allocates_nothing)
{
    size_t made = frti_allocator_made();

    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(frt_arena_close(open_confined()), FRT_OK);
        cr_assert_eq(frt_arena_close(open_shared()), FRT_OK);
    }
    cr_assert_eq(frti_allocator_made(), made);
}

/* ------------------------------------------------------ no memory left --- */

static frt_status
do_allocate_small(frt_arena arena)
{
    frt_segment segment;

    return frt_arena_allocate(&segment, arena, 64, 0);
}

static frt_status
do_allocate_large(frt_arena arena)
{
    frt_segment segment;

    return frt_arena_allocate(&segment, arena, 1 << 20, 64);
}

static frt_status
do_allocate_string(frt_arena arena)
{
    frt_segment segment;

    return frt_arena_allocate_string(&segment, arena, "text");
}

static frt_status
do_allocate_layout(frt_arena arena)
{
    frt_segment segment;

    return frt_arena_allocate_layout(&segment, arena, FRT_F64, 3);
}

static void
count_up(void *counter)
{
    ++*(int *)counter;
}

static int actions_run;

static frt_status
do_on_close(frt_arena arena)
{
    return frt_arena_on_close(arena, count_up, &actions_run);
}

static frt_status (*const operations[])(frt_arena) = {
    do_allocate_small, do_allocate_large, do_allocate_string,
    do_allocate_layout, do_on_close};

Test(arena, each_allocation_fails_once)
{
    warm();
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        size_t live = live_without_stripes();

        for (size_t n = 1;; n++) {
            frt_arena arena = open_shared();
            size_t before = live_without_stripes();
            frt_status status;
            bool failed;

            failing_begin(n);
            status = operations[i](arena);
            failed = failing_end();
            cr_assert_eq(status, failed ? FRT_NO_MEMORY : FRT_OK);
            if (failed) {
                check_detail("no memory for ");
                cr_assert_eq(live_without_stripes(), before);
                cr_assert_eq(operations[i](arena), FRT_OK, "then it works");
            }
            cr_assert_eq(frt_arena_close(arena), FRT_OK, "nothing is held");
            if (!failed)
                break;
            cr_assert_lt(n, 10);
        }
        cr_assert_eq(live_without_stripes(), live);
    }
    cr_assert_eq(actions_run, 2, "those that were added");
}

/* Many pieces, and at each block the memory is gone. */
Test(arena, no_memory_for_the_nth_block)
{
    (void)frti_thread_record();
    for (size_t n = 1; n <= 8; n++) {
        size_t live = live_without_stripes();
        frt_arena arena = open_confined();
        int refused = 0;

        failing_begin(n);
        for (int i = 0; i < 2000; i++) {
            frt_segment segment = {0};
            frt_status status = frt_arena_allocate(&segment, arena, 64, 16);

            if (status == FRT_NO_MEMORY)
                refused++;
            else
                cr_assert(status == FRT_OK && is_filled(&segment, 0));
        }
        cr_assert(failing_end());
        cr_assert_eq(refused, 1);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        cr_assert_eq(live_without_stripes(), live);
    }
}

/* --------------------------------------------- closed, another thread --- */

Test(arena, of_a_closed_one)
{
    frt_arena arenas[2] = {open_confined(), open_shared()};

    for (int i = 0; i < 2; i++) {
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_OK);
        for (size_t j = 0; j < sizeof operations / sizeof *operations; j++)
            cr_assert_eq(operations[j](arenas[i]), FRT_CLOSED);
    }
    cr_assert_eq(actions_run, 0);
}

static void *
use_elsewhere(void *context)
{
    frt_arena arena = *(frt_arena *)context;

    for (size_t j = 0; j < sizeof operations / sizeof *operations; j++)
        cr_assert_eq(operations[j](arena), FRT_WRONG_THREAD);
    check_detail("belongs to thread");
    return NULL;
}

Test(arena, confined_on_another_thread)
{
    frt_arena arena = open_confined();
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, use_elsewhere, &arena), 0);
    pthread_join(thread, NULL);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(actions_run, 0);
}

/* ------------------------------------------------------------- layouts --- */

Test(arena, layout)
{
    frt_arena arena = open_confined();
    frt_segment segment;
    const frt_layout *incomplete;

    cr_assert_eq(frt_arena_allocate_layout(&segment, arena, FRT_F64, 3),
                 FRT_OK);
    cr_assert_eq(segment.size, 3 * sizeof(double));
    cr_assert_eq((uintptr_t)segment.address % _Alignof(double), 0);
    cr_assert_eq(frt_arena_allocate_layout(&segment, arena, FRT_F64, 0),
                 FRT_OK);
    cr_assert_eq(segment.size, 0);
    cr_assert_eq(
        frt_arena_allocate_layout(&segment, arena, FRT_F64, SIZE_MAX / 4),
        FRT_OVERFLOW);
    check_detail("times 8 bytes do not fit in an address space");
    cr_assert_eq(frt_layout_incomplete(&incomplete, FRT_KIND_STRUCT, "secret"),
                 FRT_OK);
    cr_assert_eq(frt_arena_allocate_layout(&segment, arena, incomplete, 1),
                 FRT_BAD_LAYOUT);
    cr_assert_str_eq(frt_last_detail(),
                     "struct secret is incomplete and has no size");
    cr_assert_eq(frt_arena_allocate_layout(&segment, arena, FRT_VOID, 1),
                 FRT_BAD_LAYOUT);
    frt_layout_drop(incomplete);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}
