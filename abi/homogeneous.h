/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Homogeneous aggregates: one to four members of one floating-point type (HFA)
 * or short vector size (HVA), nested and in arrays too.
 *
 * Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 2023Q3,
 * section 5.9.5.
 */
#ifndef FRTI_ABI_HOMOGENEOUS_H
#define FRTI_ABI_HOMOGENEOUS_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

struct frti_homogeneous {
    const frt_layout *element;
    size_t size;  /* of an element */
    size_t count; /* 1 to 4 */
};

bool frti_homogeneous_of(struct frti_homogeneous *out,
                         const frt_layout *layout);

/* A floating-point value or a vector of 8 or 16 bytes. */
bool frti_homogeneous_is_element(const frt_layout *layout);

#endif
