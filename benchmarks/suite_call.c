/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite call: one call of each function, by each system. The same signature
 * and the same argument memory for all of them; each system's result is
 * compared with the expected one before it is timed.
 */
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/call.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

/* The members of a struct, flattened, and the NULL at their end. */
#define CALL_ELEMENTS 8

enum call_system { CALL_FLOOR, CALL_STUB, CALL_LIBFFI, CALL_FFI_CALL };

static const struct bench_system call_systems[] = {
    [CALL_FLOOR] = {"floor", "floor"},
    [CALL_STUB] = {"stub", "floor"},
    [CALL_LIBFFI] = {"libffi", "floor"},
    [CALL_FFI_CALL] = {"ffi_call", "floor"},
};

struct call_type {
    ffi_type type;
    ffi_type *elements[CALL_ELEMENTS];
};

struct call {
    const struct call_case *what;
    const frt_downcall *downcall; /* NULL: ffi_call */
    ffi_cif cif;
    ffi_type *parameters[CALL_ARGUMENTS];
    struct call_type types[CALL_ARGUMENTS + 1]; /* the result's is the last */
};

static const char *
call_case_name(size_t index)
{
    return index < call_case_count ? call_cases[index].name : NULL;
}

/* What each thread has for itself. */
struct call_hands {
    union call_result result;
    void *place;
    void *arguments[CALL_ARGUMENTS];
};

static void
hands_init(struct call_hands *hands, const struct call_case *what)
{
    memcpy(hands->arguments, what->arguments, sizeof hands->arguments);
    hands->place = &hands->result;
    if (what->takes_place)
        hands->arguments[0] = &hands->place;
}

static void
call_failed(void)
{
    fprintf(stderr, "frt_bench: %s\n", frt_last_detail());
    exit(EXIT_FAILURE);
}

static void
loop_invoke(void *context, uint64_t count)
{
    const struct call *call = context;
    const frt_downcall *downcall = call->downcall;
    void *target = call->what->target;
    struct call_hands hands;

    hands_init(&hands, call->what);
    while (count-- > 0) {
        if (frt_invoke(downcall, target, &hands.result, hands.arguments) !=
            FRT_OK)
            call_failed();
        bench_sink(&hands.result);
    }
}

static void
loop_ffi_call(void *context, uint64_t count)
{
    struct call *call = context;
    void (*target)(void) = (void (*)(void))call->what->target;
    struct call_hands hands;

    hands_init(&hands, call->what);
    while (count-- > 0) {
        ffi_call(&call->cif, target, &hands.result, hands.arguments);
        bench_sink(&hands.result);
    }
}

/* ------------------------------------------------------ descriptors ---- */

/* The descriptor with its variadic ints; the caller drops it. */
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

static frt_status
call_link(struct call *call, const frt_descriptor *descriptor,
          frt_backend backend)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = backend};

    return frt_downcall_link(&call->downcall, descriptor, &options);
}

/* ------------------------------------------- descriptors for libffi ---- */

static ffi_type *
type_of_value(frt_kind kind)
{
    switch (kind) {
    case FRT_KIND_INT:
        return &ffi_type_sint;
    case FRT_KIND_LONG:
        return &ffi_type_slong;
    case FRT_KIND_DOUBLE:
        return &ffi_type_double;
    case FRT_KIND_POINTER:
        return &ffi_type_pointer;
    case FRT_KIND_VOID:
        return &ffi_type_void;
    default:
        return NULL;
    }
}

/* Adds the values that `layout` is made of; false: not in this suite. */
static bool
type_flatten(struct call_type *type, size_t *used, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);
    size_t count = frt_layout_count(layout);
    frt_place member;

    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_ARRAY) {
        if (*used + 1 == CALL_ELEMENTS)
            return false;
        type->elements[(*used)++] = type_of_value(kind);
        return type->elements[*used - 1] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const frt_layout *inner = frt_layout_element(layout);

        if (kind == FRT_KIND_STRUCT) {
            if (frt_layout_member(&member, layout, i) != FRT_OK)
                return false;
            inner = member.layout;
        }
        if (!type_flatten(type, used, inner))
            return false;
    }
    return true;
}

static ffi_type *
type_of(struct call_type *type, const frt_layout *layout)
{
    size_t used = 0;

    if (frt_layout_kind(layout) != FRT_KIND_STRUCT)
        return type_of_value(frt_layout_kind(layout));
    if (!type_flatten(type, &used, layout))
        return NULL;
    type->type.type = FFI_TYPE_STRUCT;
    type->type.elements = type->elements;
    return &type->type;
}

static bool
call_prepare(struct call *call, const frt_descriptor *descriptor)
{
    unsigned count = (unsigned)frt_descriptor_count(descriptor);
    ffi_type *result = type_of(&call->types[CALL_ARGUMENTS],
                               frt_descriptor_result(descriptor));

    for (unsigned i = 0; i < count; i++) {
        call->parameters[i] =
            type_of(&call->types[i], frt_descriptor_parameter(descriptor, i));
        if (call->parameters[i] == NULL)
            return false;
    }
    if (result == NULL)
        return false;
    if (frt_descriptor_is_variadic(descriptor))
        return ffi_prep_cif_var(&call->cif, FFI_DEFAULT_ABI,
                                (unsigned)frt_descriptor_fixed(descriptor),
                                count, result, call->parameters) == FFI_OK;
    return ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, count, result,
                        call->parameters) == FFI_OK;
}

/* ------------------------------------------------------------ suite ---- */

static const char *
call_make(struct call *call, enum call_system system)
{
    const frt_descriptor *descriptor;
    const char *why = NULL;

    if (call_describe(&descriptor, call->what) != FRT_OK)
        return frt_last_detail();
    if (system == CALL_FFI_CALL) {
        if (!call_prepare(call, descriptor))
            why = "libffi does not prepare it";
    } else if (call_link(call, descriptor,
                         system == CALL_STUB ? FRT_BACKEND_STUB
                                             : FRT_BACKEND_LIBFFI) != FRT_OK) {
        why = frt_last_detail();
    }
    frt_descriptor_drop(descriptor);
    return why;
}

/* A wrong call has no time. */
static bool
call_is_right(struct call *call)
{
    const struct call_case *what = call->what;
    struct call_hands hands;

    hands_init(&hands, what);
    memset(&hands.result, 0, sizeof hands.result);
    if (call->downcall == NULL)
        ffi_call(&call->cif, (void (*)(void))what->target, &hands.result,
                 hands.arguments);
    else if (frt_invoke(call->downcall, what->target, &hands.result,
                        hands.arguments) != FRT_OK)
        return false;
    return memcmp(&hands.result, &what->expected, what->size) == 0;
}

static void
call_close(struct bench_contestant *contestant, size_t system_index)
{
    struct call *call = contestant->context;

    if (system_index != CALL_FLOOR) {
        frt_downcall_drop(call->downcall);
        free(call);
    }
}

static const char *
call_open(struct bench_contestant *out, size_t case_index, size_t system_index)
{
    const struct call_case *what = &call_cases[case_index];
    const char *why;
    struct call *call;

    if (system_index == CALL_FLOOR) {
        *out = (struct bench_contestant){"floor", what->floor, NULL};
        return NULL;
    }
    call = calloc(1, sizeof *call);
    if (call == NULL)
        return "out of memory";
    *out = (struct bench_contestant){
        call_systems[system_index].name,
        system_index == CALL_FFI_CALL ? loop_ffi_call : loop_invoke, call};
    call->what = what;
    why = call_make(call, (enum call_system)system_index);
    if (why == NULL && !call_is_right(call))
        why = "it gives a wrong result";
    if (why != NULL)
        call_close(out, system_index);
    return why;
}

const struct bench_suite bench_suite_call = {
    .name = "call",
    .case_name = call_case_name,
    .systems = call_systems,
    .system_count = sizeof call_systems / sizeof call_systems[0],
    .open = call_open,
    .close = call_close,
};
