/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A fence whose price one side pays for both.
 *
 * Two sides write, and then read what the other wrote; at least one must see
 * the other's write. Each would need a full fence between its write and its
 * read. Here the frequent side may do without one:
 *
 *   mode        the frequent side      the rare side
 *   membarrier  nothing                frti_barrier: the kernel makes every
 *                                      running thread of the process fence
 *   fence       a full fence           frti_barrier: a full fence
 *   rmw         a read-modify-write    the same
 *
 * The mode is chosen once, when it is first asked for: FRT_SESSIONS of the
 * environment, or rmw under thread sanitizer, or membarrier where the kernel
 * has it, or fence. Where a seccomp filter is on, which may kill, membarrier
 * is tried in a child first.
 */
#ifndef FRTI_BASE_BARRIER_H
#define FRTI_BASE_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/ffi_rt.h"

enum frti_barrier_mode {
    FRTI_BARRIER_MEMBARRIER,
    FRTI_BARRIER_FENCE,
    FRTI_BARRIER_RMW
};

/*   -> BAD_ARGUMENT (the environment's word) */
frt_status frti_barrier_choose(enum frti_barrier_mode *out);

/* The name of a mode, as FRT_SESSIONS has it. */
const char *frti_barrier_mode_name(enum frti_barrier_mode mode);

/* Every thread has passed a full fence since the call began. Callers that wait
 * at once share one that begins after the last of them came. False: the kernel
 * refuses what it had promised. Once a mode was chosen. */
bool frti_barrier(void);

/* How many the kernel was asked for so far, in this process. */
uint64_t frti_barrier_count(void);

/* Around fork. */
void frti_barrier_before_fork(void);
void frti_barrier_after_fork(void);
void frti_barrier_after_fork_in_child(void);

#endif
