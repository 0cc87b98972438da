/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Generated code, shown to gdb.
 *
 * gdb does not look at frames that the process registers for its unwinder. It
 * takes an object file in memory by its JIT interface (GDB 13 manual, chapter
 * 30): a list of them, and a function that it stops in. The list is only made
 * when the environment variable FRT_GDB is 1, for gdb takes its time.
 */
#ifndef FRTI_BASE_GDB_H
#define FRTI_BASE_GDB_H

#include <stddef.h>

#include "ffi_rt/base/frame_description.h"

struct frti_gdb_object;

/* NULL: it is not asked for, or there is no memory. Both are called under one
 * lock, the caller's. */
struct frti_gdb_object *
frti_gdb_announce(const void *code, size_t size,
                  const struct frti_frame_description *frames);
void frti_gdb_withdraw(struct frti_gdb_object *object);

#endif
