/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The stack of holds, marks, and what fibers do to it. */
#include "ffi_rt/memory/hold.h"

#include "ffi_rt/memory/session.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

/* As a call does it. */
static frt_status
begin(struct frti_holding *holding, const frt_arena *arenas, size_t count)
{
    frt_status status = frti_holding_begin(holding, count);
    struct frti_hold *first = holding->first;
    struct frti_hold *top = first;

    for (size_t i = 0; i < count && status == FRT_OK; i++)
        status =
            frti_holding_add(first, &top, arenas[i].slot, arenas[i].generation);
    frti_holding_stand(holding, top);
    return status;
}

static bool
is_held(frt_arena arena)
{
    frt_holder holder;

    return frt_session_holders(&holder, 1, frt_arena_session(arena)) > 0;
}

Test(hold, each_distinct_session_once)
{
    frt_arena one = open_shared();
    frt_arena other = open_confined();
    frt_arena list[] = {one, other, one, other, one};
    struct frti_holding holding;
    frt_holder holder;

    cr_assert_eq(begin(&holding, list, 5), FRT_OK);
    cr_assert_eq(holding.end - holding.first, 2);
    cr_assert_eq(frt_session_holders(&holder, 1, frt_arena_session(one)), 1);
    cr_assert_eq(holder.count, 1);
    cr_assert_eq(frt_arena_close(one), FRT_STILL_HELD);
    cr_assert_eq(frt_arena_close(other), FRT_STILL_HELD);
    frti_holding_end(&holding);
    cr_assert_eq(frt_arena_close(one), FRT_OK);
    cr_assert_eq(frt_arena_close(other), FRT_OK);
}

Test(hold, when_the_kth_is_closed_the_others_are_released)
{
    frt_arena arenas[6];
    struct frti_holding holding;

    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 6; i++)
            arenas[i] = i % 2 ? open_confined() : open_shared();
        cr_assert_eq(frt_arena_close(arenas[k]), FRT_OK);
        cr_assert_eq(begin(&holding, arenas, 6), FRT_CLOSED);
        frti_holding_end(&holding);
        for (int i = 0; i < 6; i++)
            cr_assert_eq(frt_arena_close(arenas[i]),
                         i == k ? FRT_ALREADY_CLOSED : FRT_OK);
    }
}

/* A stale handle of a slot that is held in its next life. */
Test(hold, a_stale_one_beside_the_slots_next_life)
{
    frt_arena stale = open_shared();
    frt_arena list[2];
    struct frti_holding holding;

    cr_assert_eq(frt_arena_close(stale), FRT_OK);
    list[0] = open_shared();
    list[1] = stale;
    cr_assert_eq(list[0].slot, stale.slot);
    cr_assert_eq(begin(&holding, list, 2), FRT_CLOSED);
    frti_holding_end(&holding);
    cr_assert_eq(frt_arena_close(list[0]), FRT_OK);
}

/* Through several blocks, and back. */
static void
nest(frt_arena arena, int depth)
{
    frt_arena list[] = {arena, frt_arena_global()};
    struct frti_holding holding;
    frt_holder holder;

    cr_assert_eq(begin(&holding, list, 1 + depth % 2), FRT_OK);
    if (depth > 0)
        nest(arena, depth - 1);
    cr_assert_eq(frt_session_holders(&holder, 1, frt_arena_session(arena)), 1);
    frti_holding_end(&holding);
}

Test(hold, nested_over_blocks)
{
    frt_arena arena = open_shared();
    size_t live;

    warm();
    live = frti_allocator_live();
    nest(arena, 1000);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_leq(frti_allocator_live(), live + 1, "one block may wait");
}

Test(hold, more_than_a_block_has)
{
    frt_arena arenas[100];
    struct frti_holding holding;

    for (int i = 0; i < 100; i++)
        arenas[i] = open_shared();
    cr_assert_eq(begin(&holding, arenas, 100), FRT_OK);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_STILL_HELD);
    frti_holding_end(&holding);
    failing_begin_always();
    cr_assert_eq(begin(&holding, arenas, 100), FRT_OK, "the block is kept");
    frti_holding_end(&holding);
    (void)failing_end();
    for (int i = 0; i < 100; i++)
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_OK);
}

/* A few holds need no memory; many do. */
Test(hold, without_memory)
{
    frt_arena arenas[FRTI_HOLD_SPARES + 1];
    struct frti_holding holding;

    (void)frti_thread_record();
    for (int i = 0; i <= FRTI_HOLD_SPARES; i++)
        arenas[i] = open_shared();
    failing_begin_always();
    cr_assert_eq(begin(&holding, arenas, FRTI_HOLD_SPARES + 1), FRT_NO_MEMORY);
    frti_holding_end(&holding);
    cr_assert_eq(begin(&holding, arenas, FRTI_HOLD_SPARES), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[3]), FRT_STILL_HELD);
    frti_holding_end(&holding);
    cr_assert(failing_end());
    for (int i = 0; i <= FRTI_HOLD_SPARES; i++)
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_OK);
}

/* --------------------------------------------------------------- marks --- */

Test(hold, unwound)
{
    frt_arena arenas[3] = {open_shared(), open_confined(), open_shared()};
    frt_height bottom = frt_mark();
    struct frti_holding outer, inner;
    frt_height height;
    frt_frame frame = {0};

    cr_assert_eq(begin(&outer, arenas, 1), FRT_OK);
    cr_assert_eq(frt_frame_push(&frame, 100, 0), FRT_OK);
    height = frt_mark();
    cr_assert_eq(frt_frame_push(&(frt_frame){0}, 200000, 0), FRT_OK);
    cr_assert_eq(begin(&inner, arenas + 1, 2), FRT_OK);
    cr_assert_eq(frt_frame_push(&(frt_frame){0}, 10, 0), FRT_OK);
    cr_assert_eq(frt_unwind_to(height), FRT_OK);
    cr_assert(is_held(arenas[0]));
    cr_assert(!is_held(arenas[1]) && !is_held(arenas[2]));
    cr_assert_eq(frt_unwind_to(height), FRT_OK, "nothing is above it");
    cr_assert_eq(frt_frame_pop(&frame), FRT_OK);
    cr_assert_eq(frt_unwind_to(height), FRT_OUT_OF_ORDER, "it is below");
    frti_holding_end(&outer);
    cr_assert_eq(frt_unwind_to(height), FRT_OUT_OF_ORDER);
    cr_assert_eq(frt_unwind_to(bottom), FRT_OK);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_OK);
}

Test(hold, unwound_over_blocks)
{
    frt_arena arena = open_shared();
    frt_height height;
    struct frti_holding holding;

    cr_assert_eq(begin(&holding, &arena, 1), FRT_OK);
    height = frt_mark();
    for (int i = 0; i < 1000; i++) {
        struct frti_holding lost;

        cr_assert_eq(begin(&lost, &arena, 1), FRT_OK);
    }
    cr_assert_eq(frt_unwind_to(height), FRT_OK);
    cr_assert_eq(frt_mark().holds, height.holds);
    cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
    frti_holding_end(&holding);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

static void *
unwind_elsewhere(void *height)
{
    cr_assert_eq(frt_unwind_to(*(frt_height *)height), FRT_WRONG_THREAD);
    return NULL;
}

Test(hold, a_mark_of_another_thread)
{
    frt_height height = frt_mark();

    elsewhere(unwind_elsewhere, &height);
}

/* -------------------------------------------------------------- fibers --- */

Test(hold, calls_that_end_out_of_turn)
{
    frt_arena arenas[3] = {open_shared(), open_shared(), open_shared()};
    struct frti_holding holdings[3];
    frt_height bottom = frt_mark();

    for (int i = 0; i < 3; i++)
        cr_assert_eq(begin(&holdings[i], &arenas[i], 1), FRT_OK);
    frti_holding_end(&holdings[0]);
    cr_assert(!is_held(arenas[0]) && is_held(arenas[1]) && is_held(arenas[2]));
    frti_holding_end(&holdings[1]);
    cr_assert_eq(frt_arena_close(arenas[1]), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[2]), FRT_STILL_HELD);
    frti_holding_end(&holdings[2]);
    for (int i = 0; i < 100; i++) { /* what was let go makes room */
        cr_assert_eq(begin(&holdings[0], &arenas[0], 1), FRT_OK);
        frti_holding_end(&holdings[0]);
    }
    cr_assert_eq(frt_unwind_to(bottom), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[0]), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[2]), FRT_OK);
}

static void *
end_elsewhere(void *holding)
{
    frti_holding_end(holding);
    return NULL;
}

/* A fiber moved: the call ends on another thread than it began. */
Test(hold, a_call_that_ends_elsewhere)
{
    frt_arena arenas[2] = {open_shared(), open_shared()};
    frt_height bottom = frt_mark();
    struct frti_holding holding;
    size_t live;

    warm();
    live = live_without_stripes();
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(begin(&holding, arenas, 2), FRT_OK);
        cr_assert_eq(frt_arena_close(arenas[i % 2]), FRT_STILL_HELD);
        elsewhere(end_elsewhere, &holding);
        cr_assert(!is_held(arenas[0]) && !is_held(arenas[1]));
    }
    cr_assert_leq(live_without_stripes(), live, "the stack does not grow");
    cr_assert_eq(frt_unwind_to(bottom), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[0]), FRT_OK);
    cr_assert_eq(frt_arena_close(arenas[1]), FRT_OK);
}
