/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The types of callee.c. */
#ifndef TEST_UNIT_LINK_CALLEE_H
#define TEST_UNIT_LINK_CALLEE_H

#include <stdint.h>

struct callee_point {
    double x;
    double y;
};

struct callee_big {
    double d[4];
};

struct callee_mixed {
    char c;
    double d;
};

struct callee_three {
    long l[3];
};

struct callee_nothing {
};

/* 640 characters. */
#define CALLEE_PART                                                            \
    "a_template_of_templates_with_long_names_whose_mangled_name_grows"
#define CALLEE_LONG_NAME                                                       \
    CALLEE_PART CALLEE_PART CALLEE_PART CALLEE_PART CALLEE_PART CALLEE_PART    \
        CALLEE_PART CALLEE_PART CALLEE_PART CALLEE_PART

extern int callee_data;
extern int callee_long_name __asm__(CALLEE_LONG_NAME);
int callee_add(int a, int b);
struct callee_point callee_swap(struct callee_point p);
struct callee_big callee_big(double first);
double callee_spoil(struct callee_big big);
double callee_sum(int count, ...);
int callee_first_variadic(int count, ...);
double callee_sum_structs(int count, ...);
struct callee_three callee_three_variadic(int count, ...);
int callee_fail(int error);
int callee_fail_and_apply(int error, int (*function)(void *), void *context);
int callee_errno(void);
int callee_store(int *place, int value);
int callee_load(const int *place);
int callee_sum_three(const int (*three)[3]);
const int *callee_const_data(void);
void *callee_null(void);
int callee_apply_variadic(int tag, ...);
int callee_apply(int (*function)(void *), void *context);
int callee_sum_pointers(const int *a, const int *b, const int *c, const int *d,
                        const int *e, const int *f, const int *g, const int *h,
                        const int *i, const int *j);
int callee_empty(int a, struct callee_nothing nothing, int b);
float _Complex callee_twice(float _Complex z);
long double callee_long_double(long double l);
long callee_dirty_bool(void);
uint32_t callee_u32(void);
int8_t callee_i8(int8_t v);
int callee_sum_i8(int8_t a, int8_t b, int8_t c, int8_t d, int8_t e, int8_t f,
                  int8_t g, int8_t h);

#endif
