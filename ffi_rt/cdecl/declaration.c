/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declarations at file scope, C11 6.7 and 6.9, and what they bind. */
#include <string.h>

#include "ffi_rt/cdecl/parser.h"

bool
frti_static_assert(struct frti_parser *parser)
{
    size_t position;
    struct frti_literal literal;
    const char *text = "the assertion";
    frt_kind kind;
    size_t length;

    if (!frti_next(parser) || !frti_expect(parser, '(', "'('"))
        return false;
    position = parser->token.position;
    if (!frti_constant(parser, &literal))
        return false;
    if (frti_is(parser, ',')) {
        if (!frti_next(parser))
            return false;
        if (!frti_is(parser, FRTI_TOKEN_STRING))
            return frti_refuse_token(parser, "a string");
        if (!frti_string_read(parser, &text, &kind, &length))
            return false;
    }
    if (literal.bits == 0)
        return frti_refuse(parser, position, "an assertion fails: %.200s",
                           text);
    return frti_expect(parser, ')', "')'");
}

/* ------------------------------------------------------------- binding --- */

static bool
declared_refuse_again(struct frti_parser *parser,
                      const struct frti_declarator *declarator)
{
    struct frti_where where;

    return frti_refuse(parser, declarator->position,
                       "'%.64s' is declared as something else at %s",
                       declarator->name->text,
                       frti_where(&where, parser, declarator->name->ordinary));
}

static bool
labels_agree(const char *one, const char *other)
{
    return one == NULL || other == NULL || strcmp(one, other) == 0;
}

/* A function with its parameters, or an array with its length, says more than
 * the same one without. */
static bool
type_says_more(const struct frti_type *type, const struct frti_type *known)
{
    if (type->function != NULL)
        return known->function->is_unspecified &&
               !type->function->is_unspecified;
    return frt_layout_is_complete(type->layout) &&
           !frt_layout_is_complete(known->layout);
}

/* One of two arrays has no length: they agree, but are not the same type. */
static bool
lengths_differ(const struct frti_type *one, const struct frti_type *other)
{
    return one->function == NULL && frt_layout_is_complete(one->layout) !=
                                        frt_layout_is_complete(other->layout);
}

/* The name again in its scope. The same may be repeated, C11 6.7 paragraph 3
 * and 6.2.7; the first declaration stays, with what this one adds to it. */
static bool
declared_again(struct frti_parser *parser, const struct frti_declared *declared,
               const struct frti_binding *now)
{
    const struct frti_declarator *declarator = &declared->declarator;
    struct frti_binding *known = declarator->name->ordinary;
    struct frti_type type = known->type;
    bool is_object = now->kind == FRTI_BINDING_OBJECT;

    if (known->kind != now->kind)
        return declared_refuse_again(parser, declarator);
    if (!frti_type_refresh(parser, &type, declarator->position))
        return false;
    if (!frti_types_agree(&type, &declarator->type) ||
        (!is_object && lengths_differ(&type, &declarator->type)) ||
        (is_object && !labels_agree(known->label, declared->label)))
        return declared_refuse_again(parser, declarator);
    if (!is_object || ((declared->label == NULL || known->label != NULL) &&
                       !type_says_more(&declarator->type, &type)))
        return true;
    if (!frti_rebind(parser, known, declarator->position))
        return false;
    if (type_says_more(&declarator->type, &type))
        known->type = now->type;
    if (known->label == NULL && now->label != NULL) {
        known->label = now->label;
        frti_type_forget_prototype(&known->type); /* it has no label */
    }
    return true;
}

/* What is to be bound lasts as long as the names do. */
static bool
declared_last(struct frti_parser *parser, struct frti_binding *binding,
              const struct frti_declared *declared)
{
    const char *label = declared->label;

    binding->type = declared->declarator.type;
    if (!frti_type_last(parser, &binding->type))
        return false;
    if (binding->kind != FRTI_BINDING_OBJECT || label == NULL)
        return true;
    binding->label = frti_copy_lasting(parser, label, strlen(label));
    return binding->label != NULL;
}

static bool
declared_bind(struct frti_parser *parser, struct frti_declared *declared)
{
    struct frti_declarator *declarator = &declared->declarator;
    bool is_typedef = declared->storage == FRTI_STORAGE_TYPEDEF;
    struct frti_binding binding = {
        .kind = is_typedef ? FRTI_BINDING_TYPEDEF : FRTI_BINDING_OBJECT,
        .is_static = declared->storage == FRTI_STORAGE_STATIC,
        .position = (uint32_t)declarator->position};
    const struct frti_binding *known;

    if (declarator->name == NULL)
        return true;
    if (declarator->attributes.minimum != 0 &&
        (is_typedef || declarator->type.function != NULL))
        return frti_refuse(parser, declarator->attributes.position,
                           "_Alignas is for variables and members");
    if (is_typedef && !frti_attributes_typedef(parser, &declarator->type,
                                               &declarator->attributes))
        return false;
    if (!declared_last(parser, &binding, declared))
        return false;
    known = declarator->name->ordinary;
    if (known != NULL && known->scope == parser->names->scope)
        return declared_again(parser, declared, &binding);
    return frti_bind(parser->names, declarator->name, &binding) != NULL;
}

/* ------------------------------------------------------- declarations --- */

/* The value of a variable is of no use here. */
static bool
declaration_skip_value(struct frti_parser *parser,
                       const struct frti_declared *declared)
{
    if (declared->declarator.type.function != NULL ||
        declared->storage == FRTI_STORAGE_TYPEDEF)
        return frti_refuse(parser, parser->token.position,
                           "only a variable has a value");
    while (!frti_is(parser, ',') && !frti_is(parser, ';') &&
           !frti_is(parser, FRTI_TOKEN_END)) {
        bool is_open = frti_is(parser, '(') || frti_is(parser, '[') ||
                       frti_is(parser, '{');

        if (!(is_open ? frti_skip_brackets(parser) : frti_next(parser)))
            return false;
    }
    return true;
}

/* `static const` of a type whose constants have a name. */
static bool
declared_is_constant(const struct frti_parser *parser,
                     const struct frti_declared *declared)
{
    const struct frti_type *type = &declared->declarator.type;
    const frt_layout *layout = type->layout;

    if (declared->storage != FRTI_STORAGE_STATIC || !frti_is(parser, '=') ||
        declared->declarator.name == NULL || !type->is_const || layout == NULL)
        return false;
    if (frt_layout_is_integer(layout) || frt_layout_is_floating(layout) ||
        frt_layout_kind(layout) == FRT_KIND_POINTER)
        return true;
    return frt_layout_kind(layout) == FRT_KIND_ARRAY &&
           frt_layout_count(layout) == FRT_FLEXIBLE &&
           frt_layout_kind(frt_layout_element(layout)) == FRT_KIND_CHAR;
}

/* At the `=`. A value that is no constant makes it a variable as any other. */
static bool
declared_try_constant(struct frti_parser *parser,
                      const struct frti_declared *declared, bool *is_bound)
{
    const struct frti_declarator *declarator = &declared->declarator;
    const struct frti_binding *known = declarator->name->ordinary;
    struct frti_place_of_return place = frti_try(parser);
    struct frti_binding binding = {.kind = FRTI_BINDING_CONSTANT,
                                   .position = (uint32_t)declarator->position,
                                   .type = declarator->type};

    *is_bound = frti_next(parser) && frti_constant_value(parser, &binding) &&
                (frti_is(parser, ',') || frti_is(parser, ';'));
    if (*is_bound && known != NULL)
        *is_bound = known->scope == parser->names->scope &&
                    frti_constants_agree(known, &binding);
    if (!frti_tried(parser, &place, *is_bound))
        return false;
    return !*is_bound || known != NULL ||
           frti_bind(parser->names, declarator->name, &binding) != NULL;
}

/* A declarator's name, and its value if one follows. */
static bool
declaration_bind(struct frti_parser *parser, struct frti_declared *last)
{
    bool is_bound = false;

    if (declared_is_constant(parser, last) &&
        !declared_try_constant(parser, last, &is_bound))
        return false;
    return is_bound ||
           (declared_bind(parser, last) &&
            (!frti_is(parser, '=') || declaration_skip_value(parser, last)));
}

/* A tag may stand alone. */
static void
declaration_note_unnamed(struct frti_parser *parser, struct frti_declared *last,
                         const struct frti_specifiers *specifiers)
{
    const struct frti_declarator *declarator = &last->declarator;
    bool is_alone = last->count == 0 && !frti_is(parser, ',');

    if (declarator->name != NULL || last->lacks_name ||
        (is_alone && declarator->is_plain && specifiers->is_tag_alone))
        return;
    last->lacks_name = true;
    last->unnamed = declarator->position;
}

/* The declarators after the specifiers. */
static bool
declaration_declarators(struct frti_parser *parser, struct frti_declared *last,
                        const struct frti_specifiers *specifiers)
{
    struct frti_specifiers own = *specifiers;

    for (;;) {
        last->label = NULL;
        if (!frti_declarator(parser, &last->declarator, &own,
                             FRTI_DECLARATOR_EITHER, &last->label) ||
            !declaration_bind(parser, last))
            return false;
        declaration_note_unnamed(parser, last, specifiers);
        last->count++;
        if (!frti_is(parser, ','))
            return true;
        own = *specifiers; /* attributes here are the next declarator's */
        if (!frti_next(parser) || !frti_attributes(parser, &own.attributes))
            return false;
    }
}

bool
frti_declared_check(struct frti_parser *parser,
                    const struct frti_declared *declared)
{
    return !declared->lacks_name ||
           frti_refuse(parser, declared->unnamed, "a name is expected here");
}

static bool
declaration_read(struct frti_parser *parser, struct frti_declared *last)
{
    struct frti_specifiers specifiers;

    frti_store_empty(&parser->store);
    if (!frti_specifiers(parser, &specifiers))
        return false;
    *last = (struct frti_declared){.storage = specifiers.storage};
    if (!declaration_declarators(parser, last, &specifiers))
        return false;
    if (frti_is(parser, '{') && last->declarator.type.function != NULL)
        return frti_skip_brackets(parser);
    if (frti_is(parser, FRTI_TOKEN_END))
        return true;
    if (!frti_is(parser, ';'))
        return frti_refuse_token(parser, "';' or the end of the text");
    while (frti_is(parser, ';'))
        if (!frti_next(parser))
            return false;
    return frti_is(parser, FRTI_TOKEN_END) || frti_declared_check(parser, last);
}

/* What stands between declarations; *is_one: nothing of it, a declaration
 * comes. `braces` counts those of `extern "C" {`. */
static bool
declaration_between(struct frti_parser *parser, size_t *braces, bool *is_one)
{
    int ahead;

    *is_one = false;
    switch (parser->token.kind) {
    case ';':
        return frti_next(parser);
    case FRTI_TOKEN_STATIC_ASSERT:
        return frti_static_assert(parser) && frti_expect(parser, ';', "';'");
    case FRTI_TOKEN_ASM:
        if (!frti_next(parser))
            return false;
        if (!frti_is(parser, '('))
            return frti_refuse_token(parser, "'(' after 'asm'");
        return frti_skip_brackets(parser);
    case '}':
        if (*braces == 0)
            break;
        --*braces;
        return frti_next(parser);
    case FRTI_TOKEN_EXTERN:
        if (!frti_peek(parser, &ahead))
            return false;
        if (ahead != FRTI_TOKEN_STRING)
            break;
        if (!frti_next(parser) || !frti_next(parser))
            return false;
        if (!frti_is(parser, '{'))
            break;
        ++*braces;
        return frti_next(parser);
    default:
        break;
    }
    *is_one = true;
    return true;
}

bool
frti_declarations(struct frti_parser *parser, struct frti_declared *last)
{
    size_t braces = 0;
    bool is_one;

    *last = (struct frti_declared){.count = 0};
    while (!frti_is(parser, FRTI_TOKEN_END))
        if (!declaration_between(parser, &braces, &is_one) ||
            (is_one && !declaration_read(parser, last)))
            return false;
    return braces == 0 || frti_refuse_token(parser, "'}'");
}
