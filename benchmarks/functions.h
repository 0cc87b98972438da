/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What is called. A library of its own, so that the compiler of the caller
 * cannot see the bodies. */
#ifndef BENCHMARKS_FUNCTIONS_H
#define BENCHMARKS_FUNCTIONS_H

struct point {
    double x, y;
};

struct big {
    double d[4];
};

void noop(void);
int add2(int a, int b);
double fma3(double a, double b, double c);
void *identity(void *a);
void *identity3(void *a, void *b, void *c);
struct point unit(void);
void unit_ptr(struct point *out);
struct big bigret(void);
struct point padd(struct point a, struct point b);
long sum8(long a, long b, long c, long d, long e, long f, long g, long h);
double mix10(int a, double b, int c, double d, int e, double f, int g, double h,
             int i, double j);
int vsum(int n, ...);
int callcb(int (*callback)(int), int a);

/* ------------------------------------------------------------- by value ---
 *
 * Aggregates that are passed by value and by pointer: name, the type of the
 * first member's elements, members.
 *   8 ... 4096   that many bytes of longs; 16 is a pair of integers
 *   2f ... 4d    homogeneous: two or four floats or doubles
 *   mixed        an integer and a double */
#define BY_VALUE_TABLE(X)                                                      \
    X(8, long, long w[1];)                                                     \
    X(16, long, long w[2];)                                                    \
    X(24, long, long w[3];)                                                    \
    X(32, long, long w[4];)                                                    \
    X(64, long, long w[8];)                                                    \
    X(256, long, long w[32];)                                                  \
    X(4096, long, long w[512];)                                                \
    X(2f, float, float w[2];)                                                  \
    X(4f, float, float w[4];)                                                  \
    X(2d, double, double w[2];)                                                \
    X(4d, double, double w[4];)                                                \
    X(mixed, long, long w[1]; double d;)

/* A result has BY_VALUE_FIRST as its first element and is zero elsewhere; an
 * argument's first element is returned. Those that end in _nested call back
 * before. */
#define BY_VALUE_FIRST 7
typedef void by_value_callback(void);

#define BY_VALUE_FUNCTIONS(name, first, members)                               \
    struct by_value_##name {                                                   \
        members                                                                \
    };                                                                         \
    struct by_value_##name result_##name(void);                                \
    void result_pointer_##name(struct by_value_##name *out);                   \
    first argument_##name(struct by_value_##name a);                           \
    first argument_pointer_##name(const struct by_value_##name *a);            \
    struct by_value_##name result_nested_##name(by_value_callback *callback);  \
    void result_pointer_nested_##name(struct by_value_##name *out,             \
                                      by_value_callback *callback);            \
    first argument_nested_##name(struct by_value_##name a,                     \
                                 by_value_callback *callback);                 \
    first argument_pointer_nested_##name(const struct by_value_##name *a,      \
                                         by_value_callback *callback);
BY_VALUE_TABLE(BY_VALUE_FUNCTIONS)

#endif
