/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Our own text, mapped again.
 *
 * Code of this library that reaches its data by distance can be had once more
 * without generating anything: the pages of our own file are mapped a second
 * time, with fresh zeroed memory at the same distance.
 *
 *     | code ...  the rest of the library ... data |
 *     | code again                 (nothing)  zero |
 */
#ifndef FRTI_BASE_OWN_TEXT_H
#define FRTI_BASE_OWN_TEXT_H

#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

struct frti_own_part {
    const void *address;
    size_t size;
};

/* *out is how far the second code is from the first; so far is its data from
 * the first data. It stays for good.
 *   -> NO_CODE_MEMORY (the system refuses, or the file is another by now) */
frt_status frti_own_text_again(ptrdiff_t *out, struct frti_own_part code,
                               struct frti_own_part data);

#endif
