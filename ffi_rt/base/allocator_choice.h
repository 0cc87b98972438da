/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The process's jemalloc, or NULL; the build chooses the file that says which:
 * allocator_auto.c, allocator_jemalloc.c or allocator_libc.c. */
#ifndef FRTI_BASE_ALLOCATOR_CHOICE_H
#define FRTI_BASE_ALLOCATOR_CHOICE_H

#include <stddef.h>

extern void *(*const frti_mallocx)(size_t size, int flags);
extern void (*const frti_sdallocx)(void *memory, size_t size, int flags);

#endif
