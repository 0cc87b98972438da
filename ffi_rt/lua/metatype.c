/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/metatype.h"
#include "ffi_rt/lua/call.h"
#include "ffi_rt/lua/gc.h"

/* The type itself, or the struct that it points to, if that has a metatype. */
static const struct frti_ctype *
metatype_bearer(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type)
{
    if (type->form == FRTI_POINTER)
        type = frti_ctype_inner(L, m, type);
    return type->has_metatype ? type : NULL;
}

bool
frti_metatype_find(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, const char *event)
{
    type = metatype_bearer(L, m, type);
    if (type == NULL)
        return false;
    luaL_checkstack(L, 8, "metatype");
    frti_module_table(L, &m->tables.metatypes);
    lua_rawgetp(L, -1, type);
    lua_pushstring(L, event);
    lua_rawget(L, -2);
    lua_replace(L, -3);
    lua_pop(L, 1);
    if (!lua_isnil(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

bool
frti_metatype_index(lua_State *L, struct frti_module *m,
                    const struct frti_cdata *cdata)
{
    if (!frti_metatype_find(L, m, cdata->type, "__index"))
        return false;
    if (lua_isfunction(L, -1)) {
        lua_insert(L, 1);
        lua_call(L, 2, 1);
        return true;
    }
    lua_pushvalue(L, 2);
    lua_gettable(L, -2);
    return !lua_isnil(L, -1);
}

bool
frti_metatype_newindex(lua_State *L, struct frti_module *m,
                       const struct frti_cdata *cdata)
{
    if (!frti_metatype_find(L, m, cdata->type, "__newindex"))
        return false;
    if (lua_isfunction(L, -1)) {
        lua_insert(L, 1);
        lua_call(L, 3, 0);
        return true;
    }
    lua_insert(L, 2);
    lua_settable(L, 2);
    return true;
}

/* ----------------------------------------------------------- operators -- */

/* Pushes the metamethod of the value at `index`. */
static bool
metatype_of_value(lua_State *L, struct frti_module *m, int index,
                  const char *event)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    return cdata != NULL && frti_metatype_find(L, m, cdata->type, event);
}

bool
frti_metatype_operate(lua_State *L, struct frti_module *m, const char *event)
{
    if (!metatype_of_value(L, m, 1, event) &&
        !metatype_of_value(L, m, 2, event))
        return false;
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return true;
}

/* The cdata at 1 is a pointer to a function of the type. */
static int
call_pointer(lua_State *L, struct frti_module *m,
             const struct frti_cdata *cdata, const struct frti_ctype *type)
{
    void *target = frti_cdata_target(L, cdata);

    if (target == NULL)
        luaL_error(L, "attempt to call a NULL '%s'",
                   frti_ctype_name(L, cdata->type));
    return frti_call_function(L, m, type, target, 2);
}

static int
metatype_call(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = lua_touserdata(L, 1);
    const struct frti_ctype *type = cdata->type, *inner;

    if (type->form == FRTI_POINTER) {
        inner = frti_ctype_inner(L, m, type);
        if (inner->form == FRTI_FUNCTION)
            return call_pointer(L, m, cdata, inner);
    }
    if (!frti_metatype_find(L, m, type, "__call"))
        return luaL_error(L, "'%s' is not callable", frti_ctype_name(L, type));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int
metatype_len(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = lua_touserdata(L, 1);

    if (!frti_metatype_operate(L, m, "__len"))
        return luaL_error(L, "attempt to get length of '%s'",
                          frti_ctype_name(L, cdata->type));
    return 1;
}

static int
metatype_concat(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const char *names[2];

    if (frti_metatype_operate(L, m, "__concat"))
        return 1;
    for (int i = 0; i < 2; i++) {
        const struct frti_cdata *cdata = frti_cdata_at(L, m, i + 1);

        names[i] = cdata != NULL ? frti_ctype_name(L, cdata->type)
                                 : luaL_typename(L, i + 1);
    }
    return luaL_error(L, "attempt to concatenate '%s' and '%s'", names[0],
                      names[1]);
}

static int
metatype_pairs(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = lua_touserdata(L, 1);

    if (!frti_metatype_find(L, m, cdata->type, "__pairs"))
        return luaL_error(L, "attempt to iterate over '%s'",
                          frti_ctype_name(L, cdata->type));
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
}

/* `local x <close>`: a type that has nothing to do at the end just ends. */
static int
metatype_close(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = lua_touserdata(L, 1);

    if (!frti_metatype_find(L, m, cdata->type, "__close"))
        return 0;
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

void
frti_metatype_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {
        {"__call", metatype_call},     {"__len", metatype_len},
        {"__concat", metatype_concat}, {"__pairs", metatype_pairs},
        {"__close", metatype_close},   {NULL, NULL}};

    frti_module_register(L, m, functions);
}

/* ----------------------------------------------------------------- set -- */

int
frti_metatype_set(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_ctype *type = frti_ctype_check(L, m, 1);

    if (type->plain != NULL)
        type = type->plain;
    type = (struct frti_ctype *)frti_ctype_whole(L, m, type);
    luaL_checktype(L, 2, LUA_TTABLE);
    if (type->form != FRTI_STRUCT && type->form != FRTI_COMPLEX &&
        type->form != FRTI_VECTOR)
        return luaL_argerror(L, 1, "a struct or union expected");
    if (type->has_metatype)
        return luaL_error(
            L, "'%s' has its metatype already%s", frti_ctype_name(L, type),
            frt_layout_tag(type->layout) != NULL
                ? ""
                : ": structs without a tag and with the same members are one "
                  "type, unless cdef declares them");
    frti_module_table(L, &m->tables.metatypes);
    lua_pushvalue(L, 2);
    lua_rawsetp(L, -2, type);
    type->has_metatype = true;
    frti_ctype_push(L, m, type);
    return 1;
}
