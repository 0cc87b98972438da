/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the tests of this floor share: making layouts, and being refused. */
#ifndef TEST_UNIT_LAYOUT_SUPPORT_H
#define TEST_UNIT_LAYOUT_SUPPORT_H

#include <criterion/criterion.h>
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/layout/descriptor.h"
#include "ffi_rt/layout/layout.h"

#define MEMBERS(...)                                                           \
    (const frt_member[]){__VA_ARGS__},                                         \
        FRTI_ARRAY_LENGTH(((const frt_member[]){__VA_ARGS__}))
#define LAYOUTS(...)                                                           \
    (const frt_layout *const[]){__VA_ARGS__},                                  \
        FRTI_ARRAY_LENGTH(((const frt_layout *const[]){__VA_ARGS__}))
#define OPTIONS(...)                                                           \
    &(frt_aggregate_options)                                                   \
    {                                                                          \
        .size = sizeof(frt_aggregate_options), __VA_ARGS__                     \
    }

/* Evaluates the status once; tells the sentence when it is no success. */
#define OK(call)                                                               \
    do {                                                                       \
        frt_status ok_status = (call);                                         \
        cr_assert_eq(ok_status, FRT_OK, "%s: %s", frt_status_name(ok_status),  \
                     frt_last_detail());                                       \
    } while (0)

/* This status, and exactly this sentence. */
#define REFUSED(call, status, sentence)                                        \
    do {                                                                       \
        frt_status refused_status = (call);                                    \
        cr_assert_eq(refused_status, (status), "it is %s",                     \
                     frt_status_name(refused_status));                         \
        cr_assert_str_eq(frt_last_detail(), (sentence));                       \
    } while (0)

/* A text as frt_layout_print gives it. */
#define PRINTS(layout, text)                                                   \
    do {                                                                       \
        char prints_buffer[2048];                                              \
        size_t prints_length =                                                 \
            frt_layout_print(prints_buffer, sizeof prints_buffer, (layout));   \
        cr_assert_str_eq(prints_buffer, (text));                               \
        cr_assert_eq(prints_length, strlen(text));                             \
    } while (0)

/* Nobody owns these but the test, which ends soon. */
static inline const frt_layout *
bits_of(const frt_layout *base, size_t width)
{
    const frt_layout *out = NULL;

    OK(frt_layout_bit_field(&out, base, width));
    return out;
}

static inline const frt_layout *
array_of(const frt_layout *element, size_t count)
{
    const frt_layout *out = NULL;

    OK(frt_layout_array(&out, element, count));
    return out;
}

static inline const frt_layout *
pointer_to(const frt_layout *pointee)
{
    const frt_layout *out = NULL;

    OK(frt_layout_pointer(&out, pointee, false));
    return out;
}

static inline const frt_layout *
aligned_to(const frt_layout *layout, size_t alignment)
{
    const frt_layout *out = NULL;

    OK(frt_layout_align_to(&out, layout, alignment));
    return out;
}

static inline const frt_layout *
struct_of(const frt_member *members, size_t count,
          const frt_aggregate_options *options)
{
    const frt_layout *out = NULL;

    OK(frt_layout_struct(&out, members, count, options));
    return out;
}

static inline const frt_layout *
union_of(const frt_member *members, size_t count,
         const frt_aggregate_options *options)
{
    const frt_layout *out = NULL;

    OK(frt_layout_union(&out, members, count, options));
    return out;
}

/* Size and alignment. */
static inline void
is(const frt_layout *layout, size_t size, size_t alignment)
{
    cr_expect_eq(frt_layout_size(layout), size, "size %zu",
                 frt_layout_size(layout));
    cr_expect_eq(frt_layout_alignment(layout), alignment, "alignment %zu",
                 frt_layout_alignment(layout));
}

static inline size_t
offset_of(const frt_layout *layout, const char *path)
{
    frt_place place = {0};

    OK(frt_layout_find(&place, layout, path));
    return place.offset;
}

/* The first bit of a bit-field. */
static inline size_t
bit_of(const frt_layout *layout, const char *path)
{
    frt_place place = {0};

    OK(frt_layout_find(&place, layout, path));
    return place.offset * 8 + place.bit_offset;
}

#define IS_TYPE(layout, type) is((layout), sizeof(type), __alignof__(type))
#define IS_AT(layout, type, path)                                              \
    cr_expect_eq(offset_of((layout), #path), offsetof(type, path))

#endif
