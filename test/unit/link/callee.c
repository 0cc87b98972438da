/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the tests of the link floor call, in a library of its own. */
#include <complex.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/link/callee.h"

int callee_data = 42;
int callee_long_name = 1;

int
callee_add(int a, int b)
{
    return a + b;
}

struct callee_point
callee_swap(struct callee_point p)
{
    return (struct callee_point){p.y, p.x};
}

struct callee_big
callee_big(double first)
{
    return (struct callee_big){{first, first + 1, first + 2, first + 3}};
}

/* Writes over its parameter, which is its own. */
double
callee_spoil(struct callee_big big)
{
    double sum = big.d[0] + big.d[1] + big.d[2] + big.d[3];

    memset(&big, 0xff, sizeof big);
    __asm__ volatile("" : : "r"(&big) : "memory");
    return sum;
}

double
callee_sum(int count, ...)
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
callee_first_variadic(int count, ...)
{
    va_list values;
    int first;

    va_start(values, count);
    first = va_arg(values, int);
    va_end(values);
    return first;
}

double
callee_sum_structs(int count, ...)
{
    double sum = 0;
    va_list values;

    va_start(values, count);
    for (int i = 0; i < count; i++) {
        struct callee_mixed mixed = va_arg(values, struct callee_mixed);

        sum += mixed.c + mixed.d;
    }
    va_end(values);
    return sum;
}

struct callee_three
callee_three_variadic(int count, ...)
{
    struct callee_three three = {{0, 0, 0}};
    va_list values;

    va_start(values, count);
    for (int i = 0; i < count && i < 3; i++)
        three.l[i] = va_arg(values, long);
    va_end(values);
    return three;
}

int
callee_fail(int error)
{
    errno = error;
    return -1;
}

/* What it calls in between must not change what it says. */
int
callee_fail_and_apply(int error, int (*function)(void *), void *context)
{
    errno = error;
    function(context);
    return -1;
}

int
callee_errno(void)
{
    return errno;
}

int
callee_store(int *place, int value)
{
    int before = *place;

    *place = value;
    return before;
}

int
callee_load(const int *place)
{
    return *place;
}

int
callee_sum_three(const int (*three)[3])
{
    return (*three)[0] + (*three)[1] + (*three)[2];
}

const int *
callee_const_data(void)
{
    return &callee_data;
}

void *
callee_null(void)
{
    return NULL;
}

/* As curl_easy_setopt takes its functions: a tag, then by its kind. */
int
callee_apply_variadic(int tag, ...)
{
    int (*function)(int, void *);
    void *context;
    va_list values;

    va_start(values, tag);
    function = va_arg(values, int (*)(int, void *));
    context = va_arg(values, void *);
    va_end(values);
    return function(tag, context);
}

int
callee_apply(int (*function)(void *), void *context)
{
    return function(context);
}

int
callee_sum_pointers(const int *a, const int *b, const int *c, const int *d,
                    const int *e, const int *f, const int *g, const int *h,
                    const int *i, const int *j)
{
    return *a + *b + *c + *d + *e + *f + *g + *h + *i + *j;
}

int
callee_empty(int a, struct callee_nothing nothing, int b)
{
    (void)nothing;
    return a * 10 + b;
}

float _Complex callee_twice(float _Complex z)
{
    return 2 * z;
}

long double
callee_long_double(long double l)
{
    return l + 1;
}

/* The upper bits of the register are anything. */
long
callee_dirty_bool(void)
{
    return 0x12345600;
}

uint32_t
callee_u32(void)
{
    return 0xdeadbeef;
}

int8_t
callee_i8(int8_t v)
{
    return v;
}

int
callee_sum_i8(int8_t a, int8_t b, int8_t c, int8_t d, int8_t e, int8_t f,
              int8_t g, int8_t h)
{
    return a + b + c + d + e + f + g + h;
}
