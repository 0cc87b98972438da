/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * AAPCS64 section 6.8.2, "Parameter passing rules"; its rules are named at
 * what follows them (C.1 and so on).
 */
#include "abi/aarch64/aarch64.h"
#include "abi/abi.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"

#define ARRANGE_REGISTERS 8
#define ARRANGE_RESULT_POINTER 8 /* x8 */
#define ARRANGE_ALIGNMENT_MOST 16

/* The standard's counters: next general register, next vector register, next
 * stacked argument address. */
struct arranger {
    const struct frti_convention *convention;
    unsigned ngrn;
    unsigned nsrn;
    size_t nsaa;
    bool is_variadic; /* the argument at hand stands in `...` */
};

static bool
arrange_is_tight(const struct arranger *state)
{
    return state->convention->tight_stack && !state->is_variadic;
}

/* C.4 to C.6, C.12 to C.15: aligned to 8 or to 16, whatever the type asks for.
 * `is_whole`: it takes whole words also where others take their own size. */
static frt_status
arrange_on_stack(struct arranger *state, struct frti_travel *travel,
                 size_t size, size_t alignment, bool is_whole)
{
    bool is_packed = arrange_is_tight(state) && !is_whole;
    size_t offset = 0;
    frt_status status;

    if (alignment < 8 && !is_packed)
        alignment = 8;
    if (alignment > ARRANGE_ALIGNMENT_MOST)
        alignment = ARRANGE_ALIGNMENT_MOST;
    status = frti_stack_take(&offset, &state->nsaa, size, alignment,
                             is_packed ? 1 : 8);
    if (status == FRT_OK)
        frti_travel_add(travel, FRT_STORAGE_STACK, offset, 0, size);
    return status;
}

static bool
arrange_to_stack_only(const struct arranger *state)
{
    return state->is_variadic && state->convention->variadic_on_stack;
}

static void
arrange_elements(struct frti_travel *travel, unsigned first,
                 const struct frti_homogeneous *elements)
{
    for (size_t i = 0; i < elements->count; i++)
        frti_travel_add(travel, FRT_STORAGE_FPR, first + i, i * elements->size,
                        elements->size);
}

static void
arrange_words(struct frti_travel *travel, unsigned first, size_t size)
{
    for (size_t offset = 0; offset < size; offset += 8)
        frti_travel_add(travel, FRT_STORAGE_GPR, first++, offset,
                        size - offset < 8 ? size - offset : 8);
}

/* C.1 to C.6. Where the stack is tight, an array of the elements is aligned as
 * they are: so does clang for Apple. */
static frt_status
arrange_vector(struct arranger *state, struct frti_travel *travel,
               const struct aapcs_kind *kind)
{
    if (!arrange_to_stack_only(state) &&
        state->nsrn + kind->elements.count <= ARRANGE_REGISTERS) {
        arrange_elements(travel, state->nsrn, &kind->elements);
        state->nsrn += (unsigned)kind->elements.count;
        return FRT_OK;
    }
    if (!arrange_to_stack_only(state))
        state->nsrn = ARRANGE_REGISTERS;
    return arrange_on_stack(
        state, travel, frt_layout_size(travel->layout),
        arrange_is_tight(state) ? kind->elements.size : kind->alignment, false);
}

/* C.7 to C.15 */
static frt_status
arrange_general(struct arranger *state, struct frti_travel *travel, size_t size,
                size_t alignment, bool is_whole)
{
    size_t words = (size + 7) / 8;

    if (arrange_to_stack_only(state))
        return arrange_on_stack(state, travel, size, alignment, is_whole);
    if (alignment >= 16 && state->convention->even_pairs)
        state->ngrn = (state->ngrn + 1) & ~1u;
    if (state->ngrn + words <= ARRANGE_REGISTERS) {
        arrange_words(travel, state->ngrn, size);
        state->ngrn += (unsigned)words;
        return FRT_OK;
    }
    state->ngrn = ARRANGE_REGISTERS;
    return arrange_on_stack(state, travel, size, alignment, is_whole);
}

static bool
arrange_is_aggregate(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_STRUCT ||
           frt_layout_kind(layout) == FRT_KIND_UNION;
}

/* AAPCS64 has no vectors under 8 bytes. Those of integers travel as structs do
 * with gcc and clang; for those of floats gcc has no place. */
static frt_status
arrange_check_vector(const frt_layout *layout)
{
    if (frt_layout_kind(layout) != FRT_KIND_VECTOR ||
        frt_layout_size(layout) >= 8 ||
        !frt_layout_is_floating(frt_layout_element(layout)))
        return FRT_OK;
    return frti_fail(FRT_UNSUPPORTED,
                     "a vector of %zu bytes of floating-point values has no "
                     "place in AAPCS64",
                     frt_layout_size(layout));
}

static frt_status
arrange_argument(struct arranger *state, struct frti_travel *travel)
{
    size_t size = frt_layout_size(travel->layout);
    struct aapcs_kind kind;
    frt_status status = arrange_check_vector(travel->layout);

    if (status != FRT_OK)
        return status;
    frti_aarch64_classify(&kind, travel->layout);
    switch (kind.class) {
    case AAPCS_NOTHING:
        return FRT_OK;
    case AAPCS_VECTOR:
        travel->way = FRT_WAY_VALUE;
        return arrange_vector(state, travel, &kind);
    case AAPCS_REFERENCE: /* B.4 */
        travel->way = FRT_WAY_REFERENCE;
        return arrange_general(state, travel, 8, 8, true);
    case AAPCS_GENERAL:
        break;
    }
    travel->way = FRT_WAY_VALUE;
    return arrange_general(state, travel, size,
                           state->convention->declared_alignment
                               ? frti_travel_alignment(travel)
                               : kind.alignment,
                           arrange_is_aggregate(travel->layout));
}

/* AAPCS64 section 6.9, "Result return". */
static frt_status
arrange_result(struct frti_travel *travel)
{
    struct aapcs_kind kind;
    frt_status status = arrange_check_vector(travel->layout);

    if (status != FRT_OK || frt_layout_kind(travel->layout) == FRT_KIND_VOID)
        return status;
    frti_aarch64_classify(&kind, travel->layout);
    travel->way = FRT_WAY_VALUE;
    switch (kind.class) {
    case AAPCS_NOTHING:
        travel->way = FRT_WAY_NONE;
        break;
    case AAPCS_VECTOR:
        arrange_elements(travel, 0, &kind.elements);
        break;
    case AAPCS_GENERAL:
        arrange_words(travel, 0, frt_layout_size(travel->layout));
        break;
    case AAPCS_REFERENCE:
        travel->way = FRT_WAY_REFERENCE;
        frti_travel_add(travel, FRT_STORAGE_GPR, ARRANGE_RESULT_POINTER, 0, 8);
        break;
    }
    return FRT_OK;
}

frt_status
frti_aarch64_arrange(struct frti_plan *plan)
{
    size_t fixed = frt_descriptor_fixed(plan->descriptor);
    struct arranger state = {.convention = plan->convention};
    frt_status status = arrange_result(&plan->result);
    size_t end;

    for (size_t i = 0; status == FRT_OK && i < plan->count; i++) {
        state.is_variadic = i >= fixed;
        status = arrange_argument(&state, &plan->arguments[i]);
        /* AAPCS64 leaves the rest of a small integer's register open, Apple
         * wants it extended: extended serves both */
        frti_travel_extend(&plan->arguments[i], state.is_variadic);
    }
    plan->gprs = state.ngrn;
    plan->fprs = state.nsrn;
    if (status == FRT_OK && frti_align_up(&end, state.nsaa, 8))
        plan->stack_size = end;
    return status;
}
