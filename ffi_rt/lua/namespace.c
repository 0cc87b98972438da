/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/namespace.h"
#include "ffi_rt/lua/convert.h"

#include <string.h>

/* The second upvalue of a namespace's functions. */
static frt_library
namespace_library(lua_State *L)
{
    return *(const frt_library *)lua_touserdata(L, lua_upvalueindex(2));
}

/* ---------------------------------------------------------------- find -- */

static void *
find_symbol(lua_State *L, const char *name, frt_symbol_kind unwanted)
{
    frt_library library = namespace_library(L);
    frt_symbol symbol;

    frti_check(L, frt_library_find(&symbol, library, name));
    if (symbol.address == NULL)
        luaL_error(L, "symbol '%s' in %s is NULL", name,
                   frt_library_name(library));
    if (symbol.kind == unwanted)
        luaL_error(L, "symbol '%s' in %s is %s", name,
                   frt_library_name(library),
                   unwanted == FRT_SYMBOL_DATA ? "data, not a function"
                                               : "a function, not data");
    return symbol.address;
}

static void
push_function(lua_State *L, struct frti_module *m, const char *name)
{
    const frt_prototype *prototype = NULL;
    const frt_layout *layout = NULL;
    struct frti_ctype *type;
    frt_status status;
    void *address;

    frti_check(L, frt_decls_function(&prototype, m->decls, name));
    address = find_symbol(L, frt_prototype_symbol(prototype), FRT_SYMBOL_DATA);
    type = frti_ctype_reserve(L, m);
    status = frt_layout_function(&layout, frt_prototype_descriptor(prototype));
    type = frti_ctype_settle(L, m, type, status, layout);
    frti_cdata_push_function(L, m, type, address);
}

static void
push_constant(lua_State *L, struct frti_module *m, const frt_declaration *found)
{
    if (found->string != NULL)
        lua_pushstring(L, found->string);
    else if (frt_layout_is_floating(found->layout))
        lua_pushnumber(L, (lua_Number)found->number);
    else if (frt_layout_kind(found->layout) == FRT_KIND_POINTER)
        frti_cdata_push_pointer(L, m, frti_ctype_of(L, m, found->layout),
                                (void *)(uintptr_t)found->bits, 0);
    else if (frt_layout_kind(found->layout) == FRT_KIND_BOOL)
        lua_pushboolean(L, found->bits != 0);
    else
        frti_push_integer(L, m, found->bits,
                          !frt_layout_is_signed(found->layout));
}

static frt_declaration
find_declaration(lua_State *L, struct frti_module *m)
{
    const char *name = frti_check_text(L, 2);
    frt_declaration found;

    frti_module_check_open(L, m);
    luaL_checkstack(L, 12, "namespace");
    if (frt_decls_find(&found, m->decls, name) != FRT_OK ||
        found.what < FRT_DECLARED_FUNCTION)
        luaL_error(L, "missing declaration for symbol '%s'", name);
    return found;
}

/* Of the table that is a namespace's __index: what it lacks. */
static int
namespace_resolve(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    frt_declaration found = find_declaration(L, m);

    if (found.what == FRT_DECLARED_VARIABLE) {
        frti_to_lua(L, m, frti_ctype_of(L, m, found.layout),
                    find_symbol(L, found.symbol, FRT_SYMBOL_FUNCTION), 0);
        if (found.is_const)
            frti_cdata_seal(L, m, lua_gettop(L));
        return 1;
    }
    if (found.what == FRT_DECLARED_FUNCTION)
        push_function(L, m, found.name);
    else
        push_constant(L, m, &found);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

static int
namespace_newindex(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    frt_declaration found = find_declaration(L, m);
    struct frti_into into = {0};

    if (found.what != FRT_DECLARED_VARIABLE || found.is_const)
        return luaL_error(L, "attempt to write to constant location '%s'",
                          found.name);
    frti_to_c(L, m, frti_ctype_of(L, m, found.layout),
              find_symbol(L, found.symbol, FRT_SYMBOL_FUNCTION), 3, &into);
    return 0;
}

static int
namespace_tostring(lua_State *L)
{
    lua_pushfstring(L, "library: %s", frt_library_name(namespace_library(L)));
    return 1;
}

/* ---------------------------------------------------------------- make -- */

/* Pushes a namespace without a library: what comes next cannot fail. */
static frt_library *
namespace_new(lua_State *L, struct frti_module *m)
{
    frt_library *library;
    int index;

    luaL_checkstack(L, 12, "namespace");
    library = frti_lua_new(L, sizeof *library, 0);
    memset(library, 0, sizeof *library);
    index = lua_gettop(L);
    lua_newtable(L); /* its metatable */
    lua_newtable(L); /* what was found */
    lua_newtable(L); /* the metatable of that */
    frti_module_push_closure(L, m, namespace_resolve, index);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    frti_module_push_closure(L, m, namespace_newindex, index);
    lua_setfield(L, -2, "__newindex");
    frti_module_push_closure(L, m, namespace_tostring, index);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, index);
    return library;
}

void
frti_namespace_push_default(lua_State *L, struct frti_module *m)
{
    *namespace_new(L, m) = frt_library_default();
}

int
frti_namespace_load(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const char *name = frti_check_text(L, 1);
    frt_library_options options = {.size = sizeof options,
                                   .global = lua_toboolean(L, 2)};
    frt_library *library;

    frti_module_check_open(L, m);
    lua_settop(L, 2);
    frti_module_table(L, &m->tables.libraries);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, 3) != LUA_TNIL && !options.global)
        return 1;
    lua_pop(L, 1);
    library = namespace_new(L, m);
    frti_check(L, frt_library_open(library, m->arena, name, &options));
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 3);
    return 1;
}
