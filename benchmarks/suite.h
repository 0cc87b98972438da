/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A suite is a table: what is done (cases), by whom (systems). A new suite is
 * a file of its own and a row in frt_bench.c; a new system or case is a row in
 * its suite.
 */
#ifndef BENCHMARKS_SUITE_H
#define BENCHMARKS_SUITE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/harness.h"
#include "ffi_rt/ffi_rt.h"

struct bench_system {
    const char *name;
    const char *over; /* the system whose time the ratio is taken over */
    bool is_owned;    /* by one thread: not measured on several */
};

struct bench_suite {
    const char *name;
    const char *(*case_name)(size_t index); /* NULL: no such case */
    const struct bench_system *systems;
    size_t system_count;
    /* Has the case such a system at all? NULL: each has each. */
    bool (*has)(size_t case_index, size_t system_index);
    /* Makes the loop of one system for one case. Returns NULL, or why this
     * system is missing: a text that lives until the next call. */
    const char *(*open)(struct bench_contestant *out, size_t case_index,
                        size_t system_index);
    void (*close)(struct bench_contestant *contestant, size_t system_index);
    /* Writes what is counted, not timed, below the rows of a text; NULL:
     * nothing. */
    void (*facts)(void);
};

/* A call of ours that went well before has failed: no figure is worth more. */
static inline void
bench_failed(void)
{
    fprintf(stderr, "frt_bench: %s\n", frt_last_detail());
    exit(EXIT_FAILURE);
}

extern const struct bench_suite bench_suite_by_value;
extern const struct bench_suite bench_suite_call;
extern const struct bench_suite bench_suite_link;
extern const struct bench_suite bench_suite_memory;
extern const struct bench_suite bench_suite_segment;
extern const struct bench_suite bench_suite_session;
extern const struct bench_suite bench_suite_upcall;

#endif
