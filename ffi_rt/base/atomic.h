/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Atomics with their order in the name; only the combinations in use exist.
 * At each use, a non-relaxed one names its partner and a relaxed one says why
 * it may be.
 */
#ifndef FRTI_BASE_ATOMIC_H
#define FRTI_BASE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/base/sanitizer.h"

typedef struct frti_counter {
    _Atomic uint64_t value;
} frti_counter;

#define FRTI_COUNTER(initial)                                                  \
    {                                                                          \
        (initial)                                                              \
    }

static inline uint64_t
frti_counter_get_relaxed(frti_counter *counter)
{
    return atomic_load_explicit(&counter->value, memory_order_relaxed);
}

static inline uint64_t
frti_counter_get_acquire(frti_counter *counter)
{
    return atomic_load_explicit(&counter->value, memory_order_acquire);
}

static inline uint64_t
frti_counter_get_seq_cst(frti_counter *counter)
{
    return atomic_load_explicit(&counter->value, memory_order_seq_cst);
}

static inline void
frti_counter_set_release(frti_counter *counter, uint64_t value)
{
    atomic_store_explicit(&counter->value, value, memory_order_release);
}

static inline void
frti_counter_set_relaxed(frti_counter *counter, uint64_t value)
{
    atomic_store_explicit(&counter->value, value, memory_order_relaxed);
}

/* Each puts `value` in if *seen is there. False: it was not, or (weak) might
 * not have been; *seen is then what is there. */
static inline bool
frti_counter_replace_weak_release(frti_counter *counter, uint64_t *seen,
                                  uint64_t value)
{
    return atomic_compare_exchange_weak_explicit(&counter->value, seen, value,
                                                 memory_order_release,
                                                 memory_order_relaxed);
}

static inline bool
frti_counter_replace_acquire(frti_counter *counter, uint64_t *seen,
                             uint64_t value)
{
    return atomic_compare_exchange_strong_explicit(&counter->value, seen, value,
                                                   memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline bool
frti_counter_replace_seq_cst(frti_counter *counter, uint64_t *seen,
                             uint64_t value)
{
    return atomic_compare_exchange_strong_explicit(&counter->value, seen, value,
                                                   memory_order_seq_cst,
                                                   memory_order_seq_cst);
}

static inline uint64_t
frti_counter_exchange_acquire(frti_counter *counter, uint64_t value)
{
    return atomic_exchange_explicit(&counter->value, value,
                                    memory_order_acquire);
}

static inline uint64_t
frti_counter_exchange_release(frti_counter *counter, uint64_t value)
{
    return atomic_exchange_explicit(&counter->value, value,
                                    memory_order_release);
}

static inline uint64_t
frti_counter_add_seq_cst(frti_counter *counter, uint64_t delta)
{
    return atomic_fetch_add_explicit(&counter->value, delta,
                                     memory_order_seq_cst);
}

/* Returns the value before. */
static inline uint64_t
frti_counter_add_relaxed(frti_counter *counter, uint64_t delta)
{
    return atomic_fetch_add_explicit(&counter->value, delta,
                                     memory_order_relaxed);
}

/* Subtracts 1 unless that gives 0; false then. */
static inline bool
frti_counter_shrink_release(frti_counter *counter)
{
    uint64_t seen = frti_counter_get_relaxed(counter);

    while (seen > 1)
        if (atomic_compare_exchange_weak_explicit(
                &counter->value, &seen, seen - 1, memory_order_release,
                memory_order_relaxed))
            return true;
    return false;
}

/* Subtracts 1; true if that gave 0. */
static inline bool
frti_counter_end_acq_rel(frti_counter *counter)
{
    return atomic_fetch_sub_explicit(&counter->value, 1,
                                     memory_order_acq_rel) == 1;
}

/* ------------------------------------- counters that one thread writes --- */

/* Others read them at any time. On x86-64 each is one instruction, so that a
 * signal handler of the same thread comes before it or after it. Thread
 * sanitizer does not see instructions, and other CPUs have no such one. The
 * compiler moves no access to memory across either. */
#if defined(__x86_64__) && !FRTI_THREAD_SANITIZER

#define FRTI_COUNTER_OWN_IS_WHOLE true

static inline void
frti_counter_own_up(frti_counter *counter)
{
    __asm__ volatile("addq $1, %0"
                     : "+m"(*(uint64_t *)&counter->value)
                     :
                     : "cc", "memory");
}

/* Stores are released in order. */
static inline void
frti_counter_own_down_release(frti_counter *counter)
{
    __asm__ volatile("subq $1, %0"
                     : "+m"(*(uint64_t *)&counter->value)
                     :
                     : "cc", "memory");
}

#else

/* Thread sanitizer lets no handler run in between. */
#define FRTI_COUNTER_OWN_IS_WHOLE FRTI_THREAD_SANITIZER

static inline void
frti_counter_own_up(frti_counter *counter)
{
    frti_counter_set_relaxed(counter, frti_counter_get_relaxed(counter) + 1);
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void
frti_counter_own_down_release(frti_counter *counter)
{
    frti_counter_set_release(counter, frti_counter_get_relaxed(counter) - 1);
    atomic_signal_fence(memory_order_seq_cst);
}

#endif

/* All before it is done before all after it, loads after stores included. */
static inline void
frti_fence_seq_cst(void)
{
#if FRTI_THREAD_SANITIZER
    static frti_counter anything;

    frti_counter_add_seq_cst(&anything, 1);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* ------------------------------------------------------------- pointers --- */

typedef struct frti_pointer {
    _Atomic(void *) value;
} frti_pointer;

static inline void *
frti_pointer_get_relaxed(frti_pointer *pointer)
{
    return atomic_load_explicit(&pointer->value, memory_order_relaxed);
}

static inline void *
frti_pointer_get_acquire(frti_pointer *pointer)
{
    return atomic_load_explicit(&pointer->value, memory_order_acquire);
}

static inline void
frti_pointer_set_relaxed(frti_pointer *pointer, void *value)
{
    atomic_store_explicit(&pointer->value, value, memory_order_relaxed);
}

static inline void
frti_pointer_set_release(frti_pointer *pointer, void *value)
{
    atomic_store_explicit(&pointer->value, value, memory_order_release);
}

static inline bool
frti_pointer_replace_seq_cst(frti_pointer *pointer, void **seen, void *value)
{
    return atomic_compare_exchange_strong_explicit(&pointer->value, seen, value,
                                                   memory_order_seq_cst,
                                                   memory_order_seq_cst);
}

#endif
