/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/make.h"
#include "ffi_rt/lua/member.h"

#include <string.h>

/* `int[]` has no size, `int[?]` has to be told, and a struct with such a member
 * has that of the rest. */
static int
measure_unknown(lua_State *L, const struct frti_ctype *type)
{
    if (type->form == FRTI_STRUCT) {
        lua_pushinteger(L, (lua_Integer)type->size);
        return 1;
    }
    if (lua_type(L, 1) == LUA_TSTRING &&
        strchr(lua_tostring(L, 1), '?') == NULL) {
        lua_pushnil(L);
        return 1;
    }
    return luaL_error(L, "the length of '%s' is to be given",
                      frti_ctype_name(L, type));
}

int
frti_measure_sizeof(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = frti_cdata_at(L, m, 1);
    const struct frti_ctype *type =
        frti_ctype_whole(L, m, frti_ctype_check(L, m, 1));
    lua_Integer count;

    if (cdata != NULL && frti_ctype_is_variable(type)) {
        lua_pushinteger(L, (lua_Integer)cdata->size);
    } else if (frti_ctype_is_variable(type)) {
        if (lua_isnoneornil(L, 2))
            return measure_unknown(L, type);
        count = frti_integer_check(L, m, 2);
        luaL_argcheck(L, count >= 0, 2, "a length is not negative");
        lua_pushinteger(L,
                        (lua_Integer)frti_ctype_size(L, type, (size_t)count));
    } else if (!type->is_complete || type->form == FRTI_VOID ||
               type->form == FRTI_FUNCTION) {
        lua_pushnil(L);
    } else {
        lua_pushinteger(L, (lua_Integer)type->size);
    }
    return 1;
}

int
frti_measure_alignof(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type =
        frti_ctype_whole(L, m, frti_ctype_check(L, m, 1));

    lua_pushinteger(L, (lua_Integer)type->alignment);
    return 1;
}

/* offset; of a bit-field also its first bit and width. As LuaJIT's, the offset
 * is that of the unit which holds it, where one does. */
static int
push_bits(lua_State *L, const struct frti_member *member)
{
    size_t unit = 8 * member->type->size;
    size_t first = 8 * member->offset + member->bit_offset;
    size_t begin = first / unit * unit;

    if (first + member->bit_width > begin + unit)
        begin = 8 * member->offset;
    lua_pushinteger(L, (lua_Integer)(begin / 8));
    lua_pushinteger(L, (lua_Integer)(first - begin));
    lua_pushinteger(L, (lua_Integer)member->bit_width);
    return 3;
}

int
frti_measure_offsetof(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_ctype *type =
        frti_ctype_whole(L, m, frti_ctype_check(L, m, 1));
    const struct frti_member *member;

    luaL_checktype(L, 2, LUA_TSTRING);
    if (type->form != FRTI_STRUCT || !type->is_complete)
        return 0;
    member = frti_member_find(L, frti_members_of(L, m, type), 2);
    if (member == NULL)
        return 0;
    if (member->bit_width != 0)
        return push_bits(L, member);
    lua_pushinteger(L, (lua_Integer)member->offset);
    return 1;
}
