/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* From C text by way of the library's parser to shapes. The compilers read what
 * is made of the shapes, so a wrong parse is seen by them. */
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/layout/layout.h"
#include "test/abi/corpus.h"

frt_status
corpus_descriptor(const frt_descriptor **out, const char *prototype,
                  const char *variadic, const frt_model *model)
{
    const frt_parse_options options = {
        .size = sizeof options, .model = model, .raw_pointers = true};
    const frt_descriptor *base;
    const frt_descriptor *more;
    const frt_layout *layouts[16];
    char text[512];
    frt_status status = frt_descriptor_parse(&base, prototype, &options);

    if (status != FRT_OK || variadic == NULL) {
        *out = base;
        return status;
    }
    snprintf(text, sizeof text, "void f(%s)", variadic);
    status = frt_descriptor_parse(&more, text, &options);
    if (status == FRT_OK) {
        size_t count = frt_descriptor_count(more);

        for (size_t i = 0; i < count; i++)
            layouts[i] = frt_descriptor_parameter(more, i);
        status = frt_descriptor_extend(out, base, layouts, count);
        frt_descriptor_drop(more);
    }
    frt_descriptor_drop(base);
    return status;
}

/* ------------------------------------------------------------- shapes --- */

static struct shape *parse_shape(struct signature *signature,
                                 const frt_layout *layout, unsigned variant);

static void
parse_member(struct signature *signature, struct shape_member *out,
             const frt_place *place, unsigned variant)
{
    const frt_layout *layout = place->layout;

    *out = (struct shape_member){
        .is_bit_field = frt_layout_kind(layout) == FRT_KIND_BIT_FIELD,
        .is_named = place->name != NULL,
        .number = signature->member_count++,
    };
    if (layout->plain != NULL) {
        out->alignment = frt_layout_alignment(layout);
        layout = layout->plain;
    }
    if (out->is_bit_field) {
        out->width = (unsigned)frt_layout_count(layout);
        layout = frt_layout_element(layout);
    }
    out->shape = parse_shape(signature, layout, variant);
}

static void
parse_members(struct signature *signature, struct shape *shape,
              const frt_layout *layout, unsigned variant)
{
    size_t count = frt_layout_count(layout);

    shape->members =
        signature_allocate(signature, (count + 1) * sizeof *shape->members);
    shape->member_count = count;
    shape->active = count == 0 ? 0 : variant % count;
    shape->is_packed = layout->is_packed;
    shape->pack = layout->declared_pack;
    shape->alignment = layout->declared_alignment;
    for (size_t i = 0; i < count; i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            abort();
        parse_member(signature, &shape->members[i], &place, variant);
    }
}

static struct shape *
parse_shape(struct signature *signature, const frt_layout *layout,
            unsigned variant)
{
    frt_kind kind = frt_layout_kind(layout);
    struct shape *shape = signature_shape(signature, kind);

    switch (kind) {
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        parse_members(signature, shape, layout, variant);
        break;
    case FRT_KIND_ARRAY:
    case FRT_KIND_VECTOR:
    case FRT_KIND_COMPLEX:
    case FRT_KIND_ENUM:
        shape->element =
            parse_shape(signature, frt_layout_element(layout), variant);
        shape->count = frt_layout_count(layout);
        break;
    default:
        break;
    }
    return shape;
}

void
corpus_signature(struct signature *out, const frt_descriptor *descriptor,
                 unsigned variant)
{
    const frt_layout *result = frt_descriptor_result(descriptor);
    const char *model = frt_model_name(frt_descriptor_model(descriptor));
    bool is_aarch64 = strcmp(model, "aarch64") == 0;

    *out = (struct signature){
        .count = frt_descriptor_count(descriptor),
        .fixed = frt_descriptor_fixed(descriptor),
        .is_variadic = frt_descriptor_is_variadic(descriptor),
        .is_scribbling = true,
        .frame_alignment = is_aarch64 ? 1 : 16,
    };
    out->parameters =
        signature_allocate(out, (out->count + 1) * sizeof *out->parameters);
    if (frt_layout_kind(result) != FRT_KIND_VOID)
        out->result = parse_shape(out, result, variant);
    for (size_t i = 0; i < out->count; i++)
        out->parameters[i] =
            parse_shape(out, frt_descriptor_parameter(descriptor, i), variant);
    out->only_gcc = signature_is_disputed(out, is_aarch64);
}

/* ------------------------------------------------------------ variants --- */

static unsigned
variants_of(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);
    size_t most = kind == FRT_KIND_UNION ? frt_layout_count(layout) : 1;

    if (kind != FRT_KIND_UNION && kind != FRT_KIND_STRUCT)
        return 1;
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;
        size_t within;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            abort();
        within = variants_of(place.layout);
        most = within > most ? within : most;
    }
    return (unsigned)most;
}

unsigned
corpus_variants(const frt_descriptor *descriptor)
{
    unsigned most = variants_of(frt_descriptor_result(descriptor));

    for (size_t i = 0; i < frt_descriptor_count(descriptor); i++) {
        unsigned own = variants_of(frt_descriptor_parameter(descriptor, i));

        most = own > most ? own : most;
    }
    return most;
}
