/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Where errno is for the thread that runs now. Compilers keep its address, but
 * user code may come back on another thread: a fiber can move. Ask here after
 * it has run.
 *
 * C libraries keep errno at the same distance from every thread's pointer: in
 * static thread-local storage (ELF Handling For Thread-Local Storage 0.21,
 * section 3), or in the thread's own record. That is found out once, so that
 * asking takes no call; so is the distance from frti_here, for those who have
 * its address.
 */
#ifndef FRTI_BASE_ERROR_NUMBER_H
#define FRTI_BASE_ERROR_NUMBER_H

#include <stdint.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/ffi_rt.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

extern uintptr_t frti_error_number_distance;
extern uintptr_t frti_error_number_from_here;

FRTI_INLINE uintptr_t
frti_thread_pointer(void)
{
    uintptr_t pointer;

#if defined(__x86_64__)
    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
#else
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
    return pointer;
}

FRTI_INLINE int *
frti_error_number(void)
{
    return (int *)(frti_thread_pointer() + frti_error_number_distance);
}

FRTI_INLINE int *
frti_error_number_near(struct frti_here *here)
{
    return (int *)((uintptr_t)here + frti_error_number_from_here);
}

#else

int *frti_error_number(void);
int *frti_error_number_near(struct frti_here *here);

#endif

#endif
