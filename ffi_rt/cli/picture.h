/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Pictures of layouts: members, holes and classes, as text or JSON.
 */
#ifndef FRTI_CLI_PICTURE_H
#define FRTI_CLI_PICTURE_H

#include <stdbool.h>

#include "ffi_rt/ffi_rt.h"

/* A struct, union or array of them: what a picture is worth drawing of. */
bool frti_picture_is_worth(const frt_layout *layout);

/* Size, alignment and class, then a line a member, with nested ones. */
void frti_picture_print(const frt_layout *layout);
/* One JSON object. */
void frti_picture_print_json(const frt_layout *layout);

/* A layout's C text between `quote`s of its own JSON escapes. */
void frti_picture_print_json_type(const frt_layout *layout);

/* A type in a few words: a tagged struct by its tag; "..." ends one that is
 * longer than the buffer. */
void frti_picture_name(char *buffer, size_t capacity, const frt_layout *layout);

#endif
