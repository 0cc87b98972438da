/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Cases on which runtimes have been wrong in public, by their ids. */
#ifndef TEST_ABI_CORPUS_H
#define TEST_ABI_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "test/abi/shape.h"

/* A signature, to be compiled and called as a random one is. */
struct corpus_row {
    const char *id;
    const char *prototype;
    const char *variadic; /* the types that stand for its `...` */
    bool only_gcc;        /* clang lacks the type, or passes it otherwise */
    bool may_be_refused;  /* by a backend, with a sentence */
};

extern const struct corpus_row corpus_rows[];
extern const size_t corpus_row_count;

/* A type whose size, alignment and a member's offset are known; passed and
 * returned by value, too. */
struct corpus_layout {
    const char *id;
    const char *type;
    size_t size;
    size_t alignment;
    size_t pack;        /* the #pragma pack around it; 0: none */
    const char *member; /* NULL: none */
    size_t offset;
    size_t aarch64_size; /* and alignment; 0: the same */
    size_t aarch64_alignment;
};

extern const struct corpus_layout corpus_layouts[];
extern const size_t corpus_layout_count;

/* What needs more than a check of the arguments: given the shared object of
 * corpus_callee.c; true: right, or the sentence says what is not. */
struct corpus_special {
    const char *id;
    const char *what;
    bool (*run)(char sentence[static 512], void *object, frt_backend backend);
};

extern const struct corpus_special corpus_specials[];
extern const size_t corpus_special_count;

/* A prototype, and the types for its `...` or NULL. `model` NULL: native.
 *   -> as frt_descriptor_parse */
frt_status corpus_descriptor(const frt_descriptor **out, const char *prototype,
                             const char *variadic, const frt_model *model);

/* The shapes of a parsed signature; the member of unions that has the value is
 * the `variant`-th, from the first one again after the last. */
void corpus_signature(struct signature *out, const frt_descriptor *descriptor,
                      unsigned variant);
/* The most members that a union of it has. */
unsigned corpus_variants(const frt_descriptor *descriptor);

#endif
