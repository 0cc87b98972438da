/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declarations at file scope, C11 6.7 and 6.9, and what they bind. */
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
    struct frti_line_column first = frti_source_place(
        &parser->source, declarator->name->ordinary->position);

    return frti_refuse(parser, declarator->position,
                       "'%.64s' is declared as something else at %zu:%zu",
                       declarator->name->text, first.line, first.column);
}

static bool
types_agree(const struct frti_type *one, const struct frti_type *other)
{
    if (one->function != NULL || other->function != NULL)
        return one->function != NULL && other->function != NULL;
    return one->layout == other->layout;
}

/* The same typedef may be repeated, C11 6.7 paragraph 3. */
static bool
declared_check(struct frti_parser *parser,
               const struct frti_declarator *declarator,
               enum frti_binding_kind kind)
{
    const struct frti_binding *known = declarator->name->ordinary;
    struct frti_type type;

    if (known == NULL || known->scope != parser->names.scope)
        return true;
    if (known->kind != kind)
        return declared_refuse_again(parser, declarator);
    if (kind != FRTI_BINDING_TYPEDEF)
        return true;
    type = known->type;
    return frti_type_refresh(parser, &type, declarator->position) &&
           (types_agree(&type, &declarator->type) ||
            declared_refuse_again(parser, declarator));
}

static bool
declared_bind(struct frti_parser *parser, struct frti_declared *declared)
{
    struct frti_declarator *declarator = &declared->declarator;
    bool is_typedef = declared->storage == FRTI_STORAGE_TYPEDEF;
    struct frti_binding binding = {.kind = is_typedef ? FRTI_BINDING_TYPEDEF
                                                      : FRTI_BINDING_OBJECT,
                                   .position = declarator->position};

    if (declarator->name == NULL)
        return true;
    if (is_typedef && !frti_attributes_typedef(parser, &declarator->type,
                                               &declarator->attributes))
        return false;
    if (!declared_check(parser, declarator, binding.kind))
        return false;
    binding.type = declarator->type;
    return frti_bind(&parser->names, declarator->name, &binding) != NULL;
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
            !declared_bind(parser, last))
            return false;
        last->count++;
        if (frti_is(parser, '=') && !declaration_skip_value(parser, last))
            return false;
        if (!frti_is(parser, ','))
            return true;
        own = *specifiers; /* attributes here are the next declarator's */
        if (!frti_next(parser) || !frti_attributes(parser, &own.attributes))
            return false;
    }
}

/* A declaration that is not the last of the text must have declared something:
 * a name, or a tag. */
static bool
declaration_check(struct frti_parser *parser, const struct frti_declared *last,
                  const struct frti_specifiers *specifiers)
{
    if (last->declarator.name != NULL ||
        (last->declarator.is_plain && specifiers->is_tag_alone) ||
        frti_is(parser, FRTI_TOKEN_END))
        return true;
    return frti_refuse(parser, last->declarator.position,
                       "a name is expected here");
}

static bool
declaration_read(struct frti_parser *parser, struct frti_declared *last)
{
    struct frti_specifiers specifiers;

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
    return declaration_check(parser, last, &specifiers);
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

    last->count = 0;
    while (!frti_is(parser, FRTI_TOKEN_END))
        if (!declaration_between(parser, &braces, &is_one) ||
            (is_one && !declaration_read(parser, last)))
            return false;
    if (braces > 0)
        return frti_refuse_token(parser, "'}'");
    if (last->count == 0)
        return frti_refuse(parser, parser->token.position,
                           "the text declares nothing");
    return true;
}
