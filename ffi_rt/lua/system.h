/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What ffi tells of the machine, and errno.
 */
#ifndef FRTI_LUA_SYSTEM_H
#define FRTI_LUA_SYSTEM_H

#include "ffi_rt/lua/module.h"

/* ffi.errno([new]): as the last call left it. */
int frti_system_errno(lua_State *L);
int frti_system_abi(lua_State *L);

/* `os` and `arch`, into the table on the top. */
void frti_system_fields(lua_State *L);

#endif
