/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/lasting.h"

#define LASTING_KEPT 62

struct frti_kept {
    struct frti_kept *next;
    size_t count;
    const frt_layout *layouts[LASTING_KEPT];
};

void
frti_lasting_init(struct frti_lasting *lasting)
{
    *lasting = (struct frti_lasting){.kept = NULL};
    frti_names_init(&lasting->names, NULL, &lasting->store);
}

/* Drops layouts, newest first, until `block` has only `count` left. */
static void
lasting_drop(struct frti_lasting *lasting, struct frti_kept *block,
             size_t count)
{
    while (lasting->kept != NULL) {
        struct frti_kept *kept = lasting->kept;
        size_t left = kept == block ? count : 0;

        while (kept->count > left)
            frt_layout_drop(kept->layouts[--kept->count]);
        if (kept == block)
            return;
        lasting->kept = kept->next;
    }
}

void
frti_lasting_fini(struct frti_lasting *lasting)
{
    lasting_drop(lasting, NULL, 0);
    frti_names_fini(&lasting->names);
    frti_store_fini(&lasting->store);
}

bool
frti_lasting_keep(struct frti_lasting *lasting, const frt_layout *layout)
{
    struct frti_kept *kept = lasting->kept;

    if (kept == NULL || kept->count == LASTING_KEPT) {
        kept = frti_store_take(&lasting->store, sizeof *kept);
        if (kept == NULL)
            return false;
        kept->next = lasting->kept;
        lasting->kept = kept;
    }
    kept->layouts[kept->count++] = layout;
    return true;
}

bool
frti_lasting_remember(struct frti_lasting *lasting,
                      struct frti_binding *binding)
{
    struct frti_change *change =
        frti_store_take(&lasting->store, sizeof *change);

    if (change == NULL)
        return false;
    change->next = lasting->changes;
    change->binding = binding;
    change->before = *binding;
    lasting->changes = change;
    return true;
}

struct frti_lasting_mark
frti_lasting_mark(struct frti_lasting *lasting)
{
    struct frti_kept *kept = lasting->kept;

    lasting->changes = NULL;
    return (struct frti_lasting_mark){.newest = lasting->names.newest,
                                      .kept = kept,
                                      .kept_count =
                                          kept == NULL ? 0 : kept->count};
}

void
frti_lasting_back(struct frti_lasting *lasting,
                  const struct frti_lasting_mark *mark)
{
    for (; lasting->changes != NULL; lasting->changes = lasting->changes->next)
        *lasting->changes->binding = lasting->changes->before;
    frti_unbind(&lasting->names, mark->newest);
    lasting_drop(lasting, mark->kept, mark->kept_count);
}
