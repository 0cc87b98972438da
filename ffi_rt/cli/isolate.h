/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A task in a child process, so that this one outlives what it calls.
 *
 * Both share the exchange: the child writes into it, the parent reads when the
 * child has ended, and prints. So a task needs no descriptor, no lock and no
 * memory that a called function could have spoilt, and its own output comes
 * before ours.
 */
#ifndef FRTI_CLI_ISOLATE_H
#define FRTI_CLI_ISOLATE_H

#include "ffi_rt/cli/crash.h"
#include "ffi_rt/cli/text.h"

#include <sys/types.h>

struct frti_exchange {
    /* What the task is doing, to say if it ends in it. `is_called`: in the
     * function whose name and address these are. */
    char subject[512];
    char name[256];
    uintptr_t function;
    bool is_called;
    pid_t process; /* that runs the task */
    struct frti_crash crash;
    int code; /* the exit status of a task that is done */
    bool is_done;
    struct frti_text text; /* DONE: for standard output. Else a sentence. */
};

/* Returns the exit status; its text is in exchange->text. */
typedef int frti_task(struct frti_exchange *exchange, void *context);

/* Runs the task, in a child if `is_isolated`, and prints its text. The exit
 * status. */
int frti_isolate(frti_task *task, void *context, bool is_isolated);

void frti_exchange_subject(struct frti_exchange *exchange, const char *format,
                           ...) __attribute__((format(printf, 2, 3)));

/* A called function may have forked. The copy that it made has nothing to say
 * and ends here. */
void frti_exchange_end_copy(const struct frti_exchange *exchange);

#endif
