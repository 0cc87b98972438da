/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The buffer stack: memory for frames, a stack for each thread.
 *
 *     first block   [ head | frame | frame | ...        limit ]   kept
 *                                    ^ back of the frame above
 *     a block more  [ head | frame | frame | top ...    limit ]   current
 *     spare         [ head |                                  ]   or none
 *
 * frti_here has the current block's top and limit, both NULL on a thread that
 * has none. Both are multiples of 16, and so is what a frame takes; a frame of
 * no bytes takes 16, so that no two open frames have the same end.
 *
 *   - A frame is its thread's last one if its end is the top.
 *   - back: the top to go back to; NULL: the frame opened the current block,
 *     which goes with it. end NULL: popped.
 *   - The first block is kept until the thread ends, and so is the spare: one
 *     block of the usual size that was left. A thread that ends with frames
 *     open leaves their blocks as they are, for ever: somebody may still use
 *     them. A leak checker shows such a block.
 *   - After the thread's end (in a later destructor of the same thread) each
 *     frame opens a block, so that nothing is left behind.
 *
 * Why it is so (frt_bench --suite by_value,memory; x86-64, gcc 12):
 *   - A push and a pop take 0.6 ns as long as the frame is in registers; its
 *     address is given to nobody. Joined to a vector in memory, as compilers
 *     like to do with two neighbours, back and end made it 3 ns.
 *   - The spare: at the edge of a block each call has to open one, which took
 *     3.9 us (the allocator clears it) and takes 10 ns.
 *   - The block's size: with the spare it matters little. A thread's first
 *     frame costs 0.2 us with a block of 4 KiB, 0.5 with 64, 1.7 with 256: the
 *     clearing. 64 KiB are 15 results of 4,096 bytes in each other, thousands
 *     of small ones, and a hundredth of what a thread's own stack usually has.
 *   - Alignment: 16, as malloc and the C stack. Results of 32 and 64 bytes
 *     across two cache lines cost no more than in one.
 */
#ifndef FRTI_MEMORY_BUFFER_STACK_H
#define FRTI_MEMORY_BUFFER_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

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
