/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/make.h"
#include "ffi_rt/lua/arena.h"
#include "ffi_rt/lua/gc.h"
#include "ffi_rt/lua/metatype.h"

#include <string.h>

/* ----------------------------------------------------------------- new -- */

static size_t
make_length(lua_State *L, const struct frti_module *m,
            const struct frti_ctype *type, int index)
{
    lua_Integer count =
        lua_isnoneornil(L, index) ? -1 : frti_integer_check(L, m, index);

    if (count < 0)
        luaL_error(L, "size of C type '%s' is unknown or too large",
                   frti_ctype_name(L, type));
    return (size_t)count;
}

/* A pointer keeps what it points to, and knows its bounds. */
static void
push_pointer(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
             int index, const struct frti_into *into)
{
    void *value = frti_to_pointer(L, m, type, index, into);
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);
    struct frti_life life = {0};

    if (cdata != NULL && cdata->type->form >= FRTI_POINTER &&
        cdata->type->form != FRTI_FUNCTION) {
        frti_cdata_push_pointer(L, m, type, value, index);
        return;
    }
    if (lua_type(L, index) != LUA_TSTRING)
        index = 0;
    if (index != 0) {
        life.low = value;
        life.high = life.low + lua_rawlen(L, index) + 1;
    }
    frti_cdata_push_living(L, m, type, value, index, &life);
}

static int
make_pointer(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
             int first, int count)
{
    struct frti_into into = {0};

    if (count > 1)
        return luaL_error(L, "too many initializers for '%s'",
                          frti_ctype_name(L, type));
    if (count == 0) {
        lua_pushnil(L);
        first = lua_gettop(L);
    }
    push_pointer(L, m, type, first, &into);
    return 1;
}

/* A struct that ends in an array may be given in whole by a table; then that
 * array has no elements. */
static size_t
make_size(lua_State *L, const struct frti_module *m,
          const struct frti_ctype *type, int *next)
{
    if (!frti_ctype_is_variable(type))
        return type->size;
    if (type->tail != 0 && lua_type(L, *next) == LUA_TTABLE)
        return frti_ctype_size(L, type, 0);
    return frti_ctype_size(L, type, make_length(L, m, type, (*next)++));
}

/* Pushes a value in an arena. It is made before there is memory for it: on the
 * way a finalizer may close the arena. */
static struct frti_cdata *
make_in_arena(lua_State *L, struct frti_module *m,
              const struct frti_ctype *type, size_t size, int first, int count,
              int arena)
{
    const struct frti_cdata *made = frti_cdata_new(L, m, type, size);
    const struct frti_into into = {.owner = lua_gettop(L)};
    struct frti_stored from = {into.owner, made->address}, to;
    struct frti_cdata *cdata;

    frti_initialise(L, m, type, made->address, size, first, count, &into);
    cdata = frti_arena_cdata(L, m, type, size, arena);
    to = (struct frti_stored){lua_gettop(L), cdata->address};
    (void)frti_store_copy(L, m, &to, &from, size);
    frti_guard_check(L, cdata->guard);
    memcpy(cdata->address, made->address, size);
    lua_remove(L, into.owner);
    return cdata;
}

int
frti_make_new(lua_State *L, struct frti_module *m,
              const struct frti_ctype *type, int first, int arena)
{
    int top = lua_gettop(L);
    struct frti_into into = {.owner = top + 1};
    bool is_const = type->plain != NULL;
    struct frti_cdata *cdata;
    size_t size;
    int count;

    luaL_checkstack(L, 16, "new");
    type = frti_ctype_whole(L, m, is_const ? type->plain : type);
    size = make_size(L, m, type, &first);
    count = top - first + 1;
    if (type->form == FRTI_POINTER)
        return make_pointer(L, m, type, first, count);
    if (!(type->is_complete || frti_ctype_is_variable(type)) ||
        type->form == FRTI_VOID || type->form == FRTI_FUNCTION)
        return luaL_error(L, "size of C type '%s' is unknown",
                          frti_ctype_name(L, type));
    if (arena == 0) {
        cdata = frti_cdata_new(L, m, type, size);
        frti_initialise(L, m, type, cdata->address, size, first, count, &into);
    } else if (count == 0) {
        cdata = frti_arena_cdata(L, m, type, size, arena);
    } else {
        cdata = make_in_arena(L, m, type, size, first, count, arena);
    }
    if (is_const)
        cdata->flags |= FRTI_READ_ONLY;
    if (type->has_metatype)
        frti_gc_attach(L, m, type);
    return 1;
}

int
frti_make_ffi_new(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);

    return frti_make_new(L, m, frti_ctype_check(L, m, 1), 2, 0);
}

/* ---------------------------------------------------------------- cast -- */

static int
make_cast(lua_State *L, bool is_bare)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type = frti_ctype_check(L, m, 1);
    struct frti_into into = {.is_cast = true};
    struct frti_cdata *cdata;

    if (type->plain != NULL)
        type = type->plain;
    luaL_checkany(L, 2);
    luaL_checkstack(L, 12, "cast");
    if (type->form == FRTI_POINTER && is_bare) {
        frti_cdata_push_pointer(L, m, type,
                                frti_to_pointer(L, m, type, 2, &into), 0);
        return 1;
    }
    if (type->form == FRTI_POINTER) {
        push_pointer(L, m, type, 2, &into);
        return 1;
    }
    if (!frti_is_number(type))
        return luaL_argerror(L, 1,
                             lua_pushfstring(L, "cannot cast to '%s'",
                                             frti_ctype_name(L, type)));
    cdata = frti_cdata_new(L, m, type, type->size);
    frti_to_c(L, m, type, cdata->address, 2, &into);
    return 1;
}

int
frti_make_cast(lua_State *L)
{
    return make_cast(L, false);
}

int
frti_make_cast_unsafe(lua_State *L)
{
    return make_cast(L, true);
}

/* --------------------------------------------------------------- types -- */

int
frti_make_typeof(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type = lua_type(L, 1) == LUA_TSTRING
                                        ? frti_ctype_parse(L, m, 1, 2)
                                        : frti_ctype_check(L, m, 1);

    frti_ctype_push(L, m, type);
    return 1;
}

int
frti_make_istype(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *wanted = frti_ctype_check(L, m, 1), *type;
    const struct frti_cdata *cdata;

    luaL_checkany(L, 2);
    wanted = frti_ctype_whole(L, m, wanted);
    cdata = frti_cdata_at(L, m, 2);
    type = cdata != NULL ? cdata->type : frti_ctype_at(L, m, 2);
    if (type != NULL)
        type = frti_ctype_whole(L, m, type);
    if (type != NULL && wanted->form == FRTI_STRUCT &&
        type->form == FRTI_POINTER)
        type = frti_ctype_inner(L, m, type);
    lua_pushboolean(L, type != NULL && frti_ctype_same(wanted, type));
    return 1;
}

/* The second upvalue is Lua's own: the global may be this one. */
int
frti_make_tonumber(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_number number;

    luaL_checkany(L, 1);
    if (frti_cdata_at(L, m, 1) == NULL) {
        lua_pushvalue(L, lua_upvalueindex(2));
        lua_insert(L, 1);
        lua_call(L, lua_gettop(L) - 1, 1);
    } else if (!frti_number_read(L, m, &number, 1)) {
        lua_pushnil(L);
    } else if (number.is_floating || number.integer > INT64_MAX ||
               number.integer < INT64_MIN ||
               (number.is_unsigned && number.integer < 0)) {
        lua_pushnumber(L, number.floating);
    } else {
        lua_pushinteger(L, (lua_Integer)number.integer);
    }
    return 1;
}

/* ------------------------------------------------------ ctype objects --- */

/* ct(...): as ffi.new, unless a metatype has a __new. */
static int
ctype_call(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type =
        frti_ctype_whole(L, m, lua_touserdata(L, 1));

    if (type->has_metatype && frti_metatype_find(L, m, type, "__new")) {
        lua_insert(L, 1);
        lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
        return lua_gettop(L);
    }
    return frti_make_new(L, m, type, 2, 0);
}

static int
ctype_tostring(lua_State *L)
{
    const struct frti_ctype *type = lua_touserdata(L, 1);

    lua_pushfstring(L, "ctype<%s>", frti_ctype_name(L, type));
    return 1;
}

/* ct.name: what the __index of its metatype has. */
static int
ctype_index(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type =
        frti_ctype_whole(L, m, lua_touserdata(L, 1));

    if (type->has_metatype && frti_metatype_find(L, m, type, "__index")) {
        if (lua_isfunction(L, -1)) {
            lua_insert(L, 1);
            lua_call(L, 2, 1);
        } else {
            lua_pushvalue(L, 2);
            lua_gettable(L, -2);
        }
        if (!lua_isnil(L, -1))
            return 1;
    }
    return luaL_error(L, "'ctype<%s>' has no member named '%s'",
                      frti_ctype_name(L, type), luaL_tolstring(L, 2, NULL));
}

/* Types that are one to Lua are equal. */
static int
ctype_eq(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *one = frti_ctype_at(L, m, 1);
    const struct frti_ctype *other = frti_ctype_at(L, m, 2);

    lua_pushboolean(L, one != NULL && other != NULL &&
                           frti_ctype_same(one, other));
    return 1;
}

void
frti_make_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {{"__call", ctype_call},
                                         {"__tostring", ctype_tostring},
                                         {"__index", ctype_index},
                                         {"__eq", ctype_eq},
                                         {NULL, NULL}};

    frti_module_register(L, m, functions);
}
