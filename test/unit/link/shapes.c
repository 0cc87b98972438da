/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Values of every plain shape through both ways of a call, against callee.c. */
#include <complex.h>

#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

Test(shapes, mixed_variadics)
{
    frt_function *sum = NULL;
    const frt_layout *layouts[] = {FRT_INT, FRT_F32, FRT_F64};
    const frt_descriptor *descriptor;
    int count = 2;
    float one = 1.5f;
    double two = 2.5;
    void *arguments[] = {&count, &one, &two};
    double result = 0;

    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_F64,
                                                    layouts, 3, 1));
    CHECK_STATUS(FRT_OK, frt_function_new(&sum, callee_library(), "callee_sum",
                                          descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call(sum, &result, arguments, 3));
    cr_assert_eq(result, 4);
    cr_assert_eq(one, 1.5f);
    frt_function_free(sum);
    frt_descriptor_drop(descriptor);
}

Test(shapes, small_integers_in_a_variadic_are_promoted)
{
    frt_function *first = NULL;
    const frt_layout *layouts[] = {FRT_INT, FRT_I8};
    const frt_descriptor *descriptor;
    int count = 1;
    int8_t small = -5;
    void *arguments[] = {&count, &small};
    int result = 0;

    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_INT,
                                                    layouts, 2, 1));
    CHECK_STATUS(FRT_OK,
                 frt_function_new(&first, callee_library(),
                                  "callee_first_variadic", descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call(first, &result, arguments, 2));
    cr_assert_eq(result, -5);
    frt_function_free(first);
    frt_descriptor_drop(descriptor);
}

Test(shapes, structs_in_a_variadic)
{
    const frt_layout *mixed;
    const frt_layout *layouts[3];
    const frt_descriptor *descriptor;
    frt_function *sum = NULL;
    int count = 2;
    struct callee_mixed one = {1, 2};
    struct callee_mixed two = {3, 4};
    void *arguments[] = {&count, &one, &two};
    double result = 0;

    CHECK_STATUS(
        FRT_OK, frt_layout_parse(&mixed, "struct { char c; double d; }", NULL));
    layouts[0] = FRT_INT;
    layouts[1] = layouts[2] = mixed;
    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_F64,
                                                    layouts, 3, 1));
    CHECK_STATUS(FRT_OK,
                 frt_function_new(&sum, callee_library(), "callee_sum_structs",
                                  descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call(sum, &result, arguments, 3));
    cr_assert_eq(result, 10);
    frt_function_free(sum);
    frt_descriptor_drop(descriptor);
    frt_layout_drop(mixed);
}

Test(shapes, a_large_result_of_a_variadic)
{
    const frt_layout *result;
    const frt_layout *layouts[] = {FRT_INT, FRT_LONG, FRT_LONG, FRT_LONG};
    const frt_descriptor *descriptor;
    frt_function *three = NULL;
    int count = 3;
    long values[] = {7, 8, 9};
    void *arguments[] = {&count, &values[0], &values[1], &values[2]};
    struct callee_three out = {{0}};

    CHECK_STATUS(FRT_OK,
                 frt_layout_parse(&result, "struct { long l[3]; }", NULL));
    CHECK_STATUS(
        FRT_OK, frt_descriptor_of_variadic(&descriptor, result, layouts, 4, 1));
    CHECK_STATUS(FRT_OK,
                 frt_function_new(&three, callee_library(),
                                  "callee_three_variadic", descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call(three, &out, arguments, 4));
    cr_assert_eq(out.l[0], 7);
    cr_assert_eq(out.l[2], 9);
    frt_function_free(three);
    frt_descriptor_drop(descriptor);
    frt_layout_drop(result);
}

Test(shapes, an_empty_struct_vanishes)
{
    frt_function *function = declare("int callee_empty(int, struct {}, int)");
    int four = 4;
    int two = 2;
    char nothing;
    void *arguments[] = {&four, &nothing, &two};
    int result = 0;

    CHECK_STATUS(FRT_OK, frt_call(function, &result, arguments, 3));
    cr_assert_eq(result, 42);
    frt_function_free(function);
}

Test(shapes, complex_and_long_double)
{
    frt_function *twice =
        declare("float _Complex callee_twice(float _Complex)");
    frt_function *more = declare("long double callee_long_double(long double)");
    float _Complex z = 1.5f + 2.5f * I;
    long double l = 0.25L;
    void *complexes[] = {&z};
    void *longs[] = {&l};

    CHECK_STATUS(FRT_OK, frt_call(twice, &z, complexes, 1));
    cr_assert_eq(crealf(z), 3);
    cr_assert_eq(cimagf(z), 5);
    CHECK_STATUS(FRT_OK, frt_call(more, &l, longs, 1));
    cr_assert(l == 1.25L);
    frt_function_free(more);
    frt_function_free(twice);
}

Test(shapes, eight_small_integers)
{
    frt_function *function = declare(
        "int callee_sum_i8(int8_t, int8_t, int8_t, int8_t, int8_t, int8_t, "
        "int8_t, int8_t)");
    int8_t plus = 1;
    int8_t minus = -1;
    void *arguments[] = {&minus, &plus, &minus, &plus,
                         &minus, &plus, &minus, &plus};
    int result = 7;

    CHECK_STATUS(FRT_OK, frt_call(function, &result, arguments, 8));
    cr_assert_eq(result, 0);
    frt_function_free(function);
}
