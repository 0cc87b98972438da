/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The systems of suite session: ways to keep a shared session open, behind one
 * interface. Each is a file that inlines its acquire and release into the
 * loops, as the path of a downcall has them: a stack of holds, each distinct
 * session once, then what is to be done, then the releases.
 *
 *   none            nothing is kept
 *   simple          one counter, changed by compare-and-swap
 *   striped_ticket  a counter in each of several lines, closed one by one;
 *                   acquirers spin while a closer works (JDK PR 28575)
 *   adder           two sums in several lines, of acquires and of releases,
 *                   and a state (JDK PR 29866)
 *   adder_fenced    the same with a full fence on either side
 *   ours            the memory floor's inlined path
 *   ours_exported   frt_session_acquire and frt_session_release
 */
#ifndef BENCHMARKS_SESSIONS_H
#define BENCHMARKS_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/harness.h"

#define SESSIONS_MOST 3

struct bench_sessions {
    const char *name;
    /* Makes a session; NULL: no memory. */
    void *(*open)(void);
    /* Closes and frees one that nobody holds. false: it was refused. */
    bool (*close)(void *session);
    /* The context of the loops is an array of sessions. */
    bench_loop *pair;   /* acquires and releases the first */
    bench_loop *call_1; /* the same around identity3 */
    bench_loop *call_3; /* three of them around identity3 */
    /* One life: open, acquire, release, close; and the same as if other
     * threads had used the session, too, where that is another matter. The
     * context is not used. NULL: not measured. */
    bench_loop *life;
    bench_loop *life_of_many;
    size_t (*bytes_session)(void);
    size_t (*bytes_thread)(void); /* more, for each thread that used it */
};

extern const struct bench_sessions bench_sessions_none;
extern const struct bench_sessions bench_sessions_simple;
extern const struct bench_sessions bench_sessions_striped_ticket;
extern const struct bench_sessions bench_sessions_adder;
extern const struct bench_sessions bench_sessions_adder_fenced;
extern const struct bench_sessions bench_sessions_ours;
extern const struct bench_sessions bench_sessions_ours_exported;

#endif
