/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * When two types are one to Lua. Layouts are the same pointer for the same
 * type of C, but a user of this module takes long and long long for one, and
 * the struct that was completed for the one that was not.
 */
#include "ffi_rt/lua/ctype.h"

#include <string.h>

static bool
same_tag(const frt_layout *one, const frt_layout *other)
{
    const char *tag = frt_layout_tag(one), *other_tag = frt_layout_tag(other);

    if (frt_layout_is_complete(one) && frt_layout_is_complete(other))
        return false;
    return tag != NULL && other_tag != NULL && strcmp(tag, other_tag) == 0;
}

static bool
same_number(const frt_layout *one, const frt_layout *other)
{
    frt_kind kind = frt_layout_kind(one), other_kind = frt_layout_kind(other);

    if (kind == FRT_KIND_ENUM || other_kind == FRT_KIND_ENUM ||
        kind == FRT_KIND_BOOL || other_kind == FRT_KIND_BOOL)
        return false;
    return frt_layout_is_integer(one) && frt_layout_is_integer(other) &&
           frt_layout_size(one) == frt_layout_size(other) &&
           frt_layout_is_signed(one) == frt_layout_is_signed(other);
}

bool
frti_layout_same(const frt_layout *one, const frt_layout *other)
{
    if (one == other)
        return true;
    if (one == NULL || other == NULL)
        return (one == NULL ? other : one) == FRT_VOID;
    if (frt_layout_is_integer(one))
        return same_number(one, other);
    if (frt_layout_kind(one) != frt_layout_kind(other))
        return false;
    switch (frt_layout_kind(one)) {
    case FRT_KIND_POINTER:
        return frt_layout_is_const(one) == frt_layout_is_const(other) &&
               frti_layout_same(frt_layout_element(one),
                                frt_layout_element(other));
    case FRT_KIND_ARRAY:
    case FRT_KIND_VECTOR:
        return frt_layout_count(one) == frt_layout_count(other) &&
               frti_layout_same(frt_layout_element(one),
                                frt_layout_element(other));
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        return same_tag(one, other);
    default:
        return false;
    }
}

bool
frti_ctype_same(const struct frti_ctype *one, const struct frti_ctype *other)
{
    return one == other || frti_layout_same(one->layout, other->layout);
}

static bool
fits_number(const frt_layout *to, const frt_layout *from)
{
    bool is_floating = frt_layout_is_floating(to);

    return is_floating == frt_layout_is_floating(from) &&
           (is_floating || frt_layout_is_integer(to)) &&
           (is_floating || frt_layout_is_integer(from)) &&
           (frt_layout_kind(to) == FRT_KIND_BOOL) ==
               (frt_layout_kind(from) == FRT_KIND_BOOL) &&
           frt_layout_size(to) == frt_layout_size(from);
}

/* As LuaJIT has it: the sign of what is pointed to does not count, and of a
 * function nothing but how many parameters it has. */
static bool
fits(const frt_layout *to, const frt_layout *from)
{
    frt_kind kind;

    if (frti_layout_same(to, from))
        return true;
    if (to == NULL || from == NULL)
        return false;
    if (fits_number(to, from))
        return true;
    kind = frt_layout_kind(to);
    if (kind != frt_layout_kind(from))
        return false;
    if (kind == FRT_KIND_POINTER)
        return (frt_layout_is_const(to) || !frt_layout_is_const(from)) &&
               fits(frt_layout_element(to), frt_layout_element(from));
    if (kind == FRT_KIND_ARRAY)
        return (frt_layout_count(to) == frt_layout_count(from) ||
                frt_layout_count(to) == FRT_FLEXIBLE ||
                frt_layout_count(from) == FRT_FLEXIBLE) &&
               fits(frt_layout_element(to), frt_layout_element(from));
    return kind == FRT_KIND_FUNCTION &&
           frt_descriptor_count(frt_layout_descriptor(to)) ==
               frt_descriptor_count(frt_layout_descriptor(from));
}

static bool
is_void(const frt_layout *layout)
{
    return layout == NULL || frt_layout_kind(layout) == FRT_KIND_VOID;
}

/* `void` stands for anything, but not below: a `void **` is no `char **`. */
bool
frti_pointee_fits(const frt_layout *to, const frt_layout *from)
{
    return is_void(to) || is_void(from) || fits(to, from);
}
