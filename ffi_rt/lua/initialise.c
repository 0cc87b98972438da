/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Aggregates from tables, strings and lists of values, as LuaJIT has it: a
 * table counts from 0 or 1; one value fills an array, but in a table not a VLA,
 * several leave the rest zero; a struct goes by position, or else by name.
 */
#include "ffi_rt/lua/convert.h"

#include <string.h>

/* ------------------------------------------------------------- arrays -- */

static int
initialise_too_many(lua_State *L, struct frti_module *m,
                    const struct frti_ctype *type)
{
    (void)m;
    return luaL_error(L, "too many initializers for '%s'",
                      frti_ctype_name(L, type));
}

/* The first of `count` elements all over, with what it points to. */
static void
array_repeat(lua_State *L, struct frti_module *m, char *place, size_t each,
             size_t count, const struct frti_into *into)
{
    const struct frti_stored first = {into->owner, place};
    struct frti_stored next = {into->owner, place};

    for (size_t i = 1; i < count; i++)
        memcpy(place + i * each, place, each);
    for (size_t i = 1; i < count; i++) {
        next.address = place + i * each;
        if (!frti_store_copy(L, m, &next, &first, each))
            break;
    }
}

static size_t
array_count(const struct frti_ctype *inner, size_t size)
{
    return inner->size == 0 ? 0 : size / inner->size;
}

static void
array_of_table(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, char *place, size_t size,
               int index, const struct frti_into *into)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);
    size_t count = array_count(inner, size), at = 0;

    for (lua_Integer key = 0;; key++) {
        if (lua_rawgeti(L, index, key) == LUA_TNIL) {
            lua_pop(L, 1);
            if (key == 0)
                continue;
            break;
        }
        if (at == count)
            initialise_too_many(L, m, type);
        frti_to_c(L, m, inner, place + at * inner->size, lua_gettop(L), into);
        lua_pop(L, 1);
        at++;
    }
    if (at == 1 && type->form == FRTI_ARRAY && type->count != FRT_FLEXIBLE)
        array_repeat(L, m, place, inner->size, count, into);
    else
        memset(place + at * inner->size, 0, (count - at) * inner->size);
}

static void
array_of_values(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type, char *place, size_t size,
                int first, int given, const struct frti_into *into)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);
    size_t count = array_count(inner, size);

    if ((size_t)given > count)
        initialise_too_many(L, m, type);
    for (int i = 0; i < given; i++)
        frti_to_c(L, m, inner, place + (size_t)i * inner->size, first + i,
                  into);
    if (given == 1 && type->form == FRTI_ARRAY)
        array_repeat(L, m, place, inner->size, count, into);
}

void
frti_string_to_array(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, void *place, size_t size,
                     int index, const struct frti_into *into)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);
    size_t length;
    const char *text = lua_tolstring(L, index, &length);

    if (inner->form != FRTI_I8 && inner->form != FRTI_U8)
        frti_convert_error(L, m, type, index, into);
    memcpy(place, text, length < size ? length + 1 : size);
}

/* ------------------------------------------------------------ structs -- */

/* The bytes of a member in the struct at `place`; those of a last member whose
 * length is told later are all that follow. */
static size_t
member_size(const struct frti_ctype *type, const struct frti_member *member,
            size_t size)
{
    if (type->tail != 0 && member->offset == type->tail_offset &&
        member->type->form == FRTI_ARRAY)
        return size - member->offset;
    return member->type->size;
}

/* The value on the top, into a member. */
static void
member_put(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
           const struct frti_member *member, char *place, size_t size,
           const struct frti_into *into)
{
    int index = lua_gettop(L);
    char *at = place + member->offset;

    if (member->bit_width != 0)
        frti_bits_to_c(L, m, member, at, index, into);
    else if (member->type->form == FRTI_ARRAY &&
             lua_type(L, index) == LUA_TTABLE)
        frti_table_to_c(L, m, member->type, at, member_size(type, member, size),
                        index, into);
    else if (member->type->form == FRTI_ARRAY &&
             lua_type(L, index) == LUA_TSTRING)
        frti_string_to_array(L, m, member->type, at,
                             member_size(type, member, size), index, into);
    else
        frti_to_c(L, m, member->type, at, index, into);
}

static bool
member_is_unnamed_aggregate(const struct frti_member *member)
{
    return member->name == NULL && member->type->form == FRTI_STRUCT;
}

/* How a table is read: by position from `next` on, or by name. */
struct source {
    int index;
    bool by_name;
    bool is_first; /* position 0 may be left out */
    lua_Integer next;
};

/* Pushes the value for a member, or nothing. */
static bool
source_next(lua_State *L, struct source *source,
            const struct frti_member *member)
{
    if (!source->by_name) {
        if (lua_rawgeti(L, source->index, source->next) == LUA_TNIL &&
            source->is_first && source->next == 0) {
            lua_pop(L, 1);
            lua_rawgeti(L, source->index, ++source->next);
        }
        if (!lua_isnil(L, -1)) {
            source->is_first = false;
            source->next++;
            return true;
        }
        source->by_name = source->is_first;
        lua_pop(L, 1);
        if (!source->by_name)
            return false;
    }
    lua_pushstring(L, member->name);
    if (lua_rawget(L, source->index) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

/* True: at least one member was given. */
static bool
struct_of_source(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, char *place, size_t size,
                 struct source *source, const struct frti_into *into)
{
    const struct frti_members *members = frti_members_of(L, m, type);
    bool is_given = false;

    luaL_checkstack(L, 8, "initializers");
    for (size_t i = 0; i < members->count; i++) {
        const struct frti_member *member = &members->list[i];
        bool here = false;

        if (member_is_unnamed_aggregate(member)) {
            here = struct_of_source(L, m, member->type, place + member->offset,
                                    member->type->size, source, into);
        } else if (member->name != NULL && source_next(L, source, member)) {
            member_put(L, m, type, member, place, size, into);
            lua_pop(L, 1);
            here = true;
        }
        is_given |= here;
        if (type->is_union && here)
            return true;
    }
    return is_given;
}

static void
struct_of_table(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type, char *place, size_t size,
                int index, const struct frti_into *into)
{
    struct source source = {.index = index, .is_first = true};

    memset(place, 0, size);
    struct_of_source(L, m, type, place, size, &source, into);
    if (!source.by_name && !source.is_first &&
        lua_rawgeti(L, index, source.next) != LUA_TNIL)
        initialise_too_many(L, m, type);
    if (!source.by_name && !source.is_first)
        lua_pop(L, 1);
}

/* Values from `*first` to before `end`, in order; unnamed members' as well. */
static void
struct_of_values(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, char *place, size_t size,
                 int *first, int end, const struct frti_into *into)
{
    const struct frti_members *members = frti_members_of(L, m, type);

    luaL_checkstack(L, 4, "initializers");
    for (size_t i = 0; i < members->count && *first < end; i++) {
        const struct frti_member *member = &members->list[i];

        if (member_is_unnamed_aggregate(member)) {
            struct_of_values(L, m, member->type, place + member->offset,
                             member->type->size, first, end, into);
        } else if (member->name != NULL) {
            lua_pushvalue(L, (*first)++);
            member_put(L, m, type, member, place, size, into);
            lua_pop(L, 1);
        } else {
            continue;
        }
        if (type->is_union)
            return;
    }
}

/* ---------------------------------------------------------------- all -- */

void
frti_table_to_c(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type, void *place, size_t size,
                int index, const struct frti_into *into)
{
    luaL_checkstack(L, 8, "initializers");
    if (type->form == FRTI_STRUCT && type->is_complete)
        struct_of_table(L, m, type, place, size, index, into);
    else if (type->form == FRTI_ARRAY || type->form == FRTI_VECTOR ||
             type->form == FRTI_COMPLEX)
        array_of_table(L, m, type, place, size, index, into);
    else
        frti_convert_error(L, m, type, index, into);
}

/* Whether one value is a list of one rather than the whole. */
static bool
initialise_by_list(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, int index)
{
    const struct frti_cdata *cdata;

    if (type->form != FRTI_ARRAY && type->form != FRTI_STRUCT &&
        type->form != FRTI_VECTOR)
        return false;
    if (lua_type(L, index) == LUA_TTABLE ||
        (lua_type(L, index) == LUA_TSTRING && type->form == FRTI_ARRAY))
        return false;
    cdata = frti_cdata_at(L, m, index);
    return cdata == NULL || !frti_ctype_same(cdata->type, type);
}

/* One value that is the whole, of a place that may be larger than its type. */
static void
initialise_whole(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, void *place, size_t size,
                 int index, const struct frti_into *into)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    if (lua_type(L, index) == LUA_TTABLE) {
        frti_table_to_c(L, m, type, place, size, index, into);
    } else if (lua_type(L, index) == LUA_TSTRING && type->form == FRTI_ARRAY) {
        frti_string_to_array(L, m, type, place, size, index, into);
    } else if (cdata != NULL && frti_ctype_is_variable(type)) {
        frti_copy_to_c(L, m, place, size, index, into);
    } else {
        frti_to_c(L, m, type, place, index, into);
    }
}

void
frti_initialise(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type, void *place, size_t size,
                int first, int count, const struct frti_into *into)
{
    int next = first;

    if (count == 0)
        return;
    if (count == 1 && !initialise_by_list(L, m, type, first)) {
        initialise_whole(L, m, type, place, size, first, into);
    } else if (type->form == FRTI_ARRAY || type->form == FRTI_VECTOR ||
               (type->form == FRTI_COMPLEX && count <= 2)) {
        array_of_values(L, m, type, place, size, first, count, into);
    } else if (type->form == FRTI_STRUCT) {
        struct_of_values(L, m, type, place, size, &next, first + count, into);
        if (next != first + count)
            initialise_too_many(L, m, type);
    } else {
        initialise_too_many(L, m, type);
    }
}
