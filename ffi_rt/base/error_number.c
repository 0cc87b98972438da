/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/error_number.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

uintptr_t frti_error_number_distance;

/* Before any other constructor of a program that has the library in it. */
__attribute__((constructor(101))) static void
error_number_find(void)
{
    frti_error_number_distance = (uintptr_t)&errno - frti_thread_pointer();
}

#else

int *
frti_error_number(void)
{
    return &errno;
}

#endif
