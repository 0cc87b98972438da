/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What is left when nothing is kept: the loop, and the call. */
#include "benchmarks/sessions_loop.h"

__thread struct sessions_stack bench_sessions_stack
    __attribute__((tls_model("initial-exec")));

static void *
none_open(void)
{
    static char anything;

    return &anything;
}

static bool
none_close(void *session)
{
    (void)session;
    return true;
}

static void
none_pair(void *context, uint64_t count)
{
    void *const *volatile place = context;

    while (count-- > 0)
        bench_sink(*place);
}

static void
none_call(void *context, uint64_t count)
{
    void *const *volatile place = context;

    while (count-- > 0)
        bench_sink(sessions_identity3(*place, NULL, NULL));
}

static size_t
none_bytes(void)
{
    return 0;
}

const struct bench_sessions bench_sessions_none = {
    .name = "none",
    .open = none_open,
    .close = none_close,
    .pair = none_pair,
    .call_1 = none_call,
    .call_3 = none_call,
    .bytes_session = none_bytes,
    .bytes_thread = none_bytes,
};
