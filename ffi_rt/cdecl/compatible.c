/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Whether two declarations of one name agree.
 *
 * Layouts are interned, so two that are equal are mostly one pointer. They are
 * not where a struct was incomplete when the first was made: then what they are
 * made of is compared. Parts nest at most as deep as the layout floor lets
 * them, but may be shared: a comparison that takes too many steps says no.
 */
#include <string.h>

#include "ffi_rt/cdecl/parser.h"

#define COMPATIBLE_STEPS 10000

static bool layouts_agree(const frt_layout *one, const frt_layout *other,
                          size_t *steps);

static bool
texts_agree(const char *one, const char *other)
{
    return one == other ||
           (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static bool
members_agree(const frt_layout *one, const frt_layout *other, size_t *steps)
{
    if (frt_layout_count(one) != frt_layout_count(other))
        return false;
    for (size_t i = 0; i < frt_layout_count(one); i++) {
        frt_place a;
        frt_place b;

        if (frt_layout_member(&a, one, i) != FRT_OK ||
            frt_layout_member(&b, other, i) != FRT_OK || a.offset != b.offset ||
            a.bit_offset != b.bit_offset || a.bit_width != b.bit_width ||
            !texts_agree(a.name, b.name) ||
            !layouts_agree(a.layout, b.layout, steps))
            return false;
    }
    return true;
}

static bool
tagged_agree(const frt_layout *one, const frt_layout *other, size_t *steps)
{
    if (!texts_agree(frt_layout_tag(one), frt_layout_tag(other)))
        return false;
    if (!frt_layout_is_complete(one) || !frt_layout_is_complete(other))
        return true;
    return frt_layout_size(one) == frt_layout_size(other) &&
           frt_layout_alignment(one) == frt_layout_alignment(other) &&
           members_agree(one, other, steps);
}

static bool
descriptors_agree(const frt_descriptor *one, const frt_descriptor *other,
                  size_t *steps)
{
    size_t count = frt_descriptor_count(one);

    if (count != frt_descriptor_count(other) ||
        frt_descriptor_is_variadic(one) != frt_descriptor_is_variadic(other) ||
        !layouts_agree(frt_descriptor_result(one), frt_descriptor_result(other),
                       steps))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!layouts_agree(frt_descriptor_parameter(one, i),
                           frt_descriptor_parameter(other, i), steps))
            return false;
    return true;
}

/* `void *` with its pointee, which may be NULL. */
static bool
pointers_agree(const frt_layout *one, const frt_layout *other, size_t *steps)
{
    const frt_layout *a = frt_layout_element(one);
    const frt_layout *b = frt_layout_element(other);

    if (frt_layout_is_const(one) != frt_layout_is_const(other))
        return false;
    return a == NULL || b == NULL ? a == b : layouts_agree(a, b, steps);
}

static bool
arrays_agree(const frt_layout *one, const frt_layout *other, size_t *steps)
{
    size_t a = frt_layout_count(one);
    size_t b = frt_layout_count(other);

    return (a == b || a == FRT_FLEXIBLE || b == FRT_FLEXIBLE) &&
           layouts_agree(frt_layout_element(one), frt_layout_element(other),
                         steps);
}

/* An enum is compatible with the type that it is stored in. */
static bool
enums_agree(const frt_layout *one, const frt_layout *other)
{
    if (frt_layout_kind(one) != FRT_KIND_ENUM)
        return frt_layout_element(other) == one;
    if (frt_layout_kind(other) != FRT_KIND_ENUM)
        return frt_layout_element(one) == other;
    return texts_agree(frt_layout_tag(one), frt_layout_tag(other));
}

static bool
layouts_agree(const frt_layout *one, const frt_layout *other, size_t *steps)
{
    frt_kind kind = frt_layout_kind(one);

    if (one == other)
        return true;
    if (*steps == 0)
        return false;
    --*steps;
    if (kind == FRT_KIND_ENUM || frt_layout_kind(other) == FRT_KIND_ENUM)
        return enums_agree(one, other);
    if (kind != frt_layout_kind(other))
        return false;
    switch (kind) {
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        return pointers_agree(one, other, steps);
    case FRT_KIND_ARRAY:
        return arrays_agree(one, other, steps);
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        return tagged_agree(one, other, steps);
    case FRT_KIND_BIT_FIELD:
        return layouts_agree(frt_layout_element(one), frt_layout_element(other),
                             steps);
    case FRT_KIND_FUNCTION:
        return descriptors_agree(frt_layout_descriptor(one),
                                 frt_layout_descriptor(other), steps);
    default: /* aligned as its typedef says, maybe, which changes no type */
        return frt_layout_size(one) == frt_layout_size(other) &&
               kind <= FRT_KIND_FLOAT128;
    }
}

bool
frti_layouts_agree(const frt_layout *one, const frt_layout *other)
{
    size_t steps = COMPATIBLE_STEPS;

    return layouts_agree(one, other, &steps);
}

static bool
functions_agree(const struct frti_function *one,
                const struct frti_function *other)
{
    const struct frti_parameter *a = one->parameters;
    const struct frti_parameter *b = other->parameters;

    if (!frti_types_agree(&one->result, &other->result))
        return false;
    if (one->is_unspecified || other->is_unspecified)
        return true;
    if (one->count != other->count || one->is_variadic != other->is_variadic)
        return false;
    for (; a != NULL; a = a->next, b = b->next)
        if (!frti_types_agree(&a->type, &b->type))
            return false;
    return true;
}

bool
frti_types_agree(const struct frti_type *one, const struct frti_type *other)
{
    if (one->function != NULL || other->function != NULL)
        return one->function != NULL && other->function != NULL &&
               functions_agree(one->function, other->function);
    return one->is_code || other->is_code ||
           frti_layouts_agree(one->layout, other->layout);
}
