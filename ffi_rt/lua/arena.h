/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Arenas of Lua's: memory that ends at a known time. What lies in one is a
 * reference that is its own root, with the arena as its user value and the
 * arena's session as its guard. A forgotten arena is closed when it is
 * collected; those that are left, when the module is.
 */
#ifndef FRTI_LUA_ARENA_H
#define FRTI_LUA_ARENA_H

#include "ffi_rt/lua/cdata.h"

/* The metatable of arenas. */
void frti_arena_register(lua_State *L, struct frti_module *m);
void frti_arena_close_all(lua_State *L, struct frti_module *m);

/* Pushes a value of `size` zeroed bytes in the arena at `index`. */
struct frti_cdata *frti_arena_cdata(lua_State *L, struct frti_module *m,
                                    const struct frti_ctype *type, size_t size,
                                    int index);

/* ffi.arena(["confined" or "shared"]) */
int frti_arena_open(lua_State *L);

#endif
