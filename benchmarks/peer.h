/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A peer is another language with an FFI. Its script opens the library
 * frt_bench_peer by that FFI and gives the loops of its systems as function
 * pointers; the harness of frt_bench then times them as it does its own, in
 * turn with the floor in C, and writes the same rows. So what a peer costs is
 * measured by the same clock, the same rounds and the same probe.
 *
 * Types are those that every FFI has; texts are copied.
 */
#ifndef BENCHMARKS_PEER_H
#define BENCHMARKS_PEER_H

/* Does the thing `count` times. */
typedef void peer_loop(int count);

/* First of all. */
void peer_open(int is_quick);

/* Adds one system to the case that is measured next. The ratio of its row is
 * taken over the system `over`, which is added, too. */
void peer_add(const char *system, const char *over, peer_loop *loop);

/* The floor of a function of suite call, as a system of this name. */
void peer_add_floor(const char *system, const char *function);

/* C calls callcb with this pointer. */
void peer_add_upcall(const char *system, const char *over,
                     int (*callback)(int));

/* Measures what was added and writes a row for each. */
void peer_run(const char *suite, const char *case_name, int threads);

void peer_missing(const char *suite, const char *case_name, const char *system,
                  const char *why);

/* What callcb is given in suite call. */
int peer_callback(int a);

#endif
