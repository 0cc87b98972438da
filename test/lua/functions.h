/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The types of the functions that the scripts of this folder call. Nothing here
 * knows of Lua: functions.lua says all this again, in C, at run time. */
#ifndef TEST_LUA_FUNCTIONS_H
#define TEST_LUA_FUNCTIONS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct point {
    int x, y;
};
struct size {
    double width, height;
};
struct rectangle {
    struct point corner;
    struct size size;
};
struct mixed {
    double d;
    int i;
};
struct tiny {
    char c;
    short s;
};
struct floats {
    float x, y, z;
};
struct bytes {
    char b[32];
};
struct longs {
    long v[5];
};
struct single {
    float f;
};
struct tagged {
    char tag;
    double value;
};
struct arrays {
    float v[3];
    short n;
};
struct bits {
    int low : 3;
    unsigned middle : 9;
    int high : 20;
};
struct holder {
    int (*handler)(int);
    int value;
};
union number {
    int64_t i;
    double d;
    char text[8];
};
union real {
    float f;
    double d;
};
struct __attribute__((packed)) packed {
    char c;
    short s;
    double d;
};
struct __attribute__((aligned(16))) aligned {
    long a, b;
};
struct wide {
    long double l;
    int i;
};
struct nothing {
};
struct variant {
    int tag : 8;
    union {
        int64_t i;
        double d;
        void *p;
    } u;
};
enum colour { RED, GREEN = 5, BLUE };
typedef float floats4 __attribute__((vector_size(16)));
typedef double doubles2 __attribute__((vector_size(16)));
typedef int ints4 __attribute__((vector_size(16)));

/* Of one file and used by another. */
EXPORT int add2(int, int);
EXPORT long sum_longs(struct longs, int);
EXPORT struct longs count_longs(long);

#endif
