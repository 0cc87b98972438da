/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A counter in each of several lines. The ticket says which one was counted.
 * The closer takes them one by one from 0 to CLOSING, and all of them to
 * CLOSED, or back; who comes to one that is CLOSING spins until it is decided.
 */
#include <stdatomic.h>

#include "benchmarks/sessions_stripes.h"

#define TICKET_CLOSING (-1)
#define TICKET_CLOSED (-2)

struct ticket_stripe {
    _Alignas(64) _Atomic long count;
};

struct ticketed {
    struct ticket_stripe stripes[SESSIONS_MOST_STRIPES];
};

SESSIONS_INLINE bool
ticket_acquire(struct sessions_hold *out, void *session)
{
    struct ticketed *ticketed = session;
    _Atomic long *stripe = &ticketed->stripes[sessions_stripe()].count;
    long count = atomic_load_explicit(stripe, memory_order_acquire);

    for (;;) {
        if (__builtin_expect(count < 0, 0)) {
            if (count == TICKET_CLOSED)
                return false;
            sessions_pause();
            count = atomic_load_explicit(stripe, memory_order_acquire);
        } else if (atomic_compare_exchange_weak(stripe, &count, count + 1)) {
            break;
        }
    }
    out->stripe = (void *)stripe;
    out->session = session;
    return true;
}

SESSIONS_INLINE void
ticket_release(struct sessions_hold *hold)
{
    _Atomic long *stripe = hold->stripe;
    long count = atomic_load_explicit(stripe, memory_order_acquire);

    while (!atomic_compare_exchange_weak(stripe, &count, count - 1))
        continue;
}

static size_t
ticket_bytes_session(void)
{
    return bench_sessions_stripes * sizeof(struct ticket_stripe);
}

static void
ticket_begin(struct ticketed *ticketed)
{
    for (unsigned i = 0; i < bench_sessions_stripes; i++)
        atomic_store_explicit(&ticketed->stripes[i].count, 0,
                              memory_order_relaxed);
}

static void *
ticket_open(void)
{
    struct ticketed *ticketed = aligned_alloc(64, ticket_bytes_session());

    if (ticketed != NULL)
        ticket_begin(ticketed);
    return ticketed;
}

static void
ticket_set(struct ticketed *ticketed, unsigned count, long value)
{
    for (unsigned i = 0; i < count; i++)
        atomic_store(&ticketed->stripes[i].count, value);
}

static bool
ticket_end(struct ticketed *ticketed)
{
    for (unsigned i = 0; i < bench_sessions_stripes; i++) {
        long count = 0;

        if (!atomic_compare_exchange_strong(&ticketed->stripes[i].count, &count,
                                            TICKET_CLOSING)) {
            ticket_set(ticketed, i, 0);
            return false;
        }
    }
    ticket_set(ticketed, bench_sessions_stripes, TICKET_CLOSED);
    return true;
}

static bool
ticket_close(void *session)
{
    if (!ticket_end(session))
        return false;
    free(session);
    return true;
}

static void
ticket_pair(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, false, ticket_acquire, ticket_release);
}

static void
ticket_call_1(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, true, ticket_acquire, ticket_release);
}

static void
ticket_call_3(void *context, uint64_t count)
{
    sessions_loop(context, count, 3, true, ticket_acquire, ticket_release);
}

static void
ticket_life(void *context, uint64_t count)
{
    struct ticketed ticketed;
    struct sessions_hold hold;

    (void)context;
    while (count-- > 0) {
        ticket_begin(&ticketed);
        if (!ticket_acquire(&hold, &ticketed))
            sessions_failed();
        ticket_release(&hold);
        if (!ticket_end(&ticketed))
            sessions_failed();
    }
}

static size_t
ticket_bytes_thread(void)
{
    return 0;
}

const struct bench_sessions bench_sessions_striped_ticket = {
    .name = "striped_ticket",
    .open = ticket_open,
    .close = ticket_close,
    .pair = ticket_pair,
    .call_1 = ticket_call_1,
    .call_3 = ticket_call_3,
    .life = ticket_life,
    .bytes_session = ticket_bytes_session,
    .bytes_thread = ticket_bytes_thread,
};
