/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What a by-value result can be put in instead of a frame of the buffer stack,
 * behind the same interface (frt_frame_push, frt_frame_pop):
 *
 *   malloc   the C library's, once a call
 *   slots    two buffers of 256 bytes that each thread keeps; malloc when both
 *            are taken, or for more
 *
 * A frame holds its address and size; nothing else is used. jemalloc is linked
 * to the program and answers for malloc: what is meant here is the C library's
 * own, which is looked for at run time.
 */
#ifndef BENCHMARKS_FRAMES_H
#define BENCHMARKS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

#define FRAMES_SLOTS 2
#define FRAMES_SLOT_BYTES 256
#define FRAMES_ALIGNMENT 16 /* more than malloc's is not to be had */

struct frames_libc {
    void *(*malloc)(size_t size);
    void (*free)(void *memory);
};
extern struct frames_libc bench_libc;

/* Finds it; NULL, or why it cannot be had. */
const char *bench_libc_find(void);

struct frames_slots {
    _Alignas(FRAMES_ALIGNMENT) char buffers[FRAMES_SLOTS][FRAMES_SLOT_BYTES];
    bool is_taken[FRAMES_SLOTS];
};
extern __thread struct frames_slots bench_slots
    __attribute__((tls_model("initial-exec")));

static inline frt_status
frames_malloc_push(frt_frame *out, size_t size, size_t alignment)
{
    void *address;

    if (__builtin_expect(alignment > FRAMES_ALIGNMENT, 0))
        return FRT_BAD_ALIGNMENT;
    address = bench_libc.malloc(size);
    if (__builtin_expect(address == NULL, 0))
        return FRT_NO_MEMORY;
    out->address = address;
    out->size = size;
    return FRT_OK;
}

static inline frt_status
frames_malloc_pop(frt_frame *frame)
{
    bench_libc.free(frame->address);
    return FRT_OK;
}

static inline frt_status
frames_slots_push(frt_frame *out, size_t size, size_t alignment)
{
    for (size_t i = 0; i < FRAMES_SLOTS; i++)
        if (size <= FRAMES_SLOT_BYTES && alignment <= FRAMES_ALIGNMENT &&
            !bench_slots.is_taken[i]) {
            bench_slots.is_taken[i] = true;
            out->address = bench_slots.buffers[i];
            out->size = size;
            return FRT_OK;
        }
    return frames_malloc_push(out, size, alignment);
}

static inline frt_status
frames_slots_pop(frt_frame *frame)
{
    for (size_t i = 0; i < FRAMES_SLOTS; i++)
        if (frame->address == bench_slots.buffers[i]) {
            bench_slots.is_taken[i] = false;
            return FRT_OK;
        }
    return frames_malloc_pop(frame);
}

#endif
