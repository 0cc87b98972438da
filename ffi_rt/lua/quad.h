/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * binary128 by its bits, for compilers without a type for it.
 */
#ifndef FRTI_LUA_QUAD_H
#define FRTI_LUA_QUAD_H

#include <stdint.h>
#include <string.h>

/* The nearest double, ties to even. */
double frti_quad_load(const void *address);
void frti_quad_store(void *place, double value);

#endif
