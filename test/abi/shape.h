/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Shapes: C types as trees of our own, so that the C text that the compilers
 * read and the layouts that the library builds come from neither of the two.
 */
#ifndef TEST_ABI_SHAPE_H
#define TEST_ABI_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ffi_rt/ffi_rt.h"

struct shape;

struct shape_member {
    struct shape *shape; /* of a bit-field: its base */
    bool is_bit_field;
    bool is_named;
    unsigned width;   /* of a bit-field */
    unsigned number;  /* named m<number>, through the signature */
    size_t alignment; /* aligned(n) on the member; 0: none */
};

struct shape {
    frt_kind kind;
    struct shape *element; /* array, vector, complex; an enum's underlying */
    size_t count;          /* array, vector */
    struct shape_member *members;
    size_t member_count;
    size_t active;            /* the member of a union that has the value */
    bool is_packed;           /* __attribute__((packed)) */
    size_t pack;              /* #pragma pack(n); 0: none */
    size_t alignment;         /* aligned(n) on the struct; 0: none */
    size_t typedef_alignment; /* aligned(n) on a typedef of it; 0: no typedef */
    unsigned tag;             /* its number in the signature */
    unsigned defined;         /* the text's stamp that has its definition */
};

struct signature {
    uint32_t number;
    struct shape *result; /* NULL: void */
    struct shape **parameters;
    size_t count;
    size_t fixed; /* before the `...` */
    bool is_variadic;
    bool is_scribbling; /* the callee overwrites its parameters */
    bool only_gcc;      /* clang lacks a type of it, or passes it otherwise */
    bool is_wide;       /* x86-64: it has vectors that ask for AVX */
    unsigned frame_alignment; /* a frame pointer on this CPU shows at least so
                                 much of the stack's; 1: nothing */
    unsigned tag_count;
    unsigned member_count;
    struct chunk *chunks; /* that the shapes are in */
};

/* Zeroed memory that lives as long as the signature. */
void *signature_allocate(struct signature *signature, size_t size);
struct shape *signature_shape(struct signature *signature, frt_kind kind);
void signature_free(struct signature *signature);

/* A random one; the same seed, number and model give the same. */
void signature_draw(struct signature *out, uint64_t seed, uint32_t number,
                    const frt_model *model);

/* An enum's tag in callee.h, by what it is stored as. */
const char *shape_enum_tag(frt_kind underlying);
bool shape_is_aggregate(const struct shape *shape);
/* How many leaves it has. */
uint32_t shape_leaves(const struct shape *shape);

/* gcc and clang 14 pass some of it in different ways; then gcc alone is asked.
 */
bool signature_is_disputed(const struct signature *signature, bool is_aarch64);

/* The layout that the library makes of it; the caller drops it. */
frt_status shape_layout(const frt_layout **out, const struct shape *shape);
frt_status signature_descriptor(const frt_descriptor **out,
                                const struct signature *signature);

/* C text: definitions of its types (once a stamp), its function that checks,
 * and the compiler's own call of such a function. */
void text_types(FILE *file, const struct signature *signature, unsigned stamp);
void text_prototype(FILE *file, const struct signature *signature);
void text_callee(FILE *file, const struct signature *signature);
void text_control(FILE *file, const struct signature *signature);
/* `a3.m1[2]`: the leaf by its number. */
void text_leaf(FILE *file, const struct signature *signature, uint32_t leaf);

/* The values of a shape in memory. Padding is left alone. */
void leaves_put(void *at, const struct shape *shape, const frt_layout *layout,
                uint64_t key, uint32_t first);
/* False: *wrong is the first leaf that differs. */
bool leaves_match(uint32_t *wrong, const void *at, const struct shape *shape,
                  const frt_layout *layout, uint64_t key, uint32_t first);

#endif
