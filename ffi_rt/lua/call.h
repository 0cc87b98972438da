/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Calls of C functions. All functions of one type share one prepared call, the
 * downcall and how each argument is converted; a function object adds the
 * address. Libraries stay open as long as the module lives.
 */
#ifndef FRTI_LUA_CALL_H
#define FRTI_LUA_CALL_H

#include "ffi_rt/lua/convert.h"

/* Each argument that is no aggregate has a slot: no scalar is larger. */
enum { FRTI_CALL_SLOT = 16 };

struct frti_call {
    const frt_downcall *downcall;
    const struct frti_ctype *result;
    size_t count; /* of parameters */
    bool is_variadic;
    struct frti_call *variants; /* of a variadic one: with more parameters */
    struct frti_call *next_variant;
    struct frti_call *next; /* in the module's list */
    struct frti_parameter {
        const struct frti_ctype *type;
        enum frti_form form; /* the type's */
    } parameters[];
};

/* Calls the function at `target`, of the function type `type`, with the values
 * from `first` to the top. Pushes the result; returns how many it pushed. */
int frti_call_function(lua_State *L, struct frti_module *m,
                       const struct frti_ctype *type, void *target, int first);

/* The prepared call of a function type. */
const struct frti_call *frti_call_of(lua_State *L, struct frti_module *m,
                                     const struct frti_ctype *type);

/* The same with `given` values, from `first` on: what is over goes to its
 * `...`. */
const struct frti_call *frti_call_variant(lua_State *L, struct frti_module *m,
                                          const struct frti_call *call,
                                          size_t given, int first);

/* Gives back all downcalls; what is called then is prepared anew. */
void frti_call_drop_all(struct frti_module *m);

#endif
