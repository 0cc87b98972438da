/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `struct` and `union`, C11 6.7.2.1 and 6.7.2.3.
 *
 * Between its braces a tag is bound to the incomplete layout of its name, so
 * that a struct that points to itself does so through that one. Members are
 * aligned when all is read: `packed` may stand behind the closing brace.
 */
#include "ffi_rt/cdecl/parser.h"
#include "ffi_rt/layout/layout.h"

struct member {
    struct member *next;
    struct frti_name *name; /* NULL: none */
    struct frti_type type;  /* of a bit-field: its layout as one */
    size_t position;
    size_t alignment; /* asked for by the member itself; 0: none */
    bool is_packed;
};

/* A struct or union under way. */
struct draft {
    frt_kind kind;
    enum frti_binding_kind binding_kind;
    struct frti_name *tag;        /* NULL: none */
    struct frti_binding *binding; /* of the tag, from the brace on */
    struct frti_attributes attributes;
    size_t position; /* of the tag or brace */
    struct member *first;
    struct member **end;
    size_t count;
    uint32_t number;
    size_t flexible; /* position of a flexible array */
    bool has_flexible;
};

static const char *
draft_word(const struct draft *draft)
{
    return draft->kind == FRT_KIND_STRUCT ? "struct" : "union";
}

/* ------------------------------------------------------------- members --- */

static bool
layout_is_flexible(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_ARRAY &&
           frt_layout_count(layout) == FRT_FLEXIBLE;
}

static bool
member_refuse(struct frti_parser *parser, const struct member *member,
              const char *fault)
{
    if (member->name == NULL)
        return frti_refuse(parser, member->position, "this member %s", fault);
    return frti_refuse(parser, member->position, "the member '%.64s' %s",
                       member->name->text, fault);
}

static bool
member_check_type(struct frti_parser *parser, const struct draft *draft,
                  const struct member *member)
{
    const frt_layout *layout = member->type.layout;

    if (member->type.function != NULL)
        return member_refuse(parser, member,
                             "is a function; a pointer to one may be a member");
    if (frt_layout_kind(layout) == FRT_KIND_VOID)
        return member_refuse(parser, member, "is void");
    if (layout_is_flexible(layout))
        return draft->kind == FRT_KIND_STRUCT ||
               member_refuse(parser, member,
                             "is a flexible array, which a union cannot have");
    if (!frt_layout_is_complete(layout))
        return member_refuse(parser, member, "is of an incomplete type");
    return true;
}

static bool
member_check(struct frti_parser *parser, struct draft *draft,
             const struct member *member)
{
    if (!member_check_type(parser, draft, member))
        return false;
    if (draft->has_flexible)
        return frti_refuse(parser, draft->flexible,
                           "a flexible array is the last member of a struct");
    draft->has_flexible = layout_is_flexible(member->type.layout);
    draft->flexible = member->position;
    if (member->name == NULL)
        return true;
    if (member->name->last_aggregate == draft->number)
        return member_refuse(parser, member, "is the second of that name");
    member->name->last_aggregate = draft->number;
    return true;
}

/* What the attributes say, to be applied when all is read. */
static bool
member_attributes(struct frti_parser *parser, struct member *member,
                  const struct frti_attributes *attributes)
{
    member->is_packed = attributes->is_packed;
    member->alignment = attributes->alignment;
    if (attributes->minimum == 0)
        return true;
    if (frt_layout_kind(member->type.layout) == FRT_KIND_BIT_FIELD)
        return member_refuse(parser, member,
                             "is a bit-field, which has no _Alignas");
    if (attributes->minimum < frt_layout_alignment(member->type.layout))
        return member_refuse(parser, member,
                             "has an _Alignas below its type's alignment");
    if (attributes->minimum > member->alignment)
        member->alignment = attributes->minimum;
    return true;
}

static bool
draft_append(struct frti_parser *parser, struct draft *draft,
             const struct member *like)
{
    struct member *member = frti_make(parser, sizeof *member);

    if (member == NULL)
        return false;
    *member = *like;
    *draft->end = member;
    draft->end = &member->next;
    draft->count++;
    return true;
}

/* As gcc: a bit-field with aligned(1) begins a new byte. So does what follows
 * a `char : 0`, which a layout can say. */
static bool
draft_begin_byte(struct frti_parser *parser, struct draft *draft,
                 size_t position)
{
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_bit_field(
        &layout, frt_layout_value(FRT_KIND_CHAR, parser->model), 0);
    struct member member = {.type.layout = layout, .position = position};

    return frti_take(parser, position, status, layout) &&
           draft_append(parser, draft, &member);
}

static bool
draft_add(struct frti_parser *parser, struct draft *draft,
          const struct member *like, const struct frti_attributes *attributes)
{
    struct member member = *like;

    if (!member_check(parser, draft, &member) ||
        !member_attributes(parser, &member, attributes))
        return false;
    if (member.alignment == 1 &&
        frt_layout_kind(member.type.layout) == FRT_KIND_BIT_FIELD) {
        member.alignment = 0;
        if (!draft_begin_byte(parser, draft, member.position))
            return false;
    }
    return draft_append(parser, draft, &member);
}

/* After the `:`. */
static bool
member_bit_field(struct frti_parser *parser, struct member *member)
{
    size_t position = parser->token.position;
    const frt_layout *layout = NULL;
    frt_status status;
    size_t width;

    if (!frti_size_constant(parser, &width, "a bit-field's width"))
        return false;
    if (width == 0 && member->name != NULL)
        return member_refuse(parser, member, "is 0 bits wide and has a name");
    if (member->type.function != NULL)
        return member_refuse(parser, member, "is a function");
    status = frt_layout_bit_field(&layout, member->type.layout, width);
    member->type =
        (struct frti_type){.layout = layout, .is_const = member->type.is_const};
    return frti_take(parser, position, status, layout);
}

/* One declarator of a member declaration, or a bit-field without one. */
static bool
draft_member(struct frti_parser *parser, struct draft *draft,
             const struct frti_specifiers *specifiers)
{
    struct frti_declarator declarator = {.type = specifiers->type,
                                         .position = parser->token.position,
                                         .attributes = specifiers->attributes};
    struct member member = {.next = NULL};

    if (frti_is(parser, ':')) {
        if (!frti_attributes_base(parser, &declarator.type,
                                  &declarator.attributes))
            return false;
    } else if (!frti_declarator(parser, &declarator, specifiers,
                                FRTI_DECLARATOR_NAMED, NULL)) {
        return false;
    }
    member.name = declarator.name;
    member.type = declarator.type;
    member.position = declarator.position;
    if (frti_is(parser, ':') &&
        (!frti_next(parser) || !member_bit_field(parser, &member) ||
         !frti_attributes(parser, &declarator.attributes)))
        return false;
    return draft_add(parser, draft, &member, &declarator.attributes);
}

/* Specifiers and a `;`: a tag is declared, or a struct without a tag lends its
 * members to this one. */
static bool
draft_unnamed(struct frti_parser *parser, struct draft *draft,
              const struct frti_specifiers *specifiers)
{
    struct member member = {.type = specifiers->type,
                            .position = parser->token.position};
    frt_kind kind;

    if (!specifiers->is_tag_alone)
        return frti_refuse_token(parser, "a member's name");
    kind = frt_layout_kind(specifiers->type.layout);
    if (specifiers->has_tag || kind == FRT_KIND_ENUM)
        return true;
    return draft_add(parser, draft, &member, &specifiers->attributes);
}

static bool
draft_declaration(struct frti_parser *parser, struct draft *draft)
{
    struct frti_specifiers specifiers;
    struct frti_specifiers own;
    size_t position = parser->token.position;

    if (!frti_specifiers(parser, &specifiers))
        return false;
    own = specifiers;
    if (specifiers.storage != FRTI_STORAGE_NONE)
        return frti_refuse(parser, position, "a member has no storage class");
    if (frti_is(parser, ';'))
        return draft_unnamed(parser, draft, &specifiers) && frti_next(parser);
    while (draft_member(parser, draft, &own)) {
        if (!frti_is(parser, ','))
            return frti_expect(parser, ';', "';'");
        own = specifiers; /* attributes here are the next declarator's */
        if (!frti_next(parser) || !frti_attributes(parser, &own.attributes))
            return false;
    }
    return false;
}

/* Up to the `}`. */
static bool
draft_members(struct frti_parser *parser, struct draft *draft)
{
    while (!frti_is(parser, '}')) {
        bool is_right = frti_is(parser, ';') ? frti_next(parser)
                        : frti_is(parser, FRTI_TOKEN_STATIC_ASSERT)
                            ? frti_static_assert(parser)
                            : draft_declaration(parser, draft);

        if (!is_right)
            return false;
    }
    return true;
}

/* -------------------------------------------------------------- layout --- */

/* GCC manual, "Common Type Attributes": `packed` on a struct is `packed` on
 * each member, and takes away what a typedef of the member's type asks for,
 * but not what the member itself does. 0: the layout stays as it is. */
static size_t
member_alignment(const struct member *member, bool is_packed)
{
    const frt_layout *layout = member->type.layout;
    bool is_field = frt_layout_kind(layout) == FRT_KIND_BIT_FIELD;

    if (is_packed || member->is_packed) {
        if (member->alignment != 0)
            return member->alignment;
        return member->is_packed || (layout->plain != NULL && !is_field);
    }
    return is_field || member->alignment > frt_layout_alignment(layout)
               ? member->alignment
               : 0;
}

static bool
draft_align(struct frti_parser *parser, const struct draft *draft,
            frt_member *out)
{
    for (struct member *member = draft->first; member != NULL;
         member = member->next) {
        size_t alignment =
            member_alignment(member, draft->attributes.is_packed);

        if (alignment != 0 && !frti_type_align(parser, &member->type, alignment,
                                               member->position))
            return false;
        *out++ = (frt_member){.name = member->name == NULL ? NULL
                                                           : member->name->text,
                              .layout = member->type.layout};
    }
    return true;
}

/* Which members are const, in *out; NULL there: none. */
static bool
draft_constants(struct frti_parser *parser, const struct draft *draft,
                const bool **out)
{
    bool *constants = NULL;
    size_t i = 0;

    for (const struct member *member = draft->first; member != NULL;
         member = member->next, i++) {
        if (!member->type.is_const)
            continue;
        if (constants == NULL) {
            constants = frti_make(parser, draft->count * sizeof *constants);
            if (constants == NULL)
                return false;
        }
        constants[i] = true;
    }
    *out = constants;
    return true;
}

static bool
draft_lay_out(struct frti_parser *parser, const struct draft *draft,
              size_t pack, struct frti_type *out)
{
    frt_member *members =
        frti_make(parser, (draft->count + 1) * sizeof *members);
    frt_aggregate_options options = {
        .size = sizeof options,
        .tag = draft->tag == NULL ? NULL : draft->tag->text,
        .alignment = draft->attributes.alignment,
        .pack = pack,
        .packed = draft->attributes.is_packed,
        .model = parser->model};
    const frt_layout *layout = NULL;
    frt_status status;

    if (members == NULL || !draft_align(parser, draft, members) ||
        !draft_constants(parser, draft, &options.is_const))
        return false;
    status = draft->kind == FRT_KIND_STRUCT
                 ? frt_layout_struct(&layout, members, draft->count, &options)
                 : frt_layout_union(&layout, members, draft->count, &options);
    *out = (struct frti_type){.layout = layout};
    return frti_take(parser, draft->position, status, layout);
}

/* ---------------------------------------------------------------- tags --- */

static bool
draft_refuse_again(struct frti_parser *parser, const struct draft *draft,
                   const char *fault)
{
    struct frti_where where;

    return frti_refuse(parser, draft->position, "'%s %.64s' %s at %s",
                       draft_word(draft), draft->tag->text, fault,
                       frti_where(&where, parser, draft->tag->tag));
}

/* Binds the tag in this scope to the incomplete layout of its name. */
static bool
draft_bind(struct frti_parser *parser, struct draft *draft)
{
    struct frti_binding binding = {.kind = draft->binding_kind,
                                   .position = (uint32_t)draft->position};
    const frt_layout *layout = NULL;
    frt_status status = frti_layout_incomplete_in(
        &layout, draft->kind, draft->tag->text, parser->model);

    if (!frti_take(parser, draft->position, status, layout))
        return false;
    binding.type.layout = layout;
    draft->binding = frti_bind(parser->names, draft->tag, &binding);
    if (draft->binding == NULL)
        return false;
    draft->binding->type.tag = draft->binding;
    return true;
}

static bool
draft_check_kind(struct frti_parser *parser, const struct draft *draft)
{
    return draft->tag->tag->kind == draft->binding_kind ||
           draft_refuse_again(parser, draft, "is a tag of another kind");
}

/* At the `{`: the tag as it is while the members are read. */
static bool
draft_open(struct frti_parser *parser, struct draft *draft)
{
    struct frti_binding *known;

    if (draft->tag == NULL)
        return true;
    known = draft->tag->tag;
    if (known == NULL || known->scope != parser->names->scope)
        return draft_bind(parser, draft) && (draft->binding->is_open = true);
    if (!draft_check_kind(parser, draft))
        return false;
    if (known->is_open)
        return draft_refuse_again(parser, draft, "is defined within itself,");
    draft->binding = known;
    /* that it is open is to be undone, too, should the text fail */
    if (frt_layout_is_complete(known->type.layout)
            ? known->file != NULL &&
                  !frti_lasting_remember(parser->lasting, known)
            : !frti_rebind(parser, known, draft->position))
        return frti_source_no_memory(&parser->source, sizeof *known);
    known->is_open = true;
    return true;
}

/* The same definition again is no fault, as in C23: the first one stays. */
static bool
draft_close(struct frti_parser *parser, const struct draft *draft,
            struct frti_type *type)
{
    struct frti_binding *binding = draft->binding;

    if (binding == NULL)
        return true;
    if (!frt_layout_is_complete(binding->type.layout))
        binding->type.layout = type->layout;
    else if (!frti_layouts_agree(binding->type.layout, type->layout))
        return draft_refuse_again(parser, draft, "was defined otherwise");
    binding->is_open = false;
    type->layout = binding->type.layout;
    type->tag = binding;
    return true;
}

static bool
draft_attributes(struct frti_parser *parser, struct draft *draft)
{
    struct frti_attributes *attributes = &draft->attributes;

    if (!frti_attributes(parser, attributes))
        return false;
    if (attributes->mode != 0 || attributes->vector != 0 ||
        attributes->elements != 0)
        return frti_refuse(parser, attributes->position,
                           "a struct or union has no mode and is no vector");
    return true;
}

static bool
draft_define(struct frti_parser *parser, struct draft *draft,
             struct frti_type *out)
{
    size_t pack;

    draft->end = &draft->first;
    draft->number = ++parser->lasting->aggregates;
    if (!draft_open(parser, draft) || !frti_enter(parser, FRTI_LEVEL) ||
        !frti_next(parser) || !draft_members(parser, draft))
        return false;
    frti_leave(parser, FRTI_LEVEL);
    pack = parser->lexer.pack.limit;
    return frti_next(parser) && draft_attributes(parser, draft) &&
           draft_lay_out(parser, draft, pack, out) &&
           draft_close(parser, draft, out);
}

static bool
draft_refer(struct frti_parser *parser, struct draft *draft,
            struct frti_type *out)
{
    if (draft->tag == NULL)
        return frti_refuse_token(parser, draft->kind == FRT_KIND_STRUCT
                                             ? "a tag or '{' after 'struct'"
                                             : "a tag or '{' after 'union'");
    if (draft->tag->tag == NULL) {
        if (!draft_bind(parser, draft))
            return false;
    } else if (!draft_check_kind(parser, draft)) {
        return false;
    }
    *out = draft->tag->tag->type;
    return true;
}

bool
frti_aggregate(struct frti_parser *parser, struct frti_type *out, bool *has_tag)
{
    bool is_struct = frti_is(parser, FRTI_TOKEN_STRUCT);
    struct draft draft = {.kind = is_struct ? FRT_KIND_STRUCT : FRT_KIND_UNION,
                          .binding_kind = is_struct ? FRTI_BINDING_STRUCT
                                                    : FRTI_BINDING_UNION};

    if (!frti_next(parser) || !draft_attributes(parser, &draft))
        return false;
    draft.position = parser->token.position;
    *has_tag = frti_is(parser, FRTI_TOKEN_NAME);
    if (*has_tag) {
        draft.tag = parser->token.name;
        if (!frti_next(parser)) /* attributes here are the declaration's */
            return false;
    }
    return frti_is(parser, '{') ? draft_define(parser, &draft, out)
                                : draft_refer(parser, &draft, out);
}
