/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/x86_64/x86_64.h"

#include "ffi_rt/base/bits.h"
#include "ffi_rt/layout/layout.h"

/* False as soon as the whole is MEMORY. */
static bool classify_at(struct sysv_classes *classes, const frt_layout *layout,
                        size_t offset);

/* psABI section 3.2.3, "Classification", step 4. */
static enum sysv_class
classify_merge(enum sysv_class one, enum sysv_class other)
{
    if (one == other || other == SYSV_NO_CLASS)
        return one;
    if (one == SYSV_NO_CLASS)
        return other;
    if (one == SYSV_MEMORY || other == SYSV_MEMORY)
        return SYSV_MEMORY;
    if (one == SYSV_INTEGER || other == SYSV_INTEGER)
        return SYSV_INTEGER;
    if (one >= SYSV_X87 || other >= SYSV_X87)
        return SYSV_MEMORY;
    return SYSV_SSE;
}

static bool
classify_add(struct sysv_classes *classes, size_t offset, size_t size,
             enum sysv_class class)
{
    for (size_t i = offset / 8; i <= (offset + size - 1) / 8; i++) {
        if (i >= SYSV_EIGHTBYTES)
            return false;
        classes->of[i] = classify_merge(classes->of[i], class);
    }
    return true;
}

/* A first eightbyte, and another class for those after it. */
static bool
classify_run(struct sysv_classes *classes, size_t offset, size_t size,
             enum sysv_class first, enum sysv_class rest)
{
    size_t head = size < 8 ? size : 8;

    return classify_add(classes, offset, head, first) &&
           (size <= 8 || classify_add(classes, offset + 8, size - 8, rest));
}

/* psABI section 3.2.3, "Classification", step 5, for `count` eightbytes from
 * `first` on. False: MEMORY. */
static bool
classify_clean_up(struct sysv_classes *classes, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        enum sysv_class before =
            i == first ? SYSV_NO_CLASS : classes->of[i - 1];

        if (classes->of[i] == SYSV_MEMORY)
            return false;
        if (classes->of[i] == SYSV_X87UP && before != SYSV_X87)
            return false;
        if (count > 2 && classes->of[i] != (i == first ? SYSV_SSE : SYSV_SSEUP))
            return false;
        if (classes->of[i] == SYSV_SSEUP && before != SYSV_SSE &&
            before != SYSV_SSEUP)
            classes->of[i] = SYSV_SSE;
    }
    return true;
}

/* As gcc has it: the eightbytes of the first element, over and over. Where the
 * array has no elements but begins within an eightbyte, it counts as if one
 * were there. clang classifies each element. */
static bool
classify_array(struct sysv_classes *classes, const frt_layout *layout,
               size_t offset)
{
    const frt_layout *element = frt_layout_element(layout);
    size_t first = offset / 8;
    size_t period = (offset % 8 + frt_layout_size(element) + 7) / 8;
    size_t count = (offset % 8 + frt_layout_size(layout) + 7) / 8;
    struct sysv_classes one = {0};

    if (count == 0 || !frt_layout_is_complete(layout))
        return true;
    if (first + count > SYSV_EIGHTBYTES || first + period > SYSV_EIGHTBYTES ||
        !classify_at(&one, element, offset))
        return false;
    for (size_t i = 0; i < count; i++)
        classes->of[first + i] =
            classify_merge(classes->of[first + i], one.of[first + i % period]);
    return true;
}

/* gcc: one that fills an integer and stands in its place within its struct is
 * that integer, unless it is packed. */
static bool
classify_is_whole(const frt_layout *layout, const frt_place *place)
{
    size_t size = place->bit_width / 8;
    bool is_packed = layout->is_packed || (place->layout->plain != NULL &&
                                           place->layout->alignment == 1);

    return !is_packed && size != 0 && place->bit_width % 8 == 0 &&
           frti_is_power_of_two(size) && place->bit_offset == 0 &&
           place->offset % size == 0;
}

/* Bit-fields are integers in the eightbytes that they touch; one of width 0
 * is not there. Unnamed ones count, in gcc, not in clang. */
static bool
classify_bit_field(struct sysv_classes *classes, const frt_layout *layout,
                   const frt_place *place, size_t offset)
{
    size_t last;

    if (place->bit_width == 0)
        return true;
    if (classify_is_whole(layout, place) &&
        offset % (place->bit_width / 8) != 0)
        return false;
    last = (place->bit_offset + place->bit_width - 1) / 8;
    return classify_add(classes, offset + place->offset, last + 1,
                        SYSV_INTEGER);
}

/* In a union gcc takes each, also one of width 0, for the smallest integer
 * that holds it; that can be misaligned. */
static bool
classify_union_bit_field(struct sysv_classes *classes, const frt_place *place,
                         size_t offset)
{
    size_t size = 1;

    while (size * 8 < place->bit_width)
        size *= 2;
    return offset % size == 0 &&
           classify_add(classes, offset, size, SYSV_INTEGER);
}

static bool
classify_members(struct sysv_classes *classes, const frt_layout *layout,
                 size_t offset)
{
    bool is_union = frt_layout_kind(layout) == FRT_KIND_UNION;

    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;
        bool fits;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return false;
        if (frt_layout_kind(place.layout) != FRT_KIND_BIT_FIELD)
            fits = classify_at(classes, place.layout, offset + place.offset);
        else if (is_union)
            fits = classify_union_bit_field(classes, &place, offset);
        else
            fits = classify_bit_field(classes, layout, &place, offset);
        if (!fits)
            return false;
    }
    return true;
}

/* The members are classified and cleaned up by themselves, then merged with
 * what is around them: psABI section 3.2.3, "Classification", steps 2 to 5. */
static bool
classify_aggregate(struct sysv_classes *classes, const frt_layout *layout,
                   size_t offset)
{
    size_t first = offset / 8;
    size_t count = (offset % 8 + frt_layout_size(layout) + 7) / 8;
    struct sysv_classes inner = {0};

    if (first + count > SYSV_EIGHTBYTES)
        return false;
    if (!classify_members(&inner, layout, offset) ||
        !classify_clean_up(&inner, first, count))
        return false;
    for (size_t i = first; i < first + count; i++)
        classes->of[i] = classify_merge(classes->of[i], inner.of[i]);
    return true;
}

/* Beyond the psABI, which has no vectors under 8 bytes, none of one float and
 * none of two __int128: in gcc the first travel as their elements do, the
 * others in memory. */
static bool
classify_vector(struct sysv_classes *classes, const frt_layout *layout,
                size_t offset)
{
    size_t size = frt_layout_size(layout);
    size_t count = frt_layout_count(layout);
    bool is_floating = frt_layout_is_floating(frt_layout_element(layout));

    if (count == 1 ? is_floating : size / count > 8)
        return false;
    if (size < 8)
        return classify_add(classes, offset, size,
                            is_floating ? SYSV_SSE : SYSV_INTEGER);
    return classify_run(classes, offset, size, SYSV_SSE, SYSV_SSEUP);
}

/* The parts of a complex number are as two members. */
static bool
classify_complex(struct sysv_classes *classes, const frt_layout *layout,
                 size_t offset)
{
    const frt_layout *element = frt_layout_element(layout);

    return classify_at(classes, element, offset) &&
           classify_at(classes, element, offset + frt_layout_size(element));
}

/* The alignment that a value of the kind has by itself: a member that is not
 * so aligned puts the whole in memory (psABI section 3.2.3, step 1). */
static bool
classify_is_misaligned(const frt_layout *layout, size_t offset)
{
    frt_kind kind = frt_layout_kind(layout);
    const frt_layout *unit =
        kind == FRT_KIND_COMPLEX ? frt_layout_element(layout) : layout;

    return offset % frt_layout_size(unit) != 0;
}

static bool
classify_at(struct sysv_classes *classes, const frt_layout *layout,
            size_t offset)
{
    size_t size = frt_layout_size(layout);

    switch (frt_layout_kind(layout)) {
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        return classify_aggregate(classes, layout, offset);
    case FRT_KIND_ARRAY:
        return classify_array(classes, layout, offset);
    case FRT_KIND_PADDING:
        return true;
    default:
        break;
    }
    if (classify_is_misaligned(layout, offset))
        return false;
    switch (frt_layout_kind(layout)) {
    case FRT_KIND_COMPLEX:
        return classify_complex(classes, layout, offset);
    case FRT_KIND_VECTOR:
        return classify_vector(classes, layout, offset);
    case FRT_KIND_LONG_DOUBLE:
        return classify_run(classes, offset, size, SYSV_X87, SYSV_X87UP);
    case FRT_KIND_FLOAT128:
        return classify_run(classes, offset, size, SYSV_SSE, SYSV_SSEUP);
    case FRT_KIND_FLOAT16:
    case FRT_KIND_FLOAT:
    case FRT_KIND_DOUBLE:
        return classify_add(classes, offset, size, SYSV_SSE);
    default:
        return classify_add(classes, offset, size, SYSV_INTEGER);
    }
}

void
frti_x86_64_classify(struct sysv_classes *out, const frt_layout *layout)
{
    struct sysv_classes classes = {0};
    size_t size = frt_layout_size(layout);

    classes.count = (size + 7) / 8;
    if (frt_layout_kind(layout) == FRT_KIND_COMPLEX &&
        frt_layout_kind(frt_layout_element(layout)) == FRT_KIND_LONG_DOUBLE)
        classes.of[0] = SYSV_COMPLEX_X87;
    else if (classes.count > SYSV_EIGHTBYTES ||
             !classify_at(&classes, layout, 0))
        classes = (struct sysv_classes){classes.count, {SYSV_MEMORY}};
    *out = classes;
}
