/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Constant expressions, C11 6.5 and 6.6, with C's types and conversions.
 *
 * Every value has a type. One that is no constant says why and where, which is
 * told only if a constant is needed in the end: `1 || 1 / 0` is 1, and
 * `sizeof x` needs no value of x. A place is what an address can be taken of;
 * its address counts from a null pointer, so that `&((struct s *)0)->m` is an
 * offset, as compilers have it.
 */
#include "ffi_rt/cdecl/expression.h"

#include "ffi_rt/layout/layout.h"

static bool
value_is_pointer(const struct frti_value *value)
{
    return value->type.function == NULL &&
           frt_layout_kind(value->type.layout) == FRT_KIND_POINTER;
}

static void
value_set(struct frti_value *value, const frt_layout *layout, uint64_t bits)
{
    *value = (struct frti_value){.type.layout = layout, .bits = bits};
}

static bool
value_set_size(struct frti_parser *parser, struct frti_value *value,
               uint64_t size)
{
    value_set(value, frt_layout_value(FRT_KIND_ULONG, parser->model), size);
    return true;
}

/* ---------------------------------------------------------------- cast --- */

bool
frti_type_is_scalar(const struct frti_type *type)
{
    return type->function == NULL &&
           (frt_layout_is_integer(type->layout) ||
            frt_layout_is_floating(type->layout) ||
            frt_layout_kind(type->layout) == FRT_KIND_POINTER);
}

static bool
value_cast(struct frti_parser *parser, struct frti_value *value,
           const struct frti_type *type, size_t position)
{
    if (!frti_type_is_scalar(type) || !frti_type_is_scalar(&value->type))
        return frti_refuse(parser, position,
                           "this cast has no place in a constant expression");
    frti_value_convert(value, type->layout, position);
    value->type = *type;
    return true;
}

/* ------------------------------------------------------------- primary --- */

static bool
primary_literal(struct frti_parser *parser, struct frti_value *out)
{
    struct frti_literal literal;

    if (!frti_literal_read(parser, &literal, &parser->token))
        return false;
    value_set(out, literal.layout, literal.bits);
    out->real = literal.real;
    return frti_next(parser);
}

static bool
primary_string(struct frti_parser *parser, struct frti_value *out)
{
    size_t position = parser->token.position;
    struct frti_type element;
    const char *text;
    frt_kind kind;
    size_t count;

    if (!frti_string_read(parser, &text, &kind, &count) ||
        !frti_type_value(parser, &element, kind, position))
        return false;
    *out = (struct frti_value){.type = {.layout = NULL}};
    frti_value_unknown(out, "a string is no constant here", position);
    return frti_type_array(parser, &out->type, &element, count + 1, position);
}

static bool
primary_name(struct frti_parser *parser, struct frti_value *out)
{
    const struct frti_token token = parser->token;
    const struct frti_binding *binding = token.name->ordinary;
    struct frti_literal literal;

    if (binding == NULL) {
        if (!frti_builtin_constant(parser, &literal, token.name))
            return frti_refuse_quoting(parser, &token, "", " is not declared");
        value_set(out, literal.layout, literal.bits);
        return frti_next(parser);
    }
    if (binding->kind == FRTI_BINDING_TYPEDEF)
        return frti_refuse_quoting(parser, &token, "",
                                   " is a type, where a value is expected");
    *out = (struct frti_value){.type = binding->type};
    if (binding->kind == FRTI_BINDING_OBJECT)
        frti_value_unknown(out, "what a variable holds is no constant",
                           token.position);
    else if (frti_value_is_integer(out))
        out->bits = binding->bits;
    else if (frti_value_is_floating(out))
        out->real = *binding->real;
    else
        frti_value_unknown(out, "a string is no constant here", token.position);
    return frti_type_refresh(parser, &out->type, token.position) &&
           frti_next(parser);
}

static bool
primary_parentheses(struct frti_parser *parser, struct frti_value *out)
{
    if (!frti_next(parser))
        return false;
    if (frti_is(parser, '{'))
        return frti_refuse(parser, parser->token.position,
                           "a statement has no place in a constant "
                           "expression");
    if (!frti_expression(parser, out))
        return false;
    while (frti_is(parser, ',')) {
        size_t position = parser->token.position;

        if (!frti_next(parser) || !frti_expression(parser, out))
            return false;
        frti_value_unknown(out, "a comma has no place in a constant expression",
                           position);
    }
    return frti_expect(parser, ')', "')'");
}

static bool
primary_read(struct frti_parser *parser, struct frti_value *out)
{
    switch (parser->token.kind) {
    case FRTI_TOKEN_NUMBER:
    case FRTI_TOKEN_CHARACTER:
        return primary_literal(parser, out);
    case FRTI_TOKEN_STRING:
        return primary_string(parser, out);
    case FRTI_TOKEN_NAME:
        return primary_name(parser, out);
    case '(':
        return primary_parentheses(parser, out);
    case FRTI_TOKEN_GENERIC:
        return frti_refuse(parser, parser->token.position,
                           "'_Generic' is not supported");
    default:
        return frti_refuse_token(parser, "a constant");
    }
}

/* ------------------------------------------------------------- postfix --- */

/* At the name of a member of the place in `value`. */
static bool
postfix_member(struct frti_parser *parser, struct frti_value *value)
{
    const struct frti_name *name = parser->token.name;
    frt_place place;

    if (name == NULL)
        return frti_refuse_token(parser, "a member's name");
    if (value->type.function != NULL ||
        !frti_layout_member_named(&place, value->type.layout, name->text,
                                  name->length))
        return frti_refuse_quoting(parser, &parser->token,
                                   "there is no member ", "");
    if (place.bit_width != 0)
        frti_value_unknown(value, "a bit-field has no address",
                           parser->token.position);
    value->type = (struct frti_type){
        .layout = place.bit_width != 0 ? frt_layout_element(place.layout)
                                       : place.layout};
    value->bits += place.offset;
    return frti_next(parser);
}

/* The place that a pointer, or an array, points to. */
static bool
value_follow(struct frti_parser *parser, struct frti_value *value,
             size_t position)
{
    frt_kind kind = value->type.function != NULL
                        ? FRT_KIND_FUNCTION
                        : frt_layout_kind(value->type.layout);
    const frt_layout *element;

    if (kind != FRT_KIND_POINTER && kind != FRT_KIND_ARRAY)
        return frti_refuse(parser, position,
                           "what is followed here is no pointer");
    element = frt_layout_element(value->type.layout);
    if (element == NULL)
        element = frt_layout_value(FRT_KIND_VOID, parser->model);
    if (kind == FRT_KIND_POINTER && value->state == FRTI_VALUE_PLACE)
        frti_value_unknown(value, "what stands in memory is no constant",
                           position);
    if (value->state == FRTI_VALUE_CONSTANT)
        value->state = FRTI_VALUE_PLACE;
    value->type = (struct frti_type){.layout = element};
    return true;
}

static bool
postfix_index(struct frti_parser *parser, struct frti_value *value)
{
    size_t position = parser->token.position;
    struct frti_value index;

    if (!frti_next(parser) || !frti_expression(parser, &index) ||
        !value_follow(parser, value, position))
        return false;
    if (!frti_value_is_integer(&index))
        return frti_refuse(parser, position, "the index is no integer");
    if (index.state != FRTI_VALUE_CONSTANT)
        frti_value_unknown(value, "the index is no constant", position);
    value->bits += index.bits * frt_layout_size(value->type.layout);
    return frti_expect(parser, ']', "']'");
}

/* What a function returns has a type, and no value here. */
static bool
postfix_call(struct frti_parser *parser, struct frti_value *value)
{
    static const char why[] = "a call has no place in a constant expression";
    size_t position = parser->token.position;

    if (value->type.function == NULL)
        return frti_refuse(parser, position, "%s", why);
    *value = (struct frti_value){.type = value->type.function->result};
    frti_value_unknown(value, why, position);
    return frti_type_refresh(parser, &value->type, position) &&
           frti_skip_brackets(parser);
}

static bool
postfix_read(struct frti_parser *parser, struct frti_value *value)
{
    for (;;) {
        size_t position = parser->token.position;
        bool is_right = true;

        if (frti_is(parser, '['))
            is_right = postfix_index(parser, value);
        else if (frti_is(parser, '.'))
            is_right = frti_next(parser) && postfix_member(parser, value);
        else if (frti_is(parser, FRTI_TOKEN_ARROW))
            is_right = frti_next(parser) &&
                       value_follow(parser, value, position) &&
                       postfix_member(parser, value);
        else if (frti_is(parser, '('))
            is_right = postfix_call(parser, value);
        else
            return true;
        if (!is_right)
            return false;
    }
}

/* --------------------------------------------------------------- unary --- */

static bool unary_read(struct frti_parser *parser, struct frti_value *out);

static bool
unary_size(struct frti_parser *parser, struct frti_value *out,
           const struct frti_type *type, size_t position, bool is_size)
{
    frt_kind kind = type->function != NULL ? FRT_KIND_FUNCTION
                                           : frt_layout_kind(type->layout);

    if (kind == FRT_KIND_VOID || kind == FRT_KIND_FUNCTION) /* GNU C */
        return value_set_size(parser, out, 1);
    if (!frt_layout_is_complete(type->layout) &&
        (is_size || kind != FRT_KIND_ARRAY))
        return frti_refuse(parser, position, "'%s' of an incomplete type",
                           is_size ? "sizeof" : "_Alignof");
    return value_set_size(parser, out,
                          is_size ? frt_layout_size(type->layout)
                                  : frt_layout_alignment(type->layout));
}

/* sizeof and _Alignof, of a type or an expression. */
static bool
unary_sizeof(struct frti_parser *parser, struct frti_value *out)
{
    bool is_size = frti_is(parser, FRTI_TOKEN_SIZEOF);
    size_t position = parser->token.position;
    struct frti_type type;
    int ahead;

    if (!frti_next(parser) || !frti_peek(parser, &ahead))
        return false;
    if (frti_is(parser, '(') && frti_token_begins_type(&parser->ahead)) {
        if (!frti_next(parser) || !frti_type_name(parser, &type) ||
            !frti_expect(parser, ')', "')'"))
            return false;
    } else {
        if (!unary_read(parser, out))
            return false;
        type = out->type;
    }
    return unary_size(parser, out, &type, position, is_size);
}

/* offsetof(type, member[2].member) */
static bool
unary_offsetof(struct frti_parser *parser, struct frti_value *out)
{
    *out = (struct frti_value){.state = FRTI_VALUE_PLACE};
    if (!frti_next(parser) || !frti_expect(parser, '(', "'('") ||
        !frti_type_name(parser, &out->type) ||
        !frti_expect(parser, ',', "','") || !postfix_member(parser, out) ||
        !postfix_read(parser, out))
        return false;
    if (out->state != FRTI_VALUE_PLACE)
        return frti_refuse(parser, out->where, "%s", out->why);
    return frti_expect(parser, ')', "')'") &&
           value_set_size(parser, out, out->bits);
}

static bool
unary_address(struct frti_parser *parser, struct frti_value *value,
              size_t position)
{
    struct frti_type pointee = value->type;

    if (value->state == FRTI_VALUE_CONSTANT)
        return frti_refuse(parser, position, "a constant has no address");
    if (value->state == FRTI_VALUE_PLACE)
        value->state = FRTI_VALUE_CONSTANT;
    return frti_type_pointer(parser, &value->type, &pointee, position);
}

static bool
unary_not(struct frti_parser *parser, struct frti_value *value, size_t position)
{
    bool is_zero =
        frti_value_is_floating(value) ? value->real == 0 : value->bits == 0;

    if (!frti_type_is_scalar(&value->type))
        return frti_refuse(parser, position, "the operand of '!' is no number");
    frti_value_convert(value, frt_layout_value(FRT_KIND_INT, parser->model),
                       position);
    value->bits = is_zero;
    return true;
}

static bool
unary_arithmetic(struct frti_parser *parser, struct frti_value *value,
                 int token, size_t position)
{
    if (!frti_value_is_integer(value) &&
        (!frti_value_is_floating(value) || token == '~'))
        return frti_refuse(parser, position, "the operand of '%c' is no number",
                           token);
    frti_value_promote(parser, value, position);
    if (token == '-') {
        value->real = -value->real;
        value->bits = 0 - value->bits;
    } else if (token == '~') {
        value->bits = ~value->bits;
    }
    if (frti_value_is_integer(value) && value->state == FRTI_VALUE_CONSTANT)
        value->bits = frti_wrap(value->bits, value->type.layout);
    return true;
}

static bool
unary_operator(struct frti_parser *parser, struct frti_value *out)
{
    int token = parser->token.kind;
    size_t position = parser->token.position;

    if (!frti_next(parser) || !unary_read(parser, out))
        return false;
    switch (token) {
    case '&':
        return unary_address(parser, out, position);
    case '*':
        return value_follow(parser, out, position);
    case '!':
        return unary_not(parser, out, position);
    default:
        return unary_arithmetic(parser, out, token, position);
    }
}

static bool
unary_cast(struct frti_parser *parser, struct frti_value *out)
{
    size_t position = parser->token.position;
    struct frti_type type;

    if (!frti_next(parser) || !frti_type_name(parser, &type) ||
        !frti_expect(parser, ')', "')'"))
        return false;
    if (frti_is(parser, '{'))
        return frti_refuse(parser, parser->token.position,
                           "a compound literal has no place in a constant "
                           "expression");
    return unary_read(parser, out) && value_cast(parser, out, &type, position);
}

static bool
unary_one(struct frti_parser *parser, struct frti_value *out)
{
    int ahead;

    switch (parser->token.kind) {
    case FRTI_TOKEN_SIZEOF:
    case FRTI_TOKEN_ALIGNOF:
        return unary_sizeof(parser, out);
    case FRTI_TOKEN_OFFSETOF:
        return unary_offsetof(parser, out);
    case FRTI_TOKEN_EXTENSION:
        return frti_next(parser) && unary_read(parser, out);
    case '+':
    case '-':
    case '~':
    case '!':
    case '*':
    case '&':
        return unary_operator(parser, out);
    case '(':
        if (!frti_peek(parser, &ahead))
            return false;
        if (frti_token_begins_type(&parser->ahead))
            return unary_cast(parser, out);
        break;
    default:
        break;
    }
    return primary_read(parser, out) && postfix_read(parser, out);
}

static bool
unary_read(struct frti_parser *parser, struct frti_value *out)
{
    if (!frti_enter(parser, FRTI_OPERAND) || !unary_one(parser, out))
        return false;
    frti_leave(parser, FRTI_OPERAND);
    return true;
}

/* -------------------------------------------------------------- binary --- */

static bool
binary_read(struct frti_parser *parser, struct frti_value *out, int least)
{
    if (!unary_read(parser, out))
        return false;
    for (;;) {
        int token = parser->token.kind;
        int precedence = frti_operator_precedence(token);
        size_t position = parser->token.position;
        struct frti_value right;

        if (precedence < least)
            return true;
        if (!frti_enter(parser, FRTI_OPERAND) || !frti_next(parser) ||
            !binary_read(parser, &right, precedence + 1) ||
            !frti_value_operate(parser, out, token, &right, position))
            return false;
        frti_leave(parser, FRTI_OPERAND);
    }
}

/* ?:, where the side that is not chosen need not be a constant. */
static bool
conditional_rest(struct frti_parser *parser, struct frti_value *out)
{
    size_t position = parser->token.position;
    struct frti_value condition = *out;
    struct frti_value chosen;
    struct frti_value other;
    bool is_true;

    if (!frti_next(parser))
        return false;
    chosen = condition; /* GNU C: `a ?: b` */
    if (!frti_is(parser, ':') && !frti_expression(parser, &chosen))
        return false;
    if (!frti_expect(parser, ':', "':'") || !frti_expression(parser, &other))
        return false;
    is_true = frti_value_is_floating(&condition) ? condition.real != 0
                                                 : condition.bits != 0;
    if (frti_type_is_scalar(&chosen.type) && !value_is_pointer(&chosen) &&
        frti_type_is_scalar(&other.type) && !value_is_pointer(&other))
        frti_value_balance(parser, &chosen, &other, position);
    *out = is_true ? chosen : other;
    if (condition.state != FRTI_VALUE_CONSTANT)
        frti_value_unknown(out, "the condition is no constant", position);
    return true;
}

bool
frti_expression(struct frti_parser *parser, struct frti_value *out)
{
    if (!frti_enter(parser, FRTI_OPERAND) || !binary_read(parser, out, 1))
        return false;
    if (frti_is(parser, '?') && !conditional_rest(parser, out))
        return false;
    frti_leave(parser, FRTI_OPERAND);
    return true;
}
