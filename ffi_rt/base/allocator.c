/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/allocator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/base/allocator_choice.h"
#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/compiler.h"

/* jemalloc(3), "Non-standard API": the alignment is given as its logarithm,
 * bit 6 asks for zeroes. */
#define ALLOCATOR_ZERO 0x40

static frti_allocation_gate *allocator_gate;
/* relaxed everywhere: statistics, ordered by whoever compares them */
static frti_counter allocator_made = FRTI_COUNTER(0);
static frti_counter allocator_freed = FRTI_COUNTER(0);

/* The jemalloc of the process must be all there to be used. */
static int
allocator_is_jemalloc(void)
{
    return frti_mallocx != NULL && frti_sdallocx != NULL;
}

static void *
allocate_libc(size_t size, size_t alignment)
{
    void *memory;

    if (alignment <= _Alignof(max_align_t))
        return calloc(1, size);
    if (posix_memalign(&memory, alignment, size) != 0)
        return NULL;
    return memset(memory, 0, size);
}

void *
frti_allocate(size_t size, size_t alignment)
{
    int saved = errno;
    void *memory;

    if (FRTI_UNLIKELY(allocator_gate != NULL) && !allocator_gate(size))
        return NULL;
    size += size == 0;
    if (allocator_is_jemalloc())
        memory = frti_mallocx(size, __builtin_ctzl(alignment) | ALLOCATOR_ZERO);
    else
        memory = allocate_libc(size, alignment);
    if (memory != NULL)
        frti_counter_add_relaxed(&allocator_made, 1);
    errno = saved;
    return memory;
}

void
frti_free(void *memory, size_t size, size_t alignment)
{
    if (memory == NULL)
        return;
    frti_counter_add_relaxed(&allocator_freed, 1);
    if (allocator_is_jemalloc())
        frti_sdallocx(memory, size + (size == 0), __builtin_ctzl(alignment));
    else
        free(memory);
}

const char *
frti_allocator_name(void)
{
    return allocator_is_jemalloc() ? "jemalloc" : "libc";
}

frti_allocation_gate *
frti_allocator_gate(frti_allocation_gate *may)
{
    frti_allocation_gate *before = allocator_gate;

    allocator_gate = may;
    return before;
}

size_t
frti_allocator_live(void)
{
    return frti_counter_get_relaxed(&allocator_made) -
           frti_counter_get_relaxed(&allocator_freed);
}

size_t
frti_allocator_made(void)
{
    return frti_counter_get_relaxed(&allocator_made);
}
