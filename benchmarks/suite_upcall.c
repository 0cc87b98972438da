/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite upcall: C calls back. Each system gives a function pointer; the loop is
 * plain C, so that only what is behind the pointer differs.
 *
 *   callcb   int callcb(int (*)(int), int): the pointer is called once
 *   make     a function pointer is made and freed
 */
#include <ffi.h>
#include <stdlib.h>

#include "benchmarks/functions.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

enum upcall_case { UPCALL_CALLCB, UPCALL_MAKE, UPCALL_CASES };

enum upcall_system {
    UPCALL_FLOOR,
    UPCALL_GLOBAL,
    UPCALL_SHARED,
    UPCALL_CONFINED,
    UPCALL_CLOSURE
};

static const struct bench_system upcall_systems[] = {
    [UPCALL_FLOOR] = {.name = "floor", .over = "floor"},
    [UPCALL_GLOBAL] = {.name = "ours", .over = "floor"},
    [UPCALL_SHARED] = {.name = "ours_shared", .over = "floor"},
    [UPCALL_CONFINED] = {.name = "ours_confined",
                         .over = "floor",
                         .is_owned = true},
    [UPCALL_CLOSURE] = {.name = "ffi_closure", .over = "floor"},
};

struct upcall {
    enum upcall_system system;
    int (*callback)(int);
    frt_arena arena;
    frt_upcall upcall;
    const frt_descriptor *descriptor;
    ffi_closure *closure;
    ffi_cif cif;
    ffi_type *parameters[1];
};

static const char *
upcall_case_name(size_t index)
{
    static const char *const names[] = {"callcb", "make"};

    return index < UPCALL_CASES ? names[index] : NULL;
}

/* The same body each time. */
static int
plain_body(int a)
{
    return a + 1;
}

static frt_status
ours_body(void *context, void *result, void *const *arguments)
{
    (void)context;
    *(int *)result = *(int *)arguments[0] + 1;
    return FRT_OK;
}

static void
closure_body(ffi_cif *cif, void *result, void **arguments, void *context)
{
    (void)cif;
    (void)context;
    *(ffi_sarg *)result = *(int *)arguments[0] + 1;
}

static volatile int upcall_argument = 41;

static void
loop_callcb(void *context, uint64_t count)
{
    const struct upcall *upcall = context;
    int (*volatile target)(int (*)(int), int) = callcb;
    int (*volatile callback)(int) = upcall->callback;

    while (count-- > 0)
        bench_sink_int(target(callback, upcall_argument));
}

/* ---------------------------------------------------------- make, free --- */

static bool
ours_make(struct upcall *upcall)
{
    return frt_upcall_open(&upcall->upcall, upcall->arena, upcall->descriptor,
                           ours_body, NULL, NULL) == FRT_OK;
}

static bool
closure_make(struct upcall *upcall)
{
    void *code;

    upcall->closure = ffi_closure_alloc(sizeof *upcall->closure, &code);
    if (upcall->closure == NULL ||
        ffi_prep_closure_loc(upcall->closure, &upcall->cif, closure_body, NULL,
                             code) != FFI_OK)
        return false;
    upcall->callback = (int (*)(int))code;
    return true;
}

static void
loop_make(void *context, uint64_t count)
{
    struct upcall *upcall = context;

    while (count-- > 0)
        if (!ours_make(upcall) || frt_upcall_close(upcall->upcall) != FRT_OK)
            bench_failed();
}

static void
loop_make_closure(void *context, uint64_t count)
{
    struct upcall *upcall = context;

    while (count-- > 0) {
        if (!closure_make(upcall))
            bench_failed();
        ffi_closure_free(upcall->closure);
    }
    upcall->closure = NULL;
}

static void
loop_make_nothing(void *context, uint64_t count)
{
    while (count-- > 0)
        bench_sink(context);
}

/* --------------------------------------------------------------- suite --- */

static const char *
ours_open(struct upcall *upcall)
{
    frt_status status = FRT_OK;

    upcall->arena = frt_arena_global();
    if (upcall->system == UPCALL_SHARED)
        status = frt_arena_open_shared(&upcall->arena);
    else if (upcall->system == UPCALL_CONFINED)
        status = frt_arena_open_confined(&upcall->arena);
    if (status == FRT_OK)
        status = frt_descriptor_parse(&upcall->descriptor, "int f(int)", NULL);
    if (status != FRT_OK || !ours_make(upcall))
        return frt_last_detail();
    upcall->callback = (int (*)(int))frt_upcall_address(upcall->upcall);
    return NULL;
}

static const char *
closure_open(struct upcall *upcall)
{
    upcall->parameters[0] = &ffi_type_sint;
    if (ffi_prep_cif(&upcall->cif, FFI_DEFAULT_ABI, 1, &ffi_type_sint,
                     upcall->parameters) != FFI_OK ||
        !closure_make(upcall))
        return "libffi does not prepare it";
    return NULL;
}

static const char *
upcall_make(struct upcall *upcall)
{
    switch (upcall->system) {
    case UPCALL_FLOOR:
        upcall->callback = plain_body;
        return NULL;
    case UPCALL_CLOSURE:
        return closure_open(upcall);
    default:
        return ours_open(upcall);
    }
}

static bench_loop *
upcall_loop(const struct upcall *upcall, enum upcall_case which)
{
    if (which == UPCALL_CALLCB)
        return loop_callcb;
    return upcall->system == UPCALL_FLOOR     ? loop_make_nothing
           : upcall->system == UPCALL_CLOSURE ? loop_make_closure
                                              : loop_make;
}

static void
upcall_close(struct bench_contestant *contestant, size_t system_index)
{
    struct upcall *upcall = contestant->context;

    if (system_index == UPCALL_CLOSURE && upcall->closure != NULL)
        ffi_closure_free(upcall->closure);
    if (system_index == UPCALL_GLOBAL)
        (void)frt_upcall_close(upcall->upcall);
    if ((system_index == UPCALL_SHARED || system_index == UPCALL_CONFINED) &&
        frt_arena_close(upcall->arena) != FRT_OK)
        bench_failed();
    frt_descriptor_drop(upcall->descriptor);
    free(upcall);
}

static const char *
upcall_open(struct bench_contestant *out, size_t case_index,
            size_t system_index)
{
    struct upcall *upcall = calloc(1, sizeof *upcall);
    const char *why;

    if (upcall == NULL)
        return "out of memory";
    upcall->system = (enum upcall_system)system_index;
    why = upcall_make(upcall);
    if (why == NULL && callcb(upcall->callback, 41) != 42)
        why = "it gives a wrong result";
    /* what is timed is made anew */
    if (why == NULL && case_index == UPCALL_MAKE &&
        system_index == UPCALL_CLOSURE) {
        ffi_closure_free(upcall->closure);
        upcall->closure = NULL;
    }
    *out = (struct bench_contestant){
        upcall_systems[system_index].name,
        upcall_loop(upcall, (enum upcall_case)case_index), upcall};
    if (why != NULL)
        upcall_close(out, system_index);
    return why;
}

const struct bench_suite bench_suite_upcall = {
    .name = "upcall",
    .case_name = upcall_case_name,
    .systems = upcall_systems,
    .system_count = sizeof upcall_systems / sizeof upcall_systems[0],
    .open = upcall_open,
    .close = upcall_close,
};
