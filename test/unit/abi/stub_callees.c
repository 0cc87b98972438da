/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/abi/stub_callees.h"

#include <execinfo.h>
#include <stdarg.h>
#include <string.h>

#define CALLEE_REVERSE(n)                                                      \
    struct bytes_##n callee_reverse_##n(struct bytes_##n a)                    \
    {                                                                          \
        struct bytes_##n result;                                               \
                                                                               \
        for (size_t i = 0; i < (n); i++)                                       \
            result.c[i] = a.c[(n)-1 - i];                                      \
        return result;                                                         \
    }
CALLEE_BYTES(CALLEE_REVERSE)

uint64_t
callee_low_bits(double vector)
{
    uint64_t bits;

    memcpy(&bits, &vector, sizeof bits);
    return bits;
}

double
callee_vector_of(uint64_t bits)
{
    double vector;

    memcpy(&vector, &bits, sizeof vector);
    return vector;
}

int
callee_add(int a, int b)
{
    return a + b;
}

long
callee_same(long a)
{
    return a;
}

long double
callee_halve(long double a)
{
    return a / 2;
}

long double _Complex callee_swap(long double _Complex a)
{
    return cimagl(a) + creall(a) * I;
}

struct packed
callee_packed(struct packed a)
{
    return (struct packed){(char)(a.c + 1), a.d * 2};
}

static long
aligned_sum(const struct aligned_32 *a)
{
    /* the compiler would take the alignment for granted */
    uintptr_t volatile address = (uintptr_t)a;

    if (address % 32 != 0)
        return -1000000;
    return a->a[0] + a->a[1] + a->a[2] + a->a[3];
}

long
callee_aligned(int a, struct aligned_32 b, int c, int d, int e, int f, int g,
               int h, struct aligned_32 i)
{
    return a + aligned_sum(&b) + c + d + e + f + g + h + aligned_sum(&i);
}

double
callee_sum_doubles(int count, ...)
{
    double sum = 0;
    va_list values;

    va_start(values, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(values, double);
    va_end(values);
    return sum;
}

int
callee_sum_ints(int count, ...)
{
    int sum = 0;
    va_list values;

    va_start(values, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(values, int);
    va_end(values);
    return sum;
}

unsigned
callee_sum_large(struct large a, size_t count)
{
    unsigned sum = 0;

    for (size_t i = 0; i < count && i < sizeof a.c; i++)
        sum += a.c[i];
    return sum;
}

/* A return address within the 4 KiB that begin at `wanted`. */
int
callee_backtrace(void *wanted)
{
    void *frames[64];
    int count = backtrace(frames, 64);
    int found = 0;

    for (int i = 0; i < count; i++)
        found += (uintptr_t)frames[i] - (uintptr_t)wanted < 4096;
    return found == 1 ? count : -count;
}
