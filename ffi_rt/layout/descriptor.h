/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Descriptors from the inside: one block, interned as layouts are. */
#ifndef FRTI_LAYOUT_DESCRIPTOR_H
#define FRTI_LAYOUT_DESCRIPTOR_H

#include "ffi_rt/base/pool.h"
#include "ffi_rt/ffi_rt.h"

struct frt_descriptor {
    struct frti_shared shared;
    const frt_model *model;
    const frt_layout *result; /* never NULL */
    size_t count;
    size_t fixed; /* count, unless it is variadic */
    bool is_variadic;
    unsigned short depth;           /* as a layout's */
    const frt_layout *parameters[]; /* count */
};

/* All that there are. */
extern struct frti_pool frti_descriptors;

#endif
