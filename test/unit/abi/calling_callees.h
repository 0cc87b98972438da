/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Functions to be called, in a file of their own: nothing is inlined. */
#ifndef TEST_UNIT_ABI_CALLING_CALLEES_H
#define TEST_UNIT_ABI_CALLING_CALLEES_H

#include <stdbool.h>

struct pair {
    char c;
    double d;
};

struct mixed {
    int i;
    float f[3];
    struct pair pair;
    short s;
};

struct longs {
    long a[5];
};

double callee_scalars(signed char a, unsigned short b, float c, double d,
                      long e, bool f);
double callee_ten(int a, int b, int c, int d, int e, int f, int g, int h, int i,
                  float j);
double callee_pair(struct pair pair);
struct pair callee_make_pair(char c, double d);
double callee_mixed(struct mixed mixed, int n);
struct mixed callee_make_mixed(int i);
long callee_longs(struct longs longs);
struct longs callee_make_longs(long first);
signed char callee_narrow(int value);
bool callee_bool(int value);
double callee_sum(int count, ...);

/* libffi 3.4.4 overwrites f, given the pair as a struct. */
double callee_float_and_pair(int a, int b, int c, int d, int e, float f,
                             struct pair pair);

#endif
