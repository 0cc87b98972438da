/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Options structs, which grow: each begins with its own size. */
#ifndef FRTI_BASE_OPTIONS_H
#define FRTI_BASE_OPTIONS_H

#include <stddef.h>

#include "ffi_rt/base/status.h"

/* Copies what the caller gave into `out`, a struct of `out_size` bytes that
 * begins with `size_t size`. NULL gives zeroes and a shorter one is filled up
 * with zeroes; a longer one is accepted if the rest of it is zero. `name` is
 * what the sentence calls it. Afterwards `out` has `out_size` as its size.
 *   -> BAD_ARGUMENT */
frt_status frti_options_read(void *out, size_t out_size, const void *given,
                             const char *name);

#endif
