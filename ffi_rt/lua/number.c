/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Numbers of C and of Lua, by way of one form that holds all but the last bits
 * of a long double. Everything is copied, for a member may lie anywhere.
 */
#include "ffi_rt/lua/convert.h"
#include "ffi_rt/lua/quad.h"

#include <string.h>

/* -------------------------------------------------------------- load --- */

#define NUMBER_LOAD(form, ctype, field)                                        \
    case form: {                                                               \
        ctype value;                                                           \
        memcpy(&value, address, sizeof value);                                 \
        out->field = value;                                                    \
        break;                                                                 \
    }

/* A float as the integer that C's conversion gives, kept in range. */
static __int128
number_cut(double value)
{
    if (value != value)
        return INT64_MIN;
    if (value >= 0x1p127)
        return (__int128)(~(unsigned __int128)0 >> 1);
    if (value <= -0x1p127)
        return -(__int128)(~(unsigned __int128)0 >> 1) - 1;
    return (__int128)value;
}

/* binary16: sign, 5 bits of exponent, 10 of fraction. */
static double
number_of_half(uint16_t bits)
{
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value;

    if (exponent == 31)
        value = fraction ? __builtin_nan("") : __builtin_inf();
    else if (exponent == 0)
        value = __builtin_ldexp(fraction, -24);
    else
        value = __builtin_ldexp(fraction + 1024, (int)exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static void
number_load_floating(struct frti_number *out, const struct frti_ctype *type,
                     const void *address)
{
    uint16_t half;

    out->is_floating = true;
    switch (type->form) {
        NUMBER_LOAD(FRTI_F32, float, floating)
        NUMBER_LOAD(FRTI_F64, double, floating)
        NUMBER_LOAD(FRTI_LONG_DOUBLE, long double, floating)
    case FRTI_F128:
        out->floating = frti_quad_load(address);
        break;
    default:
        memcpy(&half, address, sizeof half);
        out->floating = number_of_half(half);
    }
    out->integer = number_cut(out->floating);
}

void
frti_number_load(struct frti_number *out, const struct frti_ctype *type,
                 const void *address)
{
    *out = (struct frti_number){0};
    switch (type->form) {
        NUMBER_LOAD(FRTI_BOOL, uint8_t, integer)
        NUMBER_LOAD(FRTI_I8, int8_t, integer)
        NUMBER_LOAD(FRTI_U8, uint8_t, integer)
        NUMBER_LOAD(FRTI_I16, int16_t, integer)
        NUMBER_LOAD(FRTI_U16, uint16_t, integer)
        NUMBER_LOAD(FRTI_I32, int32_t, integer)
        NUMBER_LOAD(FRTI_U32, uint32_t, integer)
        NUMBER_LOAD(FRTI_I64, int64_t, integer)
        NUMBER_LOAD(FRTI_U64, uint64_t, integer)
        NUMBER_LOAD(FRTI_I128, __int128, integer)
        NUMBER_LOAD(FRTI_U128, unsigned __int128, integer)
    default:
        number_load_floating(out, type, address);
        return;
    }
    out->is_unsigned = type->form == FRTI_U64 || type->form == FRTI_U128;
    out->is_wide = type->form == FRTI_I128 || type->form == FRTI_U128;
    out->floating = type->form == FRTI_U128
                        ? (double)(unsigned __int128)out->integer
                        : (double)out->integer;
}

#undef NUMBER_LOAD

/* ------------------------------------------------------------- store --- */

/* The nearest binary16, ties to even, by way of its unit in the last place. */
static uint16_t
number_half(double value)
{
    uint16_t sign = __builtin_signbit(value) ? 0x8000 : 0;
    double magnitude = __builtin_fabs(value);
    int exponent;
    double steps;

    if (value != value)
        return 0x7e00;
    if (magnitude >= 65520)
        return sign | 0x7c00;
    if (magnitude < 0x1p-14)
        return sign | (uint16_t)__builtin_rint(magnitude * 0x1p24);
    __builtin_frexp(magnitude, &exponent);
    steps = __builtin_rint(__builtin_ldexp(magnitude, 11 - exponent));
    return sign | (uint16_t)(((exponent + 13) << 10) + ((int)steps - 1024) +
                             (1 << 10));
}

#define NUMBER_STORE(form, ctype, from)                                        \
    case form: {                                                               \
        ctype value = (ctype)(from);                                           \
        memcpy(place, &value, sizeof value);                                   \
        break;                                                                 \
    }

static void
number_store_floating(const struct frti_ctype *type, void *place,
                      const struct frti_number *number)
{
    uint16_t half;

    switch (type->form) {
        NUMBER_STORE(FRTI_F32, float, number->floating)
        NUMBER_STORE(FRTI_F64, double, number->floating)
    case FRTI_LONG_DOUBLE: {
        long double value =
            number->is_floating ? (long double)number->floating
            : number->is_unsigned
                ? (long double)(unsigned __int128)number->integer
                : (long double)number->integer;
        memcpy(place, &value, sizeof value);
        break;
    }
    case FRTI_F128:
        frti_quad_store(place, number->floating);
        break;
    default:
        half = number_half(number->floating);
        memcpy(place, &half, sizeof half);
    }
}

void
frti_number_store(const struct frti_ctype *type, void *place,
                  const struct frti_number *number)
{
    __int128 i = number->integer;

    switch (type->form) {
        NUMBER_STORE(FRTI_BOOL, bool,
                     number->is_floating ? number->floating != 0 : i != 0)
        NUMBER_STORE(FRTI_I8, uint8_t, i)
        NUMBER_STORE(FRTI_U8, uint8_t, i)
        NUMBER_STORE(FRTI_I16, uint16_t, i)
        NUMBER_STORE(FRTI_U16, uint16_t, i)
        NUMBER_STORE(FRTI_I32, uint32_t, i)
        NUMBER_STORE(FRTI_U32, uint32_t, i)
        NUMBER_STORE(FRTI_I64, uint64_t, i)
        NUMBER_STORE(FRTI_U64, uint64_t, i)
        NUMBER_STORE(FRTI_I128, __int128, i)
        NUMBER_STORE(FRTI_U128, __int128, i)
    default:
        number_store_floating(type, place, number);
    }
}

#undef NUMBER_STORE

/* ---------------------------------------------------------- from Lua --- */

bool
frti_number_read(lua_State *L, const struct frti_module *m,
                 struct frti_number *out, int index)
{
    const struct frti_cdata *cdata;

    *out = (struct frti_number){0};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            out->integer = lua_tointeger(L, index);
            out->floating = (double)out->integer;
        } else {
            out->is_floating = true;
            out->floating = lua_tonumber(L, index);
            out->integer = number_cut(out->floating);
        }
        return true;
    case LUA_TBOOLEAN:
        out->integer = lua_toboolean(L, index);
        out->floating = (double)out->integer;
        return true;
    case LUA_TUSERDATA:
        cdata = frti_cdata_at(L, m, index);
        if (cdata == NULL || !frti_is_number(cdata->type))
            return false;
        frti_guard_check(L, cdata->guard);
        frti_number_load(out, cdata->type, cdata->address);
        return true;
    default:
        return false;
    }
}

lua_Integer
frti_integer_check(lua_State *L, const struct frti_module *m, int index)
{
    struct frti_number number;

    if (lua_type(L, index) == LUA_TBOOLEAN ||
        !frti_number_read(L, m, &number, index))
        luaL_argerror(L, index,
                      lua_pushfstring(L, "number expected, got %s",
                                      luaL_typename(L, index)));
    if (number.integer > INT64_MAX || number.integer < INT64_MIN)
        luaL_argerror(L, index, "number out of range");
    return (lua_Integer)number.integer;
}
