/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite by_value: an aggregate by pointer, and by value in different memory.
 *
 *   unit              struct { double x, y; } unit(void)
 *   result_KIND       a result; its first 8 bytes are read
 *   argument_KIND     an argument; its first 8 bytes are written
 *   ..._nested_KIND   the function calls back, and the handler makes the same
 *                     call (the plain one) by the same system
 *
 *   pointer   the function has a pointer to a place on the C stack
 *   place     by value from or to that place
 *   frame     by value in a frame: push, call, one access, pop
 *   malloc    by value in memory of malloc, freed after the call
 *   slots     by value in one of two buffers that a thread keeps
 *
 * All calls are made by stubs. Each loop compares what it was given last.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/frames.h"
#include "benchmarks/functions.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

#define BY_VALUE_MOST 4096

enum by_value_system {
    BY_VALUE_POINTER,
    BY_VALUE_PLACE,
    BY_VALUE_FRAME,
    BY_VALUE_MALLOC,
    BY_VALUE_SLOTS,
    BY_VALUE_SYSTEMS
};

static const struct bench_system by_value_systems[BY_VALUE_SYSTEMS] = {
    [BY_VALUE_POINTER] = {.name = "pointer", .over = "pointer"},
    [BY_VALUE_PLACE] = {.name = "place", .over = "pointer"},
    [BY_VALUE_FRAME] = {.name = "frame", .over = "pointer"},
    [BY_VALUE_MALLOC] = {.name = "malloc", .over = "pointer"},
    [BY_VALUE_SLOTS] = {.name = "slots", .over = "pointer"},
};

/* ------------------------------------------------------------- cases --- */

struct by_value_way {
    const char *declaration;
    void *target;
};

struct by_value_case {
    const char *name;
    struct by_value_way value;
    struct by_value_way pointer;
    const void *first; /* the first element, as it must be read */
    size_t first_size;
    size_t size;
    size_t alignment;
    bool is_argument;
    const struct by_value_case *inner; /* what the handler calls; NULL: none */
};

static const long first_long = BY_VALUE_FIRST;
static const float first_float = BY_VALUE_FIRST;
static const double first_double = BY_VALUE_FIRST;
static const double first_unit = 1;

#define BY_VALUE_MEMORY(struct_name, first_name)                               \
    .first = &first_name, .first_size = sizeof first_name,                     \
    .size = sizeof(struct struct_name),                                        \
    .alignment = _Alignof(struct struct_name)

#define BY_VALUE_RESULT(kind, element, members)                                \
    {.name = "result_" #kind,                                                  \
     .value = {"struct { " #members " } f(void)", (void *)result_##kind},      \
     .pointer = {"void f(void *)", (void *)result_pointer_##kind},             \
     BY_VALUE_MEMORY(by_value_##kind, first_##element)},
#define BY_VALUE_ARGUMENT(kind, element, members)                              \
    {.name = "argument_" #kind,                                                \
     .value = {#element " f(struct { " #members " })",                         \
               (void *)argument_##kind},                                       \
     .pointer = {#element " f(const void *)",                                  \
                 (void *)argument_pointer_##kind},                             \
     BY_VALUE_MEMORY(by_value_##kind, first_##element),                        \
     .is_argument = true},
#define BY_VALUE_NESTED_RESULT(kind, element, members)                         \
    {.name = "result_nested_" #kind,                                           \
     .value = {"struct { " #members " } f(void (*)(void))",                    \
               (void *)result_nested_##kind},                                  \
     .pointer = {"void f(void *, void (*)(void))",                             \
                 (void *)result_pointer_nested_##kind},                        \
     BY_VALUE_MEMORY(by_value_##kind, first_##element),                        \
     .inner = &by_value_plain[BY_VALUE_RESULT_##kind]},
#define BY_VALUE_NESTED_ARGUMENT(kind, element, members)                       \
    {.name = "argument_nested_" #kind,                                         \
     .value = {#element " f(struct { " #members " }, void (*)(void))",         \
               (void *)argument_nested_##kind},                                \
     .pointer = {#element " f(const void *, void (*)(void))",                  \
                 (void *)argument_pointer_nested_##kind},                      \
     BY_VALUE_MEMORY(by_value_##kind, first_##element),                        \
     .is_argument = true,                                                      \
     .inner = &by_value_plain[BY_VALUE_ARGUMENT_##kind]},

#define BY_VALUE_RESULT_INDEX(name, first, members) BY_VALUE_RESULT_##name,
#define BY_VALUE_ARGUMENT_INDEX(name, first, members) BY_VALUE_ARGUMENT_##name,
enum by_value_plain_case {
    BY_VALUE_UNIT,
    BY_VALUE_TABLE(BY_VALUE_RESULT_INDEX)
        BY_VALUE_TABLE(BY_VALUE_ARGUMENT_INDEX) BY_VALUE_PLAIN_CASES
};

static const struct by_value_case by_value_plain[] = {
    {.name = "unit",
     .value = {"struct { double x; double y; } unit(void)", (void *)unit},
     .pointer = {"void unit_ptr(void *)", (void *)unit_ptr},
     BY_VALUE_MEMORY(point, first_unit)},
    BY_VALUE_TABLE(BY_VALUE_RESULT) BY_VALUE_TABLE(BY_VALUE_ARGUMENT)};

static const struct by_value_case by_value_nested[] = {BY_VALUE_TABLE(
    BY_VALUE_NESTED_RESULT) BY_VALUE_TABLE(BY_VALUE_NESTED_ARGUMENT)};

#define BY_VALUE_NESTED_CASES                                                  \
    (sizeof by_value_nested / sizeof by_value_nested[0])

static const struct by_value_case *
by_value_case_at(size_t index)
{
    if (index < BY_VALUE_PLAIN_CASES)
        return &by_value_plain[index];
    index -= BY_VALUE_PLAIN_CASES;
    return index < BY_VALUE_NESTED_CASES ? &by_value_nested[index] : NULL;
}

static const char *
by_value_case_name(size_t index)
{
    const struct by_value_case *at = by_value_case_at(index);

    return at == NULL ? NULL : at->name;
}

/* ------------------------------------------------------------- loops --- */

struct by_value_hot {
    const frt_downcall *downcall;
    void *target;
    void *callback; /* NULL: none */
    size_t size;
    size_t alignment;
    uint64_t first; /* the first element, zeros after it */
};

struct by_value {
    struct by_value_hot hot;
    const char *name;
    bench_loop *loop;
    struct by_value *inner; /* of the handler */
    frt_arena arena;        /* of the upcall */
    bool has_arena;
};

typedef frt_status by_value_push(frt_frame *out, size_t size, size_t alignment);
typedef frt_status by_value_pop(frt_frame *frame);

/* What a loop is compiled for. */
struct by_value_memory {
    by_value_push *push; /* NULL: a place on the C stack */
    by_value_pop *pop;
    bool is_pointer; /* the function has a pointer to it */
};

struct by_value_hands {
    _Alignas(16) char place[BY_VALUE_MOST];
    void *pointer;
    void *callback;
    uint64_t result;
    void *arguments[2];
};

#define BY_VALUE_INLINE static inline __attribute__((always_inline))

static void
by_value_failed(const struct by_value *call, const char *why)
{
    fprintf(stderr, "frt_bench: %s: %s\n", call->name, why);
    exit(EXIT_FAILURE);
}

/* The memory, if it is an argument, is the first one; the callback the last. */
BY_VALUE_INLINE void
by_value_hands_init(struct by_value_hands *hands,
                    const struct by_value_hot *hot, bool has_memory_argument)
{
    hands->pointer = hands->place;
    hands->callback = hot->callback;
    hands->result = 0;
    hands->arguments[0] =
        has_memory_argument ? &hands->pointer : &hands->callback;
    hands->arguments[1] = &hands->callback;
}

/* Returns the first 8 bytes of what the function gave. */
BY_VALUE_INLINE uint64_t
by_value_call(const struct by_value_hot *hot, struct by_value_hands *hands,
              void *place, bool is_pointer, bool is_argument)
{
    if (is_argument)
        *(volatile uint64_t *)place = hot->first;
    if (is_argument && !is_pointer)
        hands->arguments[0] = place;
    if (frt_invoke(hot->downcall, hot->target,
                   is_argument ? &hands->result : place,
                   hands->arguments) != FRT_OK)
        return ~hot->first;
    return is_argument ? hands->result : *(volatile uint64_t *)place;
}

BY_VALUE_INLINE void
by_value_loop(const struct by_value *call, uint64_t count,
              const struct by_value_memory memory, bool is_argument)
{
    const struct by_value_hot hot = call->hot;
    struct by_value_hands hands;
    uint64_t given = hot.first;

    by_value_hands_init(&hands, &hot, is_argument || memory.is_pointer);
    while (count-- > 0) {
        frt_frame frame = {.address = hands.place};

        if (memory.push != NULL &&
            memory.push(&frame, hot.size, hot.alignment) != FRT_OK)
            by_value_failed(call, "no memory");
        given = by_value_call(&hot, &hands, frame.address, memory.is_pointer,
                              is_argument);
        bench_sink_long((long)given);
        if (memory.pop != NULL && memory.pop(&frame) != FRT_OK)
            by_value_failed(call, frt_last_detail());
    }
    if (given != hot.first)
        by_value_failed(call, "it gives a wrong result");
}

static const struct by_value_memory memory_pointer = {.is_pointer = true};
static const struct by_value_memory memory_place = {0};
static const struct by_value_memory memory_frame = {frt_frame_push,
                                                    frt_frame_pop, false};
static const struct by_value_memory memory_malloc = {frames_malloc_push,
                                                     frames_malloc_pop, false};
static const struct by_value_memory memory_slots = {frames_slots_push,
                                                    frames_slots_pop, false};

static void
result_pointer(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_pointer, false);
}

static void
result_place(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_place, false);
}

static void
result_frame(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_frame, false);
}

static void
result_malloc(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_malloc, false);
}

static void
result_slots(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_slots, false);
}

static void
argument_pointer(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_pointer, true);
}

static void
argument_place(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_place, true);
}

static void
argument_frame(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_frame, true);
}

static void
argument_malloc(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_malloc, true);
}

static void
argument_slots(void *call, uint64_t count)
{
    by_value_loop(call, count, memory_slots, true);
}

static const struct {
    bench_loop *result;
    bench_loop *argument;
} by_value_loops[BY_VALUE_SYSTEMS] = {
    [BY_VALUE_POINTER] = {result_pointer, argument_pointer},
    [BY_VALUE_PLACE] = {result_place, argument_place},
    [BY_VALUE_FRAME] = {result_frame, argument_frame},
    [BY_VALUE_MALLOC] = {result_malloc, argument_malloc},
    [BY_VALUE_SLOTS] = {result_slots, argument_slots},
};

/* ------------------------------------------------------------- suite --- */

/* What the function calls back: the same call once more. */
static frt_status
by_value_handle(void *context, void *result, void *const *arguments)
{
    struct by_value *inner = context;

    (void)result;
    (void)arguments;
    inner->loop(inner, 1);
    return FRT_OK;
}

static frt_status
by_value_link(struct by_value *call, const char *declaration)
{
    const frt_parse_options parse = {.size = sizeof parse,
                                     .raw_pointers = true};
    const frt_link_options link = {.size = sizeof link,
                                   .backend = FRT_BACKEND_STUB};
    const frt_descriptor *descriptor;
    frt_status status = frt_descriptor_parse(&descriptor, declaration, &parse);

    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(&call->hot.downcall, descriptor, &link);
    frt_descriptor_drop(descriptor);
    return status;
}

static frt_status
by_value_open_callback(struct by_value *call)
{
    const frt_descriptor *descriptor;
    frt_upcall upcall;
    frt_status status = frt_arena_open_shared(&call->arena);

    if (status != FRT_OK)
        return status;
    call->has_arena = true;
    status = frt_descriptor_of(&descriptor, FRT_VOID, NULL, 0);
    if (status != FRT_OK)
        return status;
    status = frt_upcall_open(&upcall, call->arena, descriptor, by_value_handle,
                             call->inner, NULL);
    frt_descriptor_drop(descriptor);
    if (status == FRT_OK)
        call->hot.callback = frt_upcall_address(upcall);
    return status;
}

static void
by_value_free(struct by_value *call)
{
    if (call == NULL)
        return;
    if (call->has_arena && frt_arena_close(call->arena) != FRT_OK)
        by_value_failed(call, frt_last_detail());
    by_value_free(call->inner);
    frt_downcall_drop(call->hot.downcall);
    free(call);
}

/* NULL: no memory. */
static struct by_value *
by_value_new(const struct by_value_case *what, enum by_value_system system)
{
    struct by_value *call = calloc(1, sizeof *call);

    if (call == NULL)
        return NULL;
    call->name = what->name;
    call->hot.size = what->size;
    call->hot.alignment = what->alignment;
    memcpy(&call->hot.first, what->first, what->first_size);
    call->loop = what->is_argument ? by_value_loops[system].argument
                                   : by_value_loops[system].result;
    if (what->inner == NULL)
        return call;
    call->inner = by_value_new(what->inner, system);
    if (call->inner != NULL)
        return call;
    by_value_free(call);
    return NULL;
}

static frt_status
by_value_make(struct by_value *call, const struct by_value_case *what,
              enum by_value_system system)
{
    const struct by_value_way *way =
        system == BY_VALUE_POINTER ? &what->pointer : &what->value;
    frt_status status = by_value_link(call, way->declaration);

    call->hot.target = way->target;
    if (status != FRT_OK || what->inner == NULL)
        return status;
    status = by_value_make(call->inner, what->inner, system);
    return status != FRT_OK ? status : by_value_open_callback(call);
}

static void
by_value_close(struct bench_contestant *contestant, size_t system_index)
{
    (void)system_index;
    by_value_free(contestant->context);
}

static const char *
by_value_open(struct bench_contestant *out, size_t case_index,
              size_t system_index)
{
    const struct by_value_case *what = by_value_case_at(case_index);
    enum by_value_system system = (enum by_value_system)system_index;
    const char *why = NULL;
    struct by_value *call;

    if (system == BY_VALUE_MALLOC || system == BY_VALUE_SLOTS)
        why = bench_libc_find();
    if (why != NULL)
        return why;
    call = by_value_new(what, system);
    if (call == NULL)
        return "out of memory";
    if (by_value_make(call, what, system) != FRT_OK) {
        by_value_free(call);
        return frt_last_detail();
    }
    call->loop(call, 1);
    *out = (struct bench_contestant){by_value_systems[system].name, call->loop,
                                     call};
    return NULL;
}

const struct bench_suite bench_suite_by_value = {
    .name = "by_value",
    .case_name = by_value_case_name,
    .systems = by_value_systems,
    .system_count = BY_VALUE_SYSTEMS,
    .open = by_value_open,
    .close = by_value_close,
};
