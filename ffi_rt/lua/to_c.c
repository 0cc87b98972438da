/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/callback.h"
#include "ffi_rt/lua/convert.h"

#include <string.h>

/* ------------------------------------------------------------- errors -- */

const char *
frti_callee(lua_State *L)
{
    lua_Debug frame;

    if (lua_getstack(L, 0, &frame) == 0 || lua_getinfo(L, "n", &frame) == 0 ||
        frame.name == NULL)
        return "?";
    return frame.name;
}

const char *
frti_value_name(lua_State *L, const struct frti_module *m, int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    if (cdata != NULL)
        return frti_cdata_name(L, cdata, "");
    return frti_ctype_at(L, m, index) != NULL ? "ctype"
                                              : luaL_typename(L, index);
}

/* Pushes the type as C has it, with parameters. */
static const char *
convert_text(lua_State *L, const struct frti_ctype *type)
{
    size_t length = frt_layout_print(NULL, 0, type->layout);
    char *text = frti_lua_new(L, length + 1, 0);

    frt_layout_print(text, length + 1, type->layout);
    return text;
}

int
frti_convert_error(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, int index,
                   const struct frti_into *into)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);
    const char *from, *to;

    luaL_checkstack(L, 8, "error");
    from = frti_value_name(L, m, index);
    to = frti_ctype_name(L, type);
    if (cdata != NULL && strcmp(from, to) == 0) {
        from = convert_text(L, cdata->type);
        to = convert_text(L, type);
    }
    if (into->argument == 0)
        return luaL_error(L, "cannot convert '%s' to '%s'", from, to);
    if (into->argument == FRTI_RESULT)
        return luaL_error(L,
                          "bad result of a callback (cannot convert '%s' to "
                          "'%s')",
                          from, to);
    return luaL_error(L,
                      "bad argument #%d to '%s' (cannot convert '%s' to "
                      "'%s')",
                      into->argument, frti_callee(L), from, to);
}

/* ------------------------------------------------------------ numbers -- */

/* Enums without a tag within other types are not told apart. */
static bool
enum_has(const struct frti_ctype *type, const frt_declaration *constant)
{
    const char *tag = frt_layout_tag(type->layout);

    if (!frt_layout_is_integer(constant->layout))
        return false;
    if (tag == NULL || constant->enumeration == NULL)
        return tag == constant->enumeration;
    return strcmp(tag, constant->enumeration) == 0;
}

/* The constant of an enum that a string names. */
static void
enum_of_string(lua_State *L, struct frti_module *m, struct frti_number *out,
               const struct frti_ctype *type, int index,
               const struct frti_into *into)
{
    frt_declaration found;

    frti_module_check_open(L, m);
    if (type->kind != FRT_KIND_ENUM)
        frti_convert_error(L, m, type, index, into);
    if (frt_decls_constant(&found, m->decls, lua_tostring(L, index)) !=
            FRT_OK ||
        !enum_has(type, &found))
        luaL_error(L,
                   "cannot convert 'string' to '%s': '%s' is none of its "
                   "constants",
                   frti_ctype_name(L, type), lua_tostring(L, index));
    *out = (struct frti_number){.integer = (int64_t)found.bits,
                                .floating = (double)(int64_t)found.bits};
}

static bool
number_is_address(enum frti_form form)
{
    return form == FRTI_POINTER || form == FRTI_ARRAY || form == FRTI_FUNCTION;
}

/* What a cdata that is no number gives to one: its address to an integer if
 * that is cast, the real part of a complex. */
static bool
number_of_other(lua_State *L, struct frti_module *m, struct frti_number *out,
                const struct frti_ctype *type, int index,
                const struct frti_into *into)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    if (cdata == NULL)
        return false;
    if (cdata->type->form == FRTI_COMPLEX && type->form != FRTI_BOOL) {
        type = frti_ctype_inner(L, m, cdata->type);
        frti_guard_check(L, cdata->guard);
        frti_number_load(out, type, cdata->address);
        return true;
    }
    if (!into->is_cast || !frti_is_integer(type) ||
        !number_is_address(cdata->type->form))
        return false;
    *out = (struct frti_number){
        .integer = (__int128)(uintptr_t)frti_cdata_target(L, cdata),
        .is_unsigned = true};
    out->floating = (double)out->integer;
    return true;
}

static void
number_to_c(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
            void *place, int index, const struct frti_into *into)
{
    struct frti_number number;

    if (lua_type(L, index) == LUA_TSTRING)
        enum_of_string(L, m, &number, type, index, into);
    else if (!frti_number_read(L, m, &number, index) &&
             !number_of_other(L, m, &number, type, index, into))
        frti_convert_error(L, m, type, index, into);
    frti_number_store(type, place, &number);
}

void
frti_bits_to_c(lua_State *L, struct frti_module *m,
               const struct frti_member *member, char *address, int index,
               const struct frti_into *into)
{
    unsigned __int128 value = 0;
    unsigned width = member->bit_width, at = 0;

    number_to_c(L, m, member->type, &value, index, into);
    while (at < width) {
        unsigned shift = (member->bit_offset + at) % 8;
        unsigned count = 8 - shift < width - at ? 8 - shift : width - at;
        unsigned mask = ((1u << count) - 1) << shift;
        char *byte = address + (member->bit_offset + at) / 8;

        *byte = (char)(((unsigned char)*byte & ~mask) |
                       ((unsigned)(value >> at) << shift & mask));
        at += count;
    }
}

/* ----------------------------------------------------------- pointers -- */

static bool
pointer_takes_string(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, bool is_cast)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);

    if (is_cast)
        return true;
    return type->is_const && (inner->form == FRTI_VOID ||
                              inner->form == FRTI_I8 || inner->form == FRTI_U8);
}

/* Whether a cdata of `from` may stand where a pointer of `to` is wanted. */
static bool
pointer_takes(const struct frti_ctype *to, const struct frti_cdata *cdata)
{
    const struct frti_ctype *from = cdata->type;
    const frt_layout *wanted = frt_layout_element(to->layout);
    bool is_const = (cdata->flags & FRTI_READ_ONLY) != 0;

    switch (from->form) {
    case FRTI_POINTER:
        return (to->is_const || !from->is_const) &&
               frti_pointee_fits(wanted, frt_layout_element(from->layout));
    case FRTI_ARRAY:
        return (to->is_const || !is_const) &&
               (frti_pointee_fits(wanted, frt_layout_element(from->layout)) ||
                frti_pointee_fits(wanted, from->layout));
    case FRTI_STRUCT:
        return (to->is_const || !is_const) &&
               frti_pointee_fits(wanted, from->layout);
    case FRTI_FUNCTION:
        return frti_pointee_fits(wanted, from->layout);
    default:
        return false;
    }
}

static void *
pointer_of_cdata(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, const struct frti_cdata *cdata,
                 int index, const struct frti_into *into)
{
    struct frti_number number;

    if (cdata->type->form >= FRTI_POINTER) {
        if (!into->is_cast && !pointer_takes(type, cdata))
            frti_convert_error(L, m, type, index, into);
        if (cdata->type->form == FRTI_COMPLEX ||
            cdata->type->form == FRTI_VECTOR)
            frti_convert_error(L, m, type, index, into);
        return frti_cdata_target(L, cdata);
    }
    if (!into->is_cast || !frti_is_integer(cdata->type) ||
        !frti_number_read(L, m, &number, index))
        frti_convert_error(L, m, type, index, into);
    return (void *)(uintptr_t)number.integer;
}

/* Of a userdata that is not ours: an io file's FILE, or its own memory. */
static void *
pointer_of_userdata(lua_State *L, struct frti_module *m,
                    const struct frti_ctype *type, int index,
                    const struct frti_into *into)
{
    luaL_Stream *stream = luaL_testudata(L, index, LUA_FILEHANDLE);
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);

    if (stream != NULL && inner->form == FRTI_STRUCT) {
        if (stream->closef == NULL)
            luaL_error(L, "attempt to use a closed file");
        return stream->f;
    }
    if ((inner->form != FRTI_VOID && !into->is_cast) ||
        frti_ctype_at(L, m, index) != NULL)
        frti_convert_error(L, m, type, index, into);
    return lua_touserdata(L, index);
}

static void *
pointer_of_function(lua_State *L, struct frti_module *m,
                    const struct frti_ctype *type, int index,
                    const struct frti_into *into)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);

    if (inner->form != FRTI_FUNCTION || !frti_callback_takes(L, index))
        frti_convert_error(L, m, type, index, into);
    return frti_callback_code(L, m, type, index, into);
}

void *
frti_to_pointer(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type, int index,
                const struct frti_into *into)
{
    const struct frti_cdata *cdata;
    struct frti_number number;

    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return NULL;
    case LUA_TSTRING:
        if (!pointer_takes_string(L, m, type, into->is_cast))
            frti_convert_error(L, m, type, index, into);
        return (void *)lua_tostring(L, index);
    case LUA_TLIGHTUSERDATA:
        return lua_touserdata(L, index);
    case LUA_TUSERDATA:
        cdata = frti_cdata_at(L, m, index);
        if (cdata == NULL)
            return pointer_of_userdata(L, m, type, index, into);
        return pointer_of_cdata(L, m, type, cdata, index, into);
    case LUA_TFUNCTION:
    case LUA_TTABLE:
        cdata = frti_cdata_at(L, m, index);
        if (cdata != NULL)
            return pointer_of_cdata(L, m, type, cdata, index, into);
        return pointer_of_function(L, m, type, index, into);
    case LUA_TNUMBER:
        if (into->is_cast && frti_number_read(L, m, &number, index))
            return (void *)(uintptr_t)number.integer;
        break;
    default:
        break;
    }
    frti_convert_error(L, m, type, index, into);
    return NULL;
}

/* Whether what the value points to is Lua's to free. */
static bool
pointer_is_lent(lua_State *L, const struct frti_module *m, int index)
{
    const struct frti_cdata *cdata;

    if (lua_type(L, index) == LUA_TSTRING)
        return true;
    cdata = frti_cdata_at(L, m, index);
    return cdata != NULL && (cdata->flags & (FRTI_ROOT | FRTI_ANCHORED)) != 0;
}

static void
pointer_to_c(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
             void *place, int index, const struct frti_into *into)
{
    void *value = frti_to_pointer(L, m, type, index, into);

    if (into->owner != 0)
        frti_store_anchor(L, m, into->owner, place,
                          pointer_is_lent(L, m, index) ? index : 0);
    memcpy(place, &value, sizeof value);
}

/* --------------------------------------------------------- aggregates -- */

void
frti_copy_to_c(lua_State *L, struct frti_module *m, void *place, size_t size,
               int index, const struct frti_into *into)
{
    const struct frti_cdata *cdata = lua_touserdata(L, index);
    const struct frti_stored to = {into->owner, place};
    const struct frti_stored from = {index, cdata->address};

    frti_guard_check(L, cdata->guard);
    if (cdata->size < size)
        size = cdata->size;
    memmove(place, cdata->address, size);
    frti_store_copy(L, m, &to, &from, size);
}

/* A complex from a number or another complex. */
static bool
complex_to_c(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
             char *place, int index)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type), *from;
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);
    struct frti_number real, imaginary = {0};

    if (cdata != NULL && cdata->type->form == FRTI_COMPLEX) {
        from = frti_ctype_inner(L, m, cdata->type);
        frti_guard_check(L, cdata->guard);
        frti_number_load(&real, from, cdata->address);
        frti_number_load(&imaginary, from, cdata->address + from->size);
    } else if (lua_isboolean(L, index) ||
               (cdata != NULL && cdata->type->form == FRTI_BOOL) ||
               !frti_number_read(L, m, &real, index)) {
        return false;
    }
    frti_number_store(inner, place, &real);
    frti_number_store(inner, place + inner->size, &imaginary);
    return true;
}

static void
aggregate_to_c(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, void *place, int index,
               const struct frti_into *into)
{
    const struct frti_cdata *cdata;

    if (lua_type(L, index) == LUA_TTABLE) {
        frti_table_to_c(L, m, type, place, type->size, index, into);
        return;
    }
    if (lua_type(L, index) == LUA_TSTRING && type->form == FRTI_ARRAY) {
        frti_string_to_array(L, m, type, place, type->size, index, into);
        return;
    }
    cdata = frti_cdata_at(L, m, index);
    if (cdata != NULL && frti_ctype_same(type, cdata->type)) {
        frti_copy_to_c(L, m, place, type->size, index, into);
        return;
    }
    if (type->form != FRTI_COMPLEX || !complex_to_c(L, m, type, place, index))
        frti_convert_error(L, m, type, index, into);
}

/* ---------------------------------------------------------------- all -- */

void
frti_to_c(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
          void *place, int index, const struct frti_into *into)
{
    switch (type->form) {
    case FRTI_VOID:
    case FRTI_FUNCTION:
        frti_convert_error(L, m, type, index, into);
        break;
    case FRTI_POINTER:
        pointer_to_c(L, m, type, place, index, into);
        break;
    case FRTI_COMPLEX:
    case FRTI_VECTOR:
    case FRTI_ARRAY:
    case FRTI_STRUCT:
        aggregate_to_c(L, m, type, place, index, into);
        break;
    default:
        number_to_c(L, m, type, place, index, into);
    }
}
