/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <errno.h>
#include <setjmp.h>

#include "test/unit/link/upcalling.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static frt_status
fail(void *context, void *result, void *const *arguments)
{
    return frt_fail(FRT_NOT_FOUND, "the handler's own reason");
}

static const int seven = 7;

static const frt_upcall_options gives_seven = {
    .size = sizeof(frt_upcall_options),
    .name = "picky",
    .default_result = &seven,
};

Test(upcall, e23_failures_are_raised_after_the_call)
{
    frt_function *apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    frt_upcall upcall = upcall_of(frt_arena_global(), "int f(void *)", fail,
                                  NULL, &gives_seven);
    void *code = frt_upcall_address(upcall);
    frt_segment null = {0};
    int result = 0;

    CHECK_STATUS(FRT_UPCALL_FAILED,
                 frt_call(apply, &result, (void *[]){&code, &null}, 2));
    cr_assert_eq(result, 7); /* the C function ended as it likes */
    check_detail("the upcall 'picky' failed (FRT_NOT_FOUND): "
                 "the handler's own reason");
    /* raised once */
    CHECK_STATUS(FRT_OK, frt_upcall_raise());
    frt_function_free(apply);
}

struct nest {
    frt_function *apply;
    frt_status inner; /* what the inner downcall returned */
    bool forgives;
    bool passes;
    void *failing;
    int depth;
};

static frt_status
nested(void *context, void *result, void *const *arguments)
{
    struct nest *nest = context;
    frt_segment null = {0};
    int inner = 0;

    nest->inner =
        frt_call(nest->apply, &inner, (void *[]){&nest->failing, &null}, 2);
    RESULT(int) = inner + 1;
    if (nest->forgives)
        CHECK_STATUS(FRT_UPCALL_FAILED, frt_upcall_raise());
    return nest->passes ? nest->inner : FRT_OK;
}

static frt_status
run_nested(struct nest *nest, int *result)
{
    frt_upcall inner = upcall_of(frt_arena_global(), "int f(void *)", fail,
                                 NULL, &gives_seven);
    void *outer = code_of("int f(void *)", nested, nest);
    frt_segment null = {0};

    nest->failing = frt_upcall_address(inner);
    nest->apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    return frt_call(nest->apply, result, (void *[]){&outer, &null}, 2);
}

Test(upcall, e23_nested_failures_reach_the_outermost)
{
    struct nest nest = {0};
    int result = 0;

    CHECK_STATUS(FRT_UPCALL_FAILED, run_nested(&nest, &result));
    cr_assert_eq(nest.inner, FRT_UPCALL_FAILED);
    cr_assert_eq(result, 8);
    check_detail("the handler's own reason");
    frt_function_free(nest.apply);
}

Test(upcall, a_failure_can_be_passed_on)
{
    struct nest nest = {.passes = true};
    int result = 0;

    CHECK_STATUS(FRT_UPCALL_FAILED, run_nested(&nest, &result));
    check_detail("the upcall 'upcall' failed (FRT_UPCALL_FAILED)");
    check_detail("the handler's own reason");
    frt_function_free(nest.apply);
}

Test(upcall, a_handler_can_deal_with_a_failure)
{
    struct nest nest = {.forgives = true};
    int result = 0;

    CHECK_STATUS(FRT_OK, run_nested(&nest, &result));
    cr_assert_eq(nest.inner, FRT_UPCALL_FAILED);
    frt_function_free(nest.apply);
}

Test(upcall, invoke_does_not_look)
{
    const frt_descriptor *descriptor;
    const frt_downcall *downcall;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int)", fail, NULL, &gives_seven);
    void *code = frt_upcall_address(upcall);
    int result = 0;
    int argument = 1;

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, "int f(int)", NULL));
    CHECK_STATUS(FRT_OK, frt_downcall_link(&downcall, descriptor, NULL));
    CHECK_STATUS(FRT_OK,
                 frt_invoke(downcall, code, &result, (void *[]){&argument}));
    cr_assert_eq(result, 7);
    CHECK_STATUS(FRT_UPCALL_FAILED, frt_upcall_raise());
    check_detail("the handler's own reason");
    CHECK_STATUS(FRT_OK, frt_upcall_raise());
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
}

static frt_status
down_again(void *context, void *result, void *const *arguments)
{
    struct nest *nest = context;
    frt_segment null = {0};
    int depth = nest->depth;
    int inner = 0;

    errno = 1000 + depth;
    if (nest->depth-- == 0)
        return frt_fail(FRT_OVERFLOW, "at the bottom");
    CHECK_STATUS(
        FRT_UPCALL_FAILED,
        frt_call(nest->apply, &inner, (void *[]){&nest->failing, &null}, 2));
    cr_assert_eq(errno, 1000 + depth);
    RESULT(int) = inner + 1;
    return FRT_OK;
}

Test(upcall, nested_a_hundred_deep)
{
    struct nest nest = {.depth = 100};
    frt_segment null = {0};
    int result = 0;

    nest.failing = code_of("int f(void *)", down_again, &nest);
    nest.apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    errno = 5;
    CHECK_STATUS(
        FRT_UPCALL_FAILED,
        frt_call(nest.apply, &result, (void *[]){&nest.failing, &null}, 2));
    cr_assert_eq(errno, 5);
    cr_assert_eq(result, 100);
    check_detail("at the bottom");
    frt_function_free(nest.apply);
}

static frt_status
spoil_errno(void *context, void *result, void *const *arguments)
{
    cr_assert_eq(errno, 11);
    errno = 22;
    return FRT_OK;
}

Test(upcall, errno_is_kept_or_set)
{
    frt_upcall_options options = {.size = sizeof options, .sets_errno = true};
    void (*keeps)(void) = code_of("void f(void)", spoil_errno, NULL);
    void (*sets)(void) = frt_upcall_address(upcall_of(
        frt_arena_global(), "void f(void)", spoil_errno, NULL, &options));

    errno = 11;
    keeps();
    cr_assert_eq(errno, 11);
    sets();
    cr_assert_eq(errno, 22);
}

static frt_status
say_nothing(void *context, void *result, void *const *arguments)
{
    return *(frt_status *)context;
}

/* E24: whatever goes wrong, there is one policy. A handler without a sentence
 * gets the status' text, not the sentence of an older failure. */
Test(upcall, e24_a_failure_without_a_sentence)
{
    frt_status status = FRT_OVERFLOW;
    frt_function *apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    void *code = code_of("int f(void *)", say_nothing, &status);
    frt_segment null = {0};
    int result = 1;

    (void)frt_fail(FRT_NOT_FOUND, "an old story");
    CHECK_STATUS(FRT_UPCALL_FAILED,
                 frt_call(apply, &result, (void *[]){&code, &null}, 2));
    cr_assert_eq(result, 0);
    check_detail("(FRT_OVERFLOW): the value does not fit");
    frt_function_free(apply);
}

static frt_status
fail_in_c(void *context, void *result, void *const *arguments)
{
    frt_function *fails = context;
    frt_call_state state = {0};
    int ignored;

    CHECK_STATUS(FRT_OK, frt_call_captured(fails, &state, &ignored,
                                           (void *[]){&(int){ERANGE}}, 1));
    cr_assert_eq(state.error_number, ERANGE);
    errno = EINTR;
    return FRT_OK;
}

/* What C had in errno when it called back is what it finds after. */
Test(upcall, c03_the_first_error_is_kept)
{
    frt_function *apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    frt_function *fails = declare("int callee_fail(int error)");
    void *code = code_of("int f(void *)", fail_in_c, fails);
    frt_call_state state = {.error_number = EBADF};
    frt_segment null = {0};
    int result = 0;

    CHECK_STATUS(FRT_OK, frt_call_captured(apply, &state, &result,
                                           (void *[]){&code, &null}, 2));
    cr_assert_eq(state.error_number, EBADF);
    frt_function_free(apply);
    frt_function_free(fails);
}

static jmp_buf jump;

static void
call_and_jump(void (*function)(void))
{
    function();
    longjmp(jump, 1);
}

static frt_function *
jumper(void)
{
    frt_function *function;
    const frt_descriptor *descriptor;

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor,
                                              "void f(void (*)(void))", NULL));
    CHECK_STATUS(FRT_OK,
                 frt_function_of_address(&function, (void *)call_and_jump,
                                         frt_arena_session(frt_arena_global()),
                                         "jumper", descriptor, NULL));
    frt_descriptor_drop(descriptor);
    return function;
}

/* The downcall never came back to raise it. */
Test(upcall, a_failure_in_a_call_that_was_left_by_longjmp)
{
    frt_function *function = jumper();
    void *code = code_of("void f(void)", fail, NULL);

    for (int i = 0; i < 2; i++) {
        frt_height height = frt_mark();

        if (setjmp(jump) == 0)
            (void)!frt_call(function, NULL, (void *[]){&code}, 1);
        CHECK_STATUS(FRT_OK, frt_unwind_to(height));
        CHECK_STATUS(FRT_OK, frt_upcall_raise());
    }
    frt_function_free(function);
}

struct left {
    frt_function *function;
    void *failing;
    frt_height inside;
};

static frt_status
leave_inner(void *context, void *result, void *const *arguments)
{
    struct left *left = context;
    frt_height height = frt_mark();

    left->inside = height;
    if (setjmp(jump) == 0)
        (void)!frt_call(left->function, NULL, (void *[]){&left->failing}, 1);
    return frt_unwind_to(height);
}

/* Around the mark there is a downcall that raises it; a mark in a call is of no
 * use after it. */
Test(upcall, a_failure_in_an_inner_call_that_was_left_by_longjmp)
{
    frt_function *apply =
        declare("int callee_apply(int (*function)(void *), void *context)");
    struct left left = {.function = jumper(),
                        .failing = code_of("void f(void)", fail, NULL)};
    void *code = code_of("int f(void *)", leave_inner, &left);
    frt_segment null = {0};
    int number;

    CHECK_STATUS(FRT_UPCALL_FAILED,
                 frt_call(apply, &number, (void *[]){&code, &null}, 2));
    check_detail("the handler's own reason");
    CHECK_STATUS(FRT_OK, frt_upcall_raise());
    CHECK_STATUS(FRT_OUT_OF_ORDER, frt_unwind_to(left.inside));
    frt_function_free(left.function);
    frt_function_free(apply);
}
