/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Type objects. One a layout, so that the same type is the same pointer; they
 * live as long as the module. What costs something to find is looked for when
 * first asked for: the pointee, the members, the call.
 */
#ifndef FRTI_LUA_CTYPE_H
#define FRTI_LUA_CTYPE_H

#include "ffi_rt/lua/module.h"

/* What its values are to Lua, finer than kinds in one place and coarser in
 * others: the switch of every conversion. */
enum frti_form {
    FRTI_VOID,
    FRTI_BOOL,
    FRTI_I8, /* from here on: integers */
    FRTI_U8,
    FRTI_I16,
    FRTI_U16,
    FRTI_I32,
    FRTI_U32,
    FRTI_I64,
    FRTI_U64,
    FRTI_I128,
    FRTI_U128, /* the last integer */
    FRTI_F16,  /* from here on: floating */
    FRTI_F32,
    FRTI_F64,
    FRTI_LONG_DOUBLE,
    FRTI_F128, /* the last floating */
    FRTI_POINTER,
    FRTI_COMPLEX, /* from here on: several values */
    FRTI_VECTOR,
    FRTI_ARRAY,
    FRTI_STRUCT, /* union, too */
    FRTI_FUNCTION
};

struct frti_members;

struct frti_ctype {
    const frt_layout *layout; /* NULL: a spare one */
    struct frti_module *module;
    enum frti_form form;
    frt_kind kind;
    size_t size; /* 0: incomplete, or nothing */
    size_t alignment;
    size_t count;             /* of elements; FRT_FLEXIBLE: told later */
    struct frti_ctype *plain; /* of a const type: the same without it */
    struct frti_ctype *inner; /* pointee, element; NULL: not looked for */
    struct frti_ctype *whole; /* of an incomplete struct: the complete one */
    struct frti_members *members; /* NULL: not looked for */
    struct frti_call *call;       /* of a function type; NULL: the same */
    size_t tail;        /* a VLS: size of an element of its last member */
    size_t tail_offset; /* where that begins */
    bool is_const;      /* a pointer whose pointee is const */
    bool is_complete;
    bool is_union;
    bool has_metatype;
    struct frti_ctype *next;           /* in the module's list */
    struct frti_ctype *next_in_bucket; /* of the same hash */
};

static inline bool
frti_is_integer(const struct frti_ctype *type)
{
    return type->form >= FRTI_I8 && type->form <= FRTI_U128;
}

/* A scalar that is a number or bool. */
static inline bool
frti_is_number(const struct frti_ctype *type)
{
    return type->form >= FRTI_BOOL && type->form <= FRTI_F128;
}

/* The type of a layout that something else keeps. */
struct frti_ctype *frti_ctype_of(lua_State *L, struct frti_module *m,
                                 const frt_layout *layout);

/* The same for a layout that is made between the two: the first may raise, the
 * second takes over the layout's reference and cannot fail. If `status` is an
 * error the second raises it. */
struct frti_ctype *frti_ctype_reserve(lua_State *L, struct frti_module *m);
struct frti_ctype *frti_ctype_settle(lua_State *L, struct frti_module *m,
                                     struct frti_ctype *reserved,
                                     frt_status status,
                                     const frt_layout *layout);

/* The type of a text; its `$` stand for the values from `parameter` on. */
struct frti_ctype *frti_ctype_parse(lua_State *L, struct frti_module *m,
                                    int index, int parameter);
/* Pushes the text at `index` with each `$` replaced by one of the values from
 * `parameter` to `last`. */
void frti_ctype_substitute(lua_State *L, struct frti_module *m, int index,
                           int parameter, int last);

/* Of the argument at `index`: a text, a ctype or a cdata. */
struct frti_ctype *frti_ctype_check(lua_State *L, struct frti_module *m,
                                    int index);
/* The ctype object at `index`, or NULL. */
struct frti_ctype *frti_ctype_at(lua_State *L, const struct frti_module *m,
                                 int index);
void frti_ctype_push(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type);

/* Pointee, or element of an array, vector or complex, or the underlying type of
 * an enum; a struct that was completed since is the complete one. */
const struct frti_ctype *frti_ctype_inner(lua_State *L, struct frti_module *m,
                                          const struct frti_ctype *type);
/* Pointer to a type. */
const struct frti_ctype *frti_ctype_pointer(lua_State *L, struct frti_module *m,
                                            const struct frti_ctype *type,
                                            bool is_const);
/* The complete type of a struct of which only the tag was known; itself. */
const struct frti_ctype *frti_ctype_whole(lua_State *L, struct frti_module *m,
                                          const struct frti_ctype *type);

/* The const type of a plain one. Values are of the plain type, and sealed. */
struct frti_ctype *frti_ctype_constant(lua_State *L, struct frti_module *m,
                                       struct frti_ctype *plain);

/* The size of a value with `count` elements in a VLA or VLS.  Raises, if that
 * is more than there is memory. */
size_t frti_ctype_size(lua_State *L, const struct frti_ctype *type,
                       size_t count);
/* Whether its length is told later. */
bool frti_ctype_is_variable(const struct frti_ctype *type);

/* Whether two types are one to Lua: long and long long are. */
bool frti_ctype_same(const struct frti_ctype *one,
                     const struct frti_ctype *other);
bool frti_layout_same(const frt_layout *one, const frt_layout *other);
/* Whether a pointer to `from` may be given where one to `to` is wanted. */
bool frti_pointee_fits(const frt_layout *to, const frt_layout *from);

/* Pushes the name of a type, as LuaJIT writes it. */
const char *frti_ctype_name(lua_State *L, const struct frti_ctype *type);
/* The same with more behind it: "&" of a reference. */
const char *frti_ctype_name_with(lua_State *L, const struct frti_ctype *type,
                                 const char *suffix);

/* Gives back the layouts of all types. */
void frti_ctype_drop_all(struct frti_module *m);

#endif
