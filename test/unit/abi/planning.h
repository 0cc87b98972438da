/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Layouts, descriptors and plans of C text in any model. */
#ifndef TEST_UNIT_ABI_PLANNING_H
#define TEST_UNIT_ABI_PLANNING_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "ffi_rt/ffi_rt.h"

static inline frt_parse_options
planning_options(const char *model)
{
    frt_parse_options options = {.size = sizeof options, .raw_pointers = true};

    cr_assert_eq(frt_model_find(&options.model, model), FRT_OK);
    return options;
}

static inline const frt_layout *
parse_type(const char *model, const char *type)
{
    const frt_parse_options options = planning_options(model);
    const frt_layout *layout = NULL;

    cr_assert_eq(frt_layout_parse(&layout, type, &options), FRT_OK, "%s: %s",
                 type, frt_last_detail());
    return layout;
}

static inline const frt_descriptor *
parse_prototype(const char *model, const char *prototype)
{
    const frt_parse_options options = planning_options(model);
    const frt_descriptor *descriptor = NULL;

    cr_assert_eq(frt_descriptor_parse(&descriptor, prototype, &options), FRT_OK,
                 "%s: %s", prototype, frt_last_detail());
    return descriptor;
}

/* `int f(int, ...)` with what stands in its `...`, as further types. */
static inline const frt_descriptor *
parse_variadic(const char *model, const char *prototype, const char *variadic)
{
    const frt_descriptor *base = parse_prototype(model, prototype);
    const frt_descriptor *extended = NULL;
    const frt_descriptor *more;
    const frt_layout *layouts[8];
    char text[256];
    size_t count;

    snprintf(text, sizeof text, "void f(%s)", variadic);
    more = parse_prototype(model, text);
    count = frt_descriptor_count(more);
    for (size_t i = 0; i < count; i++)
        layouts[i] = frt_descriptor_parameter(more, i);
    cr_assert_eq(frt_descriptor_extend(&extended, base, layouts, count),
                 FRT_OK);
    frt_descriptor_drop(more);
    frt_descriptor_drop(base);
    return extended;
}

/* Takes the descriptor over. */
static inline struct frti_plan *
plan_of_descriptor(const frt_descriptor *descriptor)
{
    struct frti_plan *plan = NULL;
    frt_status status = frti_plan_new(
        &plan, frti_convention_of(frt_descriptor_model(descriptor)),
        descriptor);

    cr_assert_eq(status, FRT_OK, "%s", frt_last_detail());
    frt_descriptor_drop(descriptor);
    return plan;
}

static inline struct frti_plan *
plan_of_prototype(const char *model, const char *prototype)
{
    return plan_of_descriptor(parse_prototype(model, prototype));
}

/* Takes the plan over. */
static inline void
check_plan(const char *what, struct frti_plan *plan, const char *wanted)
{
    char text[4096];
    size_t length = frti_plan_print(text, sizeof text, plan);

    cr_assert_eq(length, strlen(text));
    cr_assert_str_eq(text, wanted, "%s:\n%swanted:\n%s", what, text, wanted);
    frti_plan_free(plan);
}

/* What fills AArch64's general registers. */
#define LONGS_8 "long, long, long, long, long, long, long, long, "
#define LONGS_8_PLAN                                                           \
    "#1: 0-7 -> x0\n#2: 0-7 -> x1\n#3: 0-7 -> x2\n#4: 0-7 -> x3\n"             \
    "#5: 0-7 -> x4\n#6: 0-7 -> x5\n#7: 0-7 -> x6\n#8: 0-7 -> x7\n"

static inline void
check_prototype(const char *model, const char *prototype, const char *wanted)
{
    check_plan(prototype, plan_of_prototype(model, prototype), wanted);
}

static inline void
check_variadic(const char *model, const char *prototype, const char *variadic,
               const char *wanted)
{
    check_plan(variadic,
               plan_of_descriptor(parse_variadic(model, prototype, variadic)),
               wanted);
}

#endif
