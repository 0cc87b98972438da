/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Types from their text. A text is parsed once; cdef, which may give it another
 * meaning, empties the table of those that are known.
 */
#include "ffi_rt/lua/cdata.h"
#include "ffi_rt/lua/tag.h"

#include <string.h>

/* --------------------------------------------------------- parameters --- */

/* Adds a type's text so that it can stand for a type's name anywhere. */
static void
substitute_type(lua_State *L, luaL_Buffer *out, const struct frti_ctype *type)
{
    size_t length = frt_layout_print(NULL, 0, type->layout);
    char *place;

    luaL_addstring(out, "__typeof__(");
    place = luaL_prepbuffsize(out, length + 1);
    frt_layout_print(place, length + 1, type->layout);
    luaL_addsize(out, length);
    luaL_addstring(out, ")");
    (void)L;
}

static void
substitute_value(lua_State *L, struct frti_module *m, luaL_Buffer *out,
                 int index)
{
    const struct frti_ctype *type;

    if (lua_type(L, index) == LUA_TSTRING) {
        luaL_addstring(out, lua_tostring(L, index));
    } else if (lua_type(L, index) == LUA_TNUMBER) {
        lua_pushfstring(L, "%I", (LUAI_UACINT)luaL_checkinteger(L, index));
        luaL_addvalue(out);
    } else {
        type = lua_isnoneornil(L, index) ? NULL : frti_ctype_at(L, m, index);
        if (type == NULL && frti_cdata_at(L, m, index) != NULL)
            type = frti_cdata_at(L, m, index)->type;
        if (type == NULL)
            luaL_argerror(L, index,
                          "a type, a name or a number for the $ expected");
        substitute_type(L, out, type);
    }
}

/* The next $ or word `complex` that is no tag, or the text's end. */
static const char *
substitute_next(const char *text)
{
    static const char word[] = "complex";
    const char *before = text;
    bool is_tag = false;

    for (const char *at = text; *at != '\0'; at = before) {
        before = at + 1;
        if (*at == '$')
            return at;
        if (frti_text_skip(at) != NULL)
            before = frti_text_skip(at);
        if (frti_text_word(at) == at)
            continue;
        before = frti_text_word(at);
        if ((size_t)(before - at) == sizeof word - 1 &&
            strncmp(at, word, sizeof word - 1) == 0 && !is_tag)
            return at;
        is_tag = strncmp(at, "struct", 6) == 0 || strncmp(at, "union", 5) == 0;
    }
    return text + strlen(text);
}

/* To LuaJIT, `complex` is a word of the language as `_Complex` is. */
void
frti_ctype_substitute(lua_State *L, struct frti_module *m, int index,
                      int parameter, int last)
{
    const char *text = frti_check_text(L, index), *at;
    luaL_Buffer out;

    luaL_checkstack(L, 10, "parameters");
    luaL_buffinit(L, &out);
    for (at = substitute_next(text); *at != '\0'; at = substitute_next(text)) {
        luaL_addlstring(&out, text, (size_t)(at - text));
        if (*at == 'c') {
            luaL_addstring(&out, "_Complex");
            text = at + strlen("complex");
            continue;
        }
        if (parameter > last)
            luaL_error(L, "wrong number of type parameters");
        substitute_value(L, m, &out, parameter++);
        text = at + 1;
    }
    luaL_addstring(&out, text);
    luaL_pushresult(&out);
    if (parameter <= last)
        luaL_error(L, "wrong number of type parameters");
}

/* -------------------------------------------------------------- parse --- */

/* A layout does not say that its type is const; a pointer to it does. */
static bool
parse_is_const(const char *pointer, const frt_parse_options *options)
{
    const frt_layout *layout = NULL;
    bool is_const = frt_layout_parse(&layout, pointer, options) == FRT_OK &&
                    frt_layout_is_const(layout);

    frt_layout_drop(layout);
    return is_const;
}

/* A function's type has a layout behind a pointer alone. */
static bool
parse_function(const frt_layout **out, const char *pointer,
               const frt_parse_options *options)
{
    const frt_layout *layout = NULL, *inner;
    bool is_function;

    if (frt_layout_parse(&layout, pointer, options) != FRT_OK)
        return false;
    inner = frt_layout_element(layout);
    is_function = inner != NULL && frt_layout_kind(inner) == FRT_KIND_FUNCTION;
    if (is_function)
        *out = frt_layout_keep(inner);
    frt_layout_drop(layout);
    return is_function;
}

/* As in LuaJIT, tags and constants that the text of a type defines stay. A
 * second definition that differs has been refused already; a text that has
 * declarations before the type declares nothing. */
static void
parse_declare(lua_State *L, struct frti_module *m, const char *text)
{
    const char *assertion = lua_pushfstring(
        L, "_Static_assert(sizeof(__typeof__(%s\n) *) > 0, \"\");", text);
    frt_status status = frt_decls_add(m->decls, assertion, NULL);

    if (status == FRT_NO_MEMORY)
        frti_check(L, status);
    lua_pop(L, 1);
}

static struct frti_ctype *
parse_text(lua_State *L, struct frti_module *m, const char *text)
{
    const char *pointer = lua_pushfstring(L, "__typeof__(%s\n) *", text);
    struct frti_ctype *type = frti_ctype_reserve(L, m);
    frt_parse_options options = {
        .size = sizeof options, .decls = m->decls, .raw_pointers = true};
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_parse(&layout, text, &options);

    if (status == FRT_BAD_DECLARATION || status == FRT_BAD_LAYOUT)
        status = parse_function(&layout, pointer, &options)
                     ? FRT_OK
                     : frt_layout_parse(&layout, text, &options);
    type = frti_ctype_settle(L, m, type, status, layout);
    if (strchr(text, '{') != NULL)
        parse_declare(L, m, text);
    if (parse_is_const(pointer, &options))
        type = frti_ctype_constant(L, m, type);
    lua_pop(L, 1);
    return type;
}

/* Of the text at `index`, which has no parameters. */
static struct frti_ctype *
parse_known(lua_State *L, struct frti_module *m, int index)
{
    struct frti_ctype *type;

    frti_module_check_open(L, m);
    luaL_checkstack(L, 12, "types");
    frti_module_table(L, &m->tables.texts);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    type = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (type == NULL) {
        frti_ctype_substitute(L, m, index, 1, 0);
        type = parse_text(L, m, lua_tostring(L, -1));
        lua_pop(L, 1);
        lua_pushvalue(L, index);
        frti_ctype_push(L, m, type);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
    return type;
}

struct frti_ctype *
frti_ctype_parse(lua_State *L, struct frti_module *m, int index, int parameter)
{
    struct frti_ctype *type;

    if (lua_gettop(L) < parameter)
        return parse_known(L, m, index);
    /* what it defines stays, too: so it is parsed once, as any other text */
    frti_ctype_substitute(L, m, index, parameter, lua_gettop(L));
    type = parse_known(L, m, lua_gettop(L));
    lua_pop(L, 1);
    return type;
}

struct frti_ctype *
frti_ctype_check(lua_State *L, struct frti_module *m, int index)
{
    struct frti_ctype *type;
    const struct frti_cdata *cdata;

    if (lua_type(L, index) == LUA_TSTRING)
        return parse_known(L, m, index);
    type = frti_ctype_at(L, m, index);
    if (type != NULL)
        return type;
    cdata = frti_cdata_at(L, m, index);
    if (cdata == NULL)
        luaL_argerror(L, index,
                      lua_pushfstring(L, "C type expected, got %s",
                                      luaL_typename(L, index)));
    return (struct frti_ctype *)cdata->type;
}
