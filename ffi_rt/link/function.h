/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Functions: a downcall bound to a symbol, whose library's session each call
 * holds. */
#ifndef FRTI_LINK_FUNCTION_H
#define FRTI_LINK_FUNCTION_H

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/variadic.h"

struct frt_function {
    const frt_downcall *downcall; /* kept */
    void *target;
    frt_session session; /* of the library */
    struct frti_variadics variadics;
    frt_link_options options; /* as it was linked */
    size_t bytes;
    char name[];
};

/* Holds the function's library and calls through `downcall`.
 *   -> as frt_call */
frt_status frti_function_run(const frt_function *function,
                             const frt_downcall *downcall,
                             frt_call_state *state, void *result,
                             void *const *arguments);

#endif
