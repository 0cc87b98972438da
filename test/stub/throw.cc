/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * C++ exceptions and backtraces through calls, by each backend; and how long
 * the first throw takes when there are very many stubs.
 */
#include <cstdlib>
#include <ctime>
#include <execinfo.h>
#include <stdexcept>

#include "ffi_rt/ffi_rt.h"
#include "test/stub/signatures.h"
#include "test/stub/tap.h"

#define THROW_MOST_MS 50.0

static int unwound;

struct counted {
    ~counted()
    {
        unwound++;
    }
};

static int
throws(int a, int b)
{
    counted here;

    if (a > 0)
        throw std::runtime_error(b == 7 ? "seven" : "other");
    return b;
}

static frt_status
link_text(const frt_downcall **out, const char *prototype, frt_backend backend)
{
    frt_link_options options = {};
    const frt_descriptor *descriptor;
    frt_status status = frt_descriptor_parse(&descriptor, prototype, nullptr);

    options.size = sizeof options;
    options.backend = backend;
    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(out, descriptor, &options);
    frt_descriptor_drop(descriptor);
    return status;
}

/* ------------------------------------------------------------ throw ---- */

static bool
is_caught(const frt_downcall *downcall)
{
    int a = 1;
    int b = 7;
    int result = 55;
    void *arguments[] = {&a, &b};

    unwound = 0;
    try {
        counted here;

        (void)frt_invoke(downcall, (void *)throws, &result, arguments);
        return false;
    } catch (const std::runtime_error &error) {
        return unwound == 2 && result == 55 && error.what()[0] == 's';
    }
}

/* The stack of segments: what a call held is released by the exception. */
static bool
is_released(frt_backend backend)
{
    const frt_downcall *downcall;
    frt_arena arena;
    frt_segment segment;
    int a = 1;
    void *arguments[] = {&a, &segment};
    int result;
    bool is_thrown = false;

    if (frt_arena_open_shared(&arena) != FRT_OK ||
        frt_arena_allocate(&segment, arena, 16, 0) != FRT_OK ||
        link_text(&downcall, "int f(int, void *)", backend) != FRT_OK)
        return false;
    try {
        (void)frt_invoke(downcall, (void *)throws, &result, arguments);
    } catch (const std::runtime_error &) {
        is_thrown = true;
    }
    frt_downcall_drop(downcall);
    return is_thrown && frt_arena_close(arena) == FRT_OK;
}

/* -------------------------------------------------------- backtrace ---- */

static int frames_found;
static void *frames[64];

static void
looks_back(void)
{
    frames_found = backtrace(frames, 64);
}

/* A frame of the function that calls, found beyond the stub's. */
static bool __attribute__((noinline)) is_walked(const frt_downcall *downcall)
{
    char *here = (char *)__builtin_return_address(0);
    bool is_found = false;

    (void)frt_invoke(downcall, (void *)looks_back, nullptr, nullptr);
    for (int i = 0; i < frames_found; i++)
        is_found = is_found || frames[i] == here;
    return is_found;
}

/* -------------------------------------------------------------- many --- */

static double
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
check_first_throw(unsigned count)
{
    const frt_downcall **downcalls = new const frt_downcall *[count];
    const frt_downcall *downcall = nullptr;
    unsigned linked = 0;
    double start = now_ms();
    double end;
    bool is_right;

    while (linked < count && signature_link(&downcalls[linked], linked,
                                            FRT_BACKEND_STUB) == FRT_OK)
        linked++;
    end = now_ms();
    tap_check(linked == count, "%u stubs, %.2f us each", linked,
              (end - start) * 1e3 / count);
    if (link_text(&downcall, "int f(int, int)", FRT_BACKEND_STUB) != FRT_OK)
        abort();
    start = now_ms();
    is_right = is_caught(downcall);
    end = now_ms();
    tap_check(is_right && end - start < THROW_MOST_MS,
              "the first throw with %u stubs takes %.3f ms", linked,
              end - start);
    frt_downcall_drop(downcall);
    while (linked > 0)
        frt_downcall_drop(downcalls[--linked]);
    delete[] downcalls;
}

static void
check_backend(frt_backend backend, const char *name)
{
    const frt_downcall *add;
    const frt_downcall *look;

    if (link_text(&add, "int f(int, int)", backend) != FRT_OK ||
        link_text(&look, "void f(void)", backend) != FRT_OK)
        abort();
    tap_check(is_caught(add), "%s: an exception is caught", name);
    tap_check(is_released(backend), "%s: it releases what is held", name);
    tap_check(is_walked(look), "%s: backtrace walks through", name);
    frt_downcall_drop(look);
    frt_downcall_drop(add);
}

/* throw [STUBS] */
int
main(int count, char **arguments)
{
    /* first: no other throw has been before it */
    check_first_throw(count > 1 ? (unsigned)atoi(arguments[1]) : SIGNATURES);
    check_backend(FRT_BACKEND_STUB, "stub");
    check_backend(FRT_BACKEND_LIBFFI, "libffi");
    return tap_end();
}
