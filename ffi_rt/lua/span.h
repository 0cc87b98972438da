/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Memory as ffi.copy, ffi.fill and ffi.string take it.
 */
#ifndef FRTI_LUA_SPAN_H
#define FRTI_LUA_SPAN_H

#include "ffi_rt/lua/convert.h"

struct frti_span {
    char *address;
    size_t room; /* bytes from there on; SIZE_MAX: not known */
    bool is_read_only;
};

/* The memory that the argument at `index` is or points to. */
void frti_span_of(lua_State *L, struct frti_module *m, struct frti_span *out,
                  int index);

/* ffi.string, ffi.copy, ffi.fill, and the last two unchecked */
int frti_span_string(lua_State *L);
int frti_span_copy(lua_State *L);
int frti_span_fill(lua_State *L);
int frti_span_copy_unsafe(lua_State *L);
int frti_span_fill_unsafe(lua_State *L);

#endif
