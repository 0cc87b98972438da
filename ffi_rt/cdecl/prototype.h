/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A function's descriptor with the names that its declaration has. */
#ifndef FRTI_CDECL_PROTOTYPE_H
#define FRTI_CDECL_PROTOTYPE_H

#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

struct frt_prototype {
    size_t bytes;        /* of this block: the struct, then the texts */
    frt_prototype *next; /* of a declaration set, which owns it */
    const frt_descriptor *descriptor;
    const char *name;
    const char *symbol;
    size_t count;
    const char *parameters[]; /* names; NULL: none */
};

#endif
