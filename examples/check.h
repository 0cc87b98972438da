/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * For the examples: a call that must not fail, or the program ends and says
 * why.
 */
#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#include "ffi_rt/ffi_rt.h"

#include <stdio.h>
#include <stdlib.h>

static inline void
check(frt_status status)
{
    if (status == FRT_OK)
        return;
    fprintf(stderr, "%s: %s\n", frt_status_name(status), frt_last_detail());
    exit(EXIT_FAILURE);
}

#endif
