/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What tostring gives for cdata: the value of a 64-bit integer or a complex, an
 * address of everything else.
 */
#include "ffi_rt/lua/convert.h"
#include "ffi_rt/lua/metatype.h"

#include <stdio.h>
#include <string.h>

static int
text_wide(lua_State *L, const struct frti_number *number)
{
    unsigned __int128 rest = (unsigned __int128)number->integer;
    bool is_negative = !number->is_unsigned && number->integer < 0;
    char digits[48], *at = digits + sizeof digits;

    if (is_negative)
        rest = -rest;
    do
        *--at = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) != 0);
    if (is_negative)
        *--at = '-';
    lua_pushlstring(L, at, (size_t)(digits + sizeof digits - at));
    return 1;
}

/* As a literal of LuaJIT: 5LL, 5ULL. */
static int
text_integer(lua_State *L, const struct frti_cdata *cdata)
{
    struct frti_number number;

    frti_number_load(&number, cdata->type, cdata->address);
    text_wide(L, &number);
    if (!number.is_wide) {
        lua_pushstring(L, number.is_unsigned ? "ULL" : "LL");
        lua_concat(L, 2);
    }
    return 1;
}

static void
text_part(char *out, size_t size, double value, const char *format)
{
    if (value != value)
        snprintf(out, size, "%snan", format[1] == '+' ? "+" : "");
    else
        snprintf(out, size, format, value);
}

static int
text_complex(lua_State *L, struct frti_module *m,
             const struct frti_cdata *cdata)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, cdata->type);
    struct frti_number real, imaginary;
    char one[64], two[64];
    bool is_word;

    frti_guard_check(L, cdata->guard);
    frti_number_load(&real, inner, cdata->address);
    frti_number_load(&imaginary, inner, cdata->address + inner->size);
    text_part(one, sizeof one, real.floating, "%.14g");
    text_part(two, sizeof two, imaginary.floating, "%+.14g");
    is_word = two[1] == 'n' || two[1] == 'i';
    lua_pushfstring(L, "%s%s%s", one, two, is_word ? "I" : "i");
    return 1;
}

const char *
frti_cdata_name(lua_State *L, const struct frti_cdata *cdata,
                const char *suffix)
{
    const char *name = frti_ctype_name_with(L, cdata->type, suffix);

    if (!(cdata->flags & FRTI_READ_ONLY) || cdata->type->form == FRTI_POINTER)
        return name;
    return lua_pushfstring(L, "const %s", name);
}

static int
text_address(lua_State *L, const struct frti_cdata *cdata)
{
    const void *address = cdata->address;
    const char *suffix = "", *name;
    char number[32];

    if (cdata->type->form == FRTI_POINTER)
        address = frti_cdata_pointer(cdata)->value;
    else if ((cdata->type->form == FRTI_STRUCT ||
              cdata->type->form == FRTI_ARRAY) &&
             !(cdata->flags & FRTI_ROOT))
        suffix = "&";
    name = frti_cdata_name(L, cdata, suffix);
    snprintf(number, sizeof number, "0x%08llx",
             (unsigned long long)(uintptr_t)address);
    lua_pushfstring(L, "cdata<%s>: %s", name,
                    address == NULL ? "NULL" : number);
    return 1;
}

static int
text_enum(lua_State *L, const struct frti_cdata *cdata)
{
    const char *name = frti_ctype_name(L, cdata->type);
    struct frti_number number;

    frti_number_load(&number, cdata->type, cdata->address);
    lua_pushfstring(L, "cdata<%s>: %I", name, (LUAI_UACINT)number.integer);
    return 1;
}

int
frti_cdata_tostring(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    const struct frti_cdata *cdata = lua_touserdata(L, 1);
    const struct frti_ctype *type = cdata->type;

    if (frti_metatype_find(L, m, type, "__tostring")) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    if (cdata->guard != NULL && !frt_session_is_open(cdata->guard->session))
        return text_address(L, cdata);
    if (type->kind == FRT_KIND_ENUM)
        return text_enum(L, cdata);
    if (type->form >= FRTI_I64 && type->form <= FRTI_U128)
        return text_integer(L, cdata);
    if (type->form == FRTI_COMPLEX)
        return text_complex(L, m, cdata);
    return text_address(L, cdata);
}
