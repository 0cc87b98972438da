/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Namespaces: ffi.C and what ffi.load gives. A name that has been found once is
 * found by Lua alone from then on: functions and constants are kept in the
 * table that is the namespace's __index. Libraries stay open as long as the
 * module lives, so that no order of finalisers leaves a function without.
 */
#ifndef FRTI_LUA_NAMESPACE_H
#define FRTI_LUA_NAMESPACE_H

#include "ffi_rt/lua/module.h"

/* Pushes the namespace of the default libraries. */
void frti_namespace_push_default(lua_State *L, struct frti_module *m);

/* ffi.load(name [, global]) */
int frti_namespace_load(lua_State *L);

#endif
