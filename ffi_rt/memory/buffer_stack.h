/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The buffer stack: memory for frames, a stack for each thread.
 *
 *     first block   [ head | frame | frame | ...        limit ]   kept
 *                                    ^ back of the frame above
 *     a block more  [ head | frame | frame | top ...    limit ]   current
 *
 * frti_here has the current block's top and limit, both NULL on a thread that
 * has none. Both are multiples of 16, and so is what a frame takes; a frame of
 * no bytes takes 16, so that no two open frames have the same end.
 *
 *   - A frame is its thread's last one if its end is the top.
 *   - back: the top to go back to; NULL: the frame opened the current block,
 *     which goes with it. end NULL: popped.
 *   - The first block is kept until the thread ends. A thread that ends with
 *     frames open leaves its blocks as they are, for ever: somebody may still
 *     use them. A leak checker shows such a block.
 *   - After the thread's end (in a later destructor of the same thread) each
 *     frame opens a block, so that nothing is left behind.
 */
#ifndef FRTI_MEMORY_BUFFER_STACK_H
#define FRTI_MEMORY_BUFFER_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

/* Room for hundreds of nested by-value results, and a hundredth of what a
 * thread's own stack usually has. */
#define FRTI_BUFFER_BLOCK ((size_t)64 << 10)

/* A top that this thread had, and has not gone below; NULL: it had no block. */
bool frti_buffer_stack_has(const char *top);
/* Pops all frames above such a top. */
void frti_buffer_stack_unwind(char *top);

/* For FRTI_CLEANUP, of a frame that began as {0}: one whose push failed has
 * nothing to pop, and the sentence of that failure stays. */
static inline void
frti_frame_end(frt_frame *frame)
{
    if (frame->end != NULL)
        (void)frt_frame_pop(frame);
}

#endif
