/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What calls.c calls: bodies as short as can be. */
#ifndef TEST_STUB_CALLEES_H
#define TEST_STUB_CALLEES_H

struct point {
    double x, y;
};

int add2(int a, int b);
struct point unit(void);
struct point padd(struct point a, struct point b);
double mix10(int a, double b, int c, double d, int e, double f, int g, double h,
             int i, double j);

#endif
