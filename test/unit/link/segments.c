/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Segment parameters and results: what is checked, what is held. */
#include <pthread.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

static frt_arena
confined(void)
{
    frt_arena arena;

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    return arena;
}

static frt_arena
shared(void)
{
    frt_arena arena;

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    return arena;
}

static frt_segment
an_int(frt_arena arena, int value)
{
    frt_segment segment;

    CHECK_STATUS(FRT_OK,
                 frt_arena_allocate_layout(&segment, arena, FRT_INT, 1));
    CHECK_STATUS(FRT_OK, frt_segment_put_i32(&segment, 0, value));
    return segment;
}

static frt_status
store(frt_function *function, const frt_segment *segment, int *before)
{
    int value = 5;
    void *arguments[] = {(void *)segment, &value};

    return frt_call(function, before, arguments, 2);
}

Test(segments, store_through_one)
{
    frt_function *function = declare("int callee_store(int *, int)");
    frt_arena arena = confined();
    frt_segment segment = an_int(arena, 3);
    int before = 0;
    int32_t now = 0;

    CHECK_STATUS(FRT_OK, store(function, &segment, &before));
    cr_assert_eq(before, 3);
    CHECK_STATUS(FRT_OK, frt_segment_get_i32(&now, &segment, 0));
    cr_assert_eq(now, 5);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    frt_function_free(function);
}

Test(segments, each_refusal_has_its_status_and_changes_nothing)
{
    frt_function *function = declare("int callee_store(int *, int)");
    frt_arena arena = confined();
    frt_segment segment = an_int(arena, 3);
    frt_segment room;
    frt_segment bad;
    int before = 77;

    CHECK_STATUS(FRT_OK, frt_arena_allocate(&room, arena, 16, 16));
    CHECK_STATUS(FRT_OK, frt_segment_slice(&bad, &room, 0, 3));
    CHECK_STATUS(FRT_OUT_OF_BOUNDS, store(function, &bad, &before));
    check_detail("argument 1 holds 3 bytes");
    CHECK_STATUS(FRT_OK, frt_segment_slice(&bad, &room, 1, 8));
    CHECK_STATUS(FRT_BAD_ALIGNMENT, store(function, &bad, &before));
    check_detail("not aligned to 4");
    bad = frt_segment_read_only(&segment);
    CHECK_STATUS(FRT_READ_ONLY, store(function, &bad, &before));
    check_detail("read-only");
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    CHECK_STATUS(FRT_CLOSED, store(function, &segment, &before));
    cr_assert_eq(before, 77);
    frt_function_free(function);
}

Test(segments, a_pointer_to_const_takes_read_only_ones)
{
    frt_function *function = declare("int callee_load(const int *)");
    frt_arena arena = confined();
    frt_segment segment = an_int(arena, 3);
    frt_segment view = frt_segment_read_only(&segment);
    void *arguments[] = {&view};
    int value = 0;

    CHECK_STATUS(FRT_OK, frt_call(function, &value, arguments, 1));
    cr_assert_eq(value, 3);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    frt_function_free(function);
}

struct elsewhere {
    frt_function *function;
    frt_segment segment;
};

static void *
store_elsewhere(void *context)
{
    struct elsewhere *elsewhere = context;
    int before = 77;

    CHECK_STATUS(FRT_WRONG_THREAD,
                 store(elsewhere->function, &elsewhere->segment, &before));
    cr_assert_eq(before, 77);
    return NULL;
}

Test(segments, a_confined_one_from_another_thread)
{
    frt_arena arena = confined();
    struct elsewhere elsewhere = {declare("int callee_store(int *, int)"),
                                  an_int(arena, 3)};
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, store_elsewhere, &elsewhere), 0);
    pthread_join(thread, NULL);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    frt_function_free(elsewhere.function);
}

Test(segments, empty_ones_pass_unless_some_are_asked_for)
{
    frt_function *any = declare("void *memset(void *, int, size_t)");
    frt_function *some =
        declare("size_t strnlen(const char [static 2], size_t)");
    frt_segment null = {0};
    frt_segment empty = frt_segment_of_address(&null, 0);
    frt_segment result;
    size_t length = 0;
    int zero = 0;
    size_t none = 0;
    void *arguments[] = {&null, &zero, &none};
    void *others[] = {&null, &none};

    CHECK_STATUS(FRT_OK, frt_call(any, &result, arguments, 3));
    cr_assert(frt_segment_is_null(&result));
    null.size = 4; /* which it has not */
    CHECK_STATUS(FRT_OK, frt_call(any, &result, arguments, 3));
    CHECK_STATUS(FRT_OUT_OF_BOUNDS, frt_call(some, &length, others, 2));
    check_detail("holds 0 bytes");
    arguments[0] = &empty;
    CHECK_STATUS(FRT_OK, frt_call(any, &result, arguments, 3));
    cr_assert_eq(result.address, &null);
    cr_assert_eq(result.size, 0);
    others[0] = &empty;
    CHECK_STATUS(FRT_OUT_OF_BOUNDS, frt_call(some, &length, others, 2));
    frt_function_free(some);
    frt_function_free(any);
}

Test(segments, results_hold_what_their_type_promises)
{
    frt_function *data = declare("const int *callee_const_data(void)");
    frt_function *none = declare("void *callee_null(void)");
    frt_segment segment = {.size = 9};
    int32_t value;

    CHECK_STATUS(FRT_OK, frt_call(data, &segment, NULL, 0));
    cr_assert_eq(segment.size, sizeof(int));
    CHECK_STATUS(FRT_OK, frt_segment_get_i32(&value, &segment, 0));
    cr_assert_eq(value, 42);
    CHECK_STATUS(FRT_READ_ONLY, frt_segment_put_i32(&segment, 0, 1));
    CHECK_STATUS(FRT_OK, frt_call(none, &segment, NULL, 0));
    cr_assert(frt_segment_is_null(&segment));
    cr_assert_eq(segment.size, 0);
    frt_function_free(none);
    frt_function_free(data);
}

/* ------------------------------------------------- held during a call --- */

struct closing {
    frt_arena arenas[3];
    frt_status seen[3];
};

static int
try_to_close(void *context)
{
    struct closing *closing = context;

    for (int i = 0; i < 3; i++)
        closing->seen[i] = frt_arena_close(closing->arenas[i]);
    return 7;
}

Test(segments, an_arena_cannot_be_closed_under_a_call)
{
    frt_function *function =
        declare("int callee_apply(int (*)(void *), void *)");
    frt_arena arenas[] = {confined(), shared(), shared()};

    for (int i = 0; i < 2; i++) {
        frt_segment segment;
        struct closing *closing;
        int (*callback)(void *) = try_to_close;
        void *arguments[] = {&callback, &segment};
        int result = 0;

        CHECK_STATUS(FRT_OK, frt_arena_allocate(&segment, arenas[i],
                                                sizeof *closing, 16));
        closing = segment.address;
        memcpy(closing->arenas, arenas, sizeof arenas);
        closing->arenas[0] = closing->arenas[1] = closing->arenas[2] =
            arenas[i];
        CHECK_STATUS(FRT_OK, frt_call(function, &result, arguments, 2));
        cr_assert_eq(result, 7);
        for (int k = 0; k < 3; k++)
            cr_assert_eq(closing->seen[k], FRT_STILL_HELD);
        CHECK_STATUS(FRT_OK, frt_arena_close(arenas[i]));
    }
    CHECK_STATUS(FRT_OK, frt_arena_close(arenas[2]));
    frt_function_free(function);
}

static frt_arena counted[2];

/* How often the sessions are held inside the call: 10 of the first, 1 of the
 * second. */
static int
count_holds(void *a, void *b, void *c)
{
    frt_holder holders[2] = {{0, 0}, {0, 0}};

    (void)a, (void)b, (void)c;
    for (int i = 0; i < 2; i++)
        (void)frt_session_holders(&holders[i], 1,
                                  frt_arena_session(counted[i]));
    return (int)(10 * holders[0].count + holders[1].count);
}

static frt_function *
counting(void)
{
    const frt_descriptor *descriptor;
    frt_function *function;

    CHECK_STATUS(FRT_OK,
                 frt_descriptor_parse(&descriptor,
                                      "int f(void *, void *, void *)", NULL));
    CHECK_STATUS(FRT_OK,
                 frt_function_of_address(&function, (void *)count_holds,
                                         frt_arena_session(frt_arena_global()),
                                         "count_holds", descriptor, NULL));
    frt_descriptor_drop(descriptor);
    return function;
}

/* 0 and 1: of the two arenas; 2: of none, which is never closed. */
Test(segments, each_session_is_held_once_in_any_order)
{
    frt_function *function = counting();
    static int plain;

    counted[0] = shared();
    counted[1] = shared();
    for (int order = 0; order < 27; order++) {
        frt_segment choice[] = {an_int(counted[0], 0), an_int(counted[1], 0),
                                frt_segment_of_address(&plain, sizeof plain)};
        int at[] = {order % 3, order / 3 % 3, order / 9};
        void *arguments[] = {&choice[at[0]], &choice[at[1]], &choice[at[2]]};
        bool has[] = {at[0] == 0 || at[1] == 0 || at[2] == 0,
                      at[0] == 1 || at[1] == 1 || at[2] == 1};
        int holds = -1;

        CHECK_STATUS(FRT_OK, frt_call(function, &holds, arguments, 3));
        cr_assert_eq(holds, 10 * has[0] + has[1], "order %d: %d", order, holds);
    }
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(FRT_OK, frt_arena_close(counted[i]));
    frt_function_free(function);
}

/* The slot may be the same, and its life another. */
Test(segments, a_stale_one_between_two_of_the_next_life)
{
    frt_function *function = counting();
    frt_segment stale;
    frt_segment fresh;
    int holds = -1;
    void *arguments[] = {&fresh, &stale, &fresh};

    counted[0] = shared();
    stale = an_int(counted[0], 0);
    CHECK_STATUS(FRT_OK, frt_arena_close(counted[0]));
    counted[0] = counted[1] = shared();
    fresh = an_int(counted[0], 0);
    CHECK_STATUS(FRT_CLOSED, frt_call(function, &holds, arguments, 3));
    cr_assert_eq(holds, -1);
    CHECK_STATUS(FRT_OK, frt_arena_close(counted[0]));
    frt_function_free(function);
}

Test(segments, the_kth_closed_leaves_the_others_closable)
{
    frt_function *function = declare(
        "int callee_sum_pointers(const int *, const int *, const int *, "
        "const int *, const int *, const int *, const int *, const int *, "
        "const int *, const int *)");

    for (int closed = 0; closed < 10; closed++) {
        frt_arena arenas[10];
        frt_segment segments[10];
        void *arguments[10];
        int sum = 0;

        for (int i = 0; i < 10; i++) {
            arenas[i] = i % 2 ? shared() : confined();
            segments[i] = an_int(arenas[i], i);
            arguments[i] = &segments[i];
        }
        CHECK_STATUS(FRT_OK, frt_call(function, &sum, arguments, 10));
        cr_assert_eq(sum, 45);
        CHECK_STATUS(FRT_OK, frt_arena_close(arenas[closed]));
        sum = 77;
        CHECK_STATUS(FRT_CLOSED, frt_call(function, &sum, arguments, 10));
        cr_assert_eq(sum, 77);
        for (int i = 0; i < 10; i++)
            CHECK_STATUS(i == closed ? FRT_ALREADY_CLOSED : FRT_OK,
                         frt_arena_close(arenas[i]));
    }
    frt_function_free(function);
}

Test(segments, calls_allocate_nothing)
{
    frt_function *function = declare("int callee_store(int *, int)");
    frt_arena arena = shared();
    frt_segment segment = an_int(arena, 3);
    size_t before = frti_allocator_made();
    int old;

    for (int i = 0; i < 1000; i++)
        CHECK_STATUS(FRT_OK, store(function, &segment, &old));
    cr_assert_eq(frti_allocator_made(), before);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    frt_function_free(function);
}
