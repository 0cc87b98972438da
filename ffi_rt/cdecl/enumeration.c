/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `enum`, C11 6.7.2.2, with GNU C's 64-bit constants and C23's fixed
 * underlying type.
 *
 * As gcc stores it, which aligns none: in unsigned int, in int if a constant is
 * negative, in the 64-bit type of that sign if one does not fit; `packed`: in
 * the smallest that holds all. One that is only named is taken as unsigned int.
 */
#include "ffi_rt/cdecl/parser.h"

struct draft {
    struct frti_name *tag; /* NULL: none */
    size_t position;       /* of the tag or brace */
    struct frti_attributes attributes;
    const frt_layout *fixed; /* NULL: the constants decide */

    uint64_t next; /* the value of a constant that has none */
    bool next_is_negative;
    bool next_is_too_large;
    bool has_negative;
    int64_t lowest; /* of the negative ones */
    uint64_t highest;
};

/* The kinds in which a packed enum, or another, may be stored, smallest
 * first, as signed and unsigned ones. */
static const frt_kind enum_signed[] = {FRT_KIND_SCHAR, FRT_KIND_SHORT,
                                       FRT_KIND_INT, FRT_KIND_LONG};
static const frt_kind enum_unsigned[] = {FRT_KIND_UCHAR, FRT_KIND_USHORT,
                                         FRT_KIND_UINT, FRT_KIND_ULONG};

/* ----------------------------------------------------------- constants --- */

static bool
layout_holds(const frt_layout *layout, uint64_t bits, bool is_negative)
{
    uint64_t wrapped = frti_wrap(bits, layout);

    if (wrapped != bits)
        return false;
    return is_negative ? frt_layout_is_signed(layout)
                       : !frt_layout_is_signed(layout) || (int64_t)bits >= 0;
}

static const frt_layout *
draft_constant_layout(const struct frti_parser *parser,
                      const struct draft *draft, uint64_t bits,
                      bool is_negative)
{
    static const frt_kind kinds[] = {FRT_KIND_INT, FRT_KIND_UINT, FRT_KIND_LONG,
                                     FRT_KIND_ULONG};

    if (draft->fixed != NULL)
        return draft->fixed;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const frt_layout *layout = frt_layout_value(kinds[i], parser->model);

        if (layout_holds(layout, bits, is_negative))
            return layout;
    }
    return frt_layout_value(FRT_KIND_ULONG, parser->model);
}

static bool
draft_bind(struct frti_parser *parser, const struct draft *draft,
           const struct frti_token *name, uint64_t bits, bool is_negative)
{
    struct frti_binding binding = {.kind = FRTI_BINDING_CONSTANT,
                                   .bits = bits,
                                   .position = (uint32_t)name->position,
                                   .enumeration = draft->tag};
    const struct frti_binding *known = name->name->ordinary;

    binding.type.layout =
        draft_constant_layout(parser, draft, bits, is_negative);
    if (known != NULL && known->scope == parser->names->scope &&
        (known->kind != FRTI_BINDING_CONSTANT ||
         !frt_layout_is_integer(known->type.layout) || known->bits != bits)) {
        struct frti_where where;

        return frti_refuse(parser, name->position,
                           "'%.64s' is declared as something else at %s",
                           name->name->text, frti_where(&where, parser, known));
    }
    if (known != NULL && known->scope == parser->names->scope)
        return true;
    return frti_bind(parser->names, name->name, &binding) != NULL;
}

static void
draft_note(struct draft *draft, uint64_t bits, bool is_negative)
{
    if (is_negative) {
        if (!draft->has_negative || (int64_t)bits < draft->lowest)
            draft->lowest = (int64_t)bits;
        draft->has_negative = true;
    } else if (bits > draft->highest) {
        draft->highest = bits;
    }
    draft->next = bits + 1;
    draft->next_is_negative = is_negative && draft->next != 0;
    draft->next_is_too_large = !is_negative && draft->next == 0;
}

static bool
draft_value(struct frti_parser *parser, struct draft *draft, uint64_t *bits,
            bool *is_negative)
{
    struct frti_literal literal;

    if (!frti_is(parser, '=')) {
        *bits = draft->next;
        *is_negative = draft->next_is_negative;
        return !draft->next_is_too_large ||
               frti_refuse(parser, parser->token.position,
                           "the value before this constant is the largest");
    }
    if (!frti_next(parser) || !frti_constant(parser, &literal))
        return false;
    *bits = literal.bits;
    *is_negative =
        frt_layout_is_signed(literal.layout) && (int64_t)literal.bits < 0;
    return true;
}

static bool
draft_constant(struct frti_parser *parser, struct draft *draft)
{
    struct frti_token name = parser->token;
    struct frti_attributes ignored = {0};
    uint64_t bits;
    bool is_negative;

    if (name.kind != FRTI_TOKEN_NAME)
        return frti_refuse_token(parser, "the name of a constant");
    if (!frti_next(parser) || !frti_attributes(parser, &ignored) ||
        !draft_value(parser, draft, &bits, &is_negative))
        return false;
    if (draft->fixed != NULL && !layout_holds(draft->fixed, bits, is_negative))
        return frti_refuse(parser, name.position,
                           "'%.64s' does not fit into the enum's type",
                           name.name->text);
    if (!draft_bind(parser, draft, &name, bits, is_negative))
        return false;
    draft_note(draft, bits, is_negative);
    return true;
}

/* From the `{` to after the `}`. */
static bool
draft_constants(struct frti_parser *parser, struct draft *draft)
{
    if (!frti_next(parser))
        return false;
    do {
        if (!draft_constant(parser, draft))
            return false;
        if (!frti_is(parser, ','))
            break;
        if (!frti_next(parser))
            return false;
    } while (!frti_is(parser, '}'));
    return frti_expect(parser, '}', "',' or '}'") &&
           frti_attributes(parser, &draft->attributes);
}

/* -------------------------------------------------------------- layout --- */

static bool
draft_underlying(struct frti_parser *parser, const struct draft *draft,
                 const frt_layout **out)
{
    const frt_kind *kinds = draft->has_negative ? enum_signed : enum_unsigned;
    struct frti_type type = {.layout = NULL};

    *out = draft->fixed;
    for (size_t i = draft->attributes.is_packed ? 0 : 2; *out == NULL && i < 4;
         i++) {
        const frt_layout *layout = frt_layout_value(kinds[i], parser->model);

        if (layout_holds(layout, draft->highest, false) &&
            (!draft->has_negative ||
             layout_holds(layout, (uint64_t)draft->lowest, true)))
            *out = layout;
    }
    if (*out == NULL)
        return frti_refuse(parser, draft->position,
                           "no integer type holds all constants of the enum");
    if (draft->attributes.mode == 0)
        return true;
    type.layout = *out;
    if (!frti_attributes_base(parser, &type, &draft->attributes))
        return false;
    *out = type.layout;
    return true;
}

static bool
draft_layout(struct frti_parser *parser, const struct draft *draft,
             const frt_layout *underlying, struct frti_type *out)
{
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_enum(
        &layout, underlying, draft->tag == NULL ? NULL : draft->tag->text);

    *out = (struct frti_type){.layout = layout};
    return frti_take(parser, draft->position, status, layout);
}

/* After a `:`. */
static bool
draft_fixed(struct frti_parser *parser, struct draft *draft)
{
    struct frti_specifiers specifiers;
    size_t position;

    if (!frti_next(parser))
        return false;
    position = parser->token.position;
    if (!frti_specifiers(parser, &specifiers))
        return false;
    draft->fixed = specifiers.type.layout;
    if (draft->fixed == NULL || !frt_layout_is_integer(draft->fixed) ||
        frt_layout_kind(draft->fixed) == FRT_KIND_ENUM ||
        frt_layout_size(draft->fixed) > 8)
        return frti_refuse(parser, position,
                           "an enum is stored in an integer type of at most "
                           "64 bits");
    return true;
}

/* ---------------------------------------------------------------- tags --- */

static struct frti_binding *
draft_known(const struct draft *draft)
{
    return draft->tag == NULL ? NULL : draft->tag->tag;
}

static bool
draft_refuse_again(struct frti_parser *parser, const struct draft *draft,
                   const char *fault)
{
    struct frti_where where;

    return frti_refuse(parser, draft->position, "'enum %.64s' %s at %s",
                       draft->tag->text, fault,
                       frti_where(&where, parser, draft->tag->tag));
}

static bool
draft_check_known(struct frti_parser *parser, const struct draft *draft)
{
    const struct frti_binding *known = draft_known(draft);

    return known == NULL || known->kind == FRTI_BINDING_ENUM ||
           draft_refuse_again(parser, draft, "is a tag of another kind");
}

/* Named before, or defined again in the same way: the type is this one now. */
static bool
draft_bind_tag(struct frti_parser *parser, const struct draft *draft,
               const struct frti_type *type, bool is_definition)
{
    struct frti_binding binding = {.kind = FRTI_BINDING_ENUM,
                                   .type = *type,
                                   .bits = is_definition,
                                   .position = (uint32_t)draft->position};
    struct frti_binding *known = draft_known(draft);

    if (draft->tag == NULL)
        return true;
    if (known == NULL || known->scope != parser->names->scope)
        return frti_bind(parser->names, draft->tag, &binding) != NULL;
    if (known->bits != 0 && known->type.layout != type->layout)
        return draft_refuse_again(parser, draft, "was defined otherwise");
    if (known->type.layout == type->layout && known->bits >= is_definition)
        return true;
    if (!frti_rebind(parser, known, draft->position))
        return false;
    known->bits |= is_definition;
    known->type = *type;
    return true;
}

/* As gcc: in a 64-bit enum, the constants that are no int have its type once
 * all are known. */
static void
draft_widen(struct frti_parser *parser, const struct frti_binding *before,
            const frt_layout *underlying)
{
    if (frt_layout_size(underlying) < 8)
        return;
    for (struct frti_binding *binding = parser->names->newest;
         binding != before; binding = binding->earlier)
        if (binding->kind == FRTI_BINDING_CONSTANT &&
            frt_layout_kind(binding->type.layout) != FRT_KIND_INT)
            binding->type.layout = underlying;
}

static bool
draft_define(struct frti_parser *parser, struct draft *draft,
             struct frti_type *out)
{
    const struct frti_binding *before = parser->names->newest;
    const frt_layout *underlying;

    if (!draft_constants(parser, draft) ||
        !draft_underlying(parser, draft, &underlying))
        return false;
    draft_widen(parser, before, underlying);
    return draft_layout(parser, draft, underlying, out) &&
           draft_bind_tag(parser, draft, out, true);
}

static bool
draft_refer(struct frti_parser *parser, const struct draft *draft,
            struct frti_type *out)
{
    const struct frti_binding *known = draft_known(draft);
    const frt_layout *underlying = draft->fixed;

    if (draft->tag == NULL && draft->fixed == NULL)
        return frti_refuse_token(parser, "a tag or '{' after 'enum'");
    if (known != NULL && draft->fixed == NULL) {
        *out = known->type;
        return true;
    }
    if (underlying == NULL)
        underlying = frt_layout_value(FRT_KIND_UINT, parser->model);
    return draft_layout(parser, draft, underlying, out) &&
           draft_bind_tag(parser, draft, out, false);
}

/* A `:` and a type; another `:` is that of a bit-field. */
static bool
draft_head(struct frti_parser *parser, struct draft *draft)
{
    int ahead;

    if (!frti_is(parser, ':'))
        return true;
    if (!frti_peek(parser, &ahead))
        return false;
    return !frti_token_begins_type(&parser->ahead) ||
           draft_fixed(parser, draft);
}

bool
frti_enumeration(struct frti_parser *parser, struct frti_type *out,
                 bool *has_tag)
{
    struct draft draft = {.tag = NULL};

    if (!frti_next(parser) || !frti_attributes(parser, &draft.attributes))
        return false;
    draft.position = parser->token.position;
    *has_tag = frti_is(parser, FRTI_TOKEN_NAME);
    if (*has_tag) {
        draft.tag = parser->token.name;
        if (!frti_next(parser)) /* attributes here are the declaration's */
            return false;
    }
    if (!draft_head(parser, &draft) || !draft_check_known(parser, &draft))
        return false;
    return frti_is(parser, '{') ? draft_define(parser, &draft, out)
                                : draft_refer(parser, &draft, out);
}
