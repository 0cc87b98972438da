/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Two sums, of acquires and of releases, each spread over several lines once a
 * compare-and-swap of its first word fails; and a state. An acquire adds, then
 * looks at the state; the closer writes CLOSING, then sums. With the fences
 * each side is sure to see the other; without, the adds have to do it, which on
 * x86-64 they happen to.
 */
#include <stdatomic.h>

#include "benchmarks/sessions_stripes.h"

enum { ADDER_OPEN, ADDER_CLOSING, ADDER_CLOSED };

struct adder_cell {
    _Alignas(64) _Atomic long value;
};

struct adder {
    struct adder_cell base;
    _Atomic bool is_spread;
    struct adder_cell cells[SESSIONS_MOST_STRIPES];
};

struct added {
    _Alignas(64) _Atomic int state;
    struct adder *acquires;
    struct adder *releases;
};

SESSIONS_INLINE void
adder_add(struct adder *adder)
{
    long value;

    if (!atomic_load_explicit(&adder->is_spread, memory_order_acquire)) {
        value = atomic_load_explicit(&adder->base.value, memory_order_relaxed);
        if (atomic_compare_exchange_strong(&adder->base.value, &value,
                                           value + 1))
            return;
        atomic_store(&adder->is_spread, true);
    }
    atomic_fetch_add(&adder->cells[sessions_stripe()].value, 1);
}

static long
adder_sum(struct adder *adder)
{
    long sum = atomic_load(&adder->base.value);

    for (unsigned i = 0; i < bench_sessions_stripes; i++)
        sum += atomic_load(&adder->cells[i].value);
    return sum;
}

/* What an acquire does after it has added. */
static __attribute__((noinline)) bool
added_wait(struct added *added)
{
    int state;

    while ((state = atomic_load(&added->state)) == ADDER_CLOSING)
        sessions_pause();
    if (state == ADDER_OPEN)
        return true;
    adder_add(added->releases);
    return false;
}

SESSIONS_INLINE bool
added_acquire(struct sessions_hold *out, void *session, bool is_fenced)
{
    struct added *added = session;

    adder_add(added->acquires);
    if (is_fenced)
        atomic_thread_fence(memory_order_seq_cst);
    out->session = session;
    if (__builtin_expect(atomic_load_explicit(
                             &added->state, memory_order_acquire) != ADDER_OPEN,
                         0))
        return added_wait(added);
    return true;
}

SESSIONS_INLINE void
added_release(struct sessions_hold *hold)
{
    struct added *added = hold->session;

    adder_add(added->releases);
}

static bool
added_end(struct added *added, bool is_fenced)
{
    int state = ADDER_OPEN;
    long releases;
    bool is_free;

    if (!atomic_compare_exchange_strong(&added->state, &state, ADDER_CLOSING))
        return false;
    if (is_fenced)
        atomic_thread_fence(memory_order_seq_cst);
    releases = adder_sum(added->releases);
    is_free = adder_sum(added->acquires) == releases;
    atomic_store(&added->state, is_free ? ADDER_CLOSED : ADDER_OPEN);
    return is_free;
}

static size_t
adder_bytes(void)
{
    return offsetof(struct adder, cells) +
           bench_sessions_stripes * sizeof(struct adder_cell);
}

static size_t
added_bytes_session(void)
{
    return sizeof(struct added) + 2 * adder_bytes();
}

static size_t
added_bytes_thread(void)
{
    return 0;
}

static void
adder_begin(struct adder *adder)
{
    atomic_store_explicit(&adder->base.value, 0, memory_order_relaxed);
    atomic_store_explicit(&adder->is_spread, false, memory_order_relaxed);
    for (unsigned i = 0; i < bench_sessions_stripes; i++)
        atomic_store_explicit(&adder->cells[i].value, 0, memory_order_relaxed);
}

static void
added_begin(struct added *added)
{
    adder_begin(added->acquires);
    adder_begin(added->releases);
    atomic_store_explicit(&added->state, ADDER_OPEN, memory_order_relaxed);
}

/* In one piece: the two sums are behind the state. */
static void *
added_open(void)
{
    char *memory = aligned_alloc(64, added_bytes_session());
    struct added *added = (struct added *)memory;

    if (added == NULL)
        return NULL;
    added->acquires = (struct adder *)(memory + sizeof *added);
    added->releases = (struct adder *)(memory + sizeof *added + adder_bytes());
    added_begin(added);
    return added;
}

static bool
added_close(void *session)
{
    if (!added_end(session, true))
        return false;
    free(session);
    return true;
}

SESSIONS_INLINE bool
plain_acquire(struct sessions_hold *out, void *session)
{
    return added_acquire(out, session, false);
}

SESSIONS_INLINE bool
fenced_acquire(struct sessions_hold *out, void *session)
{
    return added_acquire(out, session, true);
}

static void
plain_pair(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, false, plain_acquire, added_release);
}

static void
plain_call_1(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, true, plain_acquire, added_release);
}

static void
plain_call_3(void *context, uint64_t count)
{
    sessions_loop(context, count, 3, true, plain_acquire, added_release);
}

static void
fenced_pair(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, false, fenced_acquire, added_release);
}

static void
fenced_call_1(void *context, uint64_t count)
{
    sessions_loop(context, count, 1, true, fenced_acquire, added_release);
}

static void
fenced_call_3(void *context, uint64_t count)
{
    sessions_loop(context, count, 3, true, fenced_acquire, added_release);
}

SESSIONS_INLINE void
added_life(uint64_t count, bool is_fenced)
{
    struct added *added = added_open();
    struct sessions_hold hold;

    if (added == NULL)
        sessions_failed();
    while (count-- > 0) {
        added_begin(added);
        if (!added_acquire(&hold, added, is_fenced))
            sessions_failed();
        added_release(&hold);
        if (!added_end(added, is_fenced))
            sessions_failed();
    }
    free(added);
}

static void
plain_life(void *context, uint64_t count)
{
    (void)context;
    added_life(count, false);
}

static void
fenced_life(void *context, uint64_t count)
{
    (void)context;
    added_life(count, true);
}

const struct bench_sessions bench_sessions_adder = {
    .name = "adder",
    .open = added_open,
    .close = added_close,
    .pair = plain_pair,
    .call_1 = plain_call_1,
    .call_3 = plain_call_3,
    .life = plain_life,
    .bytes_session = added_bytes_session,
    .bytes_thread = added_bytes_thread,
};

const struct bench_sessions bench_sessions_adder_fenced = {
    .name = "adder_fenced",
    .open = added_open,
    .close = added_close,
    .pair = fenced_pair,
    .call_1 = fenced_call_1,
    .call_3 = fenced_call_3,
    .life = fenced_life,
    .bytes_session = added_bytes_session,
    .bytes_thread = added_bytes_thread,
};
