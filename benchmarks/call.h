/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The cases of suite call: functions, their arguments, and the floor: a call
 * through a volatile pointer into the library of the functions.
 *
 * Arguments are volatile variables. The floor reads them, and a call by
 * descriptor is given their addresses: both load the same memory.
 */
#ifndef BENCHMARKS_CALL_H
#define BENCHMARKS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/functions.h"
#include "benchmarks/harness.h"

#define CALL_ARGUMENTS 10

union call_result {
    int i;
    long l;
    double d;
    void *pointer;
    struct point point;
    struct big big;
    uint64_t word; /* libffi writes small integers as a whole one */
};

struct call_case {
    const char *name;
    const char *declaration;
    size_t variadic; /* how many ints go in its `...` */
    void *target;
    bench_loop *floor;
    bool takes_place; /* the first argument is a pointer to a result */
    void *arguments[CALL_ARGUMENTS];
    union call_result expected;
    size_t size; /* of the expected result */
};

extern const struct call_case call_cases[];
extern const size_t call_case_count;

#endif
