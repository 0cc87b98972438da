/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/gc.h"
#include "ffi_rt/lua/metatype.h"

/* Sets the finaliser on the top for the cdata at `index`; pops it. Only a
 * userdata whose metatable has a __gc when it is set is finalised: hence two
 * metatables, one with it. */
static void
gc_put(lua_State *L, struct frti_module *m, int index)
{
    luaL_checkstack(L, 4, "finalizers");
    frti_module_table(L, &m->tables.finalizers);
    lua_pushvalue(L, index);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->cdata_gc_meta_ref);
    lua_setmetatable(L, index);
}

void
frti_gc_attach(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type)
{
    if (frti_metatype_find(L, m, type, "__gc"))
        gc_put(L, m, lua_gettop(L) - 1);
}

int
frti_gc_set(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);

    if (lua_type(L, 1) != LUA_TUSERDATA || frti_cdata_at(L, m, 1) == NULL)
        return luaL_argerror(
            L, 1,
            lua_pushfstring(L, "cdata expected, got %s", luaL_typename(L, 1)));
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    gc_put(L, m, 1);
    return 1;
}

int
frti_gc_run(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);

    lua_settop(L, 1);
    frti_module_table(L, &m->tables.finalizers);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, 2) == LUA_TNIL)
        return 0;
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    lua_rawset(L, 2);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 0);
    return 0;
}
