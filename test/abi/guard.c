/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/abi/values.h"

#define GUARD_UNITS 16 /* a page, and the one that must not be touched */
#define GUARD_HEAP ((size_t)64 << 20)
#define GUARD_BYTES 32

static size_t guard_page;
static unsigned char *guard_units;
static unsigned guard_units_used;
static unsigned char *guard_heap;
static size_t guard_heap_used;
static unsigned char *guard_copy;
static uint64_t guard_random;
static void *guard_except;
static size_t guard_except_size;

static unsigned char *
guard_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED) {
        perror("guard: mmap");
        exit(2);
    }
    return memory;
}

static void
guard_set_up(void)
{
    guard_page = (size_t)sysconf(_SC_PAGESIZE);
    guard_units = guard_map(2 * GUARD_UNITS * guard_page);
    for (unsigned i = 0; i < GUARD_UNITS; i++)
        mprotect(guard_units + (2 * i + 1) * guard_page, guard_page, PROT_NONE);
    guard_heap = guard_map(GUARD_HEAP);
    guard_copy = guard_map(GUARD_HEAP + GUARD_UNITS * guard_page);
}

void
guard_begin(uint64_t random)
{
    if (guard_units == NULL)
        guard_set_up();
    guard_units_used = 0;
    guard_heap_used = 0;
    guard_random = random;
}

static void
guard_fill(unsigned char *at, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0)
            guard_random = value_mix(guard_random);
        at[i] = (unsigned char)(guard_random >> i % 8 * 8);
    }
}

static unsigned char *
guard_unit(unsigned unit)
{
    return guard_units + 2 * unit * guard_page;
}

void *
guard_place(size_t size, size_t alignment, bool at_page_end)
{
    size_t offset;

    if (at_page_end && guard_units_used < GUARD_UNITS && size != 0 &&
        size + GUARD_BYTES < guard_page && size % alignment == 0) {
        unsigned char *unit = guard_unit(guard_units_used++);

        guard_fill(unit, guard_page);
        return unit + guard_page - size;
    }
    offset = guard_heap_used + GUARD_BYTES;
    offset += -offset & (2 * alignment - 1);
    offset += alignment;
    if (offset + size + GUARD_BYTES > GUARD_HEAP) {
        fprintf(stderr, "guard: the values of this call are too large\n");
        exit(2);
    }
    guard_fill(guard_heap + guard_heap_used,
               offset + size + GUARD_BYTES - guard_heap_used);
    guard_heap_used = offset + size + GUARD_BYTES;
    return guard_heap + offset;
}

void
guard_seal(void *except, size_t size)
{
    guard_except = except;
    guard_except_size = size;
    memcpy(guard_copy, guard_heap, guard_heap_used);
    for (unsigned i = 0; i < guard_units_used; i++)
        memcpy(guard_copy + GUARD_HEAP + i * guard_page, guard_unit(i),
               guard_page);
}

static bool
guard_is_same(const unsigned char *at, const unsigned char *copy, size_t size)
{
    const unsigned char *except = guard_except;

    if (memcmp(at, copy, size) == 0)
        return true;
    for (size_t i = 0; i < size; i++)
        if (at[i] != copy[i] &&
            (at + i < except || at + i >= except + guard_except_size))
            return false;
    return true;
}

bool
guard_is_intact(void)
{
    if (!guard_is_same(guard_heap, guard_copy, guard_heap_used))
        return false;
    for (unsigned i = 0; i < guard_units_used; i++)
        if (!guard_is_same(guard_unit(i),
                           guard_copy + GUARD_HEAP + i * guard_page,
                           guard_page))
            return false;
    return true;
}
