/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * For the sources that `generate` writes: what a claim about a type means.
 * Without a C library (FREESTANDING) the static assertions are all there is.
 * The compiler is told IS_GCC and HAS_FLOAT16, 0 or 1.
 */
#ifndef TEST_LAYOUT_CLAIMS_H
#define TEST_LAYOUT_CLAIMS_H

#include <stddef.h>

typedef long double long_double; /* as one word */

enum e_uint { e_uint_0, e_uint_most = 0xffffffff };
enum e_int { e_int_least = -1 };
enum __attribute__((packed)) e_schar { e_schar_least = -1 };
enum __attribute__((packed)) e_ushort { e_ushort_most = 0xffff };
enum e_ulong { e_ulong_most = 0xffffffffffffffff };

#define SIZE(type, size, alignment)                                            \
    _Static_assert(sizeof(type) == (size), #type " has size " #size);          \
    _Static_assert(__alignof__(type) == (alignment),                           \
                   #type " has alignment " #alignment);
#define AT(type, path, offset)                                                 \
    _Static_assert(offsetof(type, path) == (offset),                           \
                   #type "." #path " is at " #offset);
#define HAS(type, path, size)                                                  \
    _Static_assert(sizeof(((type *)0)->path) == (size),                        \
                   #type "." #path " has size " #size);

#ifdef FREESTANDING

#define BEGIN(name)                                                            \
    static inline void name(void)                                              \
    {
#define BITS(type, path, offset, bit, width)                                   \
    (void)sizeof(((type *)0)->path == 0);
#define END }
static inline int
run(void)
{
    return 0;
}

#else

#include <stdio.h>
#include <string.h>

static int failures;
static int checks;

static int
bit_is_set(const unsigned char *bytes, size_t bit)
{
    return bytes[bit / 8] >> bit % 8 & 1;
}

static void
check_bits(const void *object, size_t size, size_t first, size_t width,
           const char *name)
{
    checks++;
    for (size_t bit = 0; bit < size * 8; bit++)
        if (bit_is_set(object, bit) != (bit >= first && bit < first + width)) {
            printf("%s is not the %zu bits from bit %zu on\n", name, width,
                   first);
            failures++;
            return;
        }
}

static int
run(void)
{
    printf("%d bit-fields, %d elsewhere\n", checks, failures);
    return failures != 0;
}

#define BEGIN(name)                                                            \
    __attribute__((constructor)) static void name(void)                        \
    {
#define BITS(type, path, offset, bit, width)                                   \
    {                                                                          \
        static type object;                                                    \
        object.path = -1;                                                      \
        check_bits(&object, sizeof object, (offset)*8 + (bit), width,          \
                   #type "." #path);                                           \
        object.path = 0;                                                       \
    }
#define END }

#endif

#endif
