/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The downcalls of a function with `...`, by the kinds of its further values.
 *
 * A list that only grows while the function lives: found without a lock, added
 * to by compare-and-swap. Two threads may add the same kinds; both work.
 */
#ifndef FRTI_LINK_VARIADIC_H
#define FRTI_LINK_VARIADIC_H

#include <stdatomic.h>

#include "ffi_rt/ffi_rt.h"

struct frti_variadic;

struct frti_variadics {
    _Atomic(struct frti_variadic *) first;
};

/* The downcall for `count` values beyond those that `base` has; the list keeps
 * it.   -> as frt_descriptor_extend and frt_downcall_link */
frt_status frti_variadics_find(const frt_downcall **out,
                               struct frti_variadics *variadics,
                               const frt_downcall *base,
                               const frt_link_options *options,
                               const frt_value *values, size_t count);
void frti_variadics_free(struct frti_variadics *variadics);

#endif
