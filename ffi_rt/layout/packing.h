/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Packing: where the model's C compiler puts the next member, and how large
 * and aligned the struct or union gets. Where gcc and clang differ, as gcc.
 */
#ifndef FRTI_LAYOUT_PACKING_H
#define FRTI_LAYOUT_PACKING_H

#include "ffi_rt/layout/layout.h"

struct frti_packing {
    const frt_model *model;
    bool is_union;
    bool is_packed;
    size_t pack; /* #pragma pack, or 0 */

    size_t bytes;     /* taken so far; of a union, by the largest */
    unsigned bits;    /* 0 to 7 more */
    size_t alignment; /* of the whole, so far; 0 is as 1 */
};

/* `member` has its layout and name, and gets its place. False: it would end
 * beyond the largest size. */
bool frti_packing_add(struct frti_packing *packing, frt_place *member);

/* What a member that is no bit-field is aligned to in a struct or union. */
size_t frti_packing_alignment(const frt_layout *member, bool is_packed,
                              size_t pack);

/* The size of the whole, with `alignment` as its final one. */
bool frti_packing_size(size_t *size, const struct frti_packing *packing,
                       size_t alignment);

#endif
