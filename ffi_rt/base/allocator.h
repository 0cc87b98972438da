/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The allocator port: sized, aligned, zeroed memory.
 *
 * jemalloc where the process has it, libc elsewhere. The library never brings
 * jemalloc along: Debian's needs 2.6 KiB of initial-exec thread-local storage,
 * which a program that did not start with it does not have left for dlopen.
 */
#ifndef FRTI_BASE_ALLOCATOR_H
#define FRTI_BASE_ALLOCATOR_H

#include <stddef.h>

/* Zeroed memory for `size` bytes (0 counts as 1), or NULL. `alignment` is a
 * power of two. errno is left alone. */
void *frti_allocate(size_t size, size_t alignment);

/* With the size and alignment that it was allocated with; NULL is allowed. */
void frti_free(void *memory, size_t size, size_t alignment);

/* "jemalloc" or "libc". */
const char *frti_allocator_name(void);

/* For tests: `may` is asked before each allocation, which fails when it says
 * no; NULL: none. Returns the one before. Not while other threads run. */
typedef int frti_allocation_gate(size_t size);
frti_allocation_gate *frti_allocator_gate(frti_allocation_gate *may);

/* Allocations that are not freed yet, in this process. */
size_t frti_allocator_live(void);

/* Allocations made so far, in this process. */
size_t frti_allocator_made(void);

#endif
