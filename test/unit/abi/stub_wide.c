/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Vectors of 32 bytes on x86-64, where the CPU has AVX. */
#include "abi/emitter.h"

#include "test/unit/abi/stubs.h"

#define VECTOR "double __attribute__((vector_size(32)))"

/* In stub_wide_callees.c; their types are for AVX alone. */
void callee_add(void);
void callee_wrapped(void);
void callee_ten(void);

static const double left[4] __attribute__((aligned(32))) = {1, 2, 3, 4};
static const double right[4] __attribute__((aligned(32))) = {10, 20, 30, 40};

static void
check(const char *prototype, void *target, void *const *arguments,
      const double *expected)
{
    double result[6] __attribute__((aligned(32))) = {0, 0, 0, 0, 7, 7};

    if (!__builtin_cpu_supports("avx"))
        cr_skip_test("this CPU has no AVX");
    call_once(prototype, target, result, arguments);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(result[i], expected[i], "element %zu is %g", i, result[i]);
    cr_assert_eq(result[4], 7);
}

Test(stub_wide, in_registers)
{
    void *arguments[] = {(void *)left, (void *)right};
    static const double expected[4] = {11, 22, 33, 44};

    check(VECTOR " f(" VECTOR ", " VECTOR ")", (void *)callee_add, arguments,
          expected);
}

Test(stub_wide, alone_in_a_struct)
{
    int factor = 3;
    double b = 0.5;
    void *arguments[] = {&factor, (void *)left, &b};
    static const double expected[4] = {3.5, 6.5, 9.5, 12.5};

    check("struct { " VECTOR " v; } f(int, struct { " VECTOR " v; } a, double)",
          (void *)callee_wrapped, arguments, expected);
}

Test(stub_wide, on_the_stack)
{
    int n = 2;
    void *l = (void *)left;
    void *r = (void *)right;
    void *arguments[] = {l, l, l, l, l, l, l, l, r, &n, r};
    static const double expected[4] = {38, 76, 114, 152};

    check(VECTOR " f(" VECTOR "," VECTOR "," VECTOR "," VECTOR "," VECTOR
                 "," VECTOR "," VECTOR "," VECTOR "," VECTOR ", int, " VECTOR
                 ")",
          (void *)callee_ten, arguments, expected);
}

/* In `...` they are in memory; libffi does not align them there. */
Test(stub_wide, in_dots)
{
    const frt_descriptor *fixed = parse_for("void f(int, ...)", NULL);
    const frt_layout *vector;
    const frt_descriptor *descriptor;
    struct frti_plan *plan;

    cr_assert_eq(frt_layout_vector(&vector, FRT_F64, 4), FRT_OK);
    cr_assert_eq(frt_descriptor_extend(&descriptor, fixed, &vector, 1), FRT_OK);
    cr_assert_eq(
        frti_plan_new(&plan,
                      frti_convention_of(frt_descriptor_model(descriptor)),
                      descriptor),
        FRT_OK);
    cr_assert_eq(plan->arguments[1].pieces[0].storage, FRT_STORAGE_STACK);
    cr_assert_eq(plan->stack_alignment, 32);
    frti_plan_free(plan);
    frt_descriptor_drop(descriptor);
    frt_descriptor_drop(fixed);
    frt_layout_drop(vector);
}

Test(stub_wide, larger_ones_are_refused)
{
    const frt_descriptor *descriptor =
        parse_for("void f(double __attribute__((vector_size(64))))", NULL);
    struct frti_call *call = NULL;

    cr_assert_eq(frti_backend_stub.prepare(&call, descriptor), FRT_UNSUPPORTED);
    cr_assert_not_null(strstr(frt_last_detail(), "vector of 64 bytes"));
    frt_descriptor_drop(descriptor);
}

Test(stub_wide, libffi_refuses)
{
    const frt_descriptor *descriptor = parse_for(VECTOR " f(" VECTOR ")", NULL);
    struct frti_call *call = NULL;

    cr_assert_eq(frti_backend_libffi.prepare(&call, descriptor),
                 FRT_UNSUPPORTED);
    cr_assert_not_null(strstr(frt_last_detail(), "vector register"));
    frt_descriptor_drop(descriptor);
}
