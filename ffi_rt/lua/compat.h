/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What Lua 5.3 and 5.4 call differently. 5.3 has one user value a userdata,
 * always; 5.4 as many as are asked for.
 */
#ifndef FRTI_LUA_COMPAT_H
#define FRTI_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM < 503
#error "Lua 5.3 or 5.4 is needed"
#endif

/* A userdata with room for `anchors` (0 or 1) user values. */
static inline void *
frti_lua_new(lua_State *L, size_t size, int anchors)
{
#if LUA_VERSION_NUM >= 504
    return lua_newuserdatauv(L, size, anchors);
#else
    (void)anchors;
    return lua_newuserdata(L, size);
#endif
}

/* Pushes the user value of the userdata at `index`. */
static inline void
frti_lua_get_anchor(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_getiuservalue(L, index, 1);
#else
    lua_getuservalue(L, index);
#endif
}

/* Pops a value and makes it the user value of the userdata at `index`. */
static inline void
frti_lua_set_anchor(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_setiuservalue(L, index, 1);
#else
    lua_setuservalue(L, index);
#endif
}

#endif
