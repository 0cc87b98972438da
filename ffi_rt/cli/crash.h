/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A crash: noted down by a signal handler in the process that crashes, told by
 * another one that did not.
 */
#ifndef FRTI_CLI_CRASH_H
#define FRTI_CLI_CRASH_H

#include "ffi_rt/cli/text.h"

#include <signal.h>
#include <stdint.h>

struct frti_crash {
    volatile sig_atomic_t is_known; /* all that follows has been written */
    int signal;
    int code;          /* si_code */
    uintptr_t address; /* that could not be used */
    bool has_instruction;
    uintptr_t instruction; /* where it was */
    bool is_overflow;      /* the stack has no room left */
    uintptr_t file_offset; /* of the instruction in `path` */
    char path[512];        /* "": no file is mapped there */
};

/* Notes the next crash of this process in `crash`, which is shared with the
 * process that will tell it. */
void frti_crash_watch(struct frti_crash *crash);

/* "SIGSEGV (invalid memory reference at 0x0) in libc.so.6 near strlen+0x1d".
 * `name` and `function`: what was called, if it lies near. */
void frti_crash_tell(struct frti_text *text, const struct frti_crash *crash,
                     const char *name, uintptr_t function);

/* "SIGSEGV" */
void frti_signal_tell(struct frti_text *text, int number);

#endif
