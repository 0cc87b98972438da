/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite memory: some bytes for a moment: had, written to once, given back.
 *
 *   bytes_SIZE   that many
 *   full_SIZE    the same, when the thread's block of the buffer stack is full
 *
 *   malloc           the C library's, and free
 *   jemalloc         mallocx and sdallocx
 *   slots            one of two buffers that a thread keeps, as in by_value
 *   frame            a frame of the buffer stack
 *   arena_confined   a confined arena, opened and closed
 *   arena_shared     a shared one
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/frames.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

enum memory_system {
    MEMORY_MALLOC,
    MEMORY_JEMALLOC,
    MEMORY_SLOTS,
    MEMORY_FRAME,
    MEMORY_CONFINED,
    MEMORY_SHARED,
    MEMORY_SYSTEMS
};

static const struct bench_system memory_systems[MEMORY_SYSTEMS] = {
    [MEMORY_MALLOC] = {.name = "malloc", .over = "malloc"},
    [MEMORY_JEMALLOC] = {.name = "jemalloc", .over = "malloc"},
    [MEMORY_SLOTS] = {.name = "slots", .over = "malloc"},
    [MEMORY_FRAME] = {.name = "frame", .over = "malloc"},
    [MEMORY_CONFINED] = {.name = "arena_confined", .over = "malloc"},
    [MEMORY_SHARED] = {.name = "arena_shared", .over = "malloc"},
};

static const struct memory_case {
    const char *name;
    size_t size;
    bool is_full;
} memory_cases[] = {
    {"bytes_16", 16, false},       {"bytes_64", 64, false},
    {"bytes_256", 256, false},     {"bytes_4096", 4096, false},
    {"bytes_16384", 16384, false}, {"full_16", 16, true},
    {"full_4096", 4096, true},
};

#define MEMORY_CASES (sizeof memory_cases / sizeof memory_cases[0])

static struct {
    void *(*mallocx)(size_t size, int flags);
    void (*sdallocx)(void *memory, size_t size, int flags);
} memory_jemalloc;

static void
memory_failed(void)
{
    fprintf(stderr, "frt_bench: no memory for a benchmark\n");
    exit(EXIT_FAILURE);
}

/* ------------------------------------------------------------- loops --- */

typedef frt_status memory_get(frt_frame *out, size_t size, size_t alignment);
typedef frt_status memory_give(frt_frame *frame);

/* `get` and `give` are constants wherever this is inlined. */
static inline __attribute__((always_inline)) void
memory_loop(const struct memory_case *what, uint64_t count, memory_get *get,
            memory_give *give)
{
    while (count-- > 0) {
        frt_frame frame = {0};

        if (get(&frame, what->size, 0) != FRT_OK)
            memory_failed();
        *(volatile char *)frame.address = 1;
        if (give(&frame) != FRT_OK)
            memory_failed();
    }
}

static frt_status
jemalloc_get(frt_frame *out, size_t size, size_t alignment)
{
    (void)alignment;
    out->address = memory_jemalloc.mallocx(size, 0);
    out->size = size;
    return out->address == NULL ? FRT_NO_MEMORY : FRT_OK;
}

static frt_status
jemalloc_give(frt_frame *frame)
{
    memory_jemalloc.sdallocx(frame->address, frame->size, 0);
    return FRT_OK;
}

static void
loop_malloc(void *context, uint64_t count)
{
    memory_loop(context, count, frames_malloc_push, frames_malloc_pop);
}

static void
loop_jemalloc(void *context, uint64_t count)
{
    memory_loop(context, count, jemalloc_get, jemalloc_give);
}

static void
loop_slots(void *context, uint64_t count)
{
    memory_loop(context, count, frames_slots_push, frames_slots_pop);
}

static void
loop_frame(void *context, uint64_t count)
{
    memory_loop(context, count, frt_frame_push, frt_frame_pop);
}

/* What is left of the thread's block is taken first. */
static void
loop_frame_full(void *context, uint64_t count)
{
    frt_frame small = {0};
    frt_frame rest = {0};

    if (frt_frame_push(&small, 16, 0) != FRT_OK ||
        frt_frame_push(&rest, (size_t)(frti_here.limit - small.end), 0) !=
            FRT_OK)
        memory_failed();
    memory_loop(context, count, frt_frame_push, frt_frame_pop);
    if (frt_frame_pop(&rest) != FRT_OK || frt_frame_pop(&small) != FRT_OK)
        memory_failed();
}

static inline __attribute__((always_inline)) void
arena_loop(const struct memory_case *what, uint64_t count,
           frt_status (*open)(frt_arena *out))
{
    while (count-- > 0) {
        frt_arena arena;
        frt_segment segment;

        if (open(&arena) != FRT_OK ||
            frt_arena_allocate(&segment, arena, what->size, 0) != FRT_OK)
            memory_failed();
        *(volatile char *)segment.address = 1;
        if (frt_arena_close(arena) != FRT_OK)
            memory_failed();
    }
}

static void
loop_confined(void *context, uint64_t count)
{
    arena_loop(context, count, frt_arena_open_confined);
}

static void
loop_shared(void *context, uint64_t count)
{
    arena_loop(context, count, frt_arena_open_shared);
}

static bench_loop *const memory_loops[MEMORY_SYSTEMS] = {
    [MEMORY_MALLOC] = loop_malloc,     [MEMORY_JEMALLOC] = loop_jemalloc,
    [MEMORY_SLOTS] = loop_slots,       [MEMORY_FRAME] = loop_frame,
    [MEMORY_CONFINED] = loop_confined, [MEMORY_SHARED] = loop_shared,
};

/* ------------------------------------------------------------- suite --- */

static const char *
memory_case_name(size_t index)
{
    return index < MEMORY_CASES ? memory_cases[index].name : NULL;
}

/* Only a block can be full. */
static bool
memory_has(size_t case_index, size_t system_index)
{
    return !memory_cases[case_index].is_full || system_index == MEMORY_FRAME ||
           system_index == MEMORY_MALLOC;
}

static const char *
memory_jemalloc_find(void)
{
    *(void **)&memory_jemalloc.mallocx = dlsym(RTLD_DEFAULT, "mallocx");
    *(void **)&memory_jemalloc.sdallocx = dlsym(RTLD_DEFAULT, "sdallocx");
    return memory_jemalloc.mallocx == NULL || memory_jemalloc.sdallocx == NULL
               ? "the program has no jemalloc"
               : NULL;
}

static const char *
memory_open(struct bench_contestant *out, size_t case_index,
            size_t system_index)
{
    const struct memory_case *what = &memory_cases[case_index];
    const char *why = NULL;

    if (system_index == MEMORY_JEMALLOC)
        why = memory_jemalloc_find();
    else if (system_index == MEMORY_MALLOC || system_index == MEMORY_SLOTS)
        why = bench_libc_find();
    *out =
        (struct bench_contestant){memory_systems[system_index].name,
                                  what->is_full && system_index == MEMORY_FRAME
                                      ? loop_frame_full
                                      : memory_loops[system_index],
                                  (void *)what};
    return why;
}

static void
memory_close(struct bench_contestant *contestant, size_t system_index)
{
    (void)contestant;
    (void)system_index;
}

const struct bench_suite bench_suite_memory = {
    .name = "memory",
    .case_name = memory_case_name,
    .systems = memory_systems,
    .system_count = MEMORY_SYSTEMS,
    .has = memory_has,
    .open = memory_open,
    .close = memory_close,
};
