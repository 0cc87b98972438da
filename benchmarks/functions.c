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
