/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* One counter for all: holds, or -1 when closed. */
#include <limits.h>
#include <stdatomic.h>

#include "benchmarks/sessions_loop.h"

struct simple {
    _Alignas(64) _Atomic int count;
};

SESSIONS_INLINE bool
simple_acquire(struct sessions_hold *out, void *session)
{
    struct simple *simple = session;
    int count = atomic_load_explicit(&simple->count, memory_order_acquire);

    do
        if (count < 0 || count == INT_MAX)
            return false;
    while (!atomic_compare_exchange_weak(&simple->count, &count, count + 1));
    out->session = session;
    return true;
}

SESSIONS_INLINE void
simple_release(struct sessions_hold *hold)
{
    struct simple *simple = hold->session;
    int count = atomic_load_explicit(&simple->count, memory_order_acquire);

    while (!atomic_compare_exchange_weak(&simple->count, &count, count - 1))
        continue;
}

static void *
simple_open(void)
{
    struct simple *simple = aligned_alloc(64, sizeof *simple);

    if (simple != NULL)
        atomic_init(&simple->count, 0);
    return simple;
}

static bool
simple_end(struct simple *simple)
{
    int count = 0;

    return atomic_compare_exchange_strong(&simple->count, &count, -1);
}

static bool
simple_close(void *session)
{
    if (!simple_end(session))
        return false;
    free(session);
    return true;
}

static void
simple_pair(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, false, simple_acquire, simple_release);
}

static void
simple_call_1(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, true, simple_acquire, simple_release);
}

static void
simple_call_3(void *context, uint64_t count)
{
    sessions_loop(context, count, 3, true, simple_acquire, simple_release);
}

static void
simple_life(void *context, uint64_t count)
{
    struct simple simple;
    struct sessions_hold hold;

    (void)context;
    while (count-- > 0) {
        atomic_store_explicit(&simple.count, 0, memory_order_relaxed);
        if (!simple_acquire(&hold, &simple))
            sessions_failed();
        simple_release(&hold);
        if (!simple_end(&simple))
            sessions_failed();
    }
}

static size_t
simple_bytes_session(void)
{
    return sizeof(struct simple);
}

static size_t
simple_bytes_thread(void)
{
    return 0;
}

const struct bench_sessions bench_sessions_simple = {
    .name = "simple",
    .open = simple_open,
    .close = simple_close,
    .pair = simple_pair,
    .call_1 = simple_call_1,
    .call_3 = simple_call_3,
    .life = simple_life,
    .bytes_session = simple_bytes_session,
    .bytes_thread = simple_bytes_thread,
};
