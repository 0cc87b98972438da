/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What a signal handler can know of the machine it interrupted. The build
 * chooses context_<cpu>.c, or context_none.c.
 */
#ifndef FRTI_CLI_CONTEXT_H
#define FRTI_CLI_CONTEXT_H

#include <stdint.h>

/* 0: not known. `context` is the handler's third argument. */
struct frti_context {
    uintptr_t instruction; /* where it was */
    uintptr_t stack;       /* the stack pointer */
};
struct frti_context frti_context_of(const void *context);

#endif
