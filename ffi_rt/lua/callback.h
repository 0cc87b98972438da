/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Lua functions as function pointers of C.
 *
 * A callback is an upcall of the module's arena. It belongs to the thread that
 * made it: calls of other threads wait there until that thread runs ffi.poll.
 * It keeps its function until it is freed or the module is closed. One that is
 * made of an argument or a result, which nobody would free, is shared by all
 * such uses of the same function and type.
 *
 * Which state it runs in: that of the innermost call of the module's, `running`
 * of the module, and where there is none a thread of Lua's made for this.
 *
 * An error does not jump over C frames. It is caught, with its traceback, and
 * kept in the module; C goes on with the default result; the call of the
 * module's that led there raises it when it has returned.
 */
#ifndef FRTI_LUA_CALLBACK_H
#define FRTI_LUA_CALLBACK_H

#include "ffi_rt/lua/convert.h"

/* The code of a callback of `type`, a pointer to a function, which calls the
 * value at `index`. */
void *frti_callback_code(lua_State *L, struct frti_module *m,
                         const struct frti_ctype *type, int index,
                         const struct frti_into *into);

/* Whether the value at `index` can be one: a function, or a table that can be
 * called. */
bool frti_callback_takes(lua_State *L, int index);

/* Pushes the method of pointers to functions that is named by the string at
 * `index`: free or set; nothing and false: there is none. */
bool frti_callback_method(lua_State *L, struct frti_module *m,
                          const struct frti_ctype *type, int index);

/* Raises the error that a callback left, after has_failed was set. */
int frti_callback_raise(lua_State *L, struct frti_module *m);

/* ffi.callback(type, function, { post = boolean, default = value }) */
int frti_callback_make(lua_State *L);
/* ffi.poll([milliseconds]) */
int frti_callback_poll(lua_State *L);

#endif
