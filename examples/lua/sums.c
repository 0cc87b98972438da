/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * For by_value.lua: sums of structs of 16 and of 64 bytes, by value and by
 * pointer.
 */
#include "ffi_rt/ffi_rt.h"

struct pair {
    double v[2];
};
struct line {
    double v[8];
};

FRT_API struct pair pair_by_value(struct pair a, struct pair b);
FRT_API void pair_by_pointer(struct pair *sum, const struct pair *a,
                             const struct pair *b);
FRT_API struct line line_by_value(struct line a, struct line b);
FRT_API void line_by_pointer(struct line *sum, const struct line *a,
                             const struct line *b);

static void
add(double *sum, const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        sum[i] = a[i] + b[i];
}

struct pair
pair_by_value(struct pair a, struct pair b)
{
    add(a.v, a.v, b.v, 2);
    return a;
}

void
pair_by_pointer(struct pair *sum, const struct pair *a, const struct pair *b)
{
    add(sum->v, a->v, b->v, 2);
}

struct line
line_by_value(struct line a, struct line b)
{
    add(a.v, a.v, b.v, 8);
    return a;
}

void
line_by_pointer(struct line *sum, const struct line *a, const struct line *b)
{
    add(sum->v, a->v, b->v, 8);
}
