/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * __float128, for which not every compiler and C library has functions: the
 * build chooses quad_libc.c or quad_none.c.
 */
#ifndef FRTI_CLI_QUAD_H
#define FRTI_CLI_QUAD_H

#include <stddef.h>

/* As strtod, into 16 bytes. */
void frti_quad_read(void *place, const char **stop, const char *begin);
/* As "%.*e" with `digits` digits in all. */
void frti_quad_print(char *out, size_t size, int digits, const void *place);

#endif
