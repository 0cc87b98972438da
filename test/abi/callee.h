/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * For the generated sources: how they see and say whether a value arrived.
 * Each shared object has a state of its own, which the program looks up.
 */
#ifndef TEST_ABI_CALLEE_H
#define TEST_ABI_CALLEE_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "test/abi/callee_state.h"
#include "test/abi/values.h"

struct callee_state callee_state;

enum e_uint { e_uint_0, e_uint_most = 0xffffffff };
enum e_int { e_int_least = -1 };
enum __attribute__((packed)) e_schar { e_schar_least = -1 };
enum __attribute__((packed)) e_ushort { e_ushort_most = 0xffff };
enum e_ulong { e_ulong_most = 0xffffffffffffffff };

#define CHAR_IS_SIGNED ((char)-1 < 0)

static __attribute__((noinline)) void
check_differs(uint32_t leaf, const uint64_t *wanted, const uint64_t *got)
{
    if (callee_state.mismatches++ != 0)
        return;
    callee_state.leaf = leaf;
    memcpy(callee_state.wanted, wanted, sizeof callee_state.wanted);
    memcpy(callee_state.got, got, sizeof callee_state.got);
}

/* Where a function begins: it is the one, and its frame is aligned. */
#define ENTER(number, alignment)                                               \
    do {                                                                       \
        callee_state.entered = (number);                                       \
        callee_state.calls++;                                                  \
        if ((uintptr_t)__builtin_frame_address(0) % (alignment) != 0)          \
            callee_state.is_misaligned = 1;                                    \
    } while (0)

static __attribute__((noinline)) void
check_integer(uint32_t leaf, unsigned width, int is_signed, uint64_t got)
{
    uint64_t wanted[2] = {value_bits(callee_state.key, leaf) << (64 - width)};
    uint64_t gots[2] = {got};

    wanted[0] = is_signed ? (uint64_t)((int64_t)wanted[0] >> (64 - width))
                          : wanted[0] >> (64 - width);
    if (wanted[0] != got)
        check_differs(leaf, wanted, gots);
}

static __attribute__((noinline)) unsigned __int128
set_wide(uint32_t leaf)
{
    return value_bits(callee_state.key, leaf) |
           (unsigned __int128)value_high_bits(callee_state.key, leaf) << 64;
}

static __attribute__((noinline)) void
check_wide(uint32_t leaf, unsigned __int128 got)
{
    unsigned __int128 wanted = set_wide(leaf);
    uint64_t wants[2] = {(uint64_t)wanted, (uint64_t)(wanted >> 64)};
    uint64_t gots[2] = {(uint64_t)got, (uint64_t)(got >> 64)};

    if (wanted != got)
        check_differs(leaf, wants, gots);
}

static __attribute__((noinline)) uint64_t
set_integer(uint32_t leaf)
{
    return value_bits(callee_state.key, leaf);
}

static __attribute__((noinline)) double
set_number(uint32_t leaf, unsigned bits)
{
    return (double)value_quarters(callee_state.key, leaf, bits) * 0.25;
}

static __attribute__((noinline)) void
check_number(uint32_t leaf, unsigned bits, double got)
{
    double wanted = set_number(leaf, bits);
    uint64_t wants[2] = {0};
    uint64_t gots[2] = {0};

    if (wanted == got)
        return;
    memcpy(wants, &wanted, sizeof wanted);
    memcpy(gots, &got, sizeof got);
    check_differs(leaf, wants, gots);
}

static __attribute__((noinline)) long double
set_long(uint32_t leaf)
{
    return (long double)value_quarters(callee_state.key, leaf, 64) * 0.25L;
}

static __attribute__((noinline)) void
check_long(uint32_t leaf, long double got)
{
    long double wanted = set_long(leaf);
    uint64_t wants[2] = {0};
    uint64_t gots[2] = {0};

    if (wanted == got)
        return;
    memcpy(wants, &wanted, sizeof wanted);
    memcpy(gots, &got, sizeof got);
    check_differs(leaf, wants, gots);
}

/* A callee may write into its parameters: they are its own. */
static __attribute__((noinline)) void
scribble(void *parameter, size_t size)
{
    memset(parameter, 0xee, size);
}

#endif
