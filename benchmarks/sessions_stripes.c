/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdatomic.h>
#include <unistd.h>

#include "benchmarks/sessions_stripes.h"

unsigned bench_sessions_stripes = 1;
__thread unsigned bench_sessions_probe
    __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void
stripes_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    while (bench_sessions_stripes < SESSIONS_MOST_STRIPES &&
           bench_sessions_stripes < (unsigned long)processors)
        bench_sessions_stripes *= 2;
}

unsigned
bench_sessions_probe_slow(void)
{
    static _Atomic unsigned next = 1;

    bench_sessions_probe = atomic_fetch_add(&next, 1);
    return bench_sessions_probe;
}
