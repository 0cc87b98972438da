/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Values of constant expressions, for the files that compute with them. */
#ifndef FRTI_CDECL_EXPRESSION_H
#define FRTI_CDECL_EXPRESSION_H

#include "ffi_rt/cdecl/parser.h"

enum frti_value_state {
    FRTI_VALUE_CONSTANT,
    FRTI_VALUE_PLACE, /* an object at the address `bits` */
    FRTI_VALUE_UNKNOWN
};

struct frti_value {
    struct frti_type type;
    enum frti_value_state state;
    uint64_t bits; /* of integers, extended to 64 bits; of pointers */
    long double real;
    const char *why; /* unknown: the reason, and its position */
    size_t where;
};

/* A whole expression but for the comma. */
bool frti_expression(struct frti_parser *parser, struct frti_value *out);
/* Arithmetic or a pointer. */
bool frti_type_is_scalar(const struct frti_type *type);

/* -------------------------------------------------------- arithmetic.c --- */

bool frti_value_is_integer(const struct frti_value *value);
bool frti_value_is_floating(const struct frti_value *value);
/* Makes it no constant; the first reason stays. */
void frti_value_unknown(struct frti_value *value, const char *why,
                        size_t where);
/* To an arithmetic or pointer type, as a cast does. */
void frti_value_convert(struct frti_value *value, const frt_layout *layout,
                        size_t position);
/* The integer promotions, C11 6.3.1.1. */
void frti_value_promote(struct frti_parser *parser, struct frti_value *value,
                        size_t position);
/* The usual arithmetic conversions, C11 6.3.1.8. */
void frti_value_balance(struct frti_parser *parser, struct frti_value *left,
                        struct frti_value *right, size_t position);
/* How tightly a binary operator binds, from 1 (`||`) up; 0: it is none. */
int frti_operator_precedence(int token);
/* left = left operator right */
bool frti_value_operate(struct frti_parser *parser, struct frti_value *left,
                        int token, struct frti_value *right, size_t position);

#endif
