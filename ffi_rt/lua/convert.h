/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Values from C to Lua and from Lua to C, by LuaJIT's rules.
 */
#ifndef FRTI_LUA_CONVERT_H
#define FRTI_LUA_CONVERT_H

#include "ffi_rt/lua/cdata.h"
#include "ffi_rt/lua/member.h"

#include <string.h>

/* Pushes the value of `type` at `address`: numbers as numbers, pointers as
 * pointers, the rest as references. `owner` is the index of the cdata in whose
 * memory it is, or 0. */
void frti_to_lua(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type, void *address, int owner);
/* Integers by the rule of module.h. */
void frti_push_integer(lua_State *L, struct frti_module *m, uint64_t bits,
                       bool is_unsigned);
void frti_push_wide(lua_State *L, struct frti_module *m, unsigned __int128 bits,
                    bool is_unsigned);
void frti_bits_to_lua(lua_State *L, struct frti_module *m,
                      const struct frti_member *member, const char *address);

/* Instead of an argument's number: what a callback returns. */
enum { FRTI_RESULT = -1 };

/* Where a Lua value goes. */
struct frti_into {
    int owner;    /* index of the cdata whose memory that is; 0: none */
    int argument; /* of a call: its number; or FRTI_RESULT; 0: none */
    bool is_cast; /* as ffi.cast converts */
};

/* Writes the value at `index` to `place`, memory of `type`. May push values
 * that have to stay for as long as a call lasts. */
void frti_to_c(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, void *place, int index,
               const struct frti_into *into);
/* The same for the cdata at `index` of that very type, of which the place may
 * be smaller: its bytes. */
void frti_copy_to_c(lua_State *L, struct frti_module *m, void *place,
                    size_t size, int index, const struct frti_into *into);
void frti_bits_to_c(lua_State *L, struct frti_module *m,
                    const struct frti_member *member, char *address, int index,
                    const struct frti_into *into);

/* The usual numbers, without a call: a Lua integer for an int or longer, any
 * number for a double. False: it is not one of them, and nothing was written.
 */
static inline bool
frti_take_number(lua_State *L, enum frti_form form, void *place, int index)
{
    lua_Integer integer;
    lua_Number number;
    uint32_t word;

    switch (form) {
    case FRTI_I32:
    case FRTI_U32:
        if (!lua_isinteger(L, index))
            return false;
        word = (uint32_t)lua_tointegerx(L, index, NULL);
        memcpy(place, &word, sizeof word);
        return true;
    case FRTI_I64:
    case FRTI_U64:
        if (!lua_isinteger(L, index))
            return false;
        integer = lua_tointegerx(L, index, NULL);
        memcpy(place, &integer, sizeof integer);
        return true;
    case FRTI_F64:
        if (lua_type(L, index) != LUA_TNUMBER)
            return false;
        number = lua_tonumberx(L, index, NULL);
        memcpy(place, &number, sizeof number);
        return true;
    default:
        return false;
    }
}

/* The address for a parameter or member of a pointer type. */
void *frti_to_pointer(lua_State *L, struct frti_module *m,
                      const struct frti_ctype *type, int index,
                      const struct frti_into *into);

/* The same with several values, `count` of them from `first` on: initialisers
 * of ffi.new. `size` is that of the place, whose bytes are zero. */
void frti_initialise(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, void *place, size_t size,
                     int first, int count, const struct frti_into *into);
void frti_table_to_c(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, void *place, size_t size,
                     int index, const struct frti_into *into);
void frti_string_to_array(lua_State *L, struct frti_module *m,
                          const struct frti_ctype *type, void *place,
                          size_t size, int index, const struct frti_into *into);

/* A number from a Lua number, boolean or cdata of a number or pointer. False:
 * it is none. */
struct frti_number {
    bool is_floating;
    bool is_unsigned; /* an integer over 2^63-1 */
    bool is_wide;     /* of an __int128 */
    __int128 integer; /* as it counts; of a float: cut off */
    double floating;
};
bool frti_number_read(lua_State *L, const struct frti_module *m,
                      struct frti_number *out, int index);
void frti_number_load(struct frti_number *out, const struct frti_ctype *type,
                      const void *address);
void frti_number_store(const struct frti_ctype *type, void *place,
                       const struct frti_number *number);

/* An integer argument of ffi's own functions: sizes, indices, offsets. */
lua_Integer frti_integer_check(lua_State *L, const struct frti_module *m,
                               int index);

/* The name by which the running function of ours was called, for errors. */
const char *frti_callee(lua_State *L);

/* What sentences call the value; may push. */
const char *frti_value_name(lua_State *L, const struct frti_module *m,
                            int index);
/* Raises "cannot convert 'x' to 'type'". */
int frti_convert_error(lua_State *L, struct frti_module *m,
                       const struct frti_ctype *type, int index,
                       const struct frti_into *into);

#endif
