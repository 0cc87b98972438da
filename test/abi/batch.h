/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Batches: signatures whose callees one compiler builds into one shared
 * object, and whose control another one builds. A folder of batches has a
 * build.ninja.
 */
#ifndef TEST_ABI_BATCH_H
#define TEST_ABI_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test/abi/shape.h"

/* A cell: a compiler at an optimization level. */
enum { BATCH_CELLS = 4, BATCH_MOST = 64 }; /* signatures of a round's */

struct batch {
    unsigned index; /* its files are b<index>_... */
    unsigned cell;  /* of the callees */
    unsigned control_cell;
    bool is_wide;                        /* compiled for a CPU with AVX */
    const struct signature **signatures; /* `count` of them */
    size_t count;
};

/* "gcc -O0" */
const char *batch_cell_name(unsigned cell);
/* The compilers are the environment's FRT_ABI_GCC and FRT_ABI_CLANG, or gcc and
 * clang; with an empty FRT_ABI_CLANG, gcc alone. */
bool batch_has_clang(void);
/* The cell of the callee, and whose code calls it for the control. */
unsigned batch_cell_of(uint64_t seed, const struct signature *signature);
unsigned batch_control_cell_of(unsigned cell,
                               const struct signature *signature);

/* Writes the sources, and then the build.ninja for all. Exits on an error of
 * the file system. */
void batch_write(const char *folder, const struct batch *batch);
void batch_write_ninja(const char *folder, const struct batch *batches,
                       size_t count, const char *root);
/* Adds b<index>_<name>.so of one more source to the build.ninja. */
void batch_add_source(const char *folder, const char *name, const char *source,
                      const struct batch *batch);
/* Whatever a compiler does not crash on, it must compile: false, and its output
 * has been printed. */
bool batch_compile(const char *folder);
/* A crash of a compiler may have left it out. */
bool batch_is_compiled(const char *folder, const struct batch *batch);

struct batch_objects {
    void *callee;
    void *control;
};

void batch_load(struct batch_objects *out, const char *folder,
                const struct batch *batch);
void batch_unload(struct batch_objects *objects);
/* b<index>_<name>.so; exits where it cannot be loaded. */
void *batch_load_object(const char *folder, unsigned index, const char *name);
/* "f12"; exits where it is not there. */
void *batch_symbol(void *object, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
