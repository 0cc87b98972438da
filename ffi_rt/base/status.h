/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Failures: a status and, for people, a sentence in the thread's record.
 *
 * The sentence names the thing and the reason, begins in lower case and has no
 * full stop, so that a front end can put its own name before it.
 */
#ifndef FRTI_BASE_STATUS_H
#define FRTI_BASE_STATUS_H

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/ffi_rt.h"

/* Longer sentences are cut. */
#define FRTI_DETAIL_SIZE 1024

/* Keeps the sentence and returns `status`. errno is left alone. */
FRTI_COLD frt_status frti_fail(frt_status status, const char *format, ...)
    FRTI_PRINTF(2, 3);

/* The common ones. */
FRTI_COLD frt_status frti_no_memory(size_t bytes, const char *what);
FRTI_COLD frt_status frti_null_argument(const char *name);

#endif
