/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Plans and classes for whoever looks at them from outside. */

#include "abi/abi.h"
#include "ffi_rt/base/status.h"

/* frt_plan is the public name of a struct frti_plan. */
static const struct frti_plan *
plan_of(const frt_plan *plan)
{
    return (const struct frti_plan *)plan;
}

frt_status
frt_plan_new(frt_plan **out, const frt_descriptor *descriptor)
{
    const struct frti_convention *convention;
    struct frti_plan *plan;
    frt_status status;

    if (out == NULL || descriptor == NULL)
        return frti_null_argument(out == NULL ? "out" : "descriptor");
    convention = frti_convention_of(frt_descriptor_model(descriptor));
    if (convention == NULL)
        return frti_fail(FRT_UNSUPPORTED, "%s has no convention here",
                         frt_model_name(frt_descriptor_model(descriptor)));
    status = frti_plan_new(&plan, convention, descriptor);
    if (status == FRT_OK)
        *out = (frt_plan *)plan;
    return status;
}

void
frt_plan_free(frt_plan *plan)
{
    frti_plan_free((struct frti_plan *)plan);
}

const char *
frt_plan_convention(const frt_plan *plan)
{
    return plan_of(plan)->convention->name;
}

size_t
frt_plan_stack_size(const frt_plan *plan)
{
    return plan_of(plan)->stack_size;
}

size_t
frt_plan_stack_alignment(const frt_plan *plan)
{
    return plan_of(plan)->stack_alignment;
}

/* NULL: there is none. */
static const struct frti_travel *
plan_travel(const frt_plan *plan, size_t index)
{
    if (index == FRT_RESULT)
        return &plan_of(plan)->result;
    return index < plan_of(plan)->count ? &plan_of(plan)->arguments[index]
                                        : NULL;
}

frt_way
frt_plan_way(const frt_plan *plan, size_t index)
{
    const struct frti_travel *travel = plan_travel(plan, index);

    return travel == NULL ? FRT_WAY_NONE : (frt_way)travel->way;
}

size_t
frt_plan_count(const frt_plan *plan, size_t index)
{
    const struct frti_travel *travel = plan_travel(plan, index);

    return travel == NULL ? 0 : travel->piece_count;
}

frt_status
frt_plan_piece(frt_piece *out, const frt_plan *plan, size_t index, size_t piece)
{
    const struct frti_travel *travel;
    const struct frti_piece *found;
    bool is_result = index == FRT_RESULT;

    if (out == NULL || plan == NULL)
        return frti_null_argument(out == NULL ? "out" : "plan");
    travel = plan_travel(plan, index);
    if (travel == NULL || piece >= travel->piece_count)
        return frti_fail(FRT_OUT_OF_BOUNDS, "there is no such piece");
    found = &travel->pieces[piece];
    *out = (frt_piece){
        .storage = (frt_storage)found->storage,
        .extend = (frt_extend)found->extend,
        .name = frti_piece_name(plan_of(plan)->convention, found,
                                is_result && travel->way != FRT_WAY_REFERENCE),
        .place = found->place,
        .offset = found->offset,
        .size = found->size,
    };
    return FRT_OK;
}

/* What is only a part of others, or not known, has no class. */
static bool
layout_has_class(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    return kind != FRT_KIND_VOID && kind != FRT_KIND_FUNCTION &&
           kind != FRT_KIND_PADDING && kind != FRT_KIND_BIT_FIELD &&
           frt_layout_is_complete(layout);
}

size_t
frt_layout_print_class(char *buffer, size_t capacity, const frt_layout *layout)
{
    const struct frti_convention *convention = NULL;

    if (buffer == NULL)
        capacity = 0;
    if (capacity != 0)
        buffer[0] = '\0';
    if (layout != NULL && layout_has_class(layout))
        convention = frti_convention_of(frt_layout_model(layout));
    return convention == NULL ? 0
                              : convention->describe(buffer, capacity, layout);
}
