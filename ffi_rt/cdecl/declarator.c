/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Declarators, C11 6.7.6 and 6.7.7, written inside out as C has them.
 *
 * Reading gives a list of derivations in the order in which they apply to the
 * type of the specifiers: of `int *(*a[2])(void)` that is pointer, function,
 * pointer, array. Within one pair of parentheses that order is: the pointers,
 * the suffixes from the last to the first, what stands in the inner pair.
 */
#include "ffi_rt/cdecl/parser.h"

enum derivation_kind {
    DERIVATION_POINTER,
    DERIVATION_ARRAY,
    DERIVATION_FUNCTION
};

struct derivation {
    struct derivation *next;
    enum derivation_kind kind;
    size_t position;
    bool is_const;    /* a pointer */
    bool is_atomic;   /* a pointer */
    size_t count;     /* FRT_FLEXIBLE: unknown */
    bool is_static;   /* at least `count`, of a parameter */
    bool is_variable; /* the length depends on a parameter */
    size_t alignment; /* of a pointer; 0: natural */
    struct frti_function *function;
};

/* One declarator under way. */
struct draft {
    struct frti_declarator *out;
    enum frti_declarator_form form;
    size_t derivations;
};

static struct derivation *
draft_derive(struct frti_parser *parser, struct draft *draft,
             enum derivation_kind kind, size_t position)
{
    struct derivation *derivation;

    if (draft->derivations == FRTI_DEPTH_LIMIT) {
        frti_refuse(parser, position,
                    "the declarator has over %d '*', '[]' and '()'",
                    FRTI_DEPTH_LIMIT);
        return NULL;
    }
    derivation = frti_make(parser, sizeof *derivation);
    if (derivation == NULL)
        return NULL;
    draft->derivations++;
    derivation->kind = kind;
    derivation->position = position;
    return derivation;
}

/* ------------------------------------------------------------ pointers --- */

/* The qualifiers after a `*` or in a parameter's `[`. */
static bool
declarator_qualifiers(struct frti_parser *parser, bool *is_const,
                      bool *is_atomic)
{
    for (;;) {
        switch (parser->token.kind) {
        case FRTI_TOKEN_CONST:
            *is_const = true;
            break;
        case FRTI_TOKEN_ATOMIC:
            *is_atomic = true;
            break;
        case FRTI_TOKEN_VOLATILE:
        case FRTI_TOKEN_RESTRICT:
        case FRTI_TOKEN_NULLABILITY:
            break;
        default:
            return true;
        }
        if (!frti_next(parser))
            return false;
    }
}

static bool
declarator_pointer(struct frti_parser *parser, struct derivation *pointer)
{
    struct frti_attributes attributes = {0};
    size_t before;

    if (!frti_next(parser))
        return false;
    do {
        before = parser->token.position;
        if (!declarator_qualifiers(parser, &pointer->is_const,
                                   &pointer->is_atomic) ||
            !frti_attributes(parser, &attributes))
            return false;
    } while (parser->token.position != before);
    pointer->alignment = attributes.alignment;
    return true;
}

/* Appends to the list that ends at *end. */
static bool
declarator_pointers(struct frti_parser *parser, struct draft *draft,
                    struct derivation ***end)
{
    while (frti_is(parser, '*')) {
        struct derivation *pointer = draft_derive(
            parser, draft, DERIVATION_POINTER, parser->token.position);

        if (pointer == NULL || !declarator_pointer(parser, pointer))
            return false;
        **end = pointer;
        *end = &pointer->next;
    }
    return true;
}

/* -------------------------------------------------------------- arrays --- */

static bool
declarator_length(struct frti_parser *parser, struct derivation *array)
{
    bool is_constant;
    int ahead;

    array->count = FRT_FLEXIBLE;
    if (frti_is(parser, ']'))
        return !array->is_static || frti_refuse_token(parser, "a length");
    if (frti_is(parser, '?')) /* a length to be told when one is made */
        return frti_next(parser);
    if (frti_is(parser, '*')) {
        if (!frti_peek(parser, &ahead))
            return false;
        if (ahead == ']') {
            if (parser->names->scope == 0)
                return frti_refuse(parser, parser->token.position,
                                   "'[*]' is for parameters");
            array->is_variable = true;
            return frti_next(parser);
        }
    }
    if (!frti_array_length(parser, &array->count, &is_constant))
        return false;
    array->is_variable = !is_constant;
    return true;
}

/* At the `[`. Only a parameter's outermost array may have the words. */
static bool
declarator_array(struct frti_parser *parser, struct draft *draft,
                 struct derivation *array)
{
    bool is_const = false;
    bool is_atomic = false;
    size_t words;

    if (!frti_next(parser))
        return false;
    words = parser->token.position;
    for (int i = 0; i < 2; i++) {
        if (!declarator_qualifiers(parser, &is_const, &is_atomic))
            return false;
        if (frti_is(parser, FRTI_TOKEN_STATIC) && !array->is_static) {
            array->is_static = true;
            if (!frti_next(parser))
                return false;
        }
    }
    if (words != parser->token.position &&
        draft->form != FRTI_DECLARATOR_PARAMETER)
        return frti_refuse(
            parser, words,
            "'static' and qualifiers in '[]' are for parameters");
    return declarator_length(parser, array) && frti_expect(parser, ']', "']'");
}

/* ---------------------------------------------------------- parameters --- */

static bool
parameter_bind(struct frti_parser *parser, struct frti_name *name,
               const struct frti_type *type, size_t position)
{
    struct frti_binding binding = {.kind = FRTI_BINDING_OBJECT,
                                   .type = *type,
                                   .position = (uint32_t)position};
    const struct frti_binding *other = name->ordinary;

    if (other != NULL && other->scope == parser->names->scope)
        return frti_refuse(parser, position,
                           "two parameters have the name '%.64s'", name->text);
    return frti_bind(parser->names, name, &binding) != NULL;
}

static bool
parameter_is_void(const struct frti_type *type)
{
    return type->function == NULL &&
           frt_layout_kind(type->layout) == FRT_KIND_VOID;
}

/* One parameter; *is_none: it is the `void` that says that there are none. */
static bool
parameter_read(struct frti_parser *parser, struct frti_parameter *parameter,
               const struct frti_attributes *before, bool *is_none)
{
    struct frti_specifiers specifiers;
    struct frti_declarator declarator;
    size_t position = parser->token.position;

    if (!frti_specifiers(parser, &specifiers))
        return false;
    if (specifiers.storage == FRTI_STORAGE_TYPEDEF)
        return frti_refuse(parser, position, "a parameter cannot be a typedef");
    frti_attributes_merge(&specifiers.attributes, before);
    if (!frti_declarator(parser, &declarator, &specifiers,
                         FRTI_DECLARATOR_PARAMETER, NULL))
        return false;
    parameter->position =
        declarator.name != NULL ? declarator.position : position;
    parameter->name = declarator.name;
    parameter->type = declarator.type;
    *is_none = false;
    if (parameter_is_void(&declarator.type)) {
        *is_none = declarator.name == NULL && frti_is(parser, ')');
        return *is_none || frti_refuse(parser, parameter->position,
                                       "a parameter cannot be void");
    }
    return frti_type_adjust(parser, &parameter->type, parameter->position) &&
           (declarator.name == NULL ||
            parameter_bind(parser, declarator.name, &parameter->type,
                           declarator.position));
}

/* Between two parameters. */
static bool
parameters_separator(struct frti_parser *parser, struct frti_function *function,
                     struct frti_parameter ***end)
{
    if (frti_is(parser, ',') || !frti_is(parser, ';'))
        return frti_expect(parser, ',', "',' or ')'");
    /* GNU C: parameters declared in advance; their names stay known, and may
     * be declared again */
    function->parameters = NULL;
    function->count = 0;
    *end = &function->parameters;
    frti_scope_enter(parser->names);
    return frti_next(parser);
}

/* One parameter, appended at *end. */
static bool
parameters_add(struct frti_parser *parser, struct frti_function *function,
               struct frti_parameter ***end,
               const struct frti_attributes *before)
{
    struct frti_parameter *parameter = frti_make(parser, sizeof *parameter);
    bool is_none;

    if (parameter == NULL ||
        !parameter_read(parser, parameter, before, &is_none))
        return false;
    if (is_none)
        return function->count == 0 ||
               frti_refuse(parser, parameter->position,
                           "a parameter cannot be void");
    **end = parameter;
    *end = &parameter->next;
    function->count++;
    return true;
}

/* Up to the `)`. `()` is `(void)`, as in C23. */
static bool
parameters_read(struct frti_parser *parser, struct frti_function *function,
                struct frti_attributes *before)
{
    struct frti_parameter **end = &function->parameters;

    function->is_unspecified = frti_is(parser, ')');
    if (function->is_unspecified)
        return true;
    while (!frti_is(parser, FRTI_TOKEN_ELLIPSIS)) {
        if (!parameters_add(parser, function, &end, before))
            return false;
        if (frti_is(parser, ')'))
            return true;
        *before = (struct frti_attributes){0};
        if (!parameters_separator(parser, function, &end))
            return false;
    }
    function->is_variadic = true;
    return frti_next(parser);
}

/* After the `(`. */
static bool
declarator_parameters(struct frti_parser *parser, struct derivation *derivation,
                      struct frti_attributes *before)
{
    unsigned scope;

    derivation->function = frti_make(parser, sizeof *derivation->function);
    if (derivation->function == NULL || !frti_enter(parser, FRTI_LEVEL))
        return false;
    scope = parser->names->scope;
    frti_scope_enter(parser->names);
    if (!parameters_read(parser, derivation->function, before) ||
        !frti_expect(parser, ')', "')'"))
        return false;
    while (parser->names->scope > scope)
        frti_scope_leave(parser->names);
    frti_leave(parser, FRTI_LEVEL);
    return true;
}

/* ---------------------------------------------------------- declarator --- */

static bool declarator_part(struct frti_parser *parser, struct draft *draft,
                            struct derivation **list);

static bool
declarator_function(struct frti_parser *parser, struct draft *draft,
                    struct derivation **suffixes, size_t position,
                    struct frti_attributes *before)
{
    struct derivation *function =
        draft_derive(parser, draft, DERIVATION_FUNCTION, position);

    if (function == NULL || !declarator_parameters(parser, function, before))
        return false;
    function->next = *suffixes;
    *suffixes = function;
    return true;
}

static bool
declarator_suffixes(struct frti_parser *parser, struct draft *draft,
                    struct derivation **suffixes)
{
    for (;;) {
        size_t position = parser->token.position;
        struct frti_attributes before = {0};
        struct derivation *array;

        if (frti_is(parser, '(')) {
            if (!frti_next(parser) ||
                !declarator_function(parser, draft, suffixes, position,
                                     &before))
                return false;
            continue;
        }
        if (!frti_attributes(parser, &draft->out->attributes))
            return false;
        if (frti_is(parser, '(')) /* after `[[...]]` */
            continue;
        if (!frti_is(parser, '['))
            return true;
        position = parser->token.position;
        array = draft_derive(parser, draft, DERIVATION_ARRAY, position);
        if (array == NULL || !declarator_array(parser, draft, array))
            return false;
        array->next = *suffixes;
        *suffixes = array;
    }
}

/* After a `(`: parameters of a function without a name, or a declarator? C11
 * 6.7.6.3 paragraph 11: a type's name there begins parameters. */
static bool
declarator_is_function(struct frti_parser *parser, const struct draft *draft)
{
    return draft->form != FRTI_DECLARATOR_NAMED &&
           (frti_is(parser, ')') || frti_is(parser, FRTI_TOKEN_ELLIPSIS) ||
            frti_begins_type(parser));
}

static bool
declarator_parentheses(struct frti_parser *parser, struct draft *draft,
                       struct derivation **inner, struct derivation **suffixes)
{
    size_t position = parser->token.position;
    struct frti_attributes before = {0};

    if (!frti_next(parser) || !frti_attributes(parser, &before))
        return false;
    if (declarator_is_function(parser, draft))
        return declarator_function(parser, draft, suffixes, position, &before);
    frti_attributes_merge(&draft->out->attributes, &before);
    return declarator_part(parser, draft, inner) &&
           frti_expect(parser, ')', "')'");
}

static bool
declarator_direct(struct frti_parser *parser, struct draft *draft,
                  struct derivation **inner, struct derivation **suffixes)
{
    draft->out->position = parser->token.position;
    if (frti_is(parser, '('))
        return declarator_parentheses(parser, draft, inner, suffixes);
    if (!frti_is(parser, FRTI_TOKEN_NAME) ||
        draft->form == FRTI_DECLARATOR_ABSTRACT)
        return draft->form != FRTI_DECLARATOR_NAMED ||
               frti_refuse_token(parser, "a name");
    draft->out->name = parser->token.name;
    return frti_next(parser);
}

static bool
declarator_part(struct frti_parser *parser, struct draft *draft,
                struct derivation **list)
{
    struct derivation **end = list;
    struct derivation *inner = NULL;
    struct derivation *suffixes = NULL;

    *list = NULL;
    if (!frti_enter(parser, FRTI_LEVEL) ||
        !declarator_pointers(parser, draft, &end) ||
        !declarator_direct(parser, draft, &inner, &suffixes) ||
        !declarator_suffixes(parser, draft, &suffixes))
        return false;
    frti_leave(parser, FRTI_LEVEL);
    *end = suffixes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = inner;
    return true;
}

/* ----------------------------------------------------------- applying --- */

static bool
derivation_pointer(struct frti_parser *parser, struct frti_type *type,
                   const struct derivation *pointer)
{
    if (!frti_type_pointer(parser, type, type, pointer->position))
        return false;
    type->is_const = pointer->is_const;
    return pointer->alignment == 0 ||
           frti_type_align(parser, type, pointer->alignment, pointer->position);
}

/* A parameter's outermost array is a pointer to its element, which must be
 * complete or of a length that is known when the function runs. */
static bool
derivation_parameter_array(struct frti_parser *parser, struct frti_type *type,
                           const struct derivation *array, bool is_variable)
{
    char text[96];

    if (!frti_type_is_complete(type) && !is_variable)
        return frti_refuse(parser, array->position,
                           "an array of '%s', which is not a complete type",
                           frti_type_text(text, sizeof text, type));
    if (array->is_static && !array->is_variable &&
        array->count > FRTI_LEAST_LIMIT)
        return frti_refuse(parser, array->position, "the array is too long");
    if (!frti_type_pointer(parser, type, type, array->position))
        return false;
    type->least = array->is_static && !array->is_variable ? array->count : 0;
    return true;
}

static bool
derivation_apply(struct frti_parser *parser, struct frti_type *type,
                 const struct derivation *derivation, bool *is_variable,
                 bool is_parameter)
{
    bool was_variable = *is_variable;

    *is_variable = false;
    if (derivation->kind == DERIVATION_POINTER)
        return derivation_pointer(parser, type, derivation);
    if (derivation->kind == DERIVATION_FUNCTION)
        return frti_type_function(parser, type, derivation->function, type,
                                  derivation->position);
    if (is_parameter && derivation->next == NULL)
        return derivation_parameter_array(parser, type, derivation,
                                          was_variable);
    *is_variable = was_variable || derivation->is_variable;
    /* an array of arrays of unknown length is taken as one of them: all that
     * matters of it is that a pointer points there */
    return was_variable ||
           frti_type_array(parser, type, type, derivation->count,
                           derivation->position);
}

static bool
declarator_apply(struct frti_parser *parser, const struct draft *draft,
                 const struct derivation *list)
{
    struct frti_type *type = &draft->out->type;
    bool is_variable = false;

    for (; list != NULL; list = list->next)
        if (!derivation_apply(parser, type, list, &is_variable,
                              draft->form == FRTI_DECLARATOR_PARAMETER))
            return false;
    return true;
}

/* asm("label"), and attributes before and after it */
static bool
declarator_tail(struct frti_parser *parser, struct draft *draft,
                const char **label)
{
    frt_kind kind;
    size_t length;

    if (!frti_attributes(parser, &draft->out->attributes))
        return false;
    if (label == NULL || !frti_is(parser, FRTI_TOKEN_ASM))
        return true;
    if (!frti_next(parser) || !frti_expect(parser, '(', "'('"))
        return false;
    if (!frti_is(parser, FRTI_TOKEN_STRING))
        return frti_refuse_token(parser, "a string");
    return frti_string_read(parser, label, &kind, &length) &&
           frti_expect(parser, ')', "')'") &&
           frti_attributes(parser, &draft->out->attributes);
}

bool
frti_declarator(struct frti_parser *parser, struct frti_declarator *out,
                const struct frti_specifiers *specifiers,
                enum frti_declarator_form form, const char **label)
{
    struct draft draft = {.out = out, .form = form};
    struct derivation *list;

    *out = (struct frti_declarator){.type = specifiers->type,
                                    .attributes = specifiers->attributes};
    if (!declarator_part(parser, &draft, &list) ||
        !declarator_tail(parser, &draft, label) ||
        !frti_attributes_base(parser, &out->type, &out->attributes))
        return false;
    out->is_plain = list == NULL;
    return declarator_apply(parser, &draft, list);
}
