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

#endif
