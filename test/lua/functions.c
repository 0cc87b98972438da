/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Scalars, text, memory, variables and variadic functions. */
#include "test/lua/functions.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

EXPORT int8_t same_i8(int8_t);
EXPORT uint8_t same_u8(uint8_t);
EXPORT int16_t same_i16(int16_t);
EXPORT uint16_t same_u16(uint16_t);
EXPORT int32_t same_i32(int32_t);
EXPORT uint32_t same_u32(uint32_t);
EXPORT int64_t same_i64(int64_t);
EXPORT uint64_t same_u64(uint64_t);
EXPORT float same_float(float);
EXPORT double same_double(double);
EXPORT bool same_bool(bool);
EXPORT char same_char(char);
EXPORT void *same_pointer(void *);
EXPORT const char *same_text(const char *);
EXPORT long double same_long_double(long double);
EXPORT __int128 same_int128(__int128);
EXPORT unsigned __int128 same_uint128(unsigned __int128);
EXPORT enum colour same_colour(enum colour);

int8_t
same_i8(int8_t v)
{
    return v;
}
uint8_t
same_u8(uint8_t v)
{
    return v;
}
int16_t
same_i16(int16_t v)
{
    return v;
}
uint16_t
same_u16(uint16_t v)
{
    return v;
}
int32_t
same_i32(int32_t v)
{
    return v;
}
uint32_t
same_u32(uint32_t v)
{
    return v;
}
int64_t
same_i64(int64_t v)
{
    return v;
}
uint64_t
same_u64(uint64_t v)
{
    return v;
}
float
same_float(float v)
{
    return v;
}
double
same_double(double v)
{
    return v;
}
bool
same_bool(bool v)
{
    return v;
}
char
same_char(char v)
{
    return v;
}
void *
same_pointer(void *v)
{
    return v;
}
const char *
same_text(const char *v)
{
    return v;
}
long double
same_long_double(long double v)
{
    return v;
}
__int128
same_int128(__int128 v)
{
    return v;
}
unsigned __int128
same_uint128(unsigned __int128 v)
{
    return v;
}
enum colour
same_colour(enum colour v)
{
    return v;
}

EXPORT double fma3(double, double, double);
EXPORT void nothing(void);
EXPORT double sum_many(int, double, int, double, int64_t, float, int, double,
                       double, double, int16_t, double, double, double, double,
                       uint8_t);
EXPORT int sum_chars(int8_t, int8_t, int8_t, int8_t, int8_t, int8_t, int8_t,
                     int8_t);
EXPORT int64_t halves(__int128, bool);
EXPORT long double thirds(long double, int, long double);

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

void
nothing(void)
{
}

/* More than the registers hold, of both kinds. */
double
sum_many(int a, double b, int c, double d, int64_t e, float f, int g, double h,
         double i, double j, int16_t k, double l, double m, double n, double o,
         uint8_t p)
{
    return a + b + c + d + (double)e + f + g + h + i + j + k + l + m + n + o +
           p;
}

int
sum_chars(int8_t a, int8_t b, int8_t c, int8_t d, int8_t e, int8_t f, int8_t g,
          int8_t h)
{
    return a + b + c + d + e + f + g + h;
}

int64_t
halves(__int128 v, bool is_high)
{
    return (int64_t)(is_high ? v >> 64 : v);
}

long double
thirds(long double a, int n, long double b)
{
    return (a + b) / n;
}

/* -------------------------------------------- errno, text and memory --- */

EXPORT int fail_with(int);
EXPORT int read_errno(void);
EXPORT int text_length(const char *);
EXPORT const char *greeting(void);
EXPORT char *greeting_null(void);
EXPORT int fill_text(char *, int, char);
EXPORT int sum_ints_at(const int *, int);
EXPORT void double_ints_at(int *, int);
EXPORT int count_pointers(const char *const *);
EXPORT void *allocate(int);
EXPORT void release(void *);
EXPORT int released(void);
EXPORT void move_point(struct point *, int, int);
EXPORT int is_null(const void *);

int
fail_with(int number)
{
    errno = number;
    return -1;
}

int
read_errno(void)
{
    return errno;
}

int
text_length(const char *text)
{
    return text ? (int)strlen(text) : -1;
}

const char *
greeting(void)
{
    return "hello from C";
}

char *
greeting_null(void)
{
    return NULL;
}

int
fill_text(char *text, int size, char c)
{
    memset(text, c, (size_t)size - 1);
    text[size - 1] = '\0';
    return size - 1;
}

int
sum_ints_at(const int *ints, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += ints[i];
    return sum;
}

void
double_ints_at(int *ints, int count)
{
    for (int i = 0; i < count; i++)
        ints[i] *= 2;
}

int
count_pointers(const char *const *texts)
{
    int count = 0;

    while (texts[count])
        count++;
    return count;
}

static int releases;

void *
allocate(int size)
{
    return malloc((size_t)size);
}

void
release(void *memory)
{
    releases++;
    free(memory);
}

int
released(void)
{
    return releases;
}

void
move_point(struct point *point, int x, int y)
{
    point->x += x;
    point->y += y;
}

int
is_null(const void *pointer)
{
    return pointer == NULL;
}

/* --------------------------------------------------------- variables --- */

EXPORT int counter = 7;
EXPORT const int limit = 1000;
EXPORT double ratio = 0.5;
EXPORT int primes[5] = {2, 3, 5, 7, 11};
EXPORT struct point origin = {3, 4};
EXPORT const char *motto = "by value";
EXPORT enum colour favourite = GREEN;
EXPORT int64_t large = INT64_MAX;
EXPORT uint64_t largest = UINT64_MAX;
EXPORT bool is_ready = true;

EXPORT int read_counter(void);

int
read_counter(void)
{
    return counter;
}

EXPORT int functions_real_plus(int, int);
EXPORT int functions_real_variable = 99;

int
functions_real_plus(int a, int b)
{
    return a + b + 100;
}

/* ---------------------------------------------------------- variadic --- */

EXPORT int sum_ints(int, ...);
EXPORT double sum_doubles(int, ...);
EXPORT double sum_tagged(int, ...);
EXPORT long sum_longs_of(int, ...);
EXPORT int call_of(int, ...);
EXPORT int count_texts(const char *, ...);

int
sum_ints(int count, ...)
{
    va_list values;
    int sum = 0;

    va_start(values, count);
    while (count-- > 0)
        sum += va_arg(values, int);
    va_end(values);
    return sum;
}

double
sum_doubles(int count, ...)
{
    va_list values;
    double sum = 0;

    va_start(values, count);
    while (count-- > 0)
        sum += va_arg(values, double);
    va_end(values);
    return sum;
}

double
sum_tagged(int count, ...)
{
    va_list values;
    double sum = 0;

    va_start(values, count);
    while (count-- > 0) {
        struct tagged t = va_arg(values, struct tagged);
        sum += t.tag + t.value;
    }
    va_end(values);
    return sum;
}

/* Structs that travel in memory. */
long
sum_longs_of(int count, ...)
{
    va_list values;
    long sum = 0;

    va_start(values, count);
    while (count-- > 0) {
        struct longs l = va_arg(values, struct longs);
        sum += sum_longs(l, 0);
    }
    va_end(values);
    return sum;
}

int
call_of(int value, ...)
{
    va_list values;
    int (*handler)(int);

    va_start(values, value);
    handler = va_arg(values, int (*)(int));
    va_end(values);
    return handler(value);
}

/* Up to a NULL. */
int
count_texts(const char *first, ...)
{
    va_list values;
    int count = 0;

    va_start(values, first);
    for (const char *t = first; t; t = va_arg(values, const char *))
        count++;
    va_end(values);
    return count;
}
