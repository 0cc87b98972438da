/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Expressions that must be constants, C11 6.6: of integers, sizes, lengths, and
 * those that stand alone. */
#include <string.h>

#include "ffi_rt/cdecl/expression.h"

static bool
constant_refuse_unknown(struct frti_parser *parser,
                        const struct frti_value *value, size_t position)
{
    if (value->state == FRTI_VALUE_UNKNOWN)
        return frti_refuse(parser, value->where, "%s", value->why);
    return frti_refuse(parser, position, "an integer constant is expected");
}

bool
frti_constant(struct frti_parser *parser, struct frti_literal *out)
{
    size_t position = parser->token.position;
    struct frti_value value;

    if (!frti_expression(parser, &value))
        return false;
    if (value.state != FRTI_VALUE_CONSTANT || !frti_value_is_integer(&value))
        return constant_refuse_unknown(parser, &value, position);
    *out =
        (struct frti_literal){.layout = value.type.layout, .bits = value.bits};
    return true;
}

static bool
constant_check_size(struct frti_parser *parser, size_t *out,
                    const struct frti_literal *literal, const char *what,
                    size_t position)
{
    if (frt_layout_is_signed(literal->layout) && (int64_t)literal->bits < 0)
        return frti_refuse(parser, position, "%s cannot be %lld", what,
                           (long long)literal->bits);
    *out = (size_t)literal->bits;
    return true;
}

bool
frti_size_constant(struct frti_parser *parser, size_t *out, const char *what)
{
    size_t position = parser->token.position;
    struct frti_literal literal;

    return frti_constant(parser, &literal) &&
           constant_check_size(parser, out, &literal, what, position);
}

bool
frti_array_length(struct frti_parser *parser, size_t *out, bool *is_constant)
{
    size_t position = parser->token.position;
    struct frti_value value;
    struct frti_literal literal;

    if (!frti_expression(parser, &value))
        return false;
    *is_constant = value.state == FRTI_VALUE_CONSTANT;
    if (!frti_value_is_integer(&value) ||
        (!*is_constant && parser->names->scope == 0))
        return constant_refuse_unknown(parser, &value, position);
    if (!*is_constant) {
        *out = FRT_FLEXIBLE;
        return true;
    }
    literal =
        (struct frti_literal){.layout = value.type.layout, .bits = value.bits};
    if (!constant_check_size(parser, out, &literal, "an array's length",
                             position))
        return false;
    if (*out == FRT_FLEXIBLE) /* as a length it would mean something else */
        return frti_refuse(parser, position, "the array is too long");
    return true;
}

/* A string may stand in parentheses, as in macros. */
static bool
constant_string(struct frti_parser *parser, struct frti_binding *out)
{
    size_t position = parser->token.position;
    struct frti_type element;
    const char *text;
    frt_kind kind;
    size_t count;

    if (!frti_string_read(parser, &text, &kind, &count) ||
        !frti_type_value(parser, &element, kind, position))
        return false;
    if (frt_layout_size(element.layout) != 1)
        return frti_refuse(parser, position,
                           "a wide string cannot be a constant");
    out->text = frti_copy_lasting(parser, text, count);
    return out->text != NULL &&
           frti_type_array(parser, &out->type, &element, count + 1, position);
}

static bool
constant_fill(struct frti_parser *parser, struct frti_binding *out,
              const struct frti_value *value)
{
    long double *real;

    out->type = value->type;
    out->bits = value->bits;
    if (!frti_value_is_floating(value))
        return true;
    real = frti_make_lasting(parser, sizeof *real + _Alignof(long double));
    if (real == NULL)
        return false;
    real = (long double *)(((uintptr_t)real + _Alignof(long double) - 1) &
                           ~(uintptr_t)(_Alignof(long double) - 1));
    *real = value->real;
    out->real = real;
    return true;
}

static bool
constant_number(struct frti_parser *parser, struct frti_binding *out)
{
    size_t position = parser->token.position;
    struct frti_value value;

    if (!frti_expression(parser, &value))
        return false;
    if (value.state != FRTI_VALUE_CONSTANT || !frti_type_is_scalar(&value.type))
        return constant_refuse_unknown(parser, &value, position);
    return constant_fill(parser, out, &value);
}

bool
frti_constant_value(struct frti_parser *parser, struct frti_binding *out)
{
    size_t position = parser->token.position;
    struct frti_value value;

    if (frt_layout_kind(out->type.layout) == FRT_KIND_ARRAY)
        return frti_is(parser, FRTI_TOKEN_STRING)
                   ? constant_string(parser, out)
                   : frti_refuse_token(parser, "a string");
    if (!frti_expression(parser, &value))
        return false;
    if (frti_type_is_scalar(&value.type))
        frti_value_convert(&value, out->type.layout, position);
    if (value.state != FRTI_VALUE_CONSTANT)
        return constant_refuse_unknown(parser, &value, position);
    return constant_fill(parser, out, &value);
}

bool
frti_constant_read(struct frti_parser *parser, struct frti_binding *out)
{
    size_t open = 0;
    int ahead;

    if (frti_is(parser, '(')) {
        if (!frti_peek(parser, &ahead))
            return false;
        if (ahead == FRTI_TOKEN_STRING) {
            open = 1;
            if (!frti_next(parser))
                return false;
        }
    }
    if (!(frti_is(parser, FRTI_TOKEN_STRING) ? constant_string(parser, out)
                                             : constant_number(parser, out)))
        return false;
    if (open > 0 && !frti_expect(parser, ')', "')'"))
        return false;
    return frti_is(parser, FRTI_TOKEN_END) ||
           frti_refuse_token(parser, "the end of the text");
}

bool
frti_constants_agree(const struct frti_binding *one,
                     const struct frti_binding *other)
{
    const frt_layout *layout = one->type.layout;

    if (one->kind != FRTI_BINDING_CONSTANT || other->kind != one->kind)
        return false;
    if (frt_layout_is_floating(layout))
        return frt_layout_is_floating(other->type.layout) &&
               *one->real == *other->real;
    if (frt_layout_kind(layout) == FRT_KIND_ARRAY)
        return layout == other->type.layout &&
               memcmp(one->text, other->text, frt_layout_size(layout)) == 0;
    return frt_layout_kind(other->type.layout) != FRT_KIND_ARRAY &&
           !frt_layout_is_floating(other->type.layout) &&
           one->bits == other->bits;
}

bool
frti_expression_type(struct frti_parser *parser, struct frti_type *out)
{
    struct frti_value value;

    if (!frti_expression(parser, &value))
        return false;
    *out = value.type;
    return true;
}
