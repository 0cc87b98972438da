/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Failure injection, for one thread at a time:
 *
 *     for (size_t n = 1;; n++) {
 *         failing_begin(n);                 the n-th allocation fails
 *         status = operation();
 *         if (!failing_end())               it was not reached: the end
 *             break;
 *         ...
 *     }
 */
#ifndef TEST_UNIT_BASE_FAILING_H
#define TEST_UNIT_BASE_FAILING_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/base/allocator.h"

static size_t failing_left; /* allocations up to the one that fails */
static bool failing_is_done;

static int
failing_nth(size_t size)
{
    (void)size;
    if (failing_left == 0 || --failing_left != 0)
        return 1;
    failing_is_done = true;
    return 0;
}

static inline int
failing_always(size_t size)
{
    (void)size;
    failing_is_done = true;
    return 0;
}

/* The n-th allocation from here on fails, and no other. */
static inline void
failing_begin(size_t n)
{
    failing_left = n;
    failing_is_done = false;
    frti_allocator_gate(failing_nth);
}

/* Each allocation from here on fails. */
static inline void
failing_begin_always(void)
{
    failing_is_done = false;
    frti_allocator_gate(failing_always);
}

/* Whether one failed. */
static inline bool
failing_end(void)
{
    frti_allocator_gate(NULL);
    return failing_is_done;
}

#endif
