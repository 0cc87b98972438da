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

struct frti_holding;

/* Holds the function's library; frti_holding_end releases it, whatever this
 * gives.   -> CLOSED, WRONG_THREAD, TOO_MANY_HOLDS, NO_MEMORY */
frt_status frti_function_hold(struct frti_holding *holding,
                              const frt_function *function);

/* All that is needed is given: BAD_ARGUMENT if not. */
frt_status frti_function_check(const frt_function *function, const void *result,
                               void *const *arguments, size_t count);

/* Calls. The library is held.   -> as frt_call */
frt_status frti_function_run_held(const frt_function *function, void *result,
                                  void *const *arguments);

/* Holds the function's library and calls through `downcall`.
 *   -> as frt_call */
frt_status frti_function_run(const frt_function *function,
                             const frt_downcall *downcall,
                             frt_call_state *state, void *result,
                             void *const *arguments);

#endif
