/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Alignment and arithmetic that tells when it overflows. */
#ifndef FRTI_BASE_BITS_H
#define FRTI_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool
frti_is_power_of_two(size_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Each returns false, and leaves *out alone, where the result does not fit. */
static inline bool
frti_add(size_t *out, size_t a, size_t b)
{
    size_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

static inline bool
frti_multiply(size_t *out, size_t a, size_t b)
{
    size_t product;

    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

/* `alignment` is a power of two. */
static inline bool
frti_align_up(size_t *out, size_t value, size_t alignment)
{
    size_t sum;

    if (__builtin_add_overflow(value, alignment - 1, &sum))
        return false;
    *out = sum & ~(alignment - 1);
    return true;
}

static inline bool
frti_is_aligned(const void *address, size_t alignment)
{
    return ((uintptr_t)address & (alignment - 1)) == 0;
}

#endif
