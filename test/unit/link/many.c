/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/ffi_rt.h"

#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

#define ROWS 100

Test(many, columns)
{
    frt_function *add = declare("int callee_add(int a, int b)");
    int a[ROWS];
    int b[ROWS];
    int sums[ROWS + 1];
    void *columns[] = {a, b};

    for (int i = 0; i < ROWS; i++) {
        a[i] = i;
        b[i] = 1000 * i;
    }
    sums[ROWS] = 77;
    CHECK_STATUS(FRT_OK, frt_call_many(add, ROWS, sums, columns, NULL));
    for (int i = 0; i < ROWS; i++)
        cr_assert_eq(sums[i], 1001 * i);
    cr_assert_eq(sums[ROWS], 77);
    frt_function_free(add);
}

/* Rows of a table, a column that stands still, and results in between. */
Test(many, strides)
{
    struct row {
        int a;
        char other[12];
        int sum;
    } rows[ROWS] = {0};
    const size_t strides[] = {sizeof *rows, 0, sizeof *rows};
    frt_function *add = declare("int callee_add(int a, int b)");
    int seven = 7;
    void *columns[] = {&rows[0].a, &seven};

    for (int i = 0; i < ROWS; i++)
        rows[i].a = i;
    CHECK_STATUS(FRT_OK,
                 frt_call_many(add, ROWS, &rows[0].sum, columns, strides));
    for (int i = 0; i < ROWS; i++) {
        cr_assert_eq(rows[i].sum, i + 7);
        cr_assert_eq(rows[i].other[0], 0);
    }
    frt_function_free(add);
}

Test(many, aggregates)
{
    frt_function *swap =
        declare("struct p { double x, y; } callee_swap(struct p p)");
    struct callee_point points[ROWS];
    void *columns[] = {points};

    for (int i = 0; i < ROWS; i++)
        points[i] = (struct callee_point){i, -i};
    /* over its own argument: each row is read before it is written */
    CHECK_STATUS(FRT_OK, frt_call_many(swap, ROWS, points, columns, NULL));
    for (int i = 0; i < ROWS; i++) {
        cr_assert_eq(points[i].x, -i);
        cr_assert_eq(points[i].y, i);
    }
    frt_function_free(swap);
}

Test(many, no_rows)
{
    frt_function *add = declare("int callee_add(int a, int b)");
    int a = 1;
    int sum = 5;
    void *columns[] = {&a, &a};

    CHECK_STATUS(FRT_OK, frt_call_many(add, 0, &sum, columns, NULL));
    cr_assert_eq(sum, 5);
    frt_function_free(add);
}

Test(many, more_arguments_than_a_few)
{
    enum { COUNT = 21 };
    const frt_layout *layouts[COUNT];
    const frt_descriptor *descriptor;
    frt_function *sum;
    int counts[3] = {0, 10, 20};
    int values[COUNT][3];
    int sums[3];
    void *columns[COUNT];
    size_t live;

    for (int i = 0; i < COUNT; i++) {
        layouts[i] = FRT_I32;
        columns[i] = i == 0 ? counts : values[i];
        for (int r = 0; r < 3; r++)
            values[i][r] = 100 * r + i;
    }
    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_I32,
                                                    layouts, COUNT, 1));
    CHECK_STATUS(FRT_OK,
                 frt_function_new(&sum, callee_library(),
                                  "callee_first_variadic", descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call_many(sum, 3, sums, columns, NULL));
    live = warm_live();
    memset(sums, 0, sizeof sums);
    CHECK_STATUS(FRT_OK, frt_call_many(sum, 3, sums, columns, NULL));
    cr_assert_eq(frti_allocator_live(), live);
    for (int r = 1; r < 3; r++)
        cr_assert_eq(sums[r], values[1][r]);
    frt_function_free(sum);
    frt_descriptor_drop(descriptor);
}

/* The session of each row's segment is held for that row; a closed one ends it
 * all, and says where. */
Test(many, segments)
{
    frt_function *load = declare("int callee_load(const int *place)");
    frt_segment places[4];
    frt_arena arenas[4];
    int loaded[4] = {9, 9, 9, 9};
    void *columns[] = {places};

    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arenas[i]));
        CHECK_STATUS(FRT_OK, frt_arena_allocate(&places[i], arenas[i], 4, 4));
        CHECK_STATUS(FRT_OK, frt_segment_put_i32(&places[i], 0, i + 1));
    }
    CHECK_STATUS(FRT_OK, frt_call_many(load, 4, loaded, columns, NULL));
    cr_assert_eq(loaded[3], 4);
    CHECK_STATUS(FRT_OK, frt_arena_close(arenas[2]));
    memset(loaded, 0, sizeof loaded);
    CHECK_STATUS(FRT_CLOSED, frt_call_many(load, 4, loaded, columns, NULL));
    check_detail("row 2: ");
    check_detail("closed");
    cr_assert_eq(loaded[1], 2);
    cr_assert_eq(loaded[2], 0);
    cr_assert_eq(loaded[3], 0);
    for (int i = 0; i < 4; i++)
        if (i != 2)
            CHECK_STATUS(FRT_OK, frt_arena_close(arenas[i]));
    frt_function_free(load);
}

static frt_arena library_arena;
static frt_status close_status;

static int
close_the_library(void *context)
{
    (void)context;
    close_status = frt_arena_close(library_arena);
    return 3;
}

/* The library is held during the call, and no longer. */
Test(many, the_library_is_held)
{
    int (*function)(void *) = close_the_library;
    void *context = NULL;
    const size_t strides[] = {0, 0, sizeof(int)};
    void *columns[] = {&function, &context};
    const frt_parse_options raw = {.size = sizeof raw, .raw_pointers = true};
    const frt_descriptor *descriptor;
    frt_library library;
    frt_function *apply;
    int results[2] = {0};

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&library_arena));
    CHECK_STATUS(FRT_OK,
                 frt_library_open(&library, library_arena, TEST_CALLEE, NULL));
    CHECK_STATUS(FRT_OK,
                 frt_descriptor_parse(&descriptor,
                                      "int f(int (*)(void *), void *)", &raw));
    CHECK_STATUS(FRT_OK, frt_function_new(&apply, library, "callee_apply",
                                          descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call_many(apply, 2, results, columns, strides));
    cr_assert_eq(close_status, FRT_STILL_HELD);
    cr_assert_eq(results[1], 3);
    CHECK_STATUS(FRT_OK, frt_arena_close(library_arena));
    CHECK_STATUS(FRT_CLOSED,
                 frt_call_many(apply, 2, results, columns, strides));
    frt_function_free(apply);
    frt_descriptor_drop(descriptor);
}

Test(many, what_is_not_given)
{
    frt_function *add = declare("int callee_add(int a, int b)");
    int a = 1;
    int sum;
    void *columns[] = {&a, NULL};

    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_many(NULL, 1, &sum, columns, NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_many(add, 1, &sum, NULL, NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_many(add, 1, &sum, columns, NULL));
    check_detail("argument 2");
    columns[1] = &a;
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_many(add, 1, NULL, columns, NULL));
    check_detail("no place");
    frt_function_free(add);
}
