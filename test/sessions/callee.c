/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the programs of this folder call. */
#include "test/sessions/callee.h"

int
callee_apply(int (*function)(void *), void *memory)
{
    return function(memory);
}

int
callee_sum(const int *one, const int *two, const int *three)
{
    return *one + *two + *three;
}
