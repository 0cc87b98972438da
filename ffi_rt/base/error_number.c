/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/error_number.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

uintptr_t frti_error_number_distance;
uintptr_t frti_error_number_from_here;

/* Before any other constructor of a program that has the library in it. */
__attribute__((constructor(101))) static void
error_number_find(void)
{
    frti_error_number_distance = (uintptr_t)&errno - frti_thread_pointer();
    frti_error_number_from_here = (uintptr_t)&errno - (uintptr_t)&frti_here;
}

#else

int *
frti_error_number(void)
{
    return &errno;
}

int *
frti_error_number_near(struct frti_here *here)
{
    (void)here;
    return &errno;
}

#endif
