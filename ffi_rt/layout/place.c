/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Members, and the paths that lead to them. */
#include <string.h>

#include "ffi_rt/base/bits.h"
#include "ffi_rt/layout/layout.h"

/* A path that is being followed, and the place so far. */
struct walk {
    const char *path;
    const char *rest;
    frt_place place;
};

static bool
layout_has_members(const frt_layout *layout)
{
    return layout->kind == FRT_KIND_STRUCT || layout->kind == FRT_KIND_UNION;
}

frt_status
frt_layout_member(frt_place *out, const frt_layout *layout, size_t index)
{
    struct frti_layout_text text;

    if (out == NULL)
        return frti_null_argument("out");
    if (layout == NULL)
        return frti_null_argument("layout");
    if (layout->members == NULL)
        return frti_fail(FRT_OUT_OF_BOUNDS,
                         "member %zu of '%s', which has none", index,
                         frti_layout_text(&text, layout));
    if (index >= layout->count)
        return frti_fail(FRT_OUT_OF_BOUNDS, "member %zu of '%s', which has %zu",
                         index, frti_layout_text(&text, layout), layout->count);
    *out = layout->members[index];
    return FRT_OK;
}

static bool
member_is_named(const frt_place *member, const char *name, size_t length)
{
    return member->name != NULL && strncmp(member->name, name, length) == 0 &&
           member->name[length] == '\0';
}

bool
frti_layout_member_named(frt_place *out, const frt_layout *layout,
                         const char *name, size_t name_length)
{
    if (layout->name_count == 0)
        return false;
    for (size_t i = 0; i < layout->count; i++) {
        const frt_place *member = &layout->members[i];

        if (member_is_named(member, name, name_length)) {
            *out = *member;
            return true;
        }
        if (member->name == NULL && layout_has_members(member->layout) &&
            frti_layout_member_named(out, member->layout, name, name_length)) {
            out->offset += member->offset;
            out->is_const |= member->is_const;
            return true;
        }
    }
    return false;
}

static frt_status
walk_syntax(const struct walk *walk, const char *fault)
{
    return frti_fail(FRT_BAD_ARGUMENT, "the path '%s', at '%s': %s", walk->path,
                     walk->rest, fault);
}

static frt_status
walk_member(struct walk *walk)
{
    const frt_layout *layout = walk->place.layout;
    size_t length = strcspn(walk->rest, ".[]");
    struct frti_layout_text text;
    frt_place member;

    if (length == 0)
        return walk_syntax(walk, "a member's name is missing");
    if (!layout_has_members(layout) || !layout->is_complete)
        return frti_fail(FRT_NOT_FOUND,
                         "the path '%s': '%s' has no members, so no '%.*s'",
                         walk->path, frti_layout_text(&text, layout),
                         (int)length, walk->rest);
    if (!frti_layout_member_named(&member, layout, walk->rest, length))
        return frti_fail(FRT_NOT_FOUND, "the path '%s': no '%.*s' in '%s'",
                         walk->path, (int)length, walk->rest,
                         frti_layout_text(&text, layout));
    member.offset += walk->place.offset;
    member.is_const |= walk->place.is_const;
    walk->place = member;
    walk->rest += length;
    return FRT_OK;
}

/* Digits and a ']'; false in *fits: over what a size can be. */
static frt_status
walk_read_index(size_t *out, bool *fits, struct walk *walk)
{
    const char *digit = walk->rest;
    size_t index = 0;

    *fits = true;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        *fits = *fits && frti_multiply(&index, index, 10) &&
                frti_add(&index, index, (size_t)(*digit - '0'));
    if (digit == walk->rest)
        return walk_syntax(walk, "an index is missing");
    if (*digit != ']')
        return walk_syntax(walk, "a ']' is missing");
    walk->rest = digit + 1;
    *out = index;
    return FRT_OK;
}

static frt_status
walk_index(struct walk *walk)
{
    const frt_layout *array = walk->place.layout;
    struct frti_layout_text text;
    frt_status status;
    size_t offset;
    size_t index = 0;
    bool fits;
    const char *digits = ++walk->rest;

    status = walk_read_index(&index, &fits, walk);
    if (status != FRT_OK)
        return status;
    if (array->kind != FRT_KIND_ARRAY && array->kind != FRT_KIND_VECTOR)
        return frti_fail(FRT_NOT_FOUND,
                         "the path '%s': '%s' is no array, so it has no "
                         "[%.*s",
                         walk->path, frti_layout_text(&text, array),
                         (int)(walk->rest - digits), digits);
    if (!fits || index >= array->count ||
        !frti_multiply(&offset, index, array->element->size) ||
        !frti_add(&offset, offset, walk->place.offset) || offset > PTRDIFF_MAX)
        return frti_fail(FRT_OUT_OF_BOUNDS,
                         "the path '%s': [%.*s is outside of '%s'", walk->path,
                         (int)(walk->rest - digits), digits,
                         frti_layout_text(&text, array));
    walk->place = (frt_place){.layout = array->element,
                              .offset = offset,
                              .is_const = walk->place.is_const};
    return FRT_OK;
}

static frt_status
walk_step(struct walk *walk)
{
    if (*walk->rest == '[')
        return walk_index(walk);
    if (walk->rest != walk->path) {
        if (*walk->rest != '.')
            return walk_syntax(walk, "a '.' or '[' is missing");
        walk->rest++;
    }
    return walk_member(walk);
}

frt_status
frt_layout_find(frt_place *out, const frt_layout *layout, const char *path)
{
    struct walk walk = {.path = path, .rest = path, .place.layout = layout};

    if (out == NULL)
        return frti_null_argument("out");
    if (layout == NULL)
        return frti_null_argument("layout");
    if (path == NULL)
        return frti_null_argument("path");
    while (*walk.rest != '\0') {
        frt_status status = walk_step(&walk);

        if (status != FRT_OK)
            return status;
    }
    *out = walk.place;
    return FRT_OK;
}
