/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Metatables that a user gives to a struct: they count for its values and for
 * pointers to them.
 */
#ifndef FRTI_LUA_METATYPE_H
#define FRTI_LUA_METATYPE_H

#include "ffi_rt/lua/cdata.h"

/* Pushes the metamethod of a type, or of what it points to; nothing and false:
 * it has none. */
bool frti_metatype_find(lua_State *L, struct frti_module *m,
                        const struct frti_ctype *type, const char *event);

/* For __index and __newindex with their arguments alone on the stack: asks the
 * metatype. True: the first has pushed the value. What a table lacks is not
 * there, as in LuaJIT. */
bool frti_metatype_index(lua_State *L, struct frti_module *m,
                         const struct frti_cdata *cdata);
bool frti_metatype_newindex(lua_State *L, struct frti_module *m,
                            const struct frti_cdata *cdata);

/* Calls the metamethod of one of the operands at 1 and 2 (or 1 alone). True: it
 * has pushed one result. */
bool frti_metatype_operate(lua_State *L, struct frti_module *m,
                           const char *event);

/* ffi.metatype, and the metamethods that only a metatype can answer, into the
 * table on the top. */
int frti_metatype_set(lua_State *L);
void frti_metatype_register(lua_State *L, struct frti_module *m);

#endif
