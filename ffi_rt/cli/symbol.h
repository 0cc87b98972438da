/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Symbols by address, read from the file: those that are not exported, too, if
 * the file still has them.
 */
#ifndef FRTI_CLI_SYMBOL_H
#define FRTI_CLI_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct frti_symbol_near {
    uintptr_t distance; /* from its first byte */
    char name[256];
};

/* The nearest function at or before the byte at `offset` of the ELF file at
 * `path`. False: none, or it cannot be read. */
bool frti_symbol_near(struct frti_symbol_near *out, const char *path,
                      uintptr_t offset);

#endif
