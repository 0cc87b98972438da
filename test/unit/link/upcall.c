/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <signal.h>

#include "abi/entry.h"
#include "test/unit/link/upcalling.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct three {
    int64_t l[3];
};

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
add(void *context, void *result, void *const *arguments)
{
    RESULT(int) = ARGUMENT(int, 0) + ARGUMENT(int, 1) + *(int *)context;
    return FRT_OK;
}

static frt_status
leave_alone(void *context, void *result, void *const *arguments)
{
    return FRT_OK;
}

/* ---------------------------------------------------------------- life --- */

Test(upcall, e06_the_descriptor_may_go)
{
    int zero = 0;
    frt_arena arena;
    frt_upcall upcall;
    int (*f)(int, int);

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    upcall = upcall_of(arena, "int f(int, int)", add, &zero, NULL);
    f = frt_upcall_address(upcall);
    cr_assert_eq(f(20, 22), 42);
    cr_assert(frt_upcall_is_open(upcall));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    cr_assert_not(frt_upcall_is_open(upcall));
}

static const frt_upcall_options returns_zero = {
    .size = sizeof(frt_upcall_options),
    .name = "late",
    .late = FRT_UPCALL_LATE_ZERO,
};

Test(upcall, e05_called_after_the_close)
{
    struct seen_report seen = {0};
    int zero = 0;
    frt_arena arena;
    int (*f)(int, int);

    frt_upcall_on_report(see_report, &seen);
    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    f = frt_upcall_address(
        upcall_of(arena, "int f(int, int)", add, &zero, &returns_zero));
    cr_assert_eq(f(20, 22), 42);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    cr_assert_eq(f(20, 22), 0);
    cr_assert_eq(seen.count, 1);
    cr_assert_eq(seen.status, FRT_CLOSED);
    cr_assert_str_eq(seen.type, "int late(int, int)");
    cr_assert_not_null(strstr(seen.sentence, "`int late(int, int)` was called"),
                       "%s", seen.sentence);
    cr_assert_not_null(strstr(seen.sentence, "after it was closed (less than"));
    check_detail("after it was closed");
}

Test(upcall, late_structs_are_zero)
{
    struct seen_report seen = {0};
    frt_upcall upcall =
        upcall_of(frt_arena_global(),
                  "struct three { long l[3]; }; struct three f("
                  "struct { char c[3]; }, struct { char c; double d; }, "
                  "struct { double x, y; })",
                  leave_alone, NULL, &returns_zero);
    struct three (*f)(struct odd, struct mix, struct pair) =
        frt_upcall_address(upcall);
    long double (*g)(long double);
    struct three three;

    frt_upcall_on_report(see_report, &seen);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    three = f((struct odd){{1, 2, 3}}, (struct mix){1, 2}, (struct pair){1, 2});
    cr_assert(three.l[0] == 0 && three.l[1] == 0 && three.l[2] == 0);
    cr_assert_eq(seen.count, 1);
    if (upcall_is_refused("long double f(long double)", leave_alone))
        return;
    upcall = upcall_of(frt_arena_global(), "long double f(long double)",
                       leave_alone, NULL, &returns_zero);
    g = frt_upcall_address(upcall);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    for (int i = 0; i < 20; i++) /* the x87 stack stays in order */
        cr_assert(g(1) == 0);
    cr_assert_eq(seen.count, 21);
}

Test(upcall, aborts_by_default, .signal = SIGABRT)
{
    int zero = 0;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int, int)", add, &zero, NULL);
    int (*f)(int, int) = frt_upcall_address(upcall);

    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    f(1, 2);
}

Test(upcall, e07_the_handle_after_the_close)
{
    int zero = 0;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int, int)", add, &zero, NULL);

    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    CHECK_STATUS(FRT_ALREADY_CLOSED, frt_upcall_close(upcall));
    cr_assert_null(frt_upcall_address(upcall));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_upcall_close((frt_upcall){0}));
}

struct self {
    frt_upcall upcall;
    frt_arena arena;
    int depth;
    size_t waiting;
};

static frt_status
close_self(void *context, void *result, void *const *arguments)
{
    struct self *self = context;
    int (*again)(int) = frt_upcall_address(self->upcall);

    if (self->depth-- > 0)
        RESULT(int) = again(ARGUMENT(int, 0)) + 1;
    else
        RESULT(int) = ARGUMENT(int, 0);
    if (self->depth == -1)
        CHECK_STATUS(FRT_OK, frt_upcall_close(self->upcall));
    else
        CHECK_STATUS(FRT_ALREADY_CLOSED, frt_upcall_close(self->upcall));
    cr_assert_eq(frti_entry_waiting(), self->waiting);
    self->depth = -2;
    return FRT_OK;
}

Test(upcall, e01_closed_inside_its_own_call)
{
    struct self self = {.depth = 3, .waiting = frti_entry_waiting()};
    int (*f)(int);

    self.upcall =
        upcall_of(frt_arena_global(), "int f(int)", close_self, &self, NULL);
    f = frt_upcall_address(self.upcall);
    cr_assert_eq(f(10), 13);
    cr_assert_eq(frti_entry_waiting(), self.waiting + 1);
}

static frt_status
close_arena(void *context, void *result, void *const *arguments)
{
    struct self *self = context;

    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close(self->arena));
    /* this very thread would have to end the call */
    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close_wait(self->arena, UINT64_MAX));
    CHECK_STATUS(FRT_OK, frt_upcall_close(self->upcall));
    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close(self->arena));
    return FRT_OK;
}

Test(upcall, the_arena_stays_open_during_a_call)
{
    struct self self;
    void (*f)(void);

    for (int shared = 0; shared < 2; shared++) {
        CHECK_STATUS(FRT_OK, shared ? frt_arena_open_shared(&self.arena)
                                    : frt_arena_open_confined(&self.arena));
        self.upcall =
            upcall_of(self.arena, "void f(void)", close_arena, &self, NULL);
        f = frt_upcall_address(self.upcall);
        f();
        CHECK_STATUS(FRT_OK, frt_arena_close(self.arena));
    }
}

Test(upcall, a_house_of_many)
{
    frt_upcall upcalls[10];
    int zero = 0;
    frt_arena arena;
    size_t waiting = frti_entry_waiting();

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    for (int i = 0; i < 10; i++)
        upcalls[i] = upcall_of(arena, "int f(int, int)", add, &zero, NULL);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcalls[0]));
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcalls[9]));
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcalls[5]));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(FRT_ALREADY_CLOSED, frt_upcall_close(upcalls[i]));
    cr_assert_eq(frti_entry_waiting(), waiting + 10);
}

/* ------------------------------------------------------------ refusals --- */

Test(upcall, refusals)
{
    const frt_descriptor *descriptor;
    const frt_descriptor *of_void;
    frt_upcall_options options = {.size = sizeof options};
    frt_arena arena;
    frt_upcall upcall = {0};

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, "int f(int)", NULL));
    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&of_void, "void f(int)", NULL));
    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_upcall_open(&upcall, arena, NULL, add, NULL, NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_upcall_open(&upcall, arena, descriptor, NULL, NULL, NULL));
    CHECK_STATUS(
        FRT_BAD_ARGUMENT,
        frt_upcall_open(&upcall, (frt_arena){0}, descriptor, add, NULL, NULL));
    options.post = true;
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_upcall_open(&upcall, arena, of_void, add, NULL, &options));
    options.thread = FRT_UPCALL_THREAD_QUEUE;
    /* E12: a posted call with a result */
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_upcall_open(&upcall, arena, descriptor,
                                                   add, NULL, &options));
    check_detail("a posted call cannot have a result");
    options = (frt_upcall_options){.size = sizeof options, .thread = 17};
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_upcall_open(&upcall, arena, descriptor,
                                                   add, NULL, &options));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    CHECK_STATUS(FRT_CLOSED,
                 frt_upcall_open(&upcall, arena, descriptor, add, NULL, NULL));
    cr_assert_null(upcall.slot);
    frt_descriptor_drop(descriptor);
    frt_descriptor_drop(of_void);
}

static int allowed;

static int
allow_some(size_t size)
{
    (void)size;
    return allowed-- > 0;
}

Test(upcall, no_memory_changes_nothing)
{
    int nine = 9;
    frt_upcall_options options = {.size = sizeof options,
                                  .default_result = &nine,
                                  .thread = FRT_UPCALL_THREAD_QUEUE};
    const frt_descriptor *descriptor;
    frt_status status = FRT_NO_MEMORY;
    frt_upcall upcall = {0};
    frt_arena arena;
    size_t live;
    int given;

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, "int f(int)", NULL));
    for (given = 0; status != FRT_OK; given++) {
        CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
        live = warm_live();
        allowed = given;
        frti_allocator_gate(allow_some);
        status =
            frt_upcall_open(&upcall, arena, descriptor, add, NULL, &options);
        frti_allocator_gate(NULL);
        if (status != FRT_OK) {
            cr_assert_eq(status, FRT_NO_MEMORY);
            cr_assert_null(upcall.slot);
        }
        CHECK_STATUS(FRT_OK, frt_arena_close(arena));
        /* what stays: tables, sessions, the queue of this thread; and an
         * entry over libffi, with what it was armed with */
        cr_assert_leq(frti_allocator_live(), live + (TEST_CLOSURES ? 8 : 3));
    }
    cr_assert_gt(given, 3);
    frt_descriptor_drop(descriptor);
}

struct calls_back {
    int (*cb)(int, int);
    int closed;
};

/* C keeps the address alone; the handle frees it. */
Test(upcall, e04_e29_an_address_in_a_struct)
{
    int zero = 0;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int, int)", add, &zero, NULL);
    struct calls_back s = {.cb = (int (*)(int, int))frt_upcall_address(upcall)};

    cr_assert_eq(s.cb(2, 3), 5);
    cr_assert_eq(s.cb(3, 4), 7);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
}

/* --------------------------------------------------------------- table --- */

Test(upcall, entries_grow_and_are_reused_late)
{
    static frt_upcall upcalls[5000];
    const frt_descriptor *descriptor;
    int zero = 0;
    size_t count = frti_entry_count();
    size_t grown;

    CHECK_STATUS(FRT_OK,
                 frt_descriptor_parse(&descriptor, "int f(int, int)", NULL));
    for (int i = 0; i < 5000; i++)
        CHECK_STATUS(FRT_OK, frt_upcall_open(&upcalls[i], frt_arena_global(),
                                             descriptor, add, &zero, NULL));
    grown = TEST_CLOSURES ? 5000 : count + FRTI_ENTRY_COUNT;
    cr_assert_eq(frti_entry_count(), grown);
    for (int i = 0; i < 5000; i++) {
        int (*f)(int, int) = frt_upcall_address(upcalls[i]);

        cr_assert_eq(f(i, 1), i + 1);
        CHECK_STATUS(FRT_OK, frt_upcall_close(upcalls[i]));
    }
    for (int i = 0; i < 20000; i++) {
        CHECK_STATUS(FRT_OK, frt_upcall_open(&upcalls[0], frt_arena_global(),
                                             descriptor, add, &zero, NULL));
        CHECK_STATUS(FRT_OK, frt_upcall_close(upcalls[0]));
    }
    cr_assert_eq(frti_entry_count(), grown);
    frt_descriptor_drop(descriptor);
}
