/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/hold.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/buffer_stack.h"
#include "ffi_rt/memory/session.h"

/* ---------------------------------------------------------------- stack --- */

void
frti_hold_stack_init(struct frti_hold_stack *stack)
{
    stack->first =
        (struct frti_hold_block){.holds = stack->holds, .room = FRTI_HOLDS};
    stack->block = &stack->first;
    stack->top = stack->holds;
}

/* The thread's stack. There is a record. */
static struct frti_hold_stack *
stack_here(void)
{
    return &frti_here.stripe_record->holds;
}

static void
stack_show_here(struct frti_hold_block *block, struct frti_hold *top)
{
    stack_here()->block = block;
    frti_here.hold_top = top;
    frti_here.hold_end = block->holds + block->room;
}

void
frti_hold_stack_park(struct frti_hold_stack *stack)
{
    stack->top = frti_here.hold_top;
    frti_here.hold_top = NULL;
    frti_here.hold_end = NULL;
}

void
frti_hold_stack_take(struct frti_hold_stack *stack)
{
    frti_here.hold_top = stack->top;
    frti_here.hold_end = stack->block->holds + stack->block->room;
}

static size_t
block_bytes(size_t room)
{
    return sizeof(struct frti_hold_block) + room * sizeof(struct frti_hold);
}

static bool
stack_add_block(size_t most)
{
    struct frti_hold_block *below = stack_here()->block;
    size_t room = most > FRTI_HOLDS ? most : FRTI_HOLDS;
    struct frti_hold_block *block =
        frti_allocate(block_bytes(room), _Alignof(struct frti_hold_block));

    if (block == NULL)
        return false;
    block->below = below;
    block->holds = (struct frti_hold *)(block + 1);
    block->room = room;
    block->base = below->base + (size_t)(frti_here.hold_top - below->holds);
    stack_show_here(block, block->holds);
    return true;
}

/* To the one below, which goes on where it was left. */
static void
stack_leave_block(void)
{
    struct frti_hold_block *block = stack_here()->block;

    stack_show_here(block->below,
                    block->below->holds + (block->base - block->below->base));
    frti_free(block, block_bytes(block->room),
              _Alignof(struct frti_hold_block));
}

/* Pops what was let go, and the blocks that nothing is in. */
static void
stack_trim(void)
{
    for (;;) {
        struct frti_hold_block *block = stack_here()->block;

        /* acquire: pairs with the release of hold_let_go; then nobody else
         * touches this memory any more */
        while (frti_here.hold_top > block->holds &&
               frti_pointer_get_acquire(&frti_here.hold_top[-1].slot) == NULL)
            frti_here.hold_top--;
        if (frti_here.hold_top > block->holds || block->below == NULL)
            return;
        stack_leave_block();
    }
}

/* ----------------------------------------------------------- one's holds ---
 */

/* On any thread. */
static void
hold_give_anywhere(struct frti_hold *hold, bool is_mine)
{
    if (hold->stripe == NULL || is_mine)
        frti_hold_give(hold);
    else
        (void)frti_stripe_release_remote(
            hold->stripe, frti_stripe_generation_acquire(hold->stripe));
}

static void
hold_let_go(struct frti_hold *hold, bool is_mine)
{
    hold_give_anywhere(hold, is_mine);
    /* release: pairs with stack_trim */
    frti_pointer_set_release(&hold->slot, NULL);
}

frt_status
frti_holding_begin_slow(struct frti_holding *holding, size_t most)
{
    holding->record = frti_stripe_record_mine();
    if (holding->record != NULL) {
        stack_trim();
        if ((size_t)(frti_here.hold_end - frti_here.hold_top) >= most ||
            stack_add_block(most)) {
            holding->first = holding->end = frti_here.hold_top;
            return FRT_OK;
        }
    }
    holding->record = NULL;
    holding->first = holding->end = holding->spares;
    if (most > FRTI_HOLD_SPARES)
        return frti_no_memory(block_bytes(most), "the holds of a call");
    return FRT_OK;
}

void
frti_holding_end_slow(struct frti_hold *first, struct frti_hold *end,
                      struct frti_stripe_record *record)
{
    struct frti_here *here = frti_here_anew();
    bool is_mine = here->stripe_record == record;

    if (record == NULL) {
        for (; end != first; end--)
            hold_give_anywhere(&end[-1], frti_stripe_is_mine(end[-1].stripe));
        return;
    }
    while (end != first)
        hold_let_go(--end, is_mine);
    if (is_mine)
        stack_trim();
}

bool (*frti_hold_is_inside)(const struct frti_session *slot);

bool
frti_hold_is_here(const struct frti_session *slot)
{
    struct frti_hold *top = frti_here.hold_top;
    struct frti_hold_block *block;

    if (frti_hold_is_inside != NULL && frti_hold_is_inside(slot))
        return true;
    if (frti_here.stripe_record == NULL)
        return false;
    for (block = stack_here()->block; block != NULL; block = block->below) {
        while (top-- > block->holds)
            /* relaxed: a hold that is let go meanwhile may be seen or not */
            if (frti_pointer_get_relaxed(&top->slot) == slot)
                return true;
        if (block->below != NULL)
            top = block->below->holds + (block->base - block->below->base);
    }
    return false;
}

/* --------------------------------------------------------------- unwind --- */

static size_t
stack_height(void)
{
    struct frti_hold_block *block;

    if (frti_here.stripe_record == NULL)
        return 0;
    block = stack_here()->block;
    return block->base + (size_t)(frti_here.hold_top - block->holds);
}

frt_height
frt_mark(void)
{
    return (frt_height){.thread = frti_thread_number(),
                        .holds = stack_height(),
                        .frame = frti_here.top,
                        .upcalls = frti_here.upcalls};
}

/* Those that were let go are popped only. */
static void
stack_unwind(size_t height)
{
    while (stack_height() > height) {
        struct frti_hold_block *block = stack_here()->block;

        if (frti_here.hold_top == block->holds) {
            stack_leave_block();
            continue;
        }
        frti_here.hold_top--;
        /* acquire: as in stack_trim */
        if (frti_pointer_get_acquire(&frti_here.hold_top->slot) != NULL)
            frti_hold_give(frti_here.hold_top);
    }
}

/* Downcalls that were left mark no failures any more; after the outermost
 * nobody is left to be told. */
static void
upcalls_unwind(const struct frti_here_upcalls *marked)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;

    if (here->depth == marked->depth)
        return;
    here->depth = marked->depth;
    here->mark = marked->mark;
    if (marked->depth == 0)
        here->pending = marked->pending;
}

frt_status
frt_unwind_to(frt_height height)
{
    if (height.thread != frti_thread_number())
        return frti_fail(FRT_WRONG_THREAD,
                         "the height was marked by thread %llu, and this is "
                         "thread %llu",
                         (unsigned long long)height.thread,
                         (unsigned long long)frti_thread_number());
    if (height.holds > stack_height() ||
        height.upcalls.depth > frti_here.upcalls.depth ||
        !frti_buffer_stack_has(height.frame))
        return frti_fail(FRT_OUT_OF_ORDER,
                         "what was marked has been popped already");
    if (frti_here.stripe_record != NULL)
        stack_unwind((size_t)height.holds);
    frti_buffer_stack_unwind(height.frame);
    upcalls_unwind(&height.upcalls);
    return FRT_OK;
}
