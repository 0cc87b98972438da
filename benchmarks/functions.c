/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/functions.h"

#include <stdarg.h>

void
noop(void)
{
}

int
add2(int a, int b)
{
    return a + b;
}

double
fma3(double a, double b, double c)
{
    return a * b + c;
}

void *
identity(void *a)
{
    return a;
}

void *
identity3(void *a, void *b, void *c)
{
    (void)b;
    (void)c;
    return a;
}

struct point
unit(void)
{
    return (struct point){1, 0};
}

void
unit_ptr(struct point *out)
{
    *out = (struct point){1, 0};
}

struct big
bigret(void)
{
    return (struct big){{1, 2, 3, 4}};
}

struct point
padd(struct point a, struct point b)
{
    return (struct point){a.x + b.x, a.y + b.y};
}

long
sum8(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return a + b + c + d + e + f + g + h;
}

double
mix10(int a, double b, int c, double d, int e, double f, int g, double h, int i,
      double j)
{
    return a + b + c + d + e + f + g + h + i + j;
}

int
vsum(int n, ...)
{
    va_list list;
    int sum = 0;

    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int
callcb(int (*callback)(int), int a)
{
    return callback(a);
}

#define BY_VALUE_BODIES(name, first, members)                                  \
    struct by_value_##name result_##name(void)                                 \
    {                                                                          \
        return (struct by_value_##name){.w = {BY_VALUE_FIRST}};                \
    }                                                                          \
    void result_pointer_##name(struct by_value_##name *out)                    \
    {                                                                          \
        *out = (struct by_value_##name){.w = {BY_VALUE_FIRST}};                \
    }                                                                          \
    first argument_##name(struct by_value_##name a)                            \
    {                                                                          \
        return a.w[0];                                                         \
    }                                                                          \
    first argument_pointer_##name(const struct by_value_##name *a)             \
    {                                                                          \
        return a->w[0];                                                        \
    }                                                                          \
    struct by_value_##name result_nested_##name(by_value_callback *callback)   \
    {                                                                          \
        callback();                                                            \
        return (struct by_value_##name){.w = {BY_VALUE_FIRST}};                \
    }                                                                          \
    void result_pointer_nested_##name(struct by_value_##name *out,             \
                                      by_value_callback *callback)             \
    {                                                                          \
        callback();                                                            \
        *out = (struct by_value_##name){.w = {BY_VALUE_FIRST}};                \
    }                                                                          \
    first argument_nested_##name(struct by_value_##name a,                     \
                                 by_value_callback *callback)                  \
    {                                                                          \
        callback();                                                            \
        return a.w[0];                                                         \
    }                                                                          \
    first argument_pointer_nested_##name(const struct by_value_##name *a,      \
                                         by_value_callback *callback)          \
    {                                                                          \
        callback();                                                            \
        return a->w[0];                                                        \
    }
BY_VALUE_TABLE(BY_VALUE_BODIES)
