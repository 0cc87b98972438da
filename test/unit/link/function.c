/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/function.h"

#include <errno.h>
#include <pthread.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/failing.h"
#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

Test(function, call_checks_the_count_and_the_places)
{
    frt_function *function = declare("int callee_add(int a, int b)");
    int a = 2;
    int b = 3;
    void *arguments[] = {&a, &b, &a};
    void *missing[] = {&a, NULL};
    int sum = 0;

    CHECK_STATUS(FRT_OK, frt_call(function, &sum, arguments, 2));
    cr_assert_eq(sum, 5);
    sum = 77;
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(function, &sum, arguments, 1));
    check_detail("callee_add() takes 2 arguments, not 1");
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(function, &sum, arguments, 3));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(function, &sum, NULL, 2));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(function, &sum, missing, 2));
    check_detail("argument 2");
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(function, NULL, arguments, 2));
    check_detail("no place");
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call(NULL, &sum, arguments, 2));
    cr_assert_eq(sum, 77);
    frt_function_free(function);
    frt_function_free(NULL);
}

Test(function, what_is_bound)
{
    frt_function *function = declare("int callee_add(int a, int b)");

    cr_assert_str_eq(frt_function_name(function), "callee_add");
    cr_assert_not_null(frt_function_address(function));
    cr_assert_eq(frt_descriptor_count(
                     frt_downcall_descriptor(frt_function_downcall(function))),
                 2);
    frt_function_free(function);
}

Test(function, symbols_that_are_no_functions)
{
    frt_function *function = NULL;

    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_function_declare(&function, callee_library(),
                                      "int callee_data(void)", NULL));
    check_detail("data");
    CHECK_STATUS(FRT_NOT_FOUND,
                 frt_function_declare(&function, callee_library(),
                                      "int callee_nosuch(void)", NULL));
    check_detail("callee_nosuch");
    CHECK_STATUS(FRT_BAD_DECLARATION,
                 frt_function_declare(&function, callee_library(),
                                      "int callee_add(oid)", NULL));
    check_detail("oid");
    cr_assert_null(function);
}

Test(function, asm_names_another_symbol)
{
    frt_function *function = declare("int plus(int, int) asm(\"callee_add\")");
    int a = 2;
    int b = 3;
    void *arguments[] = {&a, &b};
    int sum = 0;

    CHECK_STATUS(FRT_OK, frt_call(function, &sum, arguments, 2));
    cr_assert_eq(sum, 5);
    frt_function_free(function);
}

Test(function, its_library_cannot_close_under_it_and_then_it_is_gone)
{
    frt_arena arena;
    frt_library library;
    frt_function *function = NULL;
    int a = 2;
    void *arguments[] = {&a, &a};
    int sum = 0;

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    CHECK_STATUS(FRT_OK, frt_library_open(&library, arena, TEST_CALLEE, NULL));
    CHECK_STATUS(FRT_OK,
                 frt_function_declare(&function, library,
                                      "int callee_add(int, int)", NULL));
    CHECK_STATUS(FRT_OK, frt_call(function, &sum, arguments, 2));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    sum = 77;
    CHECK_STATUS(FRT_CLOSED, frt_call(function, &sum, arguments, 2));
    check_detail("library of callee_add() is closed");
    cr_assert_eq(sum, 77);
    cr_assert_str_eq(frt_library_name(library), "a closed library");
    frt_function_free(function);
}

struct closes {
    frt_arena arena;
    frt_status seen;
};

static int
close_the_library(void *context)
{
    struct closes *closes = context;

    closes->seen = frt_arena_close(closes->arena);
    return 0;
}

Test(function, a_library_is_held_during_a_call)
{
    struct closes closes;
    frt_library library;
    frt_function *function = NULL;
    int (*callback)(void *) = close_the_library;
    frt_segment context = frt_segment_of_address(&closes, sizeof closes);
    void *arguments[] = {&callback, &context};
    int result;

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&closes.arena));
    CHECK_STATUS(FRT_OK,
                 frt_library_open(&library, closes.arena, TEST_CALLEE, NULL));
    CHECK_STATUS(FRT_OK,
                 frt_function_declare(
                     &function, library,
                     "int callee_apply(int (*)(void *), void *)", NULL));
    CHECK_STATUS(FRT_OK, frt_call(function, &result, arguments, 2));
    cr_assert_eq(closes.seen, FRT_STILL_HELD);
    CHECK_STATUS(FRT_OK, frt_arena_close(closes.arena));
    frt_function_free(function);
}

Test(function, result_into_a_segment)
{
    frt_function *function =
        declare("struct { double d[4]; } callee_big(double)");
    frt_arena arena;
    frt_segment place;
    frt_segment bad;
    double first = 1;
    double last = 0;
    void *arguments[] = {&first};

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    CHECK_STATUS(FRT_OK, frt_arena_allocate(&place, arena, 40, 8));
    CHECK_STATUS(FRT_OK, frt_call_into(function, &place, arguments, 1));
    CHECK_STATUS(FRT_OK, frt_segment_get_f64(&last, &place, 24));
    cr_assert_eq(last, 4);
    CHECK_STATUS(FRT_OK, frt_segment_slice(&bad, &place, 0, 31));
    CHECK_STATUS(FRT_OUT_OF_BOUNDS,
                 frt_call_into(function, &bad, arguments, 1));
    CHECK_STATUS(FRT_OK, frt_segment_slice(&bad, &place, 4, 32));
    CHECK_STATUS(FRT_BAD_ALIGNMENT,
                 frt_call_into(function, &bad, arguments, 1));
    bad = frt_segment_read_only(&place);
    CHECK_STATUS(FRT_READ_ONLY, frt_call_into(function, &bad, arguments, 1));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    CHECK_STATUS(FRT_CLOSED, frt_call_into(function, &place, arguments, 1));
    frt_function_free(function);
}

Test(function, errno_survives_what_comes_after)
{
    frt_function *function = declare("int close(int)");
    frt_call_state state = {0};
    int bad = -1;
    void *arguments[] = {&bad};
    int result = 0;

    CHECK_STATUS(FRT_OK,
                 frt_call_captured(function, &state, &result, arguments, 1));
    free(malloc(100000));
    errno = 0;
    cr_assert_eq(result, -1);
    cr_assert_eq(state.error_number, EBADF);
    frt_function_free(function);
}

Test(function, errno_zero_and_a_range_error_are_told_apart)
{
    frt_function *function = declare("long strtol(const char *, char **, int)");
    frt_call_state state = {0};
    frt_segment text = frt_segment_of_address((char *)"12", 3);
    frt_segment none = {0};
    int base = 10;
    void *arguments[] = {&text, &none, &base};
    long result = 0;

    CHECK_STATUS(FRT_OK,
                 frt_call_captured(function, &state, &result, arguments, 3));
    cr_assert_eq(result, 12);
    cr_assert_eq(state.error_number, 0);
    text = frt_segment_of_address((char *)"999999999999999999999", 22);
    CHECK_STATUS(FRT_OK,
                 frt_call_captured(function, &state, &result, arguments, 3));
    cr_assert_eq(state.error_number, ERANGE);
    frt_function_free(function);
}

static int
close_nothing(void *context)
{
    frt_call_state state = {0};
    int bad = -1;
    void *arguments[] = {&bad};
    int result = 0;

    CHECK_STATUS(FRT_OK,
                 frt_call_captured(context, &state, &result, arguments, 1));
    cr_assert_eq(state.error_number, EBADF);
    return 0;
}

Test(function, a_call_within_a_call_keeps_the_outer_errno)
{
    frt_function *outer =
        declare("int callee_fail_and_apply(int, int (*)(void *), void *)");
    frt_function *inner = declare("int close(int)");
    frt_call_state state = {0};
    int error = ENOTDIR;
    int (*callback)(void *) = close_nothing;
    frt_segment context = frt_segment_of_address(inner, 0);
    void *arguments[] = {&error, &callback, &context};
    int result = 0;

    CHECK_STATUS(FRT_OK,
                 frt_call_captured(outer, &state, &result, arguments, 3));
    cr_assert_eq(result, -1);
    cr_assert_eq(state.error_number, ENOTDIR);
    frt_function_free(inner);
    frt_function_free(outer);
}

struct opening {
    frt_function *function;
    const char *path;
    int result;
    int error;
};

static void *
open_elsewhere(void *context)
{
    struct opening *opening = context;
    frt_call_state state = {0};
    frt_segment path = frt_segment_of_address((char *)opening->path, 1);
    int flags = 0;
    void *arguments[] = {&path, &flags};

    CHECK_STATUS(FRT_OK, frt_call_captured(opening->function, &state,
                                           &opening->result, arguments, 2));
    opening->error = state.error_number;
    return NULL;
}

Test(function, a_call_on_another_thread_brings_its_own_errno)
{
    struct opening openings[] = {{.path = "/nonexistent"},
                                 {.path = "/dev/null/x"}};
    const int wanted[] = {ENOENT, ENOTDIR};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++) {
        openings[i].function = declare("int open(const char *, int, ...)");
        cr_assert_eq(
            pthread_create(&threads[i], NULL, open_elsewhere, &openings[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(openings[i].result, -1);
        cr_assert_eq(openings[i].error, wanted[i]);
        frt_function_free(openings[i].function);
    }
}

Test(function, every_allocation_may_fail)
{
    frt_library library = callee_library();
    size_t before = warm_live();
    frt_function *function = NULL;
    size_t failures = 0;
    frt_status status;

    do {
        failing_begin(failures + 1);
        status = frt_function_declare(
            &function, library, "double callee_spoil(struct { double d[4]; })",
            NULL);
        failing_end();
        if (status == FRT_OK)
            break;
        cr_assert_eq(status, FRT_NO_MEMORY, "%s", frt_last_detail());
        cr_assert_eq(frti_allocator_live(), before);
        cr_assert_null(function);
    } while (++failures < 1000);
    cr_assert_eq(status, FRT_OK);
    cr_assert_geq(failures, 5);
    frt_function_free(function);
}
