/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Checks as TAP lines, for tests that are plain programs. */
#ifndef TEST_STUB_TAP_H
#define TEST_STUB_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count;
static int tap_failures;

__attribute__((format(printf, 2, 3))) static inline bool
tap_check(bool is_right, const char *format, ...)
{
    va_list values;

    tap_count++;
    tap_failures += !is_right;
    printf("%sok %d - ", is_right ? "" : "not ", tap_count);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    fflush(stdout);
    return is_right;
}

static inline void
tap_skip(const char *what, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
    fflush(stdout);
}

/* The program's exit status. */
static inline int
tap_end(void)
{
    printf("1..%d\n", tap_count);
    return tap_failures == 0 && tap_count > 0 ? 0 : 1;
}

#endif
