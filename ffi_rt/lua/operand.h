/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The operands of arithmetic and comparison: numbers, or pointers.
 */
#ifndef FRTI_LUA_OPERAND_H
#define FRTI_LUA_OPERAND_H

#include "ffi_rt/lua/convert.h"

struct frti_operand {
    bool is_number;
    bool is_pointer; /* a pointer or array */
    struct frti_number number;
    const struct frti_cdata *cdata;  /* NULL: a Lua value */
    const struct frti_ctype *target; /* of a pointer: what it points to */
    char *address;
};

void frti_operand_read(lua_State *L, struct frti_module *m,
                       struct frti_operand *out, int index);

/* Raises "attempt to VERB 'x' PREPOSITION 'y'". */
int frti_operand_error(lua_State *L, const struct frti_module *m,
                       const char *verb, const char *preposition);

#endif
