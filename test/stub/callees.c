/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/stub/callees.h"

int
add2(int a, int b)
{
    return a + b;
}

struct point
unit(void)
{
    return (struct point){1, 0};
}

struct point
padd(struct point a, struct point b)
{
    return (struct point){a.x + b.x, a.y + b.y};
}

double
mix10(int a, double b, int c, double d, int e, double f, int g, double h, int i,
      double j)
{
    return a + b + c + d + e + f + g + h + i + j;
}
