/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/report.h"

#include <stdio.h>

void
report_start(enum report_format format)
{
    if (format == REPORT_TEXT)
        printf("%-8s %-20s %-14s %7s %9s %9s %9s %7s over\n", "suite", "case",
               "system", "threads", "ns min", "median", "kept", "ratio");
}

static void
report_text(const struct report_row *row)
{
    printf("%-8s %-20s %-14s %7u ", row->suite, row->case_name, row->system,
           row->threads);
    if (row->times.kept == 0) {
        printf("no clean round of %u\n", row->times.made);
        return;
    }
    printf("%9.2f %9.2f %4u/%-4u ", row->times.ns_min, row->times.ns_median,
           row->times.kept, row->times.made);
    if (row->over != NULL)
        printf("%7.2f %s\n", row->ratio, row->over);
    else
        printf("%7s -\n", "-");
}

/* Names of the tables alone: nothing in them needs to be escaped. */
static void
report_jsonl(const struct report_row *row)
{
    printf("{\"suite\": \"%s\", \"case\": \"%s\", \"system\": \"%s\", "
           "\"threads\": %u, ",
           row->suite, row->case_name, row->system, row->threads);
    if (row->times.kept > 0)
        printf("\"ns_min\": %.3f, \"ns_median\": %.3f, ", row->times.ns_min,
               row->times.ns_median);
    else
        printf("\"ns_min\": null, \"ns_median\": null, ");
    printf("\"rounds\": %u, ", row->times.kept);
    if (row->over != NULL)
        printf("\"ratio\": %.3f, \"over\": \"%s\"}\n", row->ratio, row->over);
    else
        printf("\"ratio\": null, \"over\": null}\n");
}

void
report_row(enum report_format format, const struct report_row *row)
{
    if (format == REPORT_TEXT)
        report_text(row);
    else
        report_jsonl(row);
    fflush(stdout);
}

void
report_missing(enum report_format format, const char *suite,
               const char *case_name, const char *system, const char *why)
{
    FILE *out = format == REPORT_TEXT ? stdout : stderr;

    fprintf(out, "%-8s %-20s %-14s missing: %s\n", suite, case_name, system,
            why);
}
