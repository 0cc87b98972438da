/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/span.h"

#include <string.h>

/* -------------------------------------------------------------- bounds -- */

static void
span_refuse(lua_State *L, const struct frti_module *m, int index)
{
    luaL_argerror(L, index,
                  lua_pushfstring(L, "cannot convert '%s' to 'void *'",
                                  frti_value_name(L, m, index)));
}

static void
span_of_pointer(lua_State *L, struct frti_span *out,
                const struct frti_cdata *cdata, int index)
{
    const struct frti_address *pointer = frti_cdata_pointer(cdata);

    out->address = pointer->value;
    out->is_read_only = cdata->type->is_const;
    if (pointer->low == NULL)
        return;
    if (pointer->value < pointer->low || pointer->value > pointer->high)
        luaL_argerror(L, index,
                      "pointer outside of the memory that it was taken from");
    out->room = (size_t)(pointer->high - pointer->value);
}

static void
span_of_cdata(lua_State *L, struct frti_span *out,
              const struct frti_cdata *cdata, int index)
{
    frti_guard_check(L, cdata->guard);
    if (cdata->type->form == FRTI_POINTER) {
        span_of_pointer(L, out, cdata, index);
    } else if (cdata->type->form == FRTI_FUNCTION) {
        luaL_argerror(L, index, "memory expected, got a function");
    } else if (frti_is_number(cdata->type)) {
        /* as LuaJIT, an integer is not taken for an address */
        span_refuse(L, cdata->type->module, index);
    } else {
        out->address = cdata->address;
        out->is_read_only = (cdata->flags & FRTI_READ_ONLY) != 0;
        if (cdata->size != 0 || (cdata->flags & FRTI_ROOT))
            out->room = cdata->size;
    }
}

void
frti_span_of(lua_State *L, struct frti_module *m, struct frti_span *out,
             int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    *out = (struct frti_span){.room = SIZE_MAX};
    if (cdata != NULL) {
        span_of_cdata(L, out, cdata, index);
    } else if (lua_type(L, index) == LUA_TSTRING) {
        out->address = (char *)lua_tostring(L, index);
        out->room = lua_rawlen(L, index) + 1;
        out->is_read_only = true;
    } else if (lua_islightuserdata(L, index)) {
        out->address = lua_touserdata(L, index);
    } else {
        span_refuse(L, m, index);
    }
}

static size_t
span_length(lua_State *L, const struct frti_module *m, int index)
{
    lua_Integer length = frti_integer_check(L, m, index);

    if (length < 0)
        luaL_argerror(L, index, "a length is not negative");
    return (size_t)length;
}

/* Nothing may lie at NULL, as in LuaJIT. */
static void
span_check_null(lua_State *L, const struct frti_span *span, size_t length,
                int index)
{
    if (length != 0 && frti_is_nowhere(span->address))
        luaL_argerror(L, index, "NULL pointer");
}

static void
span_check(lua_State *L, const struct frti_span *span, size_t length, int index)
{
    if (length > span->room)
        luaL_argerror(
            L, index,
            lua_pushfstring(L, "%I bytes reach outside of memory of %I",
                            (LUAI_UACINT)length, (LUAI_UACINT)span->room));
}

static void
span_check_writable(lua_State *L, const struct frti_span *span, int index)
{
    if (span->is_read_only)
        luaL_argerror(L, index, "memory to write to expected, got constant");
}

/* -------------------------------------------------------------- string -- */

/* Whether strings are made of such elements. */
static bool
span_holds_text(lua_State *L, struct frti_module *m, int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);
    const struct frti_ctype *inner;

    if (cdata == NULL)
        return true;
    if (cdata->type->form != FRTI_POINTER && cdata->type->form != FRTI_ARRAY)
        return false;
    inner = frti_ctype_inner(L, m, cdata->type);
    return inner->form == FRTI_I8 || inner->form == FRTI_U8 ||
           inner->form == FRTI_VOID;
}

int
frti_span_string(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_span span;
    const char *end;
    size_t length;

    luaL_checkstack(L, 8, "string");
    if (lua_isnoneornil(L, 2) && !span_holds_text(L, m, 1))
        return frti_convert_error(L, m, m->common.const_char_pointer, 1,
                                  &(struct frti_into){.argument = 1});
    /* from here on nothing is made, so no finalizer closes its arena */
    frti_span_of(L, m, &span, 1);
    if (!lua_isnoneornil(L, 2)) {
        length = span_length(L, m, 2);
        span_check_null(L, &span, length, 1);
        span_check(L, &span, length, 2);
    } else if (span.room == SIZE_MAX) {
        span_check_null(L, &span, 1, 1);
        length = strlen(span.address);
    } else {
        end = span.room == 0 ? NULL : memchr(span.address, 0, span.room);
        length = end == NULL ? span.room : (size_t)(end - span.address);
    }
    lua_pushlstring(L, span.address, length);
    return 1;
}

/* ---------------------------------------------------------- copy, fill -- */

/* From the second argument's memory to the first's. */
static void
span_copy_stores(lua_State *L, struct frti_module *m,
                 const struct frti_span *to, const struct frti_span *from,
                 size_t length)
{
    const struct frti_stored target = {1, to->address};
    const struct frti_stored source = {2, from->address};

    if (frti_cdata_at(L, m, 1) != NULL && frti_cdata_at(L, m, 2) != NULL)
        (void)frti_store_copy(L, m, &target, &source, length);
}

static int
span_copy(lua_State *L, bool is_checked)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_span to, from;
    size_t length;

    frti_span_of(L, m, &to, 1);
    frti_span_of(L, m, &from, 2);
    if (lua_isnoneornil(L, 3) && lua_type(L, 2) == LUA_TSTRING)
        length = from.room; /* its NUL, too */
    else
        length = span_length(L, m, 3);
    span_check_null(L, &to, length, 1);
    span_check_null(L, &from, length, 2);
    if (is_checked) {
        span_check_writable(L, &to, 1);
        span_check(L, &to, length, 1);
        span_check(L, &from, length, 2);
    }
    if (length == 0)
        return 0;
    memmove(to.address, from.address, length);
    if (is_checked)
        span_copy_stores(L, m, &to, &from, length);
    return 0;
}

int
frti_span_copy(lua_State *L)
{
    return span_copy(L, true);
}

int
frti_span_copy_unsafe(lua_State *L)
{
    return span_copy(L, false);
}

static int
span_fill(lua_State *L, bool is_checked)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_span span;
    size_t length;
    int byte = 0;

    frti_span_of(L, m, &span, 1);
    length = span_length(L, m, 2);
    if (!lua_isnoneornil(L, 3))
        byte = (int)frti_integer_check(L, m, 3);
    span_check_null(L, &span, length, 1);
    if (is_checked) {
        span_check_writable(L, &span, 1);
        span_check(L, &span, length, 2);
    }
    if (length != 0)
        memset(span.address, byte, length);
    return 0;
}

int
frti_span_fill(lua_State *L)
{
    return span_fill(L, true);
}

int
frti_span_fill_unsafe(lua_State *L)
{
    return span_fill(L, false);
}
