/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A library that crashes while it is opened. */
#include <stdlib.h>

static __attribute__((constructor)) void
broken_begin(void)
{
    abort();
}
