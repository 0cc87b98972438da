/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The constructors of all that has one part or none. */
#include "ffi_rt/base/bits.h"
#include "ffi_rt/layout/descriptor.h"
#include "ffi_rt/layout/layout.h"

static bool
kind_is_member_only(frt_kind kind)
{
    return kind == FRT_KIND_BIT_FIELD || kind == FRT_KIND_PADDING;
}

/* Fills in what all that is made of `part` has from it. */
static frt_status
compose_of(frt_layout *like, frt_kind kind, const frt_layout *part)
{
    like->kind = kind;
    like->model = part->model;
    like->element = part;
    like->is_complete = true;
    return frti_layout_deepen(&like->depth, part->depth);
}

static void
compose_shape(frt_layout *like, size_t size, size_t alignment)
{
    like->size = size;
    like->alignment = alignment;
    like->natural_alignment = alignment;
    like->strict_alignment = alignment;
}

/* ------------------------------------------------------------ pointers --- */

static frt_status
compose_address(frt_layout *like, frt_kind kind, const frt_layout *pointee,
                bool is_const)
{
    const frt_model *model = pointee == NULL ? NULL : pointee->model;
    const frt_layout *address = frt_layout_address(kind, model);

    like->kind = kind;
    like->model = address->model;
    like->is_complete = true;
    like->is_const = is_const;
    compose_shape(like, address->size, address->alignment);
    if (pointee == NULL || pointee->kind == FRT_KIND_VOID)
        return FRT_OK;
    if (kind_is_member_only(pointee->kind)) {
        struct frti_layout_text text;

        return frti_fail(FRT_BAD_LAYOUT,
                         "a pointer to '%s': it is a member only, and has no "
                         "address of its own",
                         frti_layout_text(&text, pointee));
    }
    like->element = pointee;
    return frti_layout_deepen(&like->depth, pointee->depth);
}

/* `void *` is not counted, whichever way it is asked for. */
static frt_status
compose_intern_address(const frt_layout **out, frt_layout *like)
{
    if (like->element == NULL && !like->is_const && like->count == 0) {
        *out = frt_layout_address(like->kind, like->model);
        return FRT_OK;
    }
    return frti_layout_intern(out, like);
}

frt_status
frt_layout_pointer(const frt_layout **out, const frt_layout *pointee,
                   bool is_const)
{
    frt_layout like = {0};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_address(&like, FRT_KIND_POINTER, pointee, is_const);
    if (status != FRT_OK)
        return status;
    return compose_intern_address(out, &like);
}

/* The pointee of which any number of bytes will do. */
static bool
layout_is_any_bytes(const frt_layout *layout)
{
    return layout == NULL || layout->kind == FRT_KIND_CHAR ||
           layout->kind == FRT_KIND_SCHAR || layout->kind == FRT_KIND_UCHAR;
}

static frt_status
compose_asked_size(frt_layout *like, size_t size)
{
    if (!frti_multiply(&like->asked_size, like->count, size) ||
        like->asked_size > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "a segment of at least %zu pointees is larger than "
                         "any memory",
                         like->count);
    if (like->count == 0 && !layout_is_any_bytes(like->element))
        like->asked_size = size;
    return FRT_OK;
}

static frt_status
compose_asked(frt_layout *like)
{
    const frt_layout *pointee = like->element;
    struct frti_layout_text text;

    like->asked_alignment = 1;
    if (pointee == NULL)
        return compose_asked_size(like, 1);
    if (pointee->alignment != 0)
        like->asked_alignment = pointee->alignment;
    if (pointee->is_complete)
        return compose_asked_size(like, pointee->size);
    if (like->count > 1)
        return frti_fail(FRT_BAD_LAYOUT,
                         "a segment of at least %zu of '%s', which has no size",
                         like->count, frti_layout_text(&text, pointee));
    like->asked_size = like->count;
    return FRT_OK;
}

frt_status
frt_layout_segment(const frt_layout **out, const frt_layout *pointee,
                   bool is_const, size_t least)
{
    frt_layout like = {.count = least};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_address(&like, FRT_KIND_SEGMENT, pointee, is_const);
    if (status == FRT_OK)
        status = compose_asked(&like);
    if (status != FRT_OK)
        return status;
    return compose_intern_address(out, &like);
}

/* -------------------------------------------------------------- arrays --- */

static frt_status
compose_check_element(const frt_layout *element)
{
    struct frti_layout_text text;

    if (element == NULL)
        return frti_null_argument("element");
    if (!element->is_complete || kind_is_member_only(element->kind))
        return frti_fail(FRT_BAD_LAYOUT,
                         "an array of '%s', which is not a complete type",
                         frti_layout_text(&text, element));
    if (element->size % element->alignment != 0)
        return frti_fail(FRT_BAD_LAYOUT,
                         "an array of '%s': its size %zu is no multiple of its "
                         "alignment %zu",
                         frti_layout_text(&text, element), element->size,
                         element->alignment);
    return FRT_OK;
}

static frt_status
compose_array_size(frt_layout *like)
{
    struct frti_layout_text text;

    if (like->count == FRT_FLEXIBLE) {
        like->is_complete = false;
        return FRT_OK;
    }
    if (!frti_multiply(&like->size, like->count, like->element->size) ||
        like->size > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "an array of %zu times '%s' is larger than any memory",
                         like->count, frti_layout_text(&text, like->element));
    return FRT_OK;
}

frt_status
frt_layout_array(const frt_layout **out, const frt_layout *element,
                 size_t count)
{
    frt_layout like = {.count = count};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_check_element(element);
    if (status == FRT_OK)
        status = compose_of(&like, FRT_KIND_ARRAY, element);
    if (status == FRT_OK)
        status = compose_array_size(&like);
    if (status != FRT_OK)
        return status;
    like.alignment = element->alignment;
    like.natural_alignment = element->natural_alignment;
    like.strict_alignment = element->strict_alignment;
    like.has_foreign_padding = element->has_foreign_padding;
    like.has_flexible = element->has_flexible;
    like.has_unaligned =
        element->has_unaligned || (element->strict_alignment != 0 &&
                                   element->size % element->strict_alignment);
    return frti_layout_intern(out, &like);
}

frt_status
frt_layout_complex(const frt_layout **out, const frt_layout *element)
{
    frt_layout like = {.count = 2};
    struct frti_layout_text text;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (element == NULL)
        return frti_null_argument("element");
    if (!frt_layout_is_floating(element) || element->plain != NULL)
        return frti_fail(FRT_BAD_LAYOUT,
                         "a complex of '%s', which is no floating type",
                         frti_layout_text(&text, element));
    status = compose_of(&like, FRT_KIND_COMPLEX, element);
    if (status != FRT_OK)
        return status;
    compose_shape(&like, 2 * element->size, element->alignment);
    return frti_layout_intern(out, &like);
}

static frt_status
compose_check_vector(const frt_layout *element, size_t count, size_t *size)
{
    struct frti_layout_text text;

    if (element == NULL)
        return frti_null_argument("element");
    if (element->kind < FRT_KIND_CHAR || element->kind > FRT_KIND_FLOAT128 ||
        element->plain != NULL)
        return frti_fail(FRT_BAD_LAYOUT,
                         "a vector of '%s', which is no integer or float",
                         frti_layout_text(&text, element));
    if (!frti_multiply(size, count, element->size) || *size > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "a vector of %zu times '%s' is larger than any memory",
                         count, frti_layout_text(&text, element));
    if (!frti_is_power_of_two(*size))
        return frti_fail(FRT_BAD_LAYOUT,
                         "a vector of %zu times '%s' has %zu bytes, which is "
                         "no power of two",
                         count, frti_layout_text(&text, element), *size);
    return FRT_OK;
}

frt_status
frt_layout_vector(const frt_layout **out, const frt_layout *element,
                  size_t count)
{
    frt_layout like = {.count = count};
    frt_status status;
    size_t size = 0;
    size_t most;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_check_vector(element, count, &size);
    if (status == FRT_OK)
        status = compose_of(&like, FRT_KIND_VECTOR, element);
    if (status != FRT_OK)
        return status;
    most = element->model->vector_alignment;
    compose_shape(&like, size, size < most ? size : most);
    return frti_layout_intern(out, &like);
}

/* ------------------------------------------------------- enum, function --- */

static frt_status
compose_check_tag(const char *tag)
{
    if (tag != NULL && !frti_is_name(tag))
        return frti_fail(FRT_BAD_ARGUMENT, "the tag '%s' is not a C name", tag);
    return FRT_OK;
}

frt_status
frt_layout_enum(const frt_layout **out, const frt_layout *underlying,
                const char *tag)
{
    frt_layout like = {.tag = tag};
    struct frti_layout_text text;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (underlying == NULL)
        return frti_null_argument("underlying");
    if (underlying->kind > FRT_KIND_UINT128 || underlying->plain != NULL ||
        !frt_layout_is_integer(underlying))
        return frti_fail(FRT_BAD_LAYOUT,
                         "an enum stored as '%s', which is no integer",
                         frti_layout_text(&text, underlying));
    status = compose_check_tag(tag);
    if (status == FRT_OK)
        status = compose_of(&like, FRT_KIND_ENUM, underlying);
    if (status != FRT_OK)
        return status;
    compose_shape(&like, underlying->size, underlying->alignment);
    like.is_signed = underlying->is_signed;
    return frti_layout_intern(out, &like);
}

frt_status
frt_layout_function(const frt_layout **out, const frt_descriptor *descriptor)
{
    frt_layout like = {.kind = FRT_KIND_FUNCTION, .descriptor = descriptor};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (descriptor == NULL)
        return frti_null_argument("descriptor");
    like.model = descriptor->model;
    status = frti_layout_deepen(&like.depth, descriptor->depth);
    if (status != FRT_OK)
        return status;
    return frti_layout_intern(out, &like);
}

/* --------------------------------------------------- alignment, members --- */

static frt_status
compose_check_align(const frt_layout *layout, size_t alignment)
{
    struct frti_layout_text text;

    if (layout == NULL)
        return frti_null_argument("layout");
    if (!frti_is_power_of_two(alignment) || alignment > FRTI_ALIGNMENT_LIMIT)
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "an alignment of %zu: it is a power of two, at most "
                         "%zu",
                         alignment, FRTI_ALIGNMENT_LIMIT);
    if (layout->alignment == 0 || layout->kind == FRT_KIND_PADDING)
        return frti_fail(FRT_BAD_LAYOUT,
                         "'%s' has no alignment that could be another",
                         frti_layout_text(&text, layout));
    return FRT_OK;
}

frt_status
frt_layout_align_to(const frt_layout **out, const frt_layout *layout,
                    size_t alignment)
{
    frt_layout like = {0};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_check_align(layout, alignment);
    if (status != FRT_OK)
        return status;
    frti_layout_copy_fields(&like, layout);
    like.plain = layout->plain != NULL ? layout->plain : layout;
    like.alignment = alignment;
    return frti_layout_intern(out, &like);
}

static frt_status
compose_check_base(const frt_layout *base, size_t width)
{
    struct frti_layout_text text;
    size_t most;

    if (base == NULL)
        return frti_null_argument("base");
    if (!frt_layout_is_integer(base))
        return frti_fail(FRT_BAD_LAYOUT,
                         "a bit-field of '%s', which is no integer",
                         frti_layout_text(&text, base));
    most = base->kind == FRT_KIND_BOOL || (base->kind == FRT_KIND_ENUM &&
                                           base->element->kind == FRT_KIND_BOOL)
               ? 1
               : base->size * 8;
    if (width > most)
        return frti_fail(FRT_BAD_LAYOUT,
                         "a bit-field of %zu bits: '%s' has %zu", width,
                         frti_layout_text(&text, base), most);
    return FRT_OK;
}

frt_status
frt_layout_bit_field(const frt_layout **out, const frt_layout *base,
                     size_t width)
{
    frt_layout like = {.count = width};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = compose_check_base(base, width);
    if (status == FRT_OK)
        status = compose_of(&like, FRT_KIND_BIT_FIELD, base);
    if (status != FRT_OK)
        return status;
    compose_shape(&like, base->size, base->alignment);
    like.is_signed = base->is_signed;
    return frti_layout_intern(out, &like);
}

frt_status
frt_layout_padding(const frt_layout **out, size_t bytes)
{
    frt_layout like = {
        .kind = FRT_KIND_PADDING, .is_complete = true, .size = bytes};

    if (out == NULL)
        return frti_null_argument("out");
    if (bytes > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "padding of %zu bytes is larger than any memory",
                         bytes);
    like.alignment = 1;
    like.natural_alignment = 1;
    like.strict_alignment = 1;
    return frti_layout_intern(out, &like);
}

frt_status
frti_layout_incomplete_in(const frt_layout **out, frt_kind kind,
                          const char *tag, const frt_model *model)
{
    frt_layout like = {.kind = kind, .tag = tag};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (tag == NULL)
        return frti_null_argument("tag");
    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_UNION)
        return frti_fail(FRT_BAD_LAYOUT,
                         "'%s' of kind %d: only a struct or union can be "
                         "incomplete",
                         tag, (int)kind);
    status = compose_check_tag(tag);
    if (status != FRT_OK)
        return status;
    like.model = model != NULL ? model : frt_model_native();
    return frti_layout_intern(out, &like);
}

frt_status
frt_layout_incomplete(const frt_layout **out, frt_kind kind, const char *tag)
{
    return frti_layout_incomplete_in(out, kind, tag, NULL);
}
