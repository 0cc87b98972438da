/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/member.h"

#include <string.h>

/* Lua keeps strings of up to 40 bytes once each. */
enum { MEMBER_SHORT = 40, MEMBER_DEPTH = 64 };

static frt_place
member_place(const frt_layout *layout, size_t index)
{
    frt_place place = {0};

    if (frt_layout_member(&place, layout, index) != FRT_OK)
        place.layout = NULL;
    return place;
}

static bool
member_lends(const frt_place *place)
{
    frt_kind kind;

    if (place->name != NULL || place->layout == NULL)
        return false;
    kind = frt_layout_kind(place->layout);
    return kind == FRT_KIND_STRUCT || kind == FRT_KIND_UNION;
}

static size_t
member_count(const frt_layout *layout)
{
    size_t total = 0, count = frt_layout_count(layout);

    for (size_t i = 0; i < count; i++) {
        frt_place place = member_place(layout, i);

        total += 1 + (member_lends(&place) ? member_count(place.layout) : 0);
    }
    return total;
}

/* The address of the string as Lua has it, which stays. */
static const char *
member_name(lua_State *L, struct frti_module *m, const char *name)
{
    const char *kept;

    if (name == NULL)
        return NULL;
    frti_module_table(L, &m->tables.names);
    lua_pushstring(L, name);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TSTRING) {
        kept = lua_tostring(L, -1);
        lua_pop(L, 3);
        return kept;
    }
    lua_pop(L, 1);
    kept = lua_tostring(L, -1);
    lua_pushvalue(L, -1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return kept;
}

static void
member_fill(lua_State *L, struct frti_module *m, struct frti_member *member,
            const frt_place *place, const frt_place *within)
{
    const frt_layout *layout = place->layout;

    member->name = member_name(L, m, place->name);
    member->offset = within->offset + place->offset;
    member->is_const = within->is_const || place->is_const;
    member->bit_offset = place->bit_offset;
    member->bit_width = place->bit_width;
    if (layout != NULL && frt_layout_kind(layout) == FRT_KIND_BIT_FIELD)
        layout = frt_layout_element(layout);
    if (layout == NULL || frt_layout_kind(layout) == FRT_KIND_PADDING)
        layout = FRT_VOID;
    member->type = frti_ctype_of(L, m, layout);
}

/* Direct members first, then what the unnamed ones lend. Returns how many. */
static size_t
member_list(lua_State *L, struct frti_module *m, struct frti_member *list,
            const frt_layout *layout, const frt_place *within)
{
    size_t count = frt_layout_count(layout), total = count;

    for (size_t i = 0; i < count; i++) {
        frt_place place = member_place(layout, i);

        member_fill(L, m, &list[i], &place, within);
        if (!member_lends(&place))
            continue;
        place.offset += within->offset;
        place.is_const |= within->is_const;
        total += member_list(L, m, list + total, place.layout, &place);
    }
    return total;
}

static size_t
member_hash(const char *name)
{
    uintptr_t bits = (uintptr_t)name;

    return bits >> 4 ^ bits >> 9;
}

static void
member_enter(struct frti_members *members, const struct frti_member *member)
{
    size_t at;

    if (member->name == NULL)
        return;
    if (strlen(member->name) > MEMBER_SHORT)
        members->has_long = true;
    for (at = member_hash(member->name); members->slots[at & members->mask];)
        at++;
    members->slots[at & members->mask] = member;
}

static struct frti_members *
member_build(lua_State *L, struct frti_module *m, const frt_layout *layout)
{
    size_t total = member_count(layout), slots = 2;
    struct frti_members *members;

    while (slots < 2 * total + 1)
        slots *= 2;
    luaL_checkstack(L, 12 + 2 * MEMBER_DEPTH, "members");
    members = frti_lua_new(L,
                           sizeof *members + total * sizeof *members->list +
                               slots * sizeof *members->slots,
                           0);
    members->count = frt_layout_count(layout);
    members->total = total;
    members->mask = slots - 1;
    members->has_long = false;
    members->list = (struct frti_member *)(members + 1);
    members->slots = (const struct frti_member **)(members->list + total);
    memset(members->slots, 0, slots * sizeof *members->slots);
    member_list(L, m, members->list, layout, &(frt_place){.offset = 0});
    for (size_t i = 0; i < total; i++)
        member_enter(members, &members->list[i]);
    frti_module_anchor(L, m, members);
    return members;
}

const struct frti_members *
frti_members_of(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type)
{
    struct frti_ctype *self = (struct frti_ctype *)type;

    if (self->members == NULL) {
        frti_module_check_open(L, m);
        self->members = member_build(L, m, type->layout);
    }
    return self->members;
}

static const struct frti_member *
member_find_long(const struct frti_members *members, const char *name)
{
    for (size_t i = 0; i < members->total; i++)
        if (members->list[i].name != NULL &&
            strcmp(members->list[i].name, name) == 0)
            return &members->list[i];
    return NULL;
}

const struct frti_member *
frti_member_find(lua_State *L, const struct frti_members *members, int index)
{
    const char *name = lua_tostring(L, index);
    const struct frti_member *member;

    for (size_t at = member_hash(name);
         (member = members->slots[at & members->mask]) != NULL; at++)
        if (member->name == name)
            return member;
    return members->has_long ? member_find_long(members, name) : NULL;
}
