/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* throw, as TAP: C++ exceptions of handlers pass through upcalls, and through
 * the C code and the downcalls around them; so do backtraces. */
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>

#include "ffi_rt/ffi_rt.h"

static int tests;
static int failures;

static void
tell(bool is_right, const char *what)
{
    std::printf("%sok %d - %s\n", is_right ? "" : "not ", ++tests, what);
    failures += !is_right;
}

static void
check(frt_status status)
{
    if (status == FRT_OK)
        return;
    std::printf("Bail out! %s\n", frt_last_detail());
    std::exit(EXIT_FAILURE);
}

static int depth_of_trace;

static frt_status
throw_it(void *, void *, void *const *)
{
    void *frames[64];

    depth_of_trace = backtrace(frames, 64);
    throw std::runtime_error("thrown");
}

static frt_status
go_down(void *context, void *result, void *const *)
{
    int (*again)(int) =
        reinterpret_cast<int (*)(int)>(*static_cast<void **>(context));

    *static_cast<int *>(result) = again(1);
    return FRT_OK;
}

static void *
open_upcall(frt_upcall *out, frt_arena arena, const char *prototype,
            frt_upcall_fn function, void *context)
{
    const frt_descriptor *descriptor;

    check(frt_descriptor_parse(&descriptor, prototype, nullptr));
    check(frt_upcall_open(out, arena, descriptor, function, context, nullptr));
    frt_descriptor_drop(descriptor);
    return frt_upcall_address(*out);
}

template <typename Call>
static bool
throws(Call call)
{
    try {
        call();
    } catch (const std::runtime_error &) {
        return true;
    }
    return false;
}

static void
called_directly(frt_arena arena)
{
    frt_upcall upcall;
    frt_upcall outer;
    void *code = open_upcall(&upcall, arena, "int f(int)", throw_it, nullptr);
    void *outer_code = open_upcall(&outer, arena, "int f(int)", go_down, &code);
    int (*f)(int) = reinterpret_cast<int (*)(int)>(code);
    int (*g)(int) = reinterpret_cast<int (*)(int)>(outer_code);
    bool is_right = true;

    for (int i = 0; i < 100; i++)
        is_right = is_right && throws([=] { f(i); });
    tell(is_right, "E26: an exception passes through an upcall");
    tell(depth_of_trace > 3, "a backtrace, too");
    is_right = true;
    for (int i = 0; i < 100; i++)
        is_right = is_right && throws([=] { g(i); });
    tell(is_right, "and through two");
    tell(frt_upcall_close(upcall) == FRT_OK, "which can be closed after");
}

static void
called_by_qsort(frt_arena arena)
{
    int numbers[] = {3, 2, 1};
    frt_segment base = frt_segment_of_address(numbers, sizeof numbers);
    size_t count = 3;
    size_t size = sizeof numbers[0];
    frt_function *sort;
    frt_upcall upcall;
    void *code = open_upcall(
        &upcall, arena, "int f(const void *, const void *)", throw_it, nullptr);
    void *arguments[] = {&base, &count, &size, &code};

    check(frt_function_declare(&sort, frt_library_default(),
                               "void qsort(void *, size_t, size_t, "
                               "int (*)(const void *, const void *))",
                               nullptr));
    tell(throws([&] { check(frt_call(sort, nullptr, arguments, 4)); }),
         "an exception passes through upcall, qsort and downcall");
    tell(frt_upcall_raise() == FRT_OK, "and leaves no failure behind");
    frt_function_free(sort);
}

static frt_status
fail_it(void *, void *, void *const *)
{
    return frt_fail(FRT_OVERFLOW, "failed");
}

static void *
call_code(void *code)
{
    reinterpret_cast<void (*)()>(code)();
    return nullptr;
}

static void
called_by_a_poll(frt_arena arena)
{
    frt_upcall_options options = {};
    const frt_descriptor *descriptor;
    frt_upcall queued;
    frt_upcall failing;
    frt_function *getpid;
    pthread_t thread;
    int number;

    options.size = sizeof options;
    options.thread = FRT_UPCALL_THREAD_QUEUE;
    check(frt_descriptor_parse(&descriptor, "void f(void)", nullptr));
    check(frt_upcall_open(&queued, arena, descriptor, throw_it, nullptr,
                          &options));
    frt_descriptor_drop(descriptor);
    pthread_create(&thread, nullptr, call_code, frt_upcall_address(queued));
    tell(throws([] { (void)!frt_upcall_poll(nullptr, -1); }),
         "an exception passes through a poll");
    pthread_join(thread, nullptr);
    call_code(open_upcall(&failing, arena, "void f(void)", fail_it, nullptr));
    check(frt_function_declare(&getpid, frt_library_default(),
                               "int getpid(void)", nullptr));
    check(frt_call(getpid, &number, nullptr, 0));
    tell(frt_upcall_raise() == FRT_OK,
         "and the next downcall is an outermost one");
    frt_function_free(getpid);
}

int
main()
{
    frt_arena shared;
    frt_arena confined;

    check(frt_arena_open_shared(&shared));
    check(frt_arena_open_confined(&confined));
    called_directly(shared);
    called_directly(confined);
    called_by_qsort(shared);
    called_by_a_poll(shared);
    tell(frt_arena_close(shared) == FRT_OK, "a shared arena is held no more");
    tell(frt_arena_close(confined) == FRT_OK, "nor is a confined one");
    std::printf("1..%d\n", tests);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
