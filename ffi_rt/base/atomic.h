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

static inline void
frti_counter_set_relaxed(frti_counter *counter, uint64_t value)
{
    atomic_store_explicit(&counter->value, value, memory_order_relaxed);
}

/* Each puts `value` in if *seen is there. False: it was not, or (weak) might
 * not have been; *seen is then what is there. */
static inline bool
frti_counter_replace_weak_relaxed(frti_counter *counter, uint64_t *seen,
                                  uint64_t value)
{
    return atomic_compare_exchange_weak_explicit(&counter->value, seen, value,
                                                 memory_order_relaxed,
                                                 memory_order_relaxed);
}

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

#endif
