/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/abi.h"
#include "abi/x86_64/x86_64.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"

#define ARRANGE_GPRS 6
#define ARRANGE_FPRS 8

/* How many eightbytes of a class the value has; those that travel together
 * with the one before them do not count. */
static unsigned
arrange_need(const struct sysv_classes *classes, enum sysv_class class)
{
    unsigned need = 0;

    /* of a value in memory only the first class is there */
    for (size_t i = 0; i < classes->count && i < SYSV_EIGHTBYTES; i++)
        need += classes->of[i] == class;
    return need;
}

/* An eightbyte and the SSEUP ones that follow it, as bytes of the value. */
static size_t
arrange_run(const struct sysv_classes *classes, size_t first, size_t size)
{
    size_t next = first + 1;

    while (next < classes->count && classes->of[next] == SYSV_SSEUP)
        next++;
    return (next * 8 < size ? next * 8 : size) - first * 8;
}

/* psABI section 3.2.3, "Passing": in memory, each rounded up to eightbytes. */
static frt_status
arrange_on_stack(struct frti_plan *plan, struct frti_travel *travel,
                 size_t size, size_t alignment)
{
    size_t offset = 0;
    frt_status status;

    if (alignment < 8)
        alignment = 8;
    status = frti_stack_take(&offset, &plan->stack_size, size, alignment, 8);
    if (status != FRT_OK)
        return status;
    if (alignment > plan->stack_alignment)
        plan->stack_alignment = alignment;
    frti_travel_add(travel, FRT_STORAGE_STACK, offset, 0, size);
    return FRT_OK;
}

/* Each eightbyte of the value takes the next register of its class. */
static void
arrange_in_registers(unsigned *gprs, unsigned *fprs, struct frti_travel *travel,
                     const struct sysv_classes *classes)
{
    size_t size = frt_layout_size(travel->layout);

    for (size_t i = 0; i < classes->count; i++) {
        size_t run = arrange_run(classes, i, size);

        if (classes->of[i] == SYSV_INTEGER)
            frti_travel_add(travel, FRT_STORAGE_GPR, (*gprs)++, i * 8, run);
        else if (classes->of[i] == SYSV_SSE)
            frti_travel_add(travel, FRT_STORAGE_FPR, (*fprs)++, i * 8, run);
    }
}

/* A struct of nothing but unnamed bit-fields takes registers, but no room in
 * memory: so does gcc; clang passes nothing at all, but has a place for such a
 * result. */
static bool
arrange_is_unnamed(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    if (kind == FRT_KIND_ARRAY)
        return frt_layout_count(layout) == 0 ||
               arrange_is_unnamed(frt_layout_element(layout));
    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_UNION)
        return false;
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK ||
            (frt_layout_kind(place.layout) == FRT_KIND_BIT_FIELD
                 ? place.name != NULL
                 : !arrange_is_unnamed(place.layout)))
            return false;
    }
    return true;
}

/* Larger vectors travel in a register or in memory, as the callee was
 * compiled; so does what holds nothing else. */
static bool
arrange_is_wide(const frt_layout *layout)
{
    const size_t most = 8 * SYSV_EIGHTBYTES;
    frt_kind kind = frt_layout_kind(layout);

    if (kind == FRT_KIND_VECTOR)
        return frt_layout_size(layout) > most;
    if (frt_layout_size(layout) != 2 * most)
        return false;
    if (kind == FRT_KIND_ARRAY)
        return arrange_is_wide(frt_layout_element(layout));
    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_UNION)
        return false;
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) == FRT_OK &&
            arrange_is_wide(place.layout))
            return true;
    }
    return false;
}

static frt_status
arrange_check_vector(const frt_layout *layout)
{
    if (!arrange_is_wide(layout))
        return FRT_OK;
    return frti_fail(FRT_UNSUPPORTED,
                     "a vector of %zu bytes travels in a register or in "
                     "memory, as the callee was compiled",
                     frt_layout_size(layout));
}

/* Whether there is one for each eightbyte. psABI section 3.5.7: a vector of 32
 * bytes in `...` is in memory. */
static bool
arrange_has_registers(const struct frti_plan *plan,
                      const struct sysv_classes *classes, bool is_variadic)
{
    unsigned gprs = arrange_need(classes, SYSV_INTEGER);
    unsigned fprs = arrange_need(classes, SYSV_SSE);

    if (is_variadic && classes->count > 2)
        return false;
    return gprs + fprs != 0 && plan->gprs + gprs <= ARRANGE_GPRS &&
           plan->fprs + fprs <= ARRANGE_FPRS;
}

static frt_status
arrange_argument(struct frti_plan *plan, struct frti_travel *travel,
                 bool is_variadic)
{
    const frt_layout *layout = travel->layout;
    struct sysv_classes classes;
    frt_status status = arrange_check_vector(layout);

    if (status != FRT_OK)
        return status;
    frti_x86_64_classify(&classes, layout);
    if (classes.count == 0)
        return FRT_OK;
    travel->way = FRT_WAY_VALUE;
    if (arrange_has_registers(plan, &classes, is_variadic)) {
        arrange_in_registers(&plan->gprs, &plan->fprs, travel, &classes);
        return FRT_OK;
    }
    if (!arrange_is_unnamed(layout))
        return arrange_on_stack(plan, travel, frt_layout_size(layout),
                                frti_travel_alignment(travel));
    travel->way = FRT_WAY_NONE;
    return FRT_OK;
}

/* psABI section 3.2.3, "Returning of Values". */
static frt_status
arrange_result(struct frti_plan *plan)
{
    struct frti_travel *travel = &plan->result;
    struct sysv_classes classes;
    unsigned gprs = 0;
    unsigned fprs = 0;
    frt_status status = arrange_check_vector(travel->layout);

    if (status != FRT_OK || frt_layout_kind(travel->layout) == FRT_KIND_VOID)
        return status;
    frti_x86_64_classify(&classes, travel->layout);
    if (classes.count == 0)
        return FRT_OK;
    travel->way = FRT_WAY_VALUE;
    switch (classes.of[0]) {
    case SYSV_MEMORY:
        travel->way = FRT_WAY_NONE;
        if (arrange_is_unnamed(travel->layout))
            break;
        travel->way = FRT_WAY_REFERENCE;
        frti_travel_add(travel, FRT_STORAGE_GPR, plan->gprs++, 0, 8);
        break;
    case SYSV_X87:
        frti_travel_add(travel, FRT_STORAGE_X87, 0, 0, 16);
        break;
    case SYSV_COMPLEX_X87:
        frti_travel_add(travel, FRT_STORAGE_X87, 0, 0, 16);
        frti_travel_add(travel, FRT_STORAGE_X87, 1, 16, 16);
        break;
    default:
        arrange_in_registers(&gprs, &fprs, travel, &classes);
    }
    return FRT_OK;
}

frt_status
frti_x86_64_arrange(struct frti_plan *plan)
{
    size_t fixed = frt_descriptor_fixed(plan->descriptor);
    frt_status status = arrange_result(plan);

    for (size_t i = 0; status == FRT_OK && i < plan->count; i++) {
        status = arrange_argument(plan, &plan->arguments[i], i >= fixed);
        /* clang's callees rely on it that small integers are extended */
        if (status == FRT_OK)
            frti_travel_extend(&plan->arguments[i], i >= fixed);
    }
    return status;
}
