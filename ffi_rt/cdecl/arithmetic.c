/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The binary operators and C's arithmetic conversions. Signed overflow wraps,
 * as GNU C's constants do. */
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/expression.h"

struct sign {
    int token;
    int precedence;
    const char *text;
};

static const struct sign signs[] = {
    {'*', 10, "*"},
    {'/', 10, "/"},
    {'%', 10, "%"},
    {'+', 9, "+"},
    {'-', 9, "-"},
    {FRTI_TOKEN_SHIFT_LEFT, 8, "<<"},
    {FRTI_TOKEN_SHIFT_RIGHT, 8, ">>"},
    {'<', 7, "<"},
    {'>', 7, ">"},
    {FRTI_TOKEN_LESS_EQUAL, 7, "<="},
    {FRTI_TOKEN_GREATER_EQUAL, 7, ">="},
    {FRTI_TOKEN_EQUAL, 6, "=="},
    {FRTI_TOKEN_NOT_EQUAL, 6, "!="},
    {'&', 5, "&"},
    {'^', 4, "^"},
    {'|', 3, "|"},
    {FRTI_TOKEN_AND, 2, "&&"},
    {FRTI_TOKEN_OR, 1, "||"},
};

static const struct sign *
sign_of(int token)
{
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(signs); i++)
        if (signs[i].token == token)
            return &signs[i];
    return NULL;
}

int
frti_operator_precedence(int token)
{
    const struct sign *sign = sign_of(token);

    return sign == NULL ? 0 : sign->precedence;
}

/* --------------------------------------------------------- conversions --- */

bool
frti_value_is_integer(const struct frti_value *value)
{
    return value->type.function == NULL &&
           frt_layout_is_integer(value->type.layout);
}

bool
frti_value_is_floating(const struct frti_value *value)
{
    return value->type.function == NULL &&
           frt_layout_is_floating(value->type.layout);
}

void
frti_value_unknown(struct frti_value *value, const char *why, size_t where)
{
    if (value->state == FRTI_VALUE_UNKNOWN)
        return;
    value->state = FRTI_VALUE_UNKNOWN;
    value->why = why;
    value->where = where;
}

static bool
real_fits(long double real, const frt_layout *layout)
{
    if (frt_layout_is_signed(layout))
        return real > -0x1p63L - 1 && real < 0x1p63L;
    return real > -1 && real < 0x1p64L;
}

static uint64_t
real_truncate(long double real)
{
    return real < 0 ? (uint64_t)(int64_t)real : (uint64_t)real;
}

static long double
real_round(long double real, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    if (kind == FRT_KIND_FLOAT)
        return (float)real;
    return kind == FRT_KIND_DOUBLE ? (double)real : real;
}

static void
value_real_to_integer(struct frti_value *value, const frt_layout *layout,
                      size_t position)
{
    if (frt_layout_kind(layout) == FRT_KIND_BOOL)
        value->bits = value->real != 0;
    else if (real_fits(value->real, layout))
        value->bits = frti_wrap(real_truncate(value->real), layout);
    else
        frti_value_unknown(value, "the value does not fit into the type",
                           position);
}

static void
value_to_real(struct frti_value *value, const frt_layout *layout)
{
    if (!frti_value_is_floating(value))
        value->real = frt_layout_is_signed(value->type.layout)
                          ? (long double)(int64_t)value->bits
                          : (long double)value->bits;
    value->real = real_round(value->real, layout);
}

void
frti_value_convert(struct frti_value *value, const frt_layout *layout,
                   size_t position)
{
    if (frt_layout_size(layout) > 8 && frt_layout_is_integer(layout))
        frti_value_unknown(value, "a constant has at most 64 bits", position);
    if (value->state == FRTI_VALUE_PLACE)
        frti_value_unknown(value, "what stands in memory is no constant",
                           position);
    if (value->state == FRTI_VALUE_CONSTANT) {
        if (frt_layout_is_floating(layout))
            value_to_real(value, layout);
        else if (frti_value_is_floating(value))
            value_real_to_integer(value, layout, position);
        else if (frt_layout_is_integer(layout))
            value->bits = frti_wrap(value->bits, layout);
    }
    value->type = (struct frti_type){.layout = layout};
}

/* C11 6.3.1.1: a kind's rank grows with its number here, and both signs of one
 * size have one rank. */
static unsigned
layout_rank(const frt_layout *layout)
{
    return ((unsigned)frt_layout_kind(layout) - FRT_KIND_SCHAR) / 2;
}

static const frt_layout *
layout_promoted(const struct frti_parser *parser, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    if (kind == FRT_KIND_ENUM)
        return layout_promoted(parser, frt_layout_element(layout));
    if (kind < FRT_KIND_INT)
        kind = FRT_KIND_INT;
    return frt_layout_value(kind, parser->model); /* its alignment apart */
}

void
frti_value_promote(struct frti_parser *parser, struct frti_value *value,
                   size_t position)
{
    if (frti_value_is_integer(value))
        frti_value_convert(value, layout_promoted(parser, value->type.layout),
                           position);
    else
        frti_value_convert(value, value->type.layout, position);
}

static const frt_layout *
layout_common(const struct frti_parser *parser, const frt_layout *left,
              const frt_layout *right)
{
    bool left_is_signed = frt_layout_is_signed(left);
    const frt_layout *higher =
        layout_rank(left) >= layout_rank(right) ? left : right;
    const frt_layout *with_sign = left_is_signed ? left : right;
    const frt_layout *without = left_is_signed ? right : left;

    if (left_is_signed == frt_layout_is_signed(right))
        return higher;
    if (layout_rank(without) >= layout_rank(with_sign))
        return without;
    if (frt_layout_size(with_sign) > frt_layout_size(without))
        return with_sign;
    return frt_layout_value(frt_layout_kind(with_sign) + 1, parser->model);
}

static const frt_layout *
layout_wider(const struct frti_value *left, const struct frti_value *right)
{
    if (!frti_value_is_floating(left))
        return right->type.layout;
    if (!frti_value_is_floating(right))
        return left->type.layout;
    return frt_layout_size(left->type.layout) >=
                   frt_layout_size(right->type.layout)
               ? left->type.layout
               : right->type.layout;
}

void
frti_value_balance(struct frti_parser *parser, struct frti_value *left,
                   struct frti_value *right, size_t position)
{
    const frt_layout *common;

    frti_value_promote(parser, left, position);
    frti_value_promote(parser, right, position);
    if (frti_value_is_floating(left) || frti_value_is_floating(right))
        common = layout_wider(left, right);
    else
        common = layout_common(parser, left->type.layout, right->type.layout);
    frti_value_convert(left, common, position);
    frti_value_convert(right, common, position);
}

/* ---------------------------------------------------------- operations --- */

static bool
compare_holds(int token, int order)
{
    switch (token) {
    case '<':
        return order < 0;
    case '>':
        return order > 0;
    case FRTI_TOKEN_LESS_EQUAL:
        return order <= 0;
    case FRTI_TOKEN_GREATER_EQUAL:
        return order >= 0;
    case FRTI_TOKEN_EQUAL:
        return order == 0;
    default:
        return order != 0;
    }
}

static int
value_order(const struct frti_value *left, const struct frti_value *right)
{
    if (frti_value_is_floating(left))
        return (left->real > right->real) - (left->real < right->real);
    if (frt_layout_is_signed(left->type.layout))
        return ((int64_t)left->bits > (int64_t)right->bits) -
               ((int64_t)left->bits < (int64_t)right->bits);
    return (left->bits > right->bits) - (left->bits < right->bits);
}

static void
value_compare(struct frti_parser *parser, struct frti_value *left, int token,
              const struct frti_value *right)
{
    bool holds = compare_holds(token, value_order(left, right));

    left->bits = holds;
    left->type = (struct frti_type){
        .layout = frt_layout_value(FRT_KIND_INT, parser->model)};
}

/* The right operand is not 0. The least value by -1 wraps to itself. */
static uint64_t
integer_divide(uint64_t left, uint64_t right, bool is_signed, bool is_rest)
{
    if (!is_signed)
        return is_rest ? left % right : left / right;
    if ((int64_t)right == -1)
        return is_rest ? 0 : 0 - left;
    return (uint64_t)(is_rest ? (int64_t)left % (int64_t)right
                              : (int64_t)left / (int64_t)right);
}

static void
value_integers(struct frti_value *left, int token,
               const struct frti_value *right, size_t position)
{
    const frt_layout *layout = left->type.layout;
    uint64_t a = left->bits;
    uint64_t b = right->bits;

    if ((token == '/' || token == '%') && b == 0) {
        frti_value_unknown(left, "a division by zero", position);
        return;
    }
    switch (token) {
    case '*':
        a *= b;
        break;
    case '/':
    case '%':
        a = integer_divide(a, b, frt_layout_is_signed(layout), token == '%');
        break;
    case '+':
        a += b;
        break;
    case '-':
        a -= b;
        break;
    case '&':
        a &= b;
        break;
    case '^':
        a ^= b;
        break;
    default:
        a |= b;
    }
    left->bits = frti_wrap(a, layout);
}

/* Only the four that floats have; false: another. */
static bool
value_reals(struct frti_value *left, int token, const struct frti_value *right)
{
    switch (token) {
    case '*':
        left->real *= right->real;
        break;
    case '/':
        left->real /= right->real;
        break;
    case '+':
        left->real += right->real;
        break;
    case '-':
        left->real -= right->real;
        break;
    default:
        return false;
    }
    frti_value_convert(left, left->type.layout, 0);
    return true;
}

static bool
operate_shift(struct frti_parser *parser, struct frti_value *left, int token,
              struct frti_value *right, size_t position)
{
    const frt_layout *layout;

    frti_value_promote(parser, left, position);
    frti_value_promote(parser, right, position);
    layout = left->type.layout;
    if (right->state != FRTI_VALUE_CONSTANT)
        frti_value_unknown(left, right->why, right->where);
    if (left->state != FRTI_VALUE_CONSTANT)
        return true;
    if (right->bits >= frt_layout_size(layout) * 8)
        frti_value_unknown(left, "a shift by more bits than there are",
                           position);
    else if (token == FRTI_TOKEN_SHIFT_LEFT)
        left->bits = frti_wrap(left->bits << right->bits, layout);
    else if (frt_layout_is_signed(layout))
        left->bits = (uint64_t)((int64_t)left->bits >> right->bits);
    else
        left->bits >>= right->bits;
    return true;
}

static bool
operate_arithmetic(struct frti_parser *parser, struct frti_value *left,
                   int token, struct frti_value *right, size_t position)
{
    int precedence = frti_operator_precedence(token);
    bool is_comparison = precedence == 6 || precedence == 7;

    frti_value_balance(parser, left, right, position);
    if (left->state == FRTI_VALUE_CONSTANT &&
        right->state != FRTI_VALUE_CONSTANT)
        frti_value_unknown(left, right->why, right->where);
    if (is_comparison) {
        value_compare(parser, left, token, right);
        return true;
    }
    if (frti_value_is_floating(left))
        return value_reals(left, token, right) ||
               frti_refuse(parser, position, "'%s' takes integers, not floats",
                           sign_of(token)->text);
    if (left->state == FRTI_VALUE_CONSTANT)
        value_integers(left, token, right, position);
    return true;
}

static bool
value_is_true(const struct frti_value *value)
{
    return frti_value_is_floating(value) ? value->real != 0 : value->bits != 0;
}

/* `&&` and `||`: the left operand may decide alone. */
static bool
operate_logical(struct frti_parser *parser, struct frti_value *left, int token,
                struct frti_value *right, size_t position)
{
    bool deciding = token == FRTI_TOKEN_OR;
    bool is_decided;
    bool result;

    frti_value_promote(parser, left, position);
    frti_value_promote(parser, right, position);
    is_decided =
        left->state == FRTI_VALUE_CONSTANT && value_is_true(left) == deciding;
    result = is_decided ? deciding : value_is_true(right);
    if (!is_decided && left->state == FRTI_VALUE_CONSTANT &&
        right->state != FRTI_VALUE_CONSTANT)
        frti_value_unknown(left, right->why, right->where);
    left->bits = result;
    left->type = (struct frti_type){
        .layout = frt_layout_value(FRT_KIND_INT, parser->model)};
    return true;
}

static bool
value_is_number(const struct frti_value *value)
{
    return frti_value_is_integer(value) || frti_value_is_floating(value);
}

bool
frti_value_operate(struct frti_parser *parser, struct frti_value *left,
                   int token, struct frti_value *right, size_t position)
{
    bool is_shift =
        token == FRTI_TOKEN_SHIFT_LEFT || token == FRTI_TOKEN_SHIFT_RIGHT;

    if (!value_is_number(left) || !value_is_number(right) ||
        (is_shift &&
         (!frti_value_is_integer(left) || !frti_value_is_integer(right))))
        return frti_refuse(parser, position, "an operand of '%s' is no %s",
                           sign_of(token)->text,
                           is_shift ? "integer" : "number");
    if (is_shift)
        return operate_shift(parser, left, token, right, position);
    if (token == FRTI_TOKEN_AND || token == FRTI_TOKEN_OR)
        return operate_logical(parser, left, token, right, position);
    return operate_arithmetic(parser, left, token, right, position);
}
