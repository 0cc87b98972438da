/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/quad.h"

#include <stdbool.h>

/* binary128: sign, 15 bits of exponent (bias 16383), 112 of fraction;
 * binary64: sign, 11 bits (bias 1023), 52. IEEE 754-2019, 3.6. */
enum { QUAD_BIAS = 16383, QUAD_MOST = 32767 };

/* The double next to high * 2^(exponent - 63), ties to even. It is rounded
 * once: to 53 bits, or to those that a subnormal has. */
static double
quad_rounded(unsigned __int128 high, int exponent)
{
    int drop = 11 + (exponent < -1022 ? -1022 - exponent : 0);
    unsigned __int128 rounded, rest, half;

    if (drop > 64)
        return 0;
    rounded = high >> drop;
    rest = high - (rounded << drop);
    half = (unsigned __int128)1 << (drop - 1);
    if (rest > half || (rest == half && (rounded & 1) != 0))
        rounded++;
    return __builtin_ldexp((double)(uint64_t)rounded, exponent - 63 + drop);
}

/* From the 112 bits that follow the leading one. */
static double
quad_scaled(unsigned __int128 fraction, bool is_normal, int exponent)
{
    unsigned __int128 all = fraction;
    uint64_t high;

    if (is_normal)
        all |= (unsigned __int128)1 << 112;
    /* 64 bits, the last one telling of what was cut off */
    high = (uint64_t)(all >> 49);
    if (all & (((unsigned __int128)1 << 49) - 1))
        high |= 1;
    return quad_rounded(high, exponent);
}

double
frti_quad_load(const void *address)
{
    unsigned __int128 bits, fraction;
    unsigned exponent;
    double value;

    memcpy(&bits, address, sizeof bits);
    fraction = bits & (((unsigned __int128)1 << 112) - 1);
    exponent = (unsigned)(bits >> 112) & QUAD_MOST;
    if (exponent == QUAD_MOST)
        value = fraction != 0 ? __builtin_nan("") : __builtin_inf();
    else
        value = quad_scaled(fraction, exponent != 0,
                            (int)(exponent == 0 ? 1 : exponent) - QUAD_BIAS);
    return bits >> 127 ? -value : value;
}

void
frti_quad_store(void *place, double value)
{
    unsigned __int128 bits = 0;
    double magnitude = __builtin_fabs(value), fraction;
    int exponent;

    if (value != value) {
        bits = (unsigned __int128)0x7fff8 << 108;
    } else if (magnitude == __builtin_inf()) {
        bits = (unsigned __int128)QUAD_MOST << 112;
    } else if (magnitude != 0) {
        fraction = __builtin_frexp(magnitude, &exponent);
        bits = (unsigned __int128)(uint64_t)(fraction * 0x1p53 - 0x1p52) << 60;
        bits |= (unsigned __int128)(unsigned)(exponent - 1 + QUAD_BIAS) << 112;
    }
    if (__builtin_signbit(value))
        bits |= (unsigned __int128)1 << 127;
    memcpy(place, &bits, sizeof bits);
}
