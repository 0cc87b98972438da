/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Memory whose address cannot be trusted, read without a crash.
 */
#ifndef FRTI_CLI_MEMORY_H
#define FRTI_CLI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the string at `text`. False: it, or its end, is not in
 * memory that can be read. */
bool frti_string_length(size_t *out, const char *text);

#endif
