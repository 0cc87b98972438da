/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The installed libffi by itself: a descriptor as its cif, and its call plans,
 * which releases from 3.7 on have. Those are looked for at run time: neither
 * its header nor the program needs to know them.
 */
#ifndef BENCHMARKS_CALL_LIBFFI_H
#define BENCHMARKS_CALL_LIBFFI_H

#include <ffi.h>
#include <stdbool.h>

#include "benchmarks/call.h"
#include "ffi_rt/ffi_rt.h"

/* The members of a struct, flattened, and the NULL at their end. */
#define CALL_ELEMENTS 8

struct call_type {
    ffi_type type;
    ffi_type *elements[CALL_ELEMENTS];
};

struct call_libffi {
    ffi_cif cif;
    ffi_type *parameters[CALL_ARGUMENTS];
    struct call_type types[CALL_ARGUMENTS + 1]; /* the result's is the last */
};

/* false: it has something that the functions of suite call have not. It must
 * stay where it is. */
bool call_libffi_prepare(struct call_libffi *out,
                         const frt_descriptor *descriptor);

/* Plans of a cif; the functions are NULL where there are none. */
struct call_plans {
    void *(*alloc)(ffi_cif *cif);
    void (*invoke)(void *plan, void (*target)(void), void *result,
                   void **arguments);
    void (*free)(void *plan);
};
struct call_plans call_libffi_plans(void);

#endif
