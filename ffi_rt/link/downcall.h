/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Downcalls: a descriptor, linked once.
 *
 * The public part, the entries, is inside; the pool finds the whole by what
 * makes it (descriptor, backend, mark). An entry takes the steps that its
 * descriptor needs: check, hold, frame, run, keep errno, done.
 */
#ifndef FRTI_LINK_DOWNCALL_H
#define FRTI_LINK_DOWNCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "ffi_rt/base/pool.h"
#include "ffi_rt/ffi_rt.h"

/* What a segment parameter asks of its argument. */
struct frti_segment_rule {
    size_t index;       /* of the parameter */
    size_t size;        /* bytes that a segment which is not empty must hold */
    size_t least;       /* the same; but 1 at least, if it may not be empty */
    uintptr_t mask;     /* bits of an address that is not aligned */
    uint32_t forbidden; /* flags that it may not have */
    bool is_required;   /* an empty segment does not do */
};

struct frti_downcall {
    struct frti_shared shared;
    frt_downcall head;
    const frt_descriptor *descriptor; /* kept */
    frt_backend asked;                /* AUTO, LIBFFI or STUB */
    bool is_blocking;
    const struct frti_backend *backend;
    struct frti_call *call;
    frt_entry *direct;  /* the stub; NULL: the backend runs it */
    size_t scratch;     /* bytes that a run needs */
    bool gives_segment; /* the result is one */
    size_t pointee;     /* of a segment result: its size */
    bool is_const;      /* of a segment result: not to be written */
    size_t rule_count;
    struct frti_segment_rule rules[];
};

static inline const struct frti_downcall *
frti_downcall_of(const frt_downcall *downcall)
{
    return (const struct frti_downcall *)((const char *)downcall -
                                          offsetof(struct frti_downcall, head));
}

/* The entries, chosen by whether there are segments (enter.c). */
void frti_downcall_set_entries(struct frti_downcall *downcall);

/* What FRT_BACKEND_AUTO means by the environment or the build: it may still be
 * AUTO, the stub where it can be had (backend.c).
 *   -> BAD_ARGUMENT (the environment's word) */
frt_status frti_backend_choose(frt_backend *out, frt_backend asked);
const struct frti_backend *frti_backend_of(frt_backend kind);

#endif
