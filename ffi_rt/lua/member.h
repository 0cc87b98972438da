/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The members of a struct or union: in order for initialisers, by name for
 * accesses. Names are strings of Lua that stay, so that a key is found by its
 * address.
 */
#ifndef FRTI_LUA_MEMBER_H
#define FRTI_LUA_MEMBER_H

#include "ffi_rt/lua/ctype.h"

struct frti_member {
    const char *name; /* a Lua string's; NULL: it lends its members' names */
    const struct frti_ctype *type;
    size_t offset;
    unsigned bit_offset;
    unsigned bit_width; /* 0: no bit-field */
    bool is_const;
};

struct frti_members {
    size_t count;             /* direct ones, first in the list */
    size_t total;             /* with those that unnamed members lend */
    size_t mask;              /* of the slots */
    bool has_long;            /* a name that Lua may have twice */
    struct frti_member *list; /* `total` of them */
    const struct frti_member **slots;
};

/* Of a complete struct or union. */
const struct frti_members *frti_members_of(lua_State *L, struct frti_module *m,
                                           const struct frti_ctype *type);

/* The member by the string at `index`, or NULL. */
const struct frti_member *
frti_member_find(lua_State *L, const struct frti_members *members, int index);

#endif
