/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* For the systems with several lines a session: which one a thread takes. */
#ifndef BENCHMARKS_SESSIONS_STRIPES_H
#define BENCHMARKS_SESSIONS_STRIPES_H

#include "benchmarks/sessions_loop.h"

#define SESSIONS_MOST_STRIPES 64

/* A power of two, at least as many as there are processors. */
extern unsigned bench_sessions_stripes;

/* Given out in turn; 0: this thread has none yet. */
extern __thread unsigned bench_sessions_probe
    __attribute__((tls_model("initial-exec")));
unsigned bench_sessions_probe_slow(void);

SESSIONS_INLINE unsigned
sessions_stripe(void)
{
    unsigned probe = bench_sessions_probe;

    if (__builtin_expect(probe == 0, 0))
        probe = bench_sessions_probe_slow();
    return probe & (bench_sessions_stripes - 1);
}

SESSIONS_INLINE void
sessions_pause(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

#endif
