/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What an arena owns: blocks of memory, and the actions of its close.
 *
 *     blocks -> [ head | used ... top | free ... limit ] -> [ head | used ] ...
 *
 * The first block is the one that is cut up, unless `top` is NULL. What is
 * large has a block of its own, which stands behind it. Memory comes zeroed
 * and is given out once, so that it needs no clearing.
 *
 *   operation         confined          shared, global
 *   cut, add a block  by the owner      under the slot's lock, session held
 *   add an action     by the owner      under the slot's lock, session held
 *   end               by the closer, after the close: nobody can hold it
 */
#ifndef FRTI_MEMORY_ARENA_H
#define FRTI_MEMORY_ARENA_H

#include <stddef.h>

struct frti_block;
struct frti_close_action;

struct frti_arena {
    struct frti_block *blocks;
    char *top;
    char *limit;
    struct frti_close_action *actions; /* the last added is the first */
};

#endif
