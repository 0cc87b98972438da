/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The functions of ffi that make values and types, and ask for their measures.
 */
#ifndef FRTI_LUA_MAKE_H
#define FRTI_LUA_MAKE_H

#include "ffi_rt/lua/convert.h"

/* Pushes a new value: from `first` on the length of a VLA or VLS, initialisers
 * after; in the arena at `arena` (0: in none). */
int frti_make_new(lua_State *L, struct frti_module *m,
                  const struct frti_ctype *type, int first, int arena);

int frti_make_ffi_new(lua_State *L);
int frti_make_cast(lua_State *L);
int frti_make_cast_unsafe(lua_State *L);
int frti_make_typeof(lua_State *L);
int frti_make_istype(lua_State *L);
int frti_make_tonumber(lua_State *L);

int frti_measure_sizeof(lua_State *L);
int frti_measure_alignof(lua_State *L);
int frti_measure_offsetof(lua_State *L);

/* The metamethods of ctype objects, into the table on the top. */
void frti_make_register(lua_State *L, struct frti_module *m);

#endif
