/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The text of declarations, before the library has it: its words, and tags for
 * what has none.
 */
#ifndef FRTI_LUA_TAG_H
#define FRTI_LUA_TAG_H

#include "ffi_rt/lua/module.h"

/* What the tags that cdef gives begin with. */
#define FRTI_TAG "__untagged_"

/* Behind the literal or comment that begins at `at`; NULL: none does. */
const char *frti_text_skip(const char *at);
/* Behind the word or number at `at`; itself: none is there. */
const char *frti_text_word(const char *at);

/* Pushes the text on the top with tags for what it declares without one. */
void frti_tag_declarations(lua_State *L);

#endif
