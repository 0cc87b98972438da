/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The state of `#pragma pack`, as GNU C has it. */
#ifndef FRTI_CDECL_PACK_H
#define FRTI_CDECL_PACK_H

#include <stdbool.h>
#include <stddef.h>

#define FRTI_PACK_DEPTH 128
#define FRTI_PACK_NAME 32

struct frti_pack_entry {
    size_t limit;
    char name[FRTI_PACK_NAME]; /* of `push, name`; cut where longer */
};

struct frti_pack {
    size_t limit; /* alignment of members at most; 0: natural */
    size_t depth;
    struct frti_pack_entry pushed[FRTI_PACK_DEPTH];
};

/* What stands in the parentheses of one `pack(...)`, up to `end`. NULL: done;
 * otherwise the sentence of what is wrong, and nothing is changed. */
const char *frti_pack_change(struct frti_pack *pack, const char *arguments,
                             const char *end);

#endif
