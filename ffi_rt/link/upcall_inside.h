/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What a thread knows of its calls: the upcalls that it is inside of, and the
 * failures that no downcall has raised.
 *
 * A downcall by frt_function marks how many failures were pending when it
 * began; when it returns and there are more, it raises the last sentence.
 */
#ifndef FRTI_LINK_UPCALL_INSIDE_H
#define FRTI_LINK_UPCALL_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/upcall.h"

/* A session that a call holds; its life is the one that it is in meanwhile. */
struct frti_inside_hold {
    struct frti_stripe *stripe; /* NULL: confined, or on the shared counter */
    struct frti_session *slot;  /* NULL: none, and no stripe */
};

/* One call, on the stack of its thread. */
struct frti_inside {
    struct frti_upcall *upcall;    /* NULL: it did not get in */
    struct frti_inside *up;        /* the call around it */
    struct frti_inside_hold own;   /* none: closed by this thread */
    struct frti_inside_hold arena; /* none: the global arena */
    uint32_t pending;              /* failures when it began */
    int error_number;
    bool sets_errno;
    bool is_retiring; /* closed inside: the slot goes when it ends */
};

/* What a downcall keeps of the one around it. */
struct frti_upcall_mark {
    uint32_t outer;
};

static inline void
frti_upcall_mark(struct frti_upcall_mark *out)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;

    if (here->depth++ == 0 && here->top == NULL)
        here->pending = 0; /* of calls by frt_invoke; nobody asked */
    out->outer = here->mark;
    here->mark = here->pending;
}

FRTI_COLD frt_status frti_upcall_raise_pending(void);

/* What the downcall that marked returns, when it would return `status`.
 *   -> UPCALL_FAILED, if a handler failed meanwhile */
static inline frt_status
frti_upcall_judge(frt_status status)
{
    const struct frti_here_upcalls *here = &frti_here.upcalls;

    if (FRTI_UNLIKELY(here->pending > here->mark) && status == FRT_OK)
        return frti_upcall_raise_pending();
    return status;
}

/* A cleanup: an exception passes, and nobody is told of failures before it.
 * After the outermost nobody is left to be told. */
static inline void
frti_upcall_unmark(const struct frti_upcall_mark *mark)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;

    if (--here->depth == 0)
        here->pending = here->mark;
    here->mark = mark->outer;
}

/* A handler failed, or a call was refused. */
FRTI_COLD void frti_upcall_note_failure(const char *name, frt_status status,
                                        const struct frti_inside *inside);

/* The attach hook, where it did not run on this thread.   -> what it says */
frt_status frti_upcall_attach(bool *is_brief, const frt_thread_hooks *hooks);

/* What the handler said of its failure, if it was that: frt_last_detail(), or
 * the status' general text. */
const char *frti_upcall_sentence(frt_status status);

/* Calls that cannot be answered (upcall_report.c). */

/* It was closed; or its arena was, a moment ago: then `type` is told, and the
 * upcall is held. */
void frti_upcall_late(struct frti_upcall *upcall, const frt_descriptor *type,
                      unsigned char *image);
/* "its owner %s". The upcall is held. */
void frti_upcall_report_thread(const struct frti_upcall *upcall,
                               const char *what);

#endif
