/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Functions of callee.c by their prototypes, for the tests of this floor. */
#ifndef TEST_UNIT_LINK_LINKING_H
#define TEST_UNIT_LINK_LINKING_H

#include <criterion/criterion.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/ffi_rt.h"

static inline frt_library
callee_library(void)
{
    frt_library library;
    frt_status status =
        frt_library_open(&library, frt_arena_global(), TEST_CALLEE, NULL);

    cr_assert_eq(status, FRT_OK, "%s", frt_last_detail());
    return library;
}

static inline frt_function *
declare(const char *prototype)
{
    frt_function *function = NULL;
    frt_status status =
        frt_function_declare(&function, callee_library(), prototype, NULL);

    cr_assert_eq(status, FRT_OK, "%s", frt_last_detail());
    return function;
}

#define CHECK_STATUS(expected, call)                                           \
    do {                                                                       \
        frt_status status_ = (call);                                           \
        cr_assert_eq(status_, (expected), "%s: %s: %s", #call,                 \
                     frt_status_name(status_), frt_last_detail());             \
    } while (0)

static inline void
check_detail(const char *part)
{
    cr_assert_not_null(strstr(frt_last_detail(), part), "'%s' is not in '%s'",
                       part, frt_last_detail());
}

/* Live allocations, once this thread has its record, which a failure makes. */
static inline size_t
warm_live(void)
{
    cr_assert_neq(frt_call(NULL, NULL, NULL, 0), FRT_OK);
    return frti_allocator_live();
}

#endif
