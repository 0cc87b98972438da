/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/convert.h"

#include <string.h>

/* ----------------------------------------------------------- integers --- */

/* As a cdata of its own type. */
static void
push_boxed(lua_State *L, struct frti_module *m, frt_kind kind,
           const void *bytes, size_t size)
{
    const struct frti_ctype *type =
        frti_ctype_of(L, m, frt_layout_value(kind, NULL));

    memcpy(frti_cdata_new(L, m, type, size)->address, bytes, size);
}

void
frti_push_integer(lua_State *L, struct frti_module *m, uint64_t bits,
                  bool is_unsigned)
{
    if (is_unsigned && bits > INT64_MAX)
        memcpy(frti_cdata_new(L, m, m->common.uint64, sizeof bits)->address,
               &bits, sizeof bits);
    else
        lua_pushinteger(L, (lua_Integer)bits);
}

void
frti_push_wide(lua_State *L, struct frti_module *m, unsigned __int128 bits,
               bool is_unsigned)
{
    __int128 value = (__int128)bits;

    if (value >= INT64_MIN && value <= INT64_MAX && !(is_unsigned && value < 0))
        lua_pushinteger(L, (lua_Integer)value);
    else
        push_boxed(L, m, is_unsigned ? FRT_KIND_UINT128 : FRT_KIND_INT128,
                   &bits, sizeof bits);
}

/* A bit-field: up to nine bytes hold it, or 17 of an __int128. */
static unsigned __int128
bits_load(const struct frti_member *member, const char *address)
{
    unsigned __int128 bits = 0;
    unsigned end = member->bit_offset + member->bit_width;

    for (unsigned at = 0; at < end; at += 8) {
        unsigned __int128 byte = (unsigned char)address[at / 8];

        bits |= at < member->bit_offset ? byte >> member->bit_offset
                                        : byte << (at - member->bit_offset);
    }
    if (member->bit_width < 128)
        bits &= ((unsigned __int128)1 << member->bit_width) - 1;
    return bits;
}

void
frti_bits_to_lua(lua_State *L, struct frti_module *m,
                 const struct frti_member *member, const char *address)
{
    unsigned __int128 bits = bits_load(member, address);
    unsigned unused = 128 - member->bit_width;

    if (member->type->form == FRTI_BOOL) {
        lua_pushboolean(L, bits != 0);
    } else if (frt_layout_is_signed(member->type->layout)) {
        frti_push_wide(
            L, m, (unsigned __int128)((__int128)(bits << unused) >> unused),
            false);
    } else if (bits >> 64 == 0) {
        frti_push_integer(L, m, (uint64_t)bits, true);
    } else {
        frti_push_wide(L, m, bits, true);
    }
}

/* --------------------------------------------------------------- all --- */

/* Whether C, which knows nothing of stores, has written another pointer since:
 * qsort moves them. */
static bool
pointer_is_strange(const struct frti_life *life, const char *value)
{
    return life->low != NULL && (value < life->low || value > life->high);
}

/* A pointer that is read from memory of the cdata at `owner` may be known to
 * point to Lua's. */
static void
pointer_to_lua(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, const void *address, int owner)
{
    struct frti_life life = {0};
    const struct frti_cdata *target;
    void *value;
    int known;

    memcpy(&value, address, sizeof value);
    if (owner == 0 || !frti_store_find(L, m, owner, address)) {
        frti_cdata_push_pointer(L, m, type, value, 0);
        return;
    }
    known = lua_gettop(L);
    target = frti_cdata_at(L, m, known);
    if (target != NULL) {
        frti_life_of(L, &life, target, known);
        lua_replace(L, known);
    } else if (lua_type(L, known) == LUA_TSTRING) {
        life.low = lua_tostring(L, known);
        life.high = life.low + lua_rawlen(L, known) + 1;
    }
    if (pointer_is_strange(&life, value))
        frti_cdata_push_pointer(L, m, type, value, 0);
    else
        frti_cdata_push_living(L, m, type, value, known, &life);
    lua_remove(L, known);
}

static void
aggregate_to_lua(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, void *address, int owner)
{
    struct frti_cdata *cdata;

    if (type->form == FRTI_FUNCTION)
        frti_cdata_push_function(L, m, type, address);
    else if (type->form != FRTI_COMPLEX && type->form != FRTI_VECTOR)
        frti_cdata_reference(L, m, type, address, owner);
    else {
        cdata = frti_cdata_new(L, m, type, type->size);
        /* that may have run a finalizer, which closed an arena */
        if (owner != 0)
            frti_guard_check(L, frti_cdata_at(L, m, owner)->guard);
        memcpy(cdata->address, address, type->size);
    }
}

#define TO_LUA_INTEGER(form, ctype)                                            \
    case form: {                                                               \
        ctype value;                                                           \
        memcpy(&value, address, sizeof value);                                 \
        lua_pushinteger(L, (lua_Integer)value);                                \
        return;                                                                \
    }

#define TO_LUA_NUMBER(form, ctype)                                             \
    case form: {                                                               \
        ctype value;                                                           \
        memcpy(&value, address, sizeof value);                                 \
        lua_pushnumber(L, (lua_Number)value);                                  \
        return;                                                                \
    }

static void
rare_to_lua(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
            void *address, int owner)
{
    struct frti_number number;

    switch (type->form) {
    case FRTI_VOID:
        lua_pushnil(L);
        return;
    case FRTI_I128:
    case FRTI_U128:
        frti_number_load(&number, type, address);
        frti_push_wide(L, m, (unsigned __int128)number.integer,
                       type->form == FRTI_U128);
        return;
    case FRTI_F16:
    case FRTI_F128:
        frti_number_load(&number, type, address);
        lua_pushnumber(L, number.floating);
        return;
    default:
        aggregate_to_lua(L, m, type, address, owner);
    }
}

void
frti_to_lua(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
            void *address, int owner)
{
    uint64_t wide;

    switch (type->form) {
        TO_LUA_INTEGER(FRTI_I8, int8_t)
        TO_LUA_INTEGER(FRTI_U8, uint8_t)
        TO_LUA_INTEGER(FRTI_I16, int16_t)
        TO_LUA_INTEGER(FRTI_U16, uint16_t)
        TO_LUA_INTEGER(FRTI_I32, int32_t)
        TO_LUA_INTEGER(FRTI_U32, uint32_t)
        TO_LUA_INTEGER(FRTI_I64, int64_t)
        TO_LUA_NUMBER(FRTI_F32, float)
        TO_LUA_NUMBER(FRTI_F64, double)
        TO_LUA_NUMBER(FRTI_LONG_DOUBLE, long double)
    case FRTI_BOOL:
        lua_pushboolean(L, *(const unsigned char *)address != 0);
        return;
    case FRTI_U64:
        memcpy(&wide, address, sizeof wide);
        frti_push_integer(L, m, wide, true);
        return;
    case FRTI_POINTER:
        pointer_to_lua(L, m, type, address, owner);
        return;
    default:
        rare_to_lua(L, m, type, address, owner);
    }
}

#undef TO_LUA_INTEGER
#undef TO_LUA_NUMBER
