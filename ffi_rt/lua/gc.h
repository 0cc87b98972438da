/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Finalisers of cdata: those of ffi.gc, and the __gc of a metatype.
 */
#ifndef FRTI_LUA_GC_H
#define FRTI_LUA_GC_H

#include "ffi_rt/lua/cdata.h"

/* Gives the cdata on the top the __gc of its type's metatype, if that has one.
 */
void frti_gc_attach(lua_State *L, struct frti_module *m,
                    const struct frti_ctype *type);

/* ffi.gc(cdata, finalizer or nil) */
int frti_gc_set(lua_State *L);
/* The __gc of the metatable of cdata that have a finaliser. */
int frti_gc_run(lua_State *L);

#endif
