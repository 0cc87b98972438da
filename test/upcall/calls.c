/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * calls CASE COUNT [stub|libffi]: so many calls of an upcall in an arena of
 * that kind, or of a closure of libffi's, for who counts instructions.
 */
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/ffi_rt.h"

static _Noreturn void
fail(const char *what)
{
    fprintf(stderr, "calls: %s\n", what);
    exit(1);
}

static frt_status
add_one(void *context, void *result, void *const *arguments)
{
    (void)context;
    *(int *)result = *(int *)arguments[0] + 1;
    return FRT_OK;
}

static void
closure_add_one(ffi_cif *cif, void *result, void **arguments, void *context)
{
    (void)cif;
    (void)context;
    *(ffi_sarg *)result = *(int *)arguments[0] + 1;
}

static frt_arena
arena_of(const char *kind)
{
    frt_arena arena = frt_arena_global();
    frt_status status = FRT_OK;

    if (strcmp(kind, "shared") == 0)
        status = frt_arena_open_shared(&arena);
    else if (strcmp(kind, "confined") == 0)
        status = frt_arena_open_confined(&arena);
    else if (strcmp(kind, "global") != 0)
        fail("there is no such arena");
    if (status != FRT_OK)
        fail(frt_last_detail());
    return arena;
}

static void *
upcall_in(const char *kind)
{
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    if (frt_descriptor_parse(&descriptor, "int f(int)", NULL) != FRT_OK ||
        frt_upcall_open(&upcall, arena_of(kind), descriptor, add_one, NULL,
                        NULL) != FRT_OK)
        fail(frt_last_detail());
    return frt_upcall_address(upcall);
}

static void *
closure(void)
{
    static ffi_cif cif;
    static ffi_type *parameters[] = {&ffi_type_sint};
    void *code = NULL;
    ffi_closure *made = ffi_closure_alloc(sizeof *made, &code);

    if (made == NULL ||
        ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 1, &ffi_type_sint, parameters) !=
            FFI_OK ||
        ffi_prep_closure_loc(made, &cif, closure_add_one, NULL, code) != FFI_OK)
        fail("libffi does not prepare it");
    return code;
}

int
main(int count, char **arguments)
{
    int (*volatile function)(int);
    unsigned long calls;

    if (count < 3)
        return 2;
    if (count > 3 && strcmp(arguments[3], "libffi") == 0)
        function = (int (*)(int))closure();
    else
        function = (int (*)(int))upcall_in(arguments[1]);
    calls = strtoul(arguments[2], NULL, 10);
    while (calls-- != 0)
        if (function(41) != 42)
            fail("it gives a wrong result");
    return 0;
}
