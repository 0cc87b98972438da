/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The values that travel: each is a function of a key and of its leaf's
 * number. A leaf is a scalar of an argument or of the result; they are
 * numbered through a signature. The generated sources include this, too.
 */
#ifndef TEST_ABI_VALUES_H
#define TEST_ABI_VALUES_H

#include <stdint.h>

/* splitmix64 */
static inline uint64_t
value_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Random bits; now and then the ones that extensions go wrong with. */
static inline uint64_t
value_bits(uint64_t key, uint32_t leaf)
{
    uint64_t bits = value_mix(key ^ value_mix(leaf));

    switch (bits >> 60) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return UINT64_C(0x8080808080808080);
    default:
        return bits;
    }
}

static inline uint64_t
value_high_bits(uint64_t key, uint32_t leaf)
{
    return value_bits(~key, leaf);
}

/* A floating-point value is this many quarters: exact in a type with that
 * many bits of significand. */
static inline int64_t
value_quarters(uint64_t key, uint32_t leaf, unsigned bits)
{
    return (int64_t)value_bits(key, leaf) >> (64 - bits);
}

#endif
