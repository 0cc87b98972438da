/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/homogeneous.h"

#define HOMOGENEOUS_MOST 4

/* Walks the members; `out->element` NULL: none seen yet. */
static bool homogeneous_walk(struct frti_homogeneous *out,
                             const frt_layout *layout);

bool
frti_homogeneous_is_element(const frt_layout *layout)
{
    if (frt_layout_kind(layout) == FRT_KIND_VECTOR)
        return frt_layout_size(layout) == 8 || frt_layout_size(layout) == 16;
    return frt_layout_is_floating(layout) &&
           frt_layout_kind(layout) != FRT_KIND_COMPLEX;
}

/* Two vectors of one size are the same, and so are two floating types: a long
 * double is a _Float128 where it is as long. */
static bool
homogeneous_is_same(const frt_layout *one, const frt_layout *other)
{
    return (frt_layout_kind(one) == FRT_KIND_VECTOR) ==
               (frt_layout_kind(other) == FRT_KIND_VECTOR) &&
           frt_layout_size(one) == frt_layout_size(other);
}

static bool
homogeneous_add(struct frti_homogeneous *out, const frt_layout *element,
                size_t count)
{
    if (out->element != NULL && !homogeneous_is_same(out->element, element))
        return false;
    out->element = element;
    out->size = frt_layout_size(element);
    out->count += count;
    return out->count <= HOMOGENEOUS_MOST;
}

static bool
homogeneous_walk_array(struct frti_homogeneous *out, const frt_layout *layout)
{
    size_t count = frt_layout_count(layout);
    const frt_layout *element = frt_layout_element(layout);

    /* gcc and clang: one without elements ends it, whatever they are */
    if (!frt_layout_is_complete(layout) || count == 0)
        return false;
    if (frt_layout_size(element) == 0)
        return homogeneous_walk(out, element);
    if (count > HOMOGENEOUS_MOST)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!homogeneous_walk(out, element))
            return false;
    return true;
}

/* Members in a row add up; the members of a union stand for the longest. */
static bool
homogeneous_walk_members(struct frti_homogeneous *out, const frt_layout *layout)
{
    bool is_union = frt_layout_kind(layout) == FRT_KIND_UNION;
    size_t before = out->count;
    size_t most = before;

    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return false;
        if (frt_layout_kind(place.layout) == FRT_KIND_PADDING)
            continue; /* a hole of some size shows in the whole's */
        /* of width 0: not seen in a struct by gcc, by clang for C++ alone */
        if (!is_union && frt_layout_kind(place.layout) == FRT_KIND_BIT_FIELD &&
            frt_layout_count(place.layout) == 0)
            continue;
        if (is_union)
            out->count = before;
        if (!homogeneous_walk(out, place.layout))
            return false;
        most = out->count > most ? out->count : most;
    }
    out->count = most;
    return true;
}

static bool
homogeneous_walk(struct frti_homogeneous *out, const frt_layout *layout)
{
    switch (frt_layout_kind(layout)) {
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        return homogeneous_walk_members(out, layout);
    case FRT_KIND_ARRAY:
        return homogeneous_walk_array(out, layout);
    case FRT_KIND_COMPLEX:
        return homogeneous_add(out, frt_layout_element(layout), 2);
    default:
        return frti_homogeneous_is_element(layout) &&
               homogeneous_add(out, layout, 1);
    }
}

/* gcc takes what is nothing but a complex number for one, though it may have
 * members of no size that are not homogeneous. NULL: it is not. */
static const frt_layout *
homogeneous_lone_complex(const frt_layout *layout)
{
    const frt_layout *inner = layout;

    if (frt_layout_kind(layout) == FRT_KIND_COMPLEX)
        return layout;
    if (frt_layout_kind(layout) == FRT_KIND_ARRAY &&
        frt_layout_count(layout) == 1)
        return homogeneous_lone_complex(frt_layout_element(layout));
    if (frt_layout_kind(layout) != FRT_KIND_STRUCT)
        return NULL;
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return NULL;
        if (frt_layout_size(place.layout) == frt_layout_size(layout))
            inner = place.layout;
        else if (frt_layout_size(place.layout) != 0)
            return NULL;
    }
    return inner == layout ? NULL : homogeneous_lone_complex(inner);
}

bool
frti_homogeneous_of(struct frti_homogeneous *out, const frt_layout *layout)
{
    const frt_layout *complex = homogeneous_lone_complex(layout);
    struct frti_homogeneous found = {0};

    if (complex != NULL)
        layout = complex;
    if (!homogeneous_walk(&found, layout) || found.count == 0 ||
        found.count * found.size != frt_layout_size(layout))
        return false;
    *out = found;
    return true;
}
