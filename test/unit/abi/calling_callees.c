/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/abi/calling_callees.h"

#include <stdarg.h>

double
callee_scalars(signed char a, unsigned short b, float c, double d, long e,
               bool f)
{
    return a + b + (double)c + d + (double)e + f;
}

double
callee_ten(int a, int b, int c, int d, int e, int f, int g, int h, int i,
           float j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
           10 * (double)j;
}

double
callee_pair(struct pair pair)
{
    return pair.c + pair.d;
}

struct pair
callee_make_pair(char c, double d)
{
    return (struct pair){c, d};
}

double
callee_mixed(struct mixed mixed, int n)
{
    return mixed.i + (double)mixed.f[0] + 2 * (double)mixed.f[1] +
           3 * (double)mixed.f[2] + callee_pair(mixed.pair) + mixed.s + n;
}

struct mixed
callee_make_mixed(int i)
{
    return (struct mixed){
        .i = i, .f = {1, 2, 3}, .pair = {4, 5}, .s = (short)-i};
}

long
callee_longs(struct longs longs)
{
    long sum = 0;

    for (int i = 0; i < 5; i++) {
        sum += (i + 1) * longs.a[i];
        longs.a[i] = -1;
    }
    return sum;
}

struct longs
callee_make_longs(long first)
{
    return (struct longs){{first, first + 1, first + 2, first + 3, first + 4}};
}

signed char
callee_narrow(int value)
{
    return (signed char)value;
}

bool
callee_bool(int value)
{
    return value != 0;
}

double
callee_sum(int count, ...)
{
    double sum = 0;
    va_list list;

    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 == 0 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

double
callee_float_and_pair(int a, int b, int c, int d, int e, float f,
                      struct pair pair)
{
    return a + b + c + d + e + 10 * (double)f + callee_pair(pair);
}
