/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the stubs of this floor's tests call. */
#ifndef TEST_UNIT_ABI_STUB_CALLEES_H
#define TEST_UNIT_ABI_STUB_CALLEES_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* Aggregates of each size up to 24 bytes, of one class. */
#define CALLEE_BYTES(X)                                                        \
    X(1)                                                                       \
    X(2)                                                                       \
    X(3)                                                                       \
    X(4)                                                                       \
    X(5)                                                                       \
    X(6)                                                                       \
    X(7)                                                                       \
    X(8)                                                                       \
    X(9)                                                                       \
    X(10)                                                                      \
    X(11)                                                                      \
    X(12)                                                                      \
    X(13)                                                                      \
    X(14)                                                                      \
    X(15)                                                                      \
    X(16)                                                                      \
    X(17)                                                                      \
    X(23)

#define CALLEE_STRUCT(n)                                                       \
    struct bytes_##n {                                                         \
        unsigned char c[n];                                                    \
    };
CALLEE_BYTES(CALLEE_STRUCT)
#undef CALLEE_STRUCT

struct aligned_32 {
    long a[4];
} __attribute__((aligned(32)));

struct large {
    unsigned char c[1 << 20];
};

struct packed {
    char c;
    double d;
} __attribute__((packed));

/* The bytes, reversed. */
#define CALLEE_REVERSE(n) struct bytes_##n callee_reverse_##n(struct bytes_##n);
CALLEE_BYTES(CALLEE_REVERSE)
#undef CALLEE_REVERSE

uint64_t callee_low_bits(double vector);
double callee_vector_of(uint64_t bits);
int callee_add(int a, int b);
long callee_same(long a);
long double callee_halve(long double a);
long double _Complex callee_swap(long double _Complex a);
struct packed callee_packed(struct packed a);
/* Whether it is aligned, and then the sum of all. */
long callee_aligned(int a, struct aligned_32 b, int c, int d, int e, int f,
                    int g, int h, struct aligned_32 i);
double callee_sum_doubles(int count, ...);
int callee_sum_ints(int count, ...);
/* The sum of its bytes, at most the first `count`. */
unsigned callee_sum_large(struct large a, size_t count);
/* How many frames a backtrace finds, and whether one is `wanted`'s. */
int callee_backtrace(void *wanted);

#endif
