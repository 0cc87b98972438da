/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call, as the command line asks for it.
 */
#ifndef FRTI_CLI_CALL_H
#define FRTI_CLI_CALL_H

#include "ffi_rt/cli/isolate.h"
#include "ffi_rt/ffi_rt.h"

struct frti_call_request {
    char **libraries; /* in the order in which symbols are looked for */
    int library_count;
    frt_backend backend;
    bool is_json;
    bool wants_errno;
    bool is_isolated;
    bool wants_help;
    const char *prototype; /* with headers: or the function's name alone */
    frt_decls *decls;      /* of the headers; NULL: none */
    char **arguments;
    size_t argument_count;
};

/* The task of a call; `context` is its request. */
int frti_call_perform(struct frti_exchange *exchange, void *context);

#endif
