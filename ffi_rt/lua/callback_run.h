/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What a callback is, to those who make it and who run it.
 */
#ifndef FRTI_LUA_CALLBACK_RUN_H
#define FRTI_LUA_CALLBACK_RUN_H

#include "ffi_rt/lua/call.h"

/* What a callback holds, by index, in the table that `ref` is of. A call under
 * way has the table on its stack, so that it may free its own callback. */
enum {
    FRTI_CALLBACK_FUNCTION = 1,
    FRTI_CALLBACK_ITSELF,
    FRTI_CALLBACK_RESULT, /* the last one that C may still look at, and */
    FRTI_CALLBACK_KEPT    /* the value of the default one, if there are such */
};

struct frti_callback {
    struct frti_module *m;
    const struct frti_call *call;  /* types of the parameters and the result */
    const struct frti_ctype *type; /* of the pointer */
    uint64_t sharer; /* the thread with which it is shared; 0: it is not */
    int ref;
    bool is_plain;
    frt_upcall upcall;
};

/* Whether its parameters become Lua values without memory. */
bool frti_callback_is_plain(const struct frti_call *call);

/* The handler of the upcalls; a struct frti_callback is the context. */
frt_status frti_callback_handle(void *context, void *result,
                                void *const *arguments);

#endif
