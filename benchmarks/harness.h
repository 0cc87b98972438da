/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Times that can be compared.
 *
 * Contestants (the systems that do one case) are timed in rounds of a few
 * milliseconds, interleaved: A B A B. Before and after each round a probe, a
 * fixed loop of dependent adds, is timed: a round counts as clean if both are
 * within 3 % of the best probe of the case, that is, if the machine ran as fast
 * around it as it did at all while the contestants were timed. Only clean
 * rounds are kept.
 *
 * Threads that have a processor each are timed by the wall, and the slowest
 * counts; a round in which they were not at work together is not clean. More of
 * them take turns: then a call's time is what a processor spent on it.
 */
#ifndef BENCHMARKS_HARNESS_H
#define BENCHMARKS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the thing `count` times. Several threads may run it at once. */
typedef void bench_loop(void *context, uint64_t count);

struct bench_contestant {
    const char *system;
    bench_loop *loop;
    void *context;
};

struct bench_times {
    double ns_min; /* of one call */
    double ns_median;
    unsigned kept; /* clean rounds; 0: there are no times */
    unsigned made;
};

struct bench_settings {
    unsigned rounds;      /* clean ones that are wanted */
    unsigned most_rounds; /* where they are given up */
    double round_ns;      /* of a thread that has a processor to itself */
    double most_ns;       /* as long as clean rounds of a case are waited for */
};

extern const struct bench_settings bench_settings_full;
extern const struct bench_settings bench_settings_quick;

/* Remembers the CPUs that this process may use and pins this thread to the
 * first of them. false: the system refuses. */
bool bench_pin(void);

/* How many CPUs there are to pin threads to. */
unsigned bench_cpus(void);

/* One case: times[i] belongs to contestants[i]. false: no memory or threads,
 * which is said on standard error. */
bool bench_measure(struct bench_times *times,
                   const struct bench_contestant *contestants, size_t count,
                   unsigned threads, const struct bench_settings *settings);

/* The value counts as used, and memory as changed: nothing is optimised away
 * or moved out of the loop. */
static inline void
bench_sink(const void *place)
{
    __asm__ volatile("" : : "r"(place) : "memory");
}

static inline void
bench_sink_int(int value)
{
    __asm__ volatile("" : : "r"(value));
}

static inline void
bench_sink_long(long value)
{
    __asm__ volatile("" : : "r"(value));
}

/* X: in any register, a floating-point one included. */
static inline void
bench_sink_double(double value)
{
    __asm__ volatile("" : : "X"(value));
}

#endif
