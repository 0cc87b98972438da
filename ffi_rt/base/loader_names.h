/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* How people name libraries: linker scripts, and names without a version. */
#ifndef FRTI_BASE_LOADER_NAMES_H
#define FRTI_BASE_LOADER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define FRTI_SCRIPT_SIZE 4096

/* The files that a linker script's GROUP or INPUT names (GNU ld manual, "File
 * Commands"), in order. */
struct frti_script {
    char text[FRTI_SCRIPT_SIZE];
    const char *at;
};

/* False: no such file, or no script in it. */
bool frti_script_read(struct frti_script *out, const char *path);
/* A path, or a file name: that of `-lNAME` is libNAME.so. */
bool frti_script_next(struct frti_script *script, char *name, size_t capacity);

/* The path of the newest libNAME.so.N in the loader's folders. */
bool frti_newest_library(char *path, size_t capacity, const char *name);

#endif
