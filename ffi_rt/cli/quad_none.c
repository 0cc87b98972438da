/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * By way of long double: exact as far as that is, 64 bits of 113 on x86-64.
 */
#include "ffi_rt/cli/quad.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUAD_BIAS 16383

static void
quad_store(void *place, unsigned top, uint64_t fraction)
{
    uint64_t low = fraction << 48, high = fraction >> 16;

    high |= (uint64_t)top << 48;
    memcpy(place, &low, sizeof low);
    memcpy((char *)place + sizeof low, &high, sizeof high);
}

void
frti_quad_read(void *place, const char **stop, const char *begin)
{
    long double value = strtold(begin, (char **)stop);
    unsigned sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    uint64_t bits;

    if (!isfinite(value)) {
        quad_store(place, sign | 0x7fff, isnan(value) ? UINT64_C(1) << 63 : 0);
        return;
    }
    bits = (uint64_t)ldexpl(frexpl(fabsl(value), &exponent), 64);
    if (bits == 0)
        quad_store(place, sign, 0);
    else if (exponent - 1 > -QUAD_BIAS)
        quad_store(place, sign | (unsigned)(exponent - 1 + QUAD_BIAS),
                   bits << 1);
    else
        quad_store(place, sign, bits >> (1 - QUAD_BIAS - exponent));
}

static long double
quad_value(uint64_t low, uint64_t high)
{
    int exponent = (int)(high >> 48 & 0x7fff);
    long double size = ldexpl((long double)(high & 0xffffffffffff), -48);

    size += ldexpl((long double)low, -112);
    size = exponent == 0 ? ldexpl(size, 1 - QUAD_BIAS)
                         : ldexpl(1 + size, exponent - QUAD_BIAS);
    return high >> 63 ? -size : size;
}

void
frti_quad_print(char *out, size_t size, int digits, const void *place)
{
    uint64_t low, high;

    memcpy(&low, place, sizeof low);
    memcpy(&high, (const char *)place + sizeof low, sizeof high);
    snprintf(out, size, "%.*Le", digits - 1, quad_value(low, high));
}
