/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite segment: checked access to memory, against plain access.
 *
 *   get_TYPE, put_TYPE     one value
 *   get_bytes, put_bytes   64 bytes; plain: a memcpy
 *
 *   plain      C, through a pointer
 *   global     a segment of the global arena, which lives for ever
 *   confined   of a confined arena: its owner alone
 *   shared     of a shared arena, which is held meanwhile
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

#define SEGMENT_BYTES 64

/* Each thread has a part for itself, whole cache lines. */
#define SEGMENT_PART ((size_t)128)
#define SEGMENT_PARTS 64u

enum segment_system {
    SEGMENT_PLAIN,
    SEGMENT_GLOBAL,
    SEGMENT_CONFINED,
    SEGMENT_SHARED,
    SEGMENT_SYSTEMS
};

static const struct bench_system segment_systems[SEGMENT_SYSTEMS] = {
    [SEGMENT_PLAIN] = {.name = "plain", .over = "plain"},
    [SEGMENT_GLOBAL] = {.name = "global", .over = "plain"},
    [SEGMENT_CONFINED] = {.name = "confined",
                          .over = "plain",
                          .is_owned = true},
    [SEGMENT_SHARED] = {.name = "shared", .over = "plain"},
};

/* The types of the cases; bytes are apart. */
#define SEGMENT_TABLE(X)                                                       \
    X(i32, int32_t)                                                            \
    X(i64, int64_t)                                                            \
    X(f64, double)                                                             \
    X(pointer, void *)

struct memory {
    frt_segment segment;
    frt_arena arena;
    bool has_arena;
};

/* Where the part of the calling thread starts. */
static size_t
segment_part(void)
{
    static _Atomic unsigned next;

    return atomic_fetch_add(&next, 1) % SEGMENT_PARTS * SEGMENT_PART;
}

/* The address, which the compiler must not know. */
static inline char *
plain_address(const struct memory *memory, size_t offset)
{
    char *address = (char *)memory->segment.address + offset;

    __asm__ volatile("" : "+r"(address));
    return address;
}

#define SEGMENT_LOOPS(name, type)                                              \
    static void plain_get_##name(void *context, uint64_t count)                \
    {                                                                          \
        char *address = plain_address(context, segment_part());                \
        type value;                                                            \
                                                                               \
        while (count-- > 0) {                                                  \
            value = *(type volatile *)(void *)address;                         \
            bench_sink(&value);                                                \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void plain_put_##name(void *context, uint64_t count)                \
    {                                                                          \
        char *address = plain_address(context, segment_part());                \
                                                                               \
        while (count-- > 0)                                                    \
            *(type volatile *)(void *)address = (type)0;                       \
    }                                                                          \
                                                                               \
    static void checked_get_##name(void *context, uint64_t count)              \
    {                                                                          \
        const struct memory *memory = context;                                 \
        size_t offset = segment_part();                                        \
        type value;                                                            \
                                                                               \
        while (count-- > 0) {                                                  \
            if (frt_segment_get_##name(&value, &memory->segment, offset) !=    \
                FRT_OK)                                                        \
                bench_failed();                                                \
            bench_sink(&value);                                                \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void checked_put_##name(void *context, uint64_t count)              \
    {                                                                          \
        const struct memory *memory = context;                                 \
        size_t offset = segment_part();                                        \
                                                                               \
        while (count-- > 0)                                                    \
            if (frt_segment_put_##name(&memory->segment, offset, (type)0) !=   \
                FRT_OK)                                                        \
                bench_failed();                                                \
    }
SEGMENT_TABLE(SEGMENT_LOOPS)

static void
plain_get_bytes(void *context, uint64_t count)
{
    char *address = plain_address(context, segment_part());
    char bytes[SEGMENT_BYTES];

    while (count-- > 0) {
        memcpy(bytes, address, sizeof bytes);
        bench_sink(bytes);
    }
}

static void
plain_put_bytes(void *context, uint64_t count)
{
    char *address = plain_address(context, segment_part());
    const char bytes[SEGMENT_BYTES] = {0};

    while (count-- > 0) {
        memcpy(address, bytes, sizeof bytes);
        bench_sink(bytes);
    }
}

static void
checked_get_bytes(void *context, uint64_t count)
{
    const struct memory *memory = context;
    size_t offset = segment_part();
    char bytes[SEGMENT_BYTES];

    while (count-- > 0) {
        if (frt_segment_get_bytes(bytes, &memory->segment, offset,
                                  sizeof bytes) != FRT_OK)
            bench_failed();
        bench_sink(bytes);
    }
}

static void
checked_put_bytes(void *context, uint64_t count)
{
    const struct memory *memory = context;
    size_t offset = segment_part();
    const char bytes[SEGMENT_BYTES] = {0};

    while (count-- > 0) {
        if (frt_segment_put_bytes(&memory->segment, offset, bytes,
                                  sizeof bytes) != FRT_OK)
            bench_failed();
        bench_sink(bytes);
    }
}

/* ------------------------------------------------------------- suite --- */

#define SEGMENT_CASES_OF(name, type)                                           \
    {"get_" #name, plain_get_##name, checked_get_##name},                      \
        {"put_" #name, plain_put_##name, checked_put_##name},

static const struct segment_case {
    const char *name;
    bench_loop *plain;
    bench_loop *checked;
} segment_cases[] = {
    SEGMENT_TABLE(SEGMENT_CASES_OF){"get_bytes", plain_get_bytes,
                                    checked_get_bytes},
    {"put_bytes", plain_put_bytes, checked_put_bytes},
};

#define SEGMENT_CASES (sizeof segment_cases / sizeof segment_cases[0])

static const char *
segment_case_name(size_t index)
{
    return index < SEGMENT_CASES ? segment_cases[index].name : NULL;
}

static frt_status
segment_make(struct memory *memory, enum segment_system system)
{
    frt_status status = FRT_OK;

    memory->arena = frt_arena_global();
    if (system == SEGMENT_CONFINED)
        status = frt_arena_open_confined(&memory->arena);
    else if (system != SEGMENT_GLOBAL)
        status = frt_arena_open_shared(&memory->arena);
    if (status != FRT_OK)
        return status;
    memory->has_arena = system != SEGMENT_GLOBAL;
    return frt_arena_allocate(&memory->segment, memory->arena,
                              SEGMENT_PARTS * SEGMENT_PART, SEGMENT_PART);
}

static void
segment_close(struct bench_contestant *contestant, size_t system_index)
{
    struct memory *memory = contestant->context;

    (void)system_index;
    if (memory->has_arena && frt_arena_close(memory->arena) != FRT_OK)
        bench_failed();
    free(memory);
}

static const char *
segment_open(struct bench_contestant *out, size_t case_index,
             size_t system_index)
{
    const struct segment_case *what = &segment_cases[case_index];
    struct memory *memory = calloc(1, sizeof *memory);

    if (memory == NULL)
        return "out of memory";
    *out = (struct bench_contestant){
        segment_systems[system_index].name,
        system_index == SEGMENT_PLAIN ? what->plain : what->checked, memory};
    if (segment_make(memory, (enum segment_system)system_index) != FRT_OK) {
        segment_close(out, system_index);
        return frt_last_detail();
    }
    return NULL;
}

const struct bench_suite bench_suite_segment = {
    .name = "segment",
    .case_name = segment_case_name,
    .systems = segment_systems,
    .system_count = SEGMENT_SYSTEMS,
    .open = segment_open,
    .close = segment_close,
};
