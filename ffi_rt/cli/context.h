/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What a signal handler can know of the machine it interrupted. The build
 * chooses context_<cpu>.c, or context_none.c.
 */
#ifndef FRTI_CLI_CONTEXT_H
#define FRTI_CLI_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct frti_context {
    bool is_known;         /* or the rest is 0 */
    uintptr_t instruction; /* where it was */
    uintptr_t stack;       /* the stack pointer */
};
/* `context` is the handler's third argument. */
struct frti_context frti_context_of(const void *context);

#endif
