/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Compiled for AVX: it decides how such vectors travel. */
typedef double wide __attribute__((vector_size(32)));

struct wrapped {
    wide v;
};

wide callee_add(wide a, wide b);
struct wrapped callee_wrapped(int factor, struct wrapped a, double b);
wide callee_ten(wide a, wide b, wide c, wide d, wide e, wide f, wide g, wide h,
                wide i, int n, wide j);

wide
callee_add(wide a, wide b)
{
    return a + b;
}

struct wrapped
callee_wrapped(int factor, struct wrapped a, double b)
{
    return (struct wrapped){a.v * factor + b};
}

/* The last two find no register. */
wide
callee_ten(wide a, wide b, wide c, wide d, wide e, wide f, wide g, wide h,
           wide i, int n, wide j)
{
    return a + b + c + d + e + f + g + h + i * n + j;
}
