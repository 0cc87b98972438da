/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <complex.h>

#include "test/unit/link/upcalling.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static frt_status
add(void *context, void *result, void *const *arguments)
{
    RESULT(int) = ARGUMENT(int, 0) + ARGUMENT(int, 1) + *(int *)context;
    return FRT_OK;
}

Test(upcall, adds)
{
    int three = 3;
    int (*f)(int, int) = code_of("int f(int, int)", add, &three);

    cr_assert_eq(f(1, 2), 6);
    cr_assert_eq(f(-10, 2), -5);
}

static frt_status
mixed(void *context, void *result, void *const *arguments)
{
    RESULT(double) = ARGUMENT(int, 0) + ARGUMENT(double, 1);
    return FRT_OK;
}

static frt_status
mixed_four(void *context, void *result, void *const *arguments)
{
    RESULT(double) = ARGUMENT(double, 0) + ARGUMENT(int, 1) +
                     ARGUMENT(float, 2) + (double)ARGUMENT(long, 3);
    return FRT_OK;
}

Test(upcall, e21_integers_between_floats)
{
    double (*f)(int, double) = code_of("double f(int, double)", mixed, NULL);
    double (*g)(double, int, float, long) =
        code_of("double f(double, int, float, long)", mixed_four, NULL);

    cr_assert_eq(f(1, 2.5), 3.5);
    cr_assert_eq(g(1.5, 2, 0.25f, -4), -0.25);
}

static frt_status
twice_long(void *context, void *result, void *const *arguments)
{
    RESULT(long double) = 2 * ARGUMENT(long double, 0);
    return FRT_OK;
}

Test(upcall, e16_long_double)
{
    long double (*f)(long double);

    if (upcall_is_refused("long double f(long double)", twice_long))
        return;
    f = code_of("long double f(long double)", twice_long, NULL);
    cr_assert(f(1.25L) == 2.5L);
    cr_assert(f(0x1.123456789abcdefp300L) == 0x1.123456789abcdefp301L);
}

static frt_status
twice_complex(void *context, void *result, void *const *arguments)
{
    RESULT(long double _Complex) = 2 * ARGUMENT(long double _Complex, 0);
    return FRT_OK;
}

static frt_status
twice_complex_float(void *context, void *result, void *const *arguments)
{
    RESULT(float _Complex) = 2 * ARGUMENT(float _Complex, 0);
    return FRT_OK;
}

Test(upcall, complex)
{
    long double _Complex (*f)(long double _Complex);
    float _Complex (*g)(float _Complex);

    if (upcall_is_refused("float _Complex f(int)", twice_complex_float))
        return;
    f = code_of("long double _Complex f(long double _Complex)", twice_complex,
                NULL);
    g = code_of("float _Complex f(float _Complex)", twice_complex_float, NULL);
    cr_assert(f(1.5L + 2.5L * I) == 3.0L + 5.0L * I);
    cr_assert(g(1.5f + 2.5f * I) == 3.0f + 5.0f * I);
}

static frt_status
minus_one(void *context, void *result, void *const *arguments)
{
    RESULT(int8_t) = -1;
    return FRT_OK;
}

static frt_status
byte_over(void *context, void *result, void *const *arguments)
{
    RESULT(uint8_t) = 0xff;
    return FRT_OK;
}

/* The result register is filled up, whatever was there. */
Test(upcall, e17_narrow_results)
{
    void *code = code_of("int8_t f(void)", minus_one, NULL);
    int8_t (*f)(void) = code;
    long (*wide)(void) = code;
    unsigned long (*g)(void) = code_of("uint8_t f(void)", byte_over, NULL);

    cr_assert_eq(f(), -1);
    cr_assert_eq(wide(), -1);
    cr_assert_eq(g(), 0xff);
}

struct three {
    int64_t l[3];
};

static frt_status
sum_three(void *context, void *result, void *const *arguments)
{
    struct three three = ARGUMENT(struct three, 0);

    RESULT(uint32_t) = (uint32_t)(three.l[0] + three.l[1] + three.l[2]);
    return FRT_OK;
}

Test(upcall, e19_large_struct_in)
{
    uint32_t (*f)(struct three) =
        code_of("uint32_t f(struct { int64_t l[3]; })", sum_three, NULL);

    cr_assert_eq(f((struct three){{7, 8, 9}}), 24);
}

/* As clang_visitChildren has it, where the result tells how to go on. */
struct cursor {
    int kind;
    int data;
    const void *pointers[3];
};

enum visit { VISIT_BREAK, VISIT_CONTINUE, VISIT_RECURSE };

static frt_status
visit(void *context, void *result, void *const *arguments)
{
    struct cursor cursor = ARGUMENT(struct cursor, 0);
    struct cursor parent = ARGUMENT(struct cursor, 1);
    int *sum = ARGUMENT(frt_segment, 2).address;

    cr_assert_eq(parent.kind + 1, cursor.kind);
    cr_assert_eq(cursor.pointers[2], context);
    *sum += cursor.data;
    RESULT(enum visit) = cursor.kind < 5 ? VISIT_RECURSE : VISIT_CONTINUE;
    return FRT_OK;
}

Test(upcall, e19_a_visitor_with_structs)
{
    int sum = 0;
    enum visit (*visitor)(struct cursor, struct cursor, void *) = code_of(
        "struct cursor { int kind; int data; const void *pointers[3]; }; enum "
        "visit { BREAK, CONTINUE, RECURSE } f(struct cursor, struct cursor, "
        "int (*)[1])",
        visit, &sum);
    struct cursor parent = {4, 0, {NULL, NULL, NULL}};
    struct cursor cursor = {5, 10, {NULL, NULL, &sum}};

    cr_assert_eq(visitor(cursor, parent, &sum), VISIT_CONTINUE);
    cursor.kind = 2;
    parent.kind = 1;
    cr_assert_eq(visitor(cursor, parent, &sum), VISIT_RECURSE);
    cr_assert_eq(sum, 20);
}

struct odd {
    char c[3];
};

struct mix {
    char c;
    double d;
};

struct pair {
    double x;
    double y;
};

static frt_status
shapes(void *context, void *result, void *const *arguments)
{
    struct odd odd = ARGUMENT(struct odd, 0);
    struct mix mix = ARGUMENT(struct mix, 1);
    struct pair pair = ARGUMENT(struct pair, 2);

    RESULT(struct three) =
        (struct three){{odd.c[0] + odd.c[1] + odd.c[2], (long)(mix.c + mix.d),
                        (long)(pair.x * pair.y)}};
    return FRT_OK;
}

struct ten {
    double d[10];
};

static frt_status
count_up(void *context, void *result, void *const *arguments)
{
    struct ten *ten = result;

    for (int i = 0; i < 10; i++)
        ten->d[i] = ARGUMENT(double, 0) + i;
    return FRT_OK;
}

Test(upcall, a_large_result)
{
    struct ten (*f)(double) =
        code_of("struct { double d[10]; } f(double)", count_up, NULL);
    struct ten ten = f(0.5);

    cr_assert_eq(ten.d[0], 0.5);
    cr_assert_eq(ten.d[9], 9.5);
}

/* More than libffi's closures get here; gates do not care. */
Test(upcall, a_thousand_arguments)
{
    const frt_layout *layouts[1025];
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    for (int i = 0; i < 1025; i++)
        layouts[i] = FRT_INT;
    CHECK_STATUS(FRT_OK,
                 frt_descriptor_of(&descriptor, FRT_F64, layouts, 1025));
    CHECK_STATUS(TEST_CLOSURES ? FRT_UNSUPPORTED : FRT_OK,
                 frt_upcall_open(&upcall, frt_arena_global(), descriptor,
                                 count_up, NULL, NULL));
    if (TEST_CLOSURES)
        check_detail("up to 1024 arguments on this CPU, not 1025");
    frt_descriptor_drop(descriptor);
}

static frt_status
swap(void *context, void *result, void *const *arguments)
{
    struct pair pair = ARGUMENT(struct pair, 0);

    RESULT(struct pair) = (struct pair){pair.y, pair.x};
    return FRT_OK;
}

Test(upcall, structs_both_ways)
{
    struct three (*f)(struct odd, struct mix, struct pair) =
        code_of("struct three { long l[3]; }; struct three f("
                "struct { char c[3]; }, struct { char c; double d; }, "
                "struct { double x, y; })",
                shapes, NULL);
    struct pair (*g)(struct pair) = code_of(
        "struct pair { double x, y; }; struct pair f(struct pair)", swap, NULL);
    struct three three =
        f((struct odd){{1, 2, 3}}, (struct mix){4, 0.5}, (struct pair){6, 7});
    struct pair pair = g((struct pair){1, 2});

    cr_assert_eq(three.l[0], 6);
    cr_assert_eq(three.l[1], 4);
    cr_assert_eq(three.l[2], 42);
    cr_assert(pair.x == 2 && pair.y == 1);
}

static frt_status
sum_many(void *context, void *result, void *const *arguments)
{
    long sum = 0;

    for (int i = 0; i < 20; i++)
        sum += ARGUMENT(long, i) * (i + 1);
    RESULT(long) = sum;
    return FRT_OK;
}

Test(upcall, arguments_on_the_stack)
{
    long (*f)(long, long, long, long, long, long, long, long, long, long, long,
              long, long, long, long, long, long, long, long, long) =
        code_of("long f(long, long, long, long, long, long, long, long, long, "
                "long, long, long, long, long, long, long, long, long, long, "
                "long)",
                sum_many, NULL);

    cr_assert_eq(f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                   18, 19, 20),
                 2870);
}

static frt_status
variadic_sum(void *context, void *result, void *const *arguments)
{
    RESULT(double) = ARGUMENT(int, 0) + ARGUMENT(float, 1) + ARGUMENT(short, 2);
    return FRT_OK;
}

Test(upcall, variadic)
{
    const frt_layout *more[] = {FRT_F32, FRT_SHORT};
    const frt_layout *fixed[] = {FRT_INT};
    const frt_descriptor *start;
    const frt_descriptor *whole;
    frt_upcall upcall;
    double (*f)(int, ...);

    CHECK_STATUS(FRT_OK,
                 frt_descriptor_of_variadic(&start, FRT_F64, fixed, 1, 1));
    CHECK_STATUS(FRT_OK, frt_descriptor_extend(&whole, start, more, 2));
    CHECK_STATUS(FRT_OK, frt_upcall_open(&upcall, frt_arena_global(), whole,
                                         variadic_sum, NULL, NULL));
    f = frt_upcall_address(upcall);
    cr_assert_eq(f(1, 2.5f, (short)-3), 0.5);
    frt_descriptor_drop(start);
    frt_descriptor_drop(whole);
}

static frt_status
add_tag(void *context, void *result, void *const *arguments)
{
    const frt_segment *number = arguments[1];
    int32_t value = 0;

    CHECK_STATUS(FRT_OK, frt_segment_get_i32(&value, number, 0));
    CHECK_STATUS(FRT_OK,
                 frt_segment_put_i32(number, 0, value + ARGUMENT(int, 0)));
    RESULT(int) = value;
    return FRT_OK;
}

/* A function pointer that travels in `...` and is called back. */
Test(upcall, b11_passed_in_a_variadic_call)
{
    const frt_layout *layouts[] = {FRT_INT, FRT_POINTER, FRT_POINTER};
    void *code = code_of("int f(int, int (*)[1])", add_tag, NULL);
    const frt_descriptor *descriptor;
    frt_function *function;
    int number = 4;
    void *context = &number;
    int tag = 3;
    int result = 0;

    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_INT,
                                                    layouts, 3, 1));
    CHECK_STATUS(FRT_OK,
                 frt_function_new(&function, callee_library(),
                                  "callee_apply_variadic", descriptor, NULL));
    CHECK_STATUS(FRT_OK, frt_call(function, &result,
                                  (void *[]){&tag, &code, &context}, 3));
    cr_assert_eq(result, 4);
    cr_assert_eq(number, 7);
    frt_function_free(function);
    frt_descriptor_drop(descriptor);
}

static frt_status
look_at_segment(void *context, void *result, void *const *arguments)
{
    const frt_segment *in = arguments[0];
    const frt_segment *read = arguments[1];
    int32_t value = 0;

    cr_assert_eq(in->size, 8);
    cr_assert(frt_segment_is_alive(in));
    CHECK_STATUS(FRT_OK, frt_segment_get_i32(&value, in, 4));
    CHECK_STATUS(FRT_OK, frt_segment_put_i32(in, 0, value + 1));
    CHECK_STATUS(FRT_OUT_OF_BOUNDS, frt_segment_get_i32(&value, in, 8));
    CHECK_STATUS(FRT_READ_ONLY, frt_segment_put_i32(read, 0, 1));
    RESULT(frt_segment) = *in;
    return FRT_OK;
}

Test(upcall, segments)
{
    int *(*f)(int *, const int *) =
        code_of("int *f(int p[static 2], const int *q)", look_at_segment, NULL);
    int two[2] = {0, 41};

    cr_assert_eq(f(two, two), two);
    cr_assert_eq(two[0], 42);
}

typedef int over_aligned __attribute__((aligned(64)));

static frt_status
look_at_alignment(void *context, void *result, void *const *arguments)
{
    cr_assert_eq((uintptr_t)arguments[0] % 64, 0);
    RESULT(int) = ARGUMENT(int, 0);
    return FRT_OK;
}

Test(upcall, aligned_for_the_handler)
{
    const frt_layout *layout;
    const frt_descriptor *descriptor;
    frt_upcall upcall;
    int (*f)(int);

    CHECK_STATUS(FRT_OK, frt_layout_align_to(&layout, FRT_INT, 64));
    CHECK_STATUS(FRT_OK, frt_descriptor_of(&descriptor, FRT_INT, &layout, 1));
    CHECK_STATUS(FRT_OK,
                 frt_upcall_open(&upcall, frt_arena_global(), descriptor,
                                 look_at_alignment, NULL, NULL));
    f = frt_upcall_address(upcall);
    cr_assert_eq(f(7), 7);
    frt_descriptor_drop(descriptor);
    frt_layout_drop(layout);
}

static frt_status
sum_large(void *context, void *result, void *const *arguments)
{
    const struct mix *mixes[6];

    RESULT(double) = 0;
    for (int i = 0; i < 6; i++) {
        mixes[i] = arguments[i];
        RESULT(double) += mixes[i]->c * mixes[i]->d;
    }
    RESULT(double) += ARGUMENT(struct pair, 6).x;
    return FRT_OK;
}

/* A result begins as zero, and nothing else is left in its registers. */
static frt_status
nothing(void *context, void *result, void *const *arguments)
{
    return FRT_OK;
}

Test(upcall, unwritten_results_are_zero)
{
    long (*f)(void) = code_of("long f(void)", nothing, NULL);
    struct pair (*g)(void) =
        code_of("struct { double x, y; } f(void)", nothing, NULL);
    struct mix (*h)(void) =
        code_of("struct { char c; double d; } f(void)", nothing, NULL);
    struct pair pair = g();
    struct mix mix = h();

    cr_assert_eq(f(), 0);
    cr_assert(pair.x == 0 && pair.y == 0);
    cr_assert(mix.c == 0 && mix.d == 0);
}

Test(upcall, much_scratch)
{
    double (*f)(struct mix, struct mix, struct mix, struct mix, struct mix,
                struct mix, struct pair) =
        code_of("struct mix { char c; double d; }; double f(struct mix, struct "
                "mix, struct mix, struct mix, struct mix, struct mix, struct { "
                "double x, y; })",
                sum_large, NULL);
    struct mix m = {2, 1.5};

    cr_assert_eq(f(m, m, m, m, m, m, (struct pair){0.5, 0}), 18.5);
}
