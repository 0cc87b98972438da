/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Structs, unions, complex numbers and vectors by value. */
#include "test/lua/functions.h"

EXPORT struct point add_points(struct point, struct point);
EXPORT struct size scale_size(struct size, double);
EXPORT double area(struct rectangle);
EXPORT struct rectangle rectangle_of(int, int, double, double);
EXPORT double sum_mixed(struct mixed, struct mixed, struct mixed, struct mixed);
EXPORT int sum_tiny(struct tiny, int);
EXPORT struct floats add_floats(struct floats, struct floats);
EXPORT struct bytes reverse_bytes(struct bytes);
EXPORT int sum_bytes(struct bytes);
EXPORT void spoil_longs(struct longs);
EXPORT struct single add_single(struct single, float, double);
EXPORT float sum_arrays(struct arrays);
EXPORT struct arrays arrays_of(float, float, float, short);
EXPORT struct bits add_bits(struct bits, int);
EXPORT int sum_bits(struct bits);
EXPORT union number number_of_double(double);
EXPORT double double_of_number(union number);
EXPORT union real add_real(union real, double);
EXPORT double sum_packed(struct packed, int);
EXPORT struct packed packed_of(char, short, double);
EXPORT long sum_aligned(long, long, long, long, long, long, long,
                        struct aligned, long);
EXPORT struct aligned aligned_of(long, long);
EXPORT struct wide double_wide(struct wide);
EXPORT int add_around(int, struct nothing, int);
EXPORT int sum_union_between(int, int, union number, int, int);
EXPORT int64_t variant_value(struct variant);
EXPORT struct variant variant_of(int, int64_t);
EXPORT long sum_pointed(void *, struct holder, struct holder, struct holder);

struct point
add_points(struct point a, struct point b)
{
    return (struct point){a.x + b.x, a.y + b.y};
}

struct size
scale_size(struct size s, double by)
{
    return (struct size){s.width * by, s.height * by};
}

double
area(struct rectangle r)
{
    return r.size.width * r.size.height + r.corner.x + r.corner.y;
}

struct rectangle
rectangle_of(int x, int y, double width, double height)
{
    return (struct rectangle){{x, y}, {width, height}};
}

double
sum_mixed(struct mixed a, struct mixed b, struct mixed c, struct mixed d)
{
    return a.d + a.i + b.d + b.i + c.d + c.i + d.d + d.i;
}

int
sum_tiny(struct tiny t, int i)
{
    return t.c + t.s + i;
}

struct floats
add_floats(struct floats a, struct floats b)
{
    return (struct floats){a.x + b.x, a.y + b.y, a.z + b.z};
}

struct bytes
reverse_bytes(struct bytes in)
{
    struct bytes out;

    for (size_t i = 0; i < sizeof in.b; i++)
        out.b[i] = in.b[sizeof in.b - 1 - i];
    return out;
}

int
sum_bytes(struct bytes in)
{
    int sum = 0;

    for (size_t i = 0; i < sizeof in.b; i++)
        sum += in.b[i];
    return sum;
}

struct longs
count_longs(long from)
{
    return (struct longs){{from, from + 1, from + 2, from + 3, from + 4}};
}

long
sum_longs(struct longs l, int i)
{
    return l.v[0] + l.v[1] + l.v[2] + l.v[3] + l.v[4] + i;
}

void
spoil_longs(struct longs l)
{
    volatile struct longs *mine = &l;

    for (int i = 0; i < 5; i++)
        mine->v[i] = -1;
}

struct single
add_single(struct single s, float f, double d)
{
    return (struct single){s.f + f + (float)d};
}

float
sum_arrays(struct arrays a)
{
    return a.v[0] + a.v[1] + a.v[2] + a.n;
}

struct arrays
arrays_of(float a, float b, float c, short n)
{
    return (struct arrays){{a, b, c}, n};
}

struct bits
add_bits(struct bits b, int i)
{
    return (struct bits){b.low + i, b.middle + (unsigned)i, b.high + i};
}

int
sum_bits(struct bits b)
{
    return b.low + (int)b.middle + b.high;
}

union number
number_of_double(double d)
{
    return (union number){.d = d};
}

double
double_of_number(union number n)
{
    return n.d;
}

union real
add_real(union real r, double d)
{
    return (union real){.d = r.d + d};
}

double
sum_packed(struct packed p, int i)
{
    return p.c + p.s + p.d + i;
}

struct packed
packed_of(char c, short s, double d)
{
    return (struct packed){c, s, d};
}

long
sum_aligned(long a, long b, long c, long d, long e, long f, long g,
            struct aligned s, long h)
{
    if ((uintptr_t)&s % 16)
        return -1;
    return a + b + c + d + e + f + g + 10 * s.a + 100 * s.b + h;
}

struct aligned
aligned_of(long a, long b)
{
    return (struct aligned){a, b};
}

struct wide
double_wide(struct wide w)
{
    return (struct wide){2 * w.l, 2 * w.i};
}

int
add_around(int a, struct nothing n, int b)
{
    (void)n;
    return a * 10 + b;
}

int
sum_union_between(int a, int b, union number n, int c, int d)
{
    return a + 10 * b + (int)n.i * 100 + 1000 * c + 10000 * d;
}

int64_t
variant_value(struct variant v)
{
    return v.tag == 0x16 ? v.u.i : -1;
}

struct variant
variant_of(int tag, int64_t value)
{
    return (struct variant){tag, {.i = value}};
}

long
sum_pointed(void *p, struct holder a, struct holder b, struct holder c)
{
    return *(int *)p + a.value + b.value + c.value;
}

EXPORT float complex twice_float(float complex);
EXPORT double complex twice_double(double complex);
EXPORT long double complex twice_long_double(long double complex);
EXPORT double complex mix_complex(float complex, int, double complex, double);
EXPORT floats4 add_floats4(floats4, floats4);
EXPORT doubles2 swap_doubles2(doubles2);
EXPORT ints4 scale_ints4(ints4, int);

float complex
twice_float(float complex z)
{
    return 2 * z;
}

double complex
twice_double(double complex z)
{
    return 2 * z;
}

long double complex
twice_long_double(long double complex z)
{
    return 2 * z;
}

double complex
mix_complex(float complex a, int i, double complex b, double d)
{
    return a * i + b * d;
}

floats4
add_floats4(floats4 a, floats4 b)
{
    return a + b;
}

doubles2
swap_doubles2(doubles2 v)
{
    return (doubles2){v[1], v[0]};
}

ints4
scale_ints4(ints4 v, int by)
{
    return v * by;
}
