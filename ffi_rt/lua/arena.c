/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/arena.h"
#include "ffi_rt/lua/make.h"

#include <string.h>

/* A userdata. The module knows all of them by a weak table: Lua may free one
 * without its __gc, where that is out of memory. */
struct frti_arena {
    struct frti_guard guard; /* first: cdata have its address */
    frt_arena arena;
    bool is_open;
};

/* --------------------------------------------------------- open, close -- */

/* The one on the top. */
static void
arena_remember(lua_State *L, struct frti_module *m)
{
    frti_module_table(L, &m->tables.arenas);
    lua_pushvalue(L, -2);
    lua_pushboolean(L, true);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

int
frti_arena_open(lua_State *L)
{
    static const char *const kinds[] = {"confined", "shared", NULL};
    struct frti_module *m = frti_module_of(L);
    int is_shared = luaL_checkoption(L, 1, kinds[0], kinds);
    struct frti_arena *arena;

    frti_module_check_open(L, m);
    arena = frti_lua_new(L, sizeof *arena, 0);
    memset(arena, 0, sizeof *arena);
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->arena_meta_ref);
    lua_setmetatable(L, -2);
    arena_remember(L, m);
    frti_check(L, is_shared ? frt_arena_open_shared(&arena->arena)
                            : frt_arena_open_confined(&arena->arena));
    arena->guard.session = frt_arena_session(arena->arena);
    arena->is_open = true;
    return 1;
}

/* What somebody still uses, or another thread has to close, is let alone. */
static void
arena_forget(struct frti_arena *arena)
{
    frt_status status;

    if (!arena->is_open)
        return;
    arena->is_open = false;
    status = frt_arena_close(arena->arena);
    (void)status;
}

void
frti_arena_close_all(lua_State *L, struct frti_module *m)
{
    frti_module_table(L, &m->tables.arenas);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        arena_forget(lua_touserdata(L, -2));
    lua_pop(L, 1);
}

/* ------------------------------------------------------------- methods -- */

static struct frti_arena *
arena_check(lua_State *L, const struct frti_module *m)
{
    const void *meta = NULL;

    if (lua_type(L, 1) == LUA_TUSERDATA && lua_getmetatable(L, 1)) {
        meta = lua_topointer(L, -1);
        lua_pop(L, 1);
    }
    if (meta != m->arena_meta)
        luaL_argerror(
            L, 1,
            lua_pushfstring(L, "arena expected, got %s", luaL_typename(L, 1)));
    return lua_touserdata(L, 1);
}

/* arena:close() */
static int
arena_close(lua_State *L)
{
    struct frti_arena *arena = arena_check(L, frti_module_of(L));
    frt_status status;

    if (!arena->is_open)
        return luaL_error(L, "the arena was closed before");
    status = frt_arena_close(arena->arena);
    if (status == FRT_STILL_HELD)
        return luaL_error(L, "the arena cannot be closed while a call uses it");
    frti_check(L, status);
    arena->is_open = false;
    return 0;
}

/* The end of a scope may come after a close. */
static int
arena_leave(lua_State *L)
{
    struct frti_arena *arena = arena_check(L, frti_module_of(L));

    return arena->is_open ? arena_close(L) : 0;
}

static int
arena_collect(lua_State *L)
{
    arena_forget(arena_check(L, frti_module_of(L)));
    return 0;
}

/* arena:is_open() */
static int
arena_is_open(lua_State *L)
{
    struct frti_arena *arena = arena_check(L, frti_module_of(L));

    lua_pushboolean(L, arena->is_open);
    return 1;
}

static int
arena_tostring(lua_State *L)
{
    struct frti_arena *arena = arena_check(L, frti_module_of(L));

    lua_pushfstring(L, arena->is_open ? "arena: %p" : "arena (closed): %p",
                    arena);
    return 1;
}

/* -------------------------------------------------------------- memory -- */

struct frti_cdata *
frti_arena_cdata(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, size_t size, int index)
{
    struct frti_arena *arena = lua_touserdata(L, index);
    struct frti_cdata *cdata = frti_lua_new(L, sizeof *cdata, 1);
    frt_segment memory;

    if (!arena->is_open)
        luaL_error(L, "the arena is closed");
    frti_check(
        L, frt_arena_allocate(&memory, arena->arena, size, type->alignment));
    *cdata = (struct frti_cdata){.type = type,
                                 .address = memory.address,
                                 .size = size,
                                 .guard = &arena->guard,
                                 .flags = FRTI_ROOT};
    lua_pushvalue(L, index);
    frti_lua_set_anchor(L, lua_gettop(L) - 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->cdata_meta_ref);
    lua_setmetatable(L, -2);
    return cdata;
}

/* arena:new(type, [length,] initialisers...) */
static int
arena_new(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);

    arena_check(L, m);
    frti_module_check_open(L, m);
    return frti_make_new(L, m, frti_ctype_check(L, m, 2), 3, 1);
}

/* `char [?]` */
static const struct frti_ctype *
arena_text_type(lua_State *L, struct frti_module *m)
{
    struct frti_ctype *reserved = frti_ctype_reserve(L, m);
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_array(&layout, FRT_CHAR, FRT_FLEXIBLE);

    return frti_ctype_settle(L, m, reserved, status, layout);
}

/* arena:string(text) */
static int
arena_string(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    struct frti_cdata *cdata;
    const char *text;
    size_t length;

    arena_check(L, m);
    text = luaL_checklstring(L, 2, &length);
    cdata = frti_arena_cdata(L, m, arena_text_type(L, m), length + 1, 1);
    memcpy(cdata->address, text, length);
    return 1;
}

void
frti_arena_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg methods[] = {{"new", arena_new},
                                       {"string", arena_string},
                                       {"close", arena_close},
                                       {"is_open", arena_is_open},
                                       {NULL, NULL}};
    static const luaL_Reg events[] = {{"__gc", arena_collect},
                                      {"__close", arena_leave},
                                      {"__tostring", arena_tostring},
                                      {NULL, NULL}};

    lua_newtable(L);
    m->arena_meta = lua_topointer(L, -1);
    lua_pushstring(L, "arena");
    lua_setfield(L, -2, "__name");
    lua_pushstring(L, "ffi");
    lua_setfield(L, -2, "__metatable");
    lua_newtable(L);
    frti_module_register(L, m, methods);
    lua_setfield(L, -2, "__index");
    frti_module_register(L, m, events);
    m->arena_meta_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}
