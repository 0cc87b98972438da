/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite call: one call of each function, by each system. The same signature
 * and the same argument memory for all of them; each system's result is
 * compared with the expected one before it is timed.
 *
 *   floor           C, through a volatile pointer into the other library
 *   stub, libffi    frt_invoke by either backend
 *   ffi_call        the installed libffi by itself, its cif prepared
 *   ffi_call_plan   the same with a plan, where it has plans
 *   captured        frt_invoke_captured by the stub: errno in and out
 *   bound_global    frt_call: a function of a library in the global arena
 *   bound           the same, the library in a shared arena, which is held
 *   shared_same     identity3 with one segment of a shared arena three times
 *   shared_three    with segments of three shared arenas
 *   confined_three  with segments of three confined ones
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/call.h"
#include "benchmarks/call_libffi.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

#define CALL_SEGMENTS 3

enum call_system {
    CALL_FLOOR,
    CALL_STUB,
    CALL_LIBFFI,
    CALL_FFI_CALL,
    CALL_FFI_CALL_PLAN,
    CALL_CAPTURED,
    CALL_BOUND_GLOBAL,
    CALL_BOUND,
    CALL_SHARED_SAME, /* from here on: of segments, identity3 alone */
    CALL_SHARED_THREE,
    CALL_CONFINED_THREE,
    CALL_SYSTEMS
};

static const struct bench_system call_systems[CALL_SYSTEMS] = {
    [CALL_FLOOR] = {.name = "floor", .over = "floor"},
    [CALL_STUB] = {.name = "stub", .over = "floor"},
    [CALL_LIBFFI] = {.name = "libffi", .over = "floor"},
    [CALL_FFI_CALL] = {.name = "ffi_call", .over = "floor"},
    [CALL_FFI_CALL_PLAN] = {.name = "ffi_call_plan", .over = "floor"},
    [CALL_CAPTURED] = {.name = "captured", .over = "stub"},
    [CALL_BOUND_GLOBAL] = {.name = "bound_global", .over = "stub"},
    [CALL_BOUND] = {.name = "bound", .over = "bound_global"},
    [CALL_SHARED_SAME] = {.name = "shared_same", .over = "stub"},
    [CALL_SHARED_THREE] = {.name = "shared_three", .over = "stub"},
    [CALL_CONFINED_THREE] = {.name = "confined_three",
                             .over = "stub",
                             .is_owned = true},
};

/* What a loop reads in each turn: a copy that nobody has the address of. */
struct call_way {
    void *by; /* the downcall, function, cif or plan */
    void *target;
    size_t count;
};

struct call {
    const struct call_case *what;
    enum call_system system;
    const frt_descriptor *descriptor;
    struct call_way way;
    void *arguments[CALL_ARGUMENTS];
    const frt_downcall *downcall;
    frt_function *function;
    struct call_plans plans;
    void *plan;
    struct call_libffi libffi;
    frt_arena arenas[CALL_SEGMENTS];
    frt_segment segments[CALL_SEGMENTS];
    size_t arena_count;
};

/* What each thread has for itself. */
struct call_hands {
    union call_result result;
    void *place;
    frt_call_state state;
    struct call_plans plans;
    void *arguments[CALL_ARGUMENTS];
};

static void
hands_init(struct call_hands *hands, const struct call *call)
{
    memset(hands, 0, sizeof *hands);
    memcpy(hands->arguments, call->arguments, sizeof hands->arguments);
    hands->plans = call->plans;
    hands->place = &hands->result;
    if (call->what->takes_place)
        hands->arguments[0] = &hands->place;
}

/* ---------------------------------------------------------- one call --- */

typedef void call_once(const struct call_way way, struct call_hands *hands);

static void
once_invoke(const struct call_way way, struct call_hands *hands)
{
    if (frt_invoke(way.by, way.target, &hands->result, hands->arguments) !=
        FRT_OK)
        bench_failed();
}

/* As in C: errno is 0 before the call that it is asked for. */
static void
once_captured(const struct call_way way, struct call_hands *hands)
{
    hands->state.error_number = 0;
    if (frt_invoke_captured(way.by, &hands->state, way.target, &hands->result,
                            hands->arguments) != FRT_OK)
        bench_failed();
    bench_sink_int(hands->state.error_number);
}

static void
once_bound(const struct call_way way, struct call_hands *hands)
{
    if (frt_call(way.by, &hands->result, hands->arguments, way.count) != FRT_OK)
        bench_failed();
}

static void
once_ffi_call(const struct call_way way, struct call_hands *hands)
{
    ffi_call(way.by, (void (*)(void))way.target, &hands->result,
             hands->arguments);
}

static void
once_plan(const struct call_way way, struct call_hands *hands)
{
    hands->plans.invoke(way.by, (void (*)(void))way.target, &hands->result,
                        hands->arguments);
}

/* `once` is a constant wherever this is inlined, and inlined itself. */
static inline __attribute__((always_inline)) void
call_loop(const struct call *call, uint64_t count, call_once *once)
{
    const struct call_way way = call->way;
    struct call_hands hands;

    hands_init(&hands, call);
    while (count-- > 0) {
        once(way, &hands);
        bench_sink(&hands.result);
    }
}

static void
loop_invoke(void *context, uint64_t count)
{
    call_loop(context, count, once_invoke);
}

static void
loop_captured(void *context, uint64_t count)
{
    call_loop(context, count, once_captured);
}

static void
loop_bound(void *context, uint64_t count)
{
    call_loop(context, count, once_bound);
}

static void
loop_ffi_call(void *context, uint64_t count)
{
    call_loop(context, count, once_ffi_call);
}

static void
loop_plan(void *context, uint64_t count)
{
    call_loop(context, count, once_plan);
}

/* ------------------------------------------------------- descriptors --- */

/* With its variadic ints. */
static frt_status
call_describe(const frt_descriptor **out, const struct call_case *what)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .raw_pointers = true};
    const frt_layout *ints[CALL_ARGUMENTS];
    const frt_descriptor *fixed;
    frt_status status =
        frt_descriptor_parse(&fixed, what->declaration, &options);

    if (status != FRT_OK || what->variadic == 0) {
        if (status == FRT_OK)
            *out = fixed;
        return status;
    }
    for (size_t i = 0; i < what->variadic; i++)
        ints[i] = FRT_INT;
    status = frt_descriptor_extend(out, fixed, ints, what->variadic);
    frt_descriptor_drop(fixed);
    return status;
}

/* identity3, whose parameters are segments; its result is a raw pointer. */
static frt_status
call_describe_segments(const frt_descriptor **out)
{
    const frt_layout *parameters[CALL_SEGMENTS];

    for (size_t i = 0; i < CALL_SEGMENTS; i++)
        parameters[i] = FRT_SEGMENT;
    return frt_descriptor_of(out, FRT_POINTER, parameters, CALL_SEGMENTS);
}

static bool
call_has_segments(enum call_system system)
{
    return system >= CALL_SHARED_SAME;
}

/* ------------------------------------------------------------- make ---- */

static const char *
make_downcall(struct call *call)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = call->system == CALL_LIBFFI
                                                     ? FRT_BACKEND_LIBFFI
                                                     : FRT_BACKEND_STUB};

    if (frt_downcall_link(&call->downcall, call->descriptor, &options) !=
        FRT_OK)
        return frt_last_detail();
    call->way.by = (void *)call->downcall;
    return NULL;
}

static const char *
make_ffi_call(struct call *call)
{
    if (!call_libffi_prepare(&call->libffi, call->descriptor))
        return "libffi does not prepare it";
    call->way.by = &call->libffi.cif;
    return NULL;
}

static const char *
make_plan(struct call *call)
{
    const char *why = make_ffi_call(call);

    if (why != NULL)
        return why;
    call->plans = call_libffi_plans();
    if (call->plans.alloc == NULL)
        return "the installed libffi has no call plans (3.7 and later do)";
    call->plan = call->plans.alloc(&call->libffi.cif);
    call->way.by = call->plan;
    return call->plan == NULL ? "libffi gives no plan" : NULL;
}

static frt_status
call_open_arena(struct call *call, bool is_shared)
{
    frt_arena *arena = &call->arenas[call->arena_count];
    frt_status status = is_shared ? frt_arena_open_shared(arena)
                                  : frt_arena_open_confined(arena);

    if (status == FRT_OK)
        call->arena_count++;
    return status;
}

static const char *
make_bound(struct call *call)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = FRT_BACKEND_STUB};
    frt_arena arena = frt_arena_global();
    frt_library library;
    Dl_info functions;

    if (dladdr(call->what->target, &functions) == 0)
        return "the loader does not know the functions' library";
    if (call->system == CALL_BOUND) {
        if (call_open_arena(call, true) != FRT_OK)
            return frt_last_detail();
        arena = call->arenas[0];
    }
    if (frt_library_open(&library, arena, functions.dli_fname, NULL) !=
            FRT_OK ||
        frt_function_new(&call->function, library, call->what->name,
                         call->descriptor, &options) != FRT_OK)
        return frt_last_detail();
    call->way.by = call->function;
    return NULL;
}

/* Segments of what the raw pointers point to. */
static const char *
make_segments(struct call *call)
{
    size_t arenas = call->system == CALL_SHARED_SAME ? 1 : CALL_SEGMENTS;

    for (size_t i = 0; i < arenas; i++)
        if (call_open_arena(call, call->system != CALL_CONFINED_THREE) !=
                FRT_OK ||
            frt_segment_of_arena(&call->segments[i],
                                 *(void **)call->arguments[i], sizeof(void *),
                                 call->arenas[i]) != FRT_OK)
            return frt_last_detail();
    for (size_t i = 0; i < CALL_SEGMENTS; i++)
        call->arguments[i] = &call->segments[arenas == 1 ? 0 : i];
    return make_downcall(call);
}

static const struct call_kind {
    const char *(*make)(struct call *call); /* NULL, or why not */
    call_once *once;
    bench_loop *loop;
} call_kinds[CALL_SYSTEMS] = {
    [CALL_STUB] = {make_downcall, once_invoke, loop_invoke},
    [CALL_LIBFFI] = {make_downcall, once_invoke, loop_invoke},
    [CALL_FFI_CALL] = {make_ffi_call, once_ffi_call, loop_ffi_call},
    [CALL_FFI_CALL_PLAN] = {make_plan, once_plan, loop_plan},
    [CALL_CAPTURED] = {make_downcall, once_captured, loop_captured},
    [CALL_BOUND_GLOBAL] = {make_bound, once_bound, loop_bound},
    [CALL_BOUND] = {make_bound, once_bound, loop_bound},
    [CALL_SHARED_SAME] = {make_segments, once_invoke, loop_invoke},
    [CALL_SHARED_THREE] = {make_segments, once_invoke, loop_invoke},
    [CALL_CONFINED_THREE] = {make_segments, once_invoke, loop_invoke},
};

/* ------------------------------------------------------------ suite ---- */

static const char *
call_case_name(size_t index)
{
    return index < call_case_count ? call_cases[index].name : NULL;
}

static bool
call_has(size_t case_index, size_t system_index)
{
    return !call_has_segments((enum call_system)system_index) ||
           call_cases[case_index].target == (void *)identity3;
}

/* A wrong call has no time. */
static bool
call_is_right(const struct call *call)
{
    const struct call_case *what = call->what;
    struct call_hands hands;

    hands_init(&hands, call);
    call_kinds[call->system].once(call->way, &hands);
    return memcmp(&hands.result, &what->expected, what->size) == 0;
}

static const char *
call_make(struct call *call)
{
    frt_status status = call_has_segments(call->system)
                            ? call_describe_segments(&call->descriptor)
                            : call_describe(&call->descriptor, call->what);
    const char *why;

    if (status != FRT_OK)
        return frt_last_detail();
    memcpy(call->arguments, call->what->arguments, sizeof call->arguments);
    call->way.target = call->what->target;
    call->way.count = frt_descriptor_count(call->descriptor);
    why = call_kinds[call->system].make(call);
    if (why == NULL && !call_is_right(call))
        why = "it gives a wrong result";
    return why;
}

static void
call_close(struct bench_contestant *contestant, size_t system_index)
{
    struct call *call = contestant->context;

    if (system_index == CALL_FLOOR)
        return;
    if (call->plan != NULL)
        call->plans.free(call->plan);
    frt_function_free(call->function);
    frt_downcall_drop(call->downcall);
    frt_descriptor_drop(call->descriptor);
    while (call->arena_count > 0)
        if (frt_arena_close(call->arenas[--call->arena_count]) != FRT_OK)
            bench_failed();
    free(call);
}

static const char *
call_open(struct bench_contestant *out, size_t case_index, size_t system_index)
{
    const char *why;
    struct call *call;

    *out = (struct bench_contestant){call_systems[system_index].name,
                                     call_kinds[system_index].loop, NULL};
    if (system_index == CALL_FLOOR) {
        out->loop = call_cases[case_index].floor;
        return NULL;
    }
    call = calloc(1, sizeof *call);
    if (call == NULL)
        return "out of memory";
    out->context = call;
    call->what = &call_cases[case_index];
    call->system = (enum call_system)system_index;
    why = call_make(call);
    if (why != NULL)
        call_close(out, system_index);
    return why;
}

const struct bench_suite bench_suite_call = {
    .name = "call",
    .case_name = call_case_name,
    .systems = call_systems,
    .system_count = CALL_SYSTEMS,
    .has = call_has,
    .open = call_open,
    .close = call_close,
};
