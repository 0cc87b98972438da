/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Rows as text, or as one JSON object a line. */
#ifndef BENCHMARKS_REPORT_H
#define BENCHMARKS_REPORT_H

#include "benchmarks/harness.h"

enum report_format { REPORT_TEXT, REPORT_JSONL };

struct report_row {
    const char *suite;
    const char *case_name;
    const char *system;
    unsigned threads;
    struct bench_times times;
    double ratio;     /* of the minima */
    const char *over; /* NULL: there is no such time, and no ratio */
};

void report_start(enum report_format format);
void report_row(enum report_format format, const struct report_row *row);

/* A system that cannot be had. In jsonl it goes to standard error, so that
 * every line of the output is a row. */
void report_missing(enum report_format format, const char *suite,
                    const char *case_name, const char *system, const char *why);

#endif
