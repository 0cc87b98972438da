/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/module.h"
#include "ffi_rt/lua/arena.h"
#include "ffi_rt/lua/call.h"
#include "ffi_rt/lua/callback.h"
#include "ffi_rt/lua/gc.h"
#include "ffi_rt/lua/make.h"
#include "ffi_rt/lua/metatype.h"
#include "ffi_rt/lua/namespace.h"
#include "ffi_rt/lua/span.h"
#include "ffi_rt/lua/system.h"
#include "ffi_rt/lua/tag.h"

#include <string.h>

/* -------------------------------------------------------------- shared -- */

static void
module_push(lua_State *L, struct frti_module *m)
{
    frti_module_table(L, &m->tables.anchors);
    lua_rawgetp(L, -1, m);
    lua_replace(L, -2);
}

void
frti_module_push_function(lua_State *L, struct frti_module *m,
                          lua_CFunction function)
{
    module_push(L, m);
    lua_pushcclosure(L, function, 1);
}

void
frti_module_push_closure(lua_State *L, struct frti_module *m,
                         lua_CFunction function, int index)
{
    module_push(L, m);
    lua_pushvalue(L, index);
    lua_pushcclosure(L, function, 2);
}

void
frti_module_register(lua_State *L, struct frti_module *m,
                     const luaL_Reg *functions)
{
    for (; functions->name != NULL; functions++) {
        frti_module_push_function(L, m, functions->func);
        lua_setfield(L, -2, functions->name);
    }
}

void
frti_module_anchor(lua_State *L, struct frti_module *m, const void *address)
{
    frti_module_table(L, &m->tables.anchors);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, address);
    lua_pop(L, 1);
}

void
frti_module_check_open(lua_State *L, const struct frti_module *m)
{
    if (m->is_closed)
        luaL_error(L, "ffi_rt is closed: its Lua state is being closed");
}

/* --------------------------------------------------------------- close -- */

/* A call under way on another thread keeps its library for good. */
static void
module_close_arena(const struct frti_module *m)
{
    frt_status status = frt_arena_close(m->arena);

    (void)status;
}

static int
module_close(lua_State *L)
{
    struct frti_module *m = lua_touserdata(L, 1);

    if (m->is_closed)
        return 0;
    m->is_closed = true;
    frti_arena_close_all(L, m);
    frti_call_drop_all(m);
    frti_ctype_drop_all(m);
    frt_decls_free(m->decls);
    m->decls = NULL;
    module_close_arena(m);
    return 0;
}

/* ---------------------------------------------------------------- open -- */

static void
module_new_table(lua_State *L, const char *address, const char *mode)
{
    lua_newtable(L);
    if (mode != NULL) {
        lua_createtable(L, 0, 1);
        lua_pushstring(L, mode);
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, address);
}

/* Pushes the module, which gives back whatever it comes to hold. */
static struct frti_module *
module_new(lua_State *L)
{
    frt_parse_options options = {.size = sizeof options, .raw_pointers = true};
    struct frti_module *m = frti_lua_new(L, sizeof *m, 0);

    memset(m, 0, sizeof *m);
    m->is_closed = true;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, module_close);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    module_new_table(L, &m->tables.anchors, NULL);
    module_new_table(L, &m->tables.texts, NULL);
    module_new_table(L, &m->tables.names, NULL);
    module_new_table(L, &m->tables.metatypes, NULL);
    module_new_table(L, &m->tables.finalizers, "k");
    module_new_table(L, &m->tables.stores, "k");
    module_new_table(L, &m->tables.libraries, NULL);
    module_new_table(L, &m->tables.arenas, "k");
    module_new_table(L, &m->tables.callbacks, NULL);
    module_new_table(L, &m->tables.shared, NULL);
    /* from here on there is something to close, and all that it needs */
    frti_check(L, frt_arena_open_shared(&m->arena));
    if (frt_decls_new(&m->decls, &options) != FRT_OK) {
        module_close_arena(m);
        luaL_error(L, "%s", frt_last_detail());
    }
    m->is_closed = false;
    lua_pushvalue(L, -1);
    frti_module_anchor(L, m, m);
    return m;
}

/* A metatable for cdata, with a __gc or without; its reference. */
static int
module_cdata_meta(lua_State *L, struct frti_module *m, const void **meta,
                  bool has_gc)
{
    static const luaL_Reg functions[] = {{"__tostring", frti_cdata_tostring},
                                         {NULL, NULL}};
    static const luaL_Reg gc[] = {{"__gc", frti_gc_run}, {NULL, NULL}};

    /* the first to come into a table with room are found in one step */
    lua_createtable(L, 0, 64);
    *meta = lua_topointer(L, -1);
    frti_access_register(L, m);
    lua_pushstring(L, "cdata");
    lua_setfield(L, -2, "__name");
    lua_pushstring(L, "ffi");
    lua_setfield(L, -2, "__metatable");
    frti_arithmetic_register(L, m);
    frti_compare_register(L, m);
    frti_metatype_register(L, m);
    frti_module_register(L, m, functions);
    if (has_gc)
        frti_module_register(L, m, gc);
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

static void
module_metatables(lua_State *L, struct frti_module *m)
{
    m->cdata_meta_ref = module_cdata_meta(L, m, &m->cdata_meta, false);
    m->cdata_gc_meta_ref = module_cdata_meta(L, m, &m->cdata_gc_meta, true);
    lua_newtable(L);
    m->ctype_meta = lua_topointer(L, -1);
    lua_pushstring(L, "ctype");
    lua_setfield(L, -2, "__name");
    lua_pushstring(L, "ffi");
    lua_setfield(L, -2, "__metatable");
    frti_make_register(L, m);
    m->ctype_meta_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    frti_arena_register(L, m);
}

static void
module_common(lua_State *L, struct frti_module *m)
{
    m->common.void_pointer = frti_ctype_of(L, m, FRT_POINTER);
    m->common.const_char_pointer =
        frti_ctype_pointer(L, m, frti_ctype_of(L, m, FRT_CHAR), true);
    m->common.int64 = frti_ctype_of(L, m, FRT_I64);
    m->common.uint64 = frti_ctype_of(L, m, FRT_U64);
    m->common.int_ = frti_ctype_of(L, m, FRT_INT);
    m->common.number = frti_ctype_of(L, m, FRT_F64);
}

/* ffi.cdef(text, parameters...) */
static int
module_cdef(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    frt_status status;

    luaL_checktype(L, 1, LUA_TSTRING);
    frti_module_check_open(L, m);
    frti_ctype_substitute(L, m, 1, 2, lua_gettop(L));
    frti_tag_declarations(L);
    module_new_table(L, &m->tables.texts, NULL);
    status = frt_decls_add(m->decls, lua_tostring(L, -1), NULL);
    /* what is wrong is shown in the user's own text */
    if (status != FRT_OK && status != FRT_NO_MEMORY)
        status = frt_decls_add(m->decls, lua_tostring(L, -2), NULL);
    frti_check(L, status);
    return 0;
}

static void
module_fields(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {{"cdef", module_cdef},
                                         {"load", frti_namespace_load},
                                         {"new", frti_make_ffi_new},
                                         {"cast", frti_make_cast},
                                         {"typeof", frti_make_typeof},
                                         {"istype", frti_make_istype},
                                         {"sizeof", frti_measure_sizeof},
                                         {"alignof", frti_measure_alignof},
                                         {"offsetof", frti_measure_offsetof},
                                         {"metatype", frti_metatype_set},
                                         {"gc", frti_gc_set},
                                         {"string", frti_span_string},
                                         {"copy", frti_span_copy},
                                         {"fill", frti_span_fill},
                                         {"callback", frti_callback_make},
                                         {"poll", frti_callback_poll},
                                         {"arena", frti_arena_open},
                                         {"errno", frti_system_errno},
                                         {"abi", frti_system_abi},
                                         {NULL, NULL}};
    static const luaL_Reg unsafe[] = {{"cast", frti_make_cast_unsafe},
                                      {"copy", frti_span_copy_unsafe},
                                      {"fill", frti_span_fill_unsafe},
                                      {NULL, NULL}};

    frti_module_register(L, m, functions);
    lua_getglobal(L, "tonumber");
    frti_module_push_closure(L, m, frti_make_tonumber, lua_gettop(L));
    lua_setfield(L, -3, "tonumber");
    lua_pop(L, 1);
    lua_newtable(L);
    frti_module_register(L, m, unsafe);
    lua_setfield(L, -2, "unsafe");
    frti_namespace_push_default(L, m);
    lua_setfield(L, -2, "C");
    frti_cdata_push_pointer(L, m, m->common.void_pointer, NULL, 0);
    lua_setfield(L, -2, "nullptr");
    frti_system_fields(L);
}

/* One module a state: cdata of another one would be foreign to it. */
int
luaopen_ffi_rt(lua_State *L)
{
    static const char key;
    struct frti_module *m;

    luaL_checkstack(L, 20, "ffi_rt");
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
        return 1;
    m = module_new(L);
    module_metatables(L, m);
    module_common(L, m);
    lua_newtable(L);
    module_fields(L, m);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
    return 1;
}
