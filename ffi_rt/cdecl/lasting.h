/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What outlives one text: names, what they mean, and the layouts in it.
 *
 * A mark is a state to go back to. Names once seen stay: they mean nothing by
 * themselves. A binding of an earlier text that is changed is remembered as it
 * was until the text is committed.
 */
#ifndef FRTI_CDECL_LASTING_H
#define FRTI_CDECL_LASTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/cdecl/names.h"
#include "ffi_rt/cdecl/store.h"

struct frti_kept;

struct frti_change {
    struct frti_change *next;
    struct frti_binding *binding;
    struct frti_binding before;
};

struct frti_lasting {
    struct frti_store store;
    struct frti_names names;
    struct frti_kept *kept;      /* layouts, newest block first */
    struct frti_change *changes; /* since the mark, newest first */
    uint32_t aggregates;         /* numbered, to find members of one name */
};

struct frti_lasting_mark {
    struct frti_binding *newest;
    struct frti_kept *kept;
    size_t kept_count;
};

void frti_lasting_init(struct frti_lasting *lasting);
void frti_lasting_fini(struct frti_lasting *lasting);

/* Takes over a reference to the layout; false: no memory. */
bool frti_lasting_keep(struct frti_lasting *lasting, const frt_layout *layout);
/* False: no memory. */
bool frti_lasting_remember(struct frti_lasting *lasting,
                           struct frti_binding *binding);

struct frti_lasting_mark frti_lasting_mark(struct frti_lasting *lasting);
void frti_lasting_back(struct frti_lasting *lasting,
                       const struct frti_lasting_mark *mark);

#endif
