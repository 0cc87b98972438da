/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/buffer_stack.h"

#include <stdbool.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/base/thread.h"

#define STACK_ALIGNMENT ((size_t)16)

struct stack_block {
    _Alignas(STACK_ALIGNMENT) struct stack_block *below;
    char *below_top; /* to go back to */
    size_t size;     /* with this head */
    bool is_kept;    /* the thread's first */
};
_Static_assert(sizeof(struct stack_block) % STACK_ALIGNMENT == 0,
               "the first frame is aligned");

/* This thread's current block. initial-exec: the first use of other
 * thread-local storage may allocate, which must not fail unseen. */
static __thread struct stack_block *stack_current
    __attribute__((tls_model("initial-exec")));

/* One of FRTI_BUFFER_BLOCK bytes that was left, for the next one; or NULL. */
static __thread struct stack_block *stack_spare
    __attribute__((tls_model("initial-exec")));

/* What a frame takes; `bytes` is a multiple of 16, and not 0. */
struct stack_request {
    size_t size; /* as it was asked for */
    size_t alignment;
    size_t bytes;
    size_t block; /* the least size of a block that has room for it */
};

static frt_status
stack_request_of(struct stack_request *out, size_t size, size_t alignment)
{
    struct stack_request request = {.size = size, .alignment = alignment};

    if (alignment != 0 && !frti_is_power_of_two(alignment))
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "the alignment %zu of a frame is not a power of two",
                         alignment);
    if (alignment < STACK_ALIGNMENT)
        request.alignment = STACK_ALIGNMENT;
    if (!frti_align_up(&request.bytes, size + (size == 0), STACK_ALIGNMENT) ||
        !frti_add(&request.block, request.bytes, request.alignment) ||
        !frti_add(&request.block, request.block, sizeof(struct stack_block)) ||
        request.block > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "a frame of %zu bytes aligned to %zu does not fit in "
                         "an address space",
                         size, request.alignment);
    *out = request;
    return FRT_OK;
}

static char *
stack_start(struct stack_block *block)
{
    return (char *)(block + 1);
}

static void
stack_block_free(struct stack_block *block)
{
    if (block != NULL)
        frti_free(block, block->size, STACK_ALIGNMENT);
}

static struct stack_block *
stack_block_new(size_t size)
{
    struct stack_block *block = stack_spare;

    if (block != NULL && size == FRTI_BUFFER_BLOCK)
        stack_spare = NULL;
    else
        block = frti_allocate(size, STACK_ALIGNMENT);
    if (block == NULL)
        return NULL;
    *block = (struct stack_block){
        .below = stack_current, .below_top = frti_here.top, .size = size};
    return block;
}

static void
stack_enter(struct stack_block *block, char *top)
{
    stack_current = block;
    frti_here.top = top;
    frti_here.limit = block == NULL ? NULL : (char *)block + block->size;
}

/* Will the thread's end free what is kept until then? */
static bool
stack_will_end(void)
{
    struct frti_thread *thread = frti_thread_known();

    return thread != NULL &&
           thread->at_end[FRTI_THREAD_END_BUFFER_STACK] != NULL;
}

static void
stack_leave(void)
{
    struct stack_block *block = stack_current;

    stack_enter(block->below, block->below_top);
    if (block->size == FRTI_BUFFER_BLOCK && stack_spare == NULL &&
        stack_will_end())
        stack_spare = block;
    else
        stack_block_free(block);
}

/* At the thread's end. */
static void
stack_end(void)
{
    stack_block_free(stack_spare);
    stack_spare = NULL;
    if (stack_current == NULL || !stack_current->is_kept ||
        frti_here.top != stack_start(stack_current))
        return;
    stack_block_free(stack_current);
    stack_enter(NULL, NULL);
}

/* The block that is kept. Without a record nobody would free it. */
static void
stack_begin(void)
{
    struct frti_thread *thread = frti_thread_record();
    struct stack_block *block;

    if (thread == NULL)
        return;
    block = stack_block_new(FRTI_BUFFER_BLOCK);
    if (block == NULL)
        return;
    block->is_kept = true;
    thread->at_end[FRTI_THREAD_END_BUFFER_STACK] = stack_end;
    stack_enter(block, stack_start(block));
}

/* In the current block; false: it does not fit. */
static bool
stack_push(frt_frame *out, const struct stack_request *request)
{
    char *top = frti_here.top;
    size_t room = (size_t)(frti_here.limit - top);
    size_t gap = -(uintptr_t)top & (request->alignment - 1);

    if (gap > room || request->bytes > room - gap)
        return false;
    out->address = top + gap;
    out->size = request->size;
    out->back = top;
    out->end = top + gap + request->bytes;
    frti_here.top = out->end;
    return true;
}

static frt_status
stack_push_block(frt_frame *out, const struct stack_request *request)
{
    size_t size = request->block;
    struct stack_block *block;

    if (size < FRTI_BUFFER_BLOCK)
        size = FRTI_BUFFER_BLOCK;
    block = stack_block_new(size);
    if (block == NULL)
        return frti_no_memory(size, "a frame of the buffer stack");
    stack_enter(block, stack_start(block));
    (void)stack_push(out, request); /* it has room for that */
    out->back = NULL;
    return FRT_OK;
}

frt_status
frti_frame_push_slow(frt_frame *out, size_t size, size_t alignment)
{
    struct stack_request request = {0};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = stack_request_of(&request, size, alignment);
    if (status != FRT_OK)
        return status;
    if (stack_current == NULL)
        stack_begin();
    if (stack_push(out, &request))
        return FRT_OK;
    return stack_push_block(out, &request);
}

static bool
stack_has(const char *end)
{
    struct stack_block *block = stack_current;

    while (block != NULL &&
           (end < stack_start(block) || end > (char *)block + block->size))
        block = block->below;
    return block != NULL;
}

frt_status
frti_frame_pop_slow(bool is_there, size_t size, const char *end)
{
    if (!is_there)
        return frti_null_argument("frame");
    if (end == NULL)
        return frti_fail(FRT_OUT_OF_ORDER,
                         "the frame was popped before, or never pushed");
    if (!stack_has(end))
        return frti_fail(FRT_OUT_OF_ORDER,
                         "the frame of %zu bytes is not in this thread's "
                         "buffer stack",
                         size);
    if (end != frti_here.top || stack_current->is_kept)
        return frti_fail(FRT_OUT_OF_ORDER,
                         "the frame of %zu bytes is not this thread's last one",
                         size);
    stack_leave();
    return FRT_OK;
}

/* -------------------------------------------------------------- unwind --- */

static bool
stack_is_in(struct stack_block *block, const char *top)
{
    return top >= stack_start(block) && top <= (char *)block + block->size;
}

bool
frti_buffer_stack_has(const char *top)
{
    const char *reached = frti_here.top;

    if (top == NULL)
        return true;
    for (struct stack_block *block = stack_current; block != NULL;
         block = block->below) {
        if (stack_is_in(block, top))
            return top <= reached;
        reached = block->below_top;
    }
    return false;
}

void
frti_buffer_stack_unwind(char *top)
{
    while (stack_current != NULL && !stack_current->is_kept &&
           (top == NULL || !stack_is_in(stack_current, top)))
        stack_leave();
    if (stack_current != NULL)
        frti_here.top = top != NULL ? top : stack_start(stack_current);
}
