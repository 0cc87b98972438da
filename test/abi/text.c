/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The names and the definitions of types. */
#include "test/abi/text.h"

/* -------------------------------------------------------------- names --- */

static const char *
scalar_name(frt_kind kind)
{
    static const char *const names[] = {
        [FRT_KIND_BOOL] = "_Bool",
        [FRT_KIND_CHAR] = "char",
        [FRT_KIND_SCHAR] = "signed char",
        [FRT_KIND_UCHAR] = "unsigned char",
        [FRT_KIND_SHORT] = "short",
        [FRT_KIND_USHORT] = "unsigned short",
        [FRT_KIND_INT] = "int",
        [FRT_KIND_UINT] = "unsigned",
        [FRT_KIND_LONG] = "long",
        [FRT_KIND_ULONG] = "unsigned long",
        [FRT_KIND_LLONG] = "long long",
        [FRT_KIND_ULLONG] = "unsigned long long",
        [FRT_KIND_INT128] = "__int128",
        [FRT_KIND_UINT128] = "unsigned __int128",
        [FRT_KIND_FLOAT16] = "_Float16",
        [FRT_KIND_FLOAT] = "float",
        [FRT_KIND_DOUBLE] = "double",
        [FRT_KIND_LONG_DOUBLE] = "long double",
        [FRT_KIND_FLOAT128] = "_Float128",
        [FRT_KIND_POINTER] = "void *",
    };

    return names[kind];
}

static const char *
keyword(const struct shape *shape)
{
    return shape->kind == FRT_KIND_UNION ? "union" : "struct";
}

/* Without a typedef of the shape itself. */
static void
text_plain_name(const struct text *text, const struct shape *shape)
{
    switch (shape->kind) {
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        fprintf(text->file, "%s s%u_%u", keyword(shape),
                text->signature->number, shape->tag);
        break;
    case FRT_KIND_ENUM:
        fprintf(text->file, "enum %s", shape_enum_tag(shape->element->kind));
        break;
    case FRT_KIND_COMPLEX:
        fprintf(text->file, "_Complex %s", scalar_name(shape->element->kind));
        break;
    case FRT_KIND_VECTOR:
        fprintf(text->file, "v%u_%u", text->signature->number, shape->tag);
        break;
    default:
        fputs(scalar_name(shape->kind), text->file);
    }
}

void
text_name(const struct text *text, const struct shape *shape)
{
    if (shape->typedef_alignment != 0)
        fprintf(text->file, "t%u_%u", text->signature->number, shape->tag);
    else
        text_plain_name(text, shape);
}

/* -------------------------------------------------------- definitions --- */

static void
text_attributes(const struct text *text, const struct shape *shape)
{
    if (shape->is_packed)
        fputs(" __attribute__((packed))", text->file);
    if (shape->alignment != 0)
        fprintf(text->file, " __attribute__((aligned(%zu)))", shape->alignment);
}

static void text_body(const struct text *text, const struct shape *shape,
                      unsigned indent);

static void
text_member(const struct text *text, const struct shape_member *member,
            unsigned indent)
{
    const struct shape *shape = member->shape;

    fprintf(text->file, "%*s", 4 * indent, "");
    if (!member->is_bit_field && !member->is_named) {
        text_body(text, shape, indent);
        fputs(";\n", text->file);
        return;
    }
    while (shape->kind == FRT_KIND_ARRAY)
        shape = shape->element;
    text_name(text, shape);
    if (member->is_named)
        fprintf(text->file, " m%u", member->number);
    for (shape = member->shape; shape->kind == FRT_KIND_ARRAY;
         shape = shape->element)
        fprintf(text->file, "[%zu]", shape->count);
    if (member->is_bit_field)
        fprintf(text->file, " : %u", member->width);
    if (member->alignment != 0)
        fprintf(text->file, " __attribute__((aligned(%zu)))",
                member->alignment);
    fputs(";\n", text->file);
}

static void
text_body(const struct text *text, const struct shape *shape, unsigned indent)
{
    fputs(keyword(shape), text->file);
    text_attributes(text, shape);
    if (indent == 0)
        fprintf(text->file, " s%u_%u", text->signature->number, shape->tag);
    fputs(" {\n", text->file);
    for (size_t i = 0; i < shape->member_count; i++)
        text_member(text, &shape->members[i], indent + 1);
    fprintf(text->file, "%*s}", 4 * indent, "");
}

static void text_define(const struct text *text, struct shape *shape);

static void
text_define_members(const struct text *text, const struct shape *shape)
{
    for (size_t i = 0; i < shape->member_count; i++) {
        const struct shape_member *member = &shape->members[i];

        if (member->is_named || !shape_is_aggregate(member->shape))
            text_define(text, member->shape);
        else
            text_define_members(text, member->shape);
    }
}

static void
text_define_plain(const struct text *text, struct shape *shape)
{
    if (shape->kind == FRT_KIND_VECTOR) {
        fprintf(text->file,
                "typedef %s v%u_%u __attribute__((vector_size(%zu)));\n",
                scalar_name(shape->element->kind), text->signature->number,
                shape->tag,
                shape->count * frt_layout_size(frt_layout_value(
                                   shape->element->kind, NULL)));
        return;
    }
    if (!shape_is_aggregate(shape))
        return;
    text_define_members(text, shape);
    if (shape->pack != 0)
        fprintf(text->file, "#pragma pack(push, %zu)\n", shape->pack);
    text_body(text, shape, 0);
    fputs(";\n", text->file);
    if (shape->pack != 0)
        fputs("#pragma pack(pop)\n", text->file);
}

static void
text_define(const struct text *text, struct shape *shape)
{
    if (shape->defined == text->stamp)
        return;
    shape->defined = text->stamp;
    if (shape->kind == FRT_KIND_ARRAY) {
        text_define(text, shape->element);
        return;
    }
    text_define_plain(text, shape);
    if (shape->typedef_alignment == 0)
        return;
    fputs("typedef ", text->file);
    text_plain_name(text, shape);
    fprintf(text->file, " t%u_%u __attribute__((aligned(%zu)));\n",
            text->signature->number, shape->tag, shape->typedef_alignment);
}

void
text_types(FILE *file, const struct signature *signature, unsigned stamp)
{
    const struct text text = {file, signature, stamp};

    if (signature->result != NULL)
        text_define(&text, signature->result);
    for (size_t i = 0; i < signature->count; i++)
        text_define(&text, signature->parameters[i]);
}
