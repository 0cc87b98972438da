/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Signatures as C source, from the inside. */
#ifndef TEST_ABI_TEXT_H
#define TEST_ABI_TEXT_H

#include "test/abi/shape.h"

struct text {
    FILE *file;
    const struct signature *signature;
    unsigned stamp;
};

/* What is done with each leaf's expression. */
enum deed { DEED_CHECK, DEED_SET };

/* `struct s1_2`, or the name of a typedef. */
void text_name(const struct text *text, const struct shape *shape);
/* A statement for each leaf of the variable `name`; *leaf is the next number.
 */
void text_leaves(const struct text *text, enum deed deed,
                 const struct shape *shape, const char *name, uint32_t *leaf);

#endif
