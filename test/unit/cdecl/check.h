/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What the tests of this floor share: tables of texts that are accepted and of
 * texts that are refused.
 *
 * A type that is written as an argument of SIZED or BOTH is given to the C
 * compiler and, as a text, to the parser: the compiler is the judge.
 */
#ifndef TEST_UNIT_CDECL_CHECK_H
#define TEST_UNIT_CDECL_CHECK_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/ffi_rt.h"

#define EACH(i, table) (size_t i = 0; i < FRTI_ARRAY_LENGTH(table); i++)

struct sized {
    const char *text;
    size_t size;
    size_t alignment;
};

#define SIZED(...)                                                             \
    {                                                                          \
#__VA_ARGS__, sizeof(__VA_ARGS__), _Alignof(__VA_ARGS__)               \
    }

/* `name` as a C type, and name##_text as its text. */
#define BOTH(name, ...)                                                        \
    typedef __VA_ARGS__ name;                                                  \
    static const char name##_text[] = #__VA_ARGS__

#define SIZED_AS(name)                                                         \
    {                                                                          \
        name##_text, sizeof(name), _Alignof(name)                              \
    }

static inline const frt_layout *
parse_layout_in(const char *text, const frt_model *model)
{
    const frt_parse_options options = {.size = sizeof options, .model = model};
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_parse(&layout, text, &options);

    cr_assert_eq(status, FRT_OK, "%s\n%s: %s", text, frt_status_name(status),
                 frt_last_detail());
    return layout;
}

static inline const frt_layout *
parse_layout(const char *text)
{
    return parse_layout_in(text, NULL);
}

static inline void
check_size(const char *text, size_t size, size_t alignment)
{
    const frt_layout *layout = parse_layout(text);

    cr_expect_eq(frt_layout_size(layout), size, "%s: size %zu, not %zu", text,
                 frt_layout_size(layout), size);
    cr_expect_eq(frt_layout_alignment(layout), alignment,
                 "%s: alignment %zu, not %zu", text,
                 frt_layout_alignment(layout), alignment);
    frt_layout_drop(layout);
}

static inline void
check_sizes(const struct sized *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_size(table[i].text, table[i].size, table[i].alignment);
}

/* The text of what was parsed; parsed again, it is the same layout. */
static inline void
check_layout(const char *text, const char *printed)
{
    const frt_layout *layout = parse_layout(text);
    const frt_layout *again;
    char buffer[2048];

    frt_layout_print(buffer, sizeof buffer, layout);
    cr_expect_str_eq(buffer, printed, "%s: '%s', not '%s'", text, buffer,
                     printed);
    again = parse_layout(buffer);
    cr_expect_eq(layout, again, "%s: '%s' is another layout", text, buffer);
    frt_layout_drop(again);
    frt_layout_drop(layout);
}

static inline frt_prototype *
parse_prototype(const char *text)
{
    frt_prototype *prototype = NULL;
    frt_status status = frt_prototype_parse(&prototype, text, NULL);

    cr_assert_eq(status, FRT_OK, "%s\n%s: %s", text, frt_status_name(status),
                 frt_last_detail());
    return prototype;
}

static inline void
check_prototype(const char *text, const char *printed)
{
    frt_prototype *prototype = parse_prototype(text);
    const frt_descriptor *again = NULL;
    char buffer[2048];

    frt_descriptor_print(buffer, sizeof buffer,
                         frt_prototype_descriptor(prototype),
                         frt_prototype_name(prototype));
    cr_expect_str_eq(buffer, printed, "%s: '%s', not '%s'", text, buffer,
                     printed);
    cr_assert_eq(frt_descriptor_parse(&again, buffer, NULL), FRT_OK, "%s: %s",
                 buffer, frt_last_detail());
    cr_expect_eq(again, frt_prototype_descriptor(prototype),
                 "%s: '%s' is another descriptor", text, buffer);
    frt_descriptor_drop(again);
    frt_prototype_free(prototype);
}

/* The first line of the detail. */
static inline void
check_detail_line(const char *text, const char *line)
{
    const char *detail = frt_last_detail();
    size_t length = strcspn(detail, "\n");

    cr_expect(length == strlen(line) && strncmp(detail, line, length) == 0,
              "%s: '%.*s', not '%s'", text, (int)length, detail, line);
}

struct refused {
    const char *text;
    frt_status status;
    const char *line; /* position and sentence */
};

static inline void
check_refused_layouts(const struct refused *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const frt_layout *layout = FRT_INT;

        cr_expect_eq(frt_layout_parse(&layout, table[i].text, NULL),
                     table[i].status, "%s: %s", table[i].text,
                     frt_last_detail());
        cr_expect_eq(layout, FRT_INT, "%s: the output changed", table[i].text);
        check_detail_line(table[i].text, table[i].line);
    }
}

static inline void
check_refused_prototypes(const struct refused *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        frt_prototype *prototype = NULL;

        cr_expect_eq(frt_prototype_parse(&prototype, table[i].text, NULL),
                     table[i].status, "%s: %s", table[i].text,
                     frt_last_detail());
        cr_expect_null(prototype, "%s: the output changed", table[i].text);
        check_detail_line(table[i].text, table[i].line);
    }
}

/* The value of a constant expression: the length of an array. */
static inline size_t
parse_constant_in(const char *expression, const frt_model *model)
{
    char text[1024];
    const frt_layout *layout;
    size_t count;

    snprintf(text, sizeof text, "char[%s]", expression);
    layout = parse_layout_in(text, model);
    count = frt_layout_count(layout);
    frt_layout_drop(layout);
    return count;
}

static inline size_t
parse_constant(const char *expression)
{
    return parse_constant_in(expression, NULL);
}

static inline const frt_model *
model_of(const char *name)
{
    const frt_model *model = NULL;

    cr_assert_eq(frt_model_find(&model, name), FRT_OK);
    return model;
}

#endif
