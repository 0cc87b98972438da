/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"

static size_t
plan_bytes(size_t count)
{
    return sizeof(struct frti_plan) + count * sizeof(struct frti_travel);
}

/* What C cannot pass by value, or not as the layout says.   -> UNSUPPORTED */
static frt_status
plan_check_by_value(const frt_layout *layout)
{
    struct frti_layout_text text;

    if (layout->has_foreign_padding)
        return frti_fail(FRT_UNSUPPORTED,
                         "`%s` cannot travel by value: no C type has its "
                         "padding",
                         frti_layout_text(&text, layout));
    if (layout->has_flexible)
        return frti_fail(FRT_UNSUPPORTED,
                         "`%s` cannot travel by value: its length is not known",
                         frti_layout_text(&text, layout));
    return FRT_OK;
}

static frt_status
plan_check(const struct frti_plan *plan)
{
    frt_status status = plan_check_by_value(plan->result.layout);

    for (size_t i = 0; status == FRT_OK && i < plan->count; i++)
        status = plan_check_by_value(plan->arguments[i].layout);
    return status;
}

/* The callee writes a result in memory as its type is aligned, whatever a
 * typedef says of the caller's place for it.   -> UNSUPPORTED */
static frt_status
plan_check_result(const struct frti_plan *plan)
{
    const frt_layout *layout = plan->result.layout;
    size_t alignment = frti_travel_alignment(&plan->result);
    struct frti_layout_text text;

    if (plan->result.way != FRT_WAY_REFERENCE || layout->alignment >= alignment)
        return FRT_OK;
    return frti_fail(FRT_UNSUPPORTED,
                     "`%s` cannot be returned: it is written to memory aligned "
                     "to %zu, and its typedef says %zu",
                     frti_layout_text(&text, layout), alignment,
                     layout->alignment);
}

frt_status
frti_plan_new(struct frti_plan **out, const struct frti_convention *convention,
              const frt_descriptor *descriptor)
{
    size_t count = frt_descriptor_count(descriptor);
    struct frti_plan *plan =
        frti_allocate(plan_bytes(count), _Alignof(struct frti_plan));
    frt_status status;

    if (plan == NULL)
        return frti_no_memory(plan_bytes(count), "a call plan");
    plan->convention = convention;
    plan->descriptor = frt_descriptor_keep(descriptor);
    plan->count = count;
    plan->stack_alignment = 16;
    plan->result.layout = frt_descriptor_result(descriptor);
    for (size_t i = 0; i < count; i++)
        plan->arguments[i].layout = frt_descriptor_parameter(descriptor, i);
    status = plan_check(plan);
    if (status == FRT_OK)
        status = convention->arrange(plan);
    if (status == FRT_OK)
        status = plan_check_result(plan);
    if (status == FRT_OK)
        status = frti_plan_verify(plan);
    if (status == FRT_OK)
        *out = plan;
    else
        frti_plan_free(plan);
    return status;
}

void
frti_plan_free(struct frti_plan *plan)
{
    if (plan == NULL)
        return;
    frt_descriptor_drop(plan->descriptor);
    frti_free(plan, plan_bytes(plan->count), _Alignof(struct frti_plan));
}

void
frti_travel_add(struct frti_travel *travel, frt_storage storage, size_t place,
                size_t offset, size_t size)
{
    travel->pieces[travel->piece_count++] = (struct frti_piece){
        .storage = (uint8_t)storage,
        .place = (uint32_t)place,
        .offset = (uint32_t)offset,
        .size = (uint32_t)size,
    };
}

/* Offsets in a plan have 32 bits; a call's stack area is far smaller. */
#define PLAN_STACK_MOST ((size_t)1 << 30)

frt_status
frti_stack_take(size_t *place, size_t *end, size_t size, size_t alignment,
                size_t unit)
{
    size_t start;
    size_t stop;

    if (!frti_align_up(&start, *end, alignment) ||
        !frti_add(&stop, start, size) || !frti_align_up(&stop, stop, unit) ||
        stop > PLAN_STACK_MOST)
        return frti_fail(FRT_OVERFLOW,
                         "the arguments take more than %zu bytes of stack",
                         PLAN_STACK_MOST);
    *place = start;
    *end = stop;
    return FRT_OK;
}

void
frti_travel_extend(struct frti_travel *travel, bool is_variadic)
{
    if (travel->piece_count != 1 || travel->way != FRT_WAY_VALUE)
        return;
    if (is_variadic && frt_layout_kind(travel->layout) == FRT_KIND_FLOAT)
        travel->pieces[0].extend = FRT_EXTEND_DOUBLE;
    else
        travel->pieces[0].extend = (uint8_t)frti_extend_of(travel->layout);
}

size_t
frti_travel_alignment(const struct frti_travel *travel)
{
    const frt_layout *layout = travel->layout;

    return (layout->plain == NULL ? layout : layout->plain)->alignment;
}

frt_extend
frti_extend_of(const frt_layout *layout)
{
    if (!frt_layout_is_integer(layout) || frt_layout_size(layout) >= 8)
        return FRT_EXTEND_NONE;
    return frt_layout_is_signed(layout) ? FRT_EXTEND_SIGN : FRT_EXTEND_ZERO;
}

/* ------------------------------------------------------------ verify --- */

/* What is taken so far: registers by bit, the stack by its end, for arguments
 * take the stack in order. */
struct taken {
    uint64_t gprs;
    uint64_t fprs;
    uint64_t x87s;
    size_t stack;
};

static frt_status
verify_register(uint64_t *taken, unsigned number, unsigned limit,
                const char *what)
{
    if (number >= limit)
        return frti_fail(FRT_BAD_LAYOUT, "the plan names %s register %u of %u",
                         what, number, limit);
    if (*taken & UINT64_C(1) << number)
        return frti_fail(FRT_BAD_LAYOUT, "the plan writes %s register %u twice",
                         what, number);
    *taken |= UINT64_C(1) << number;
    return FRT_OK;
}

static frt_status
verify_stack(struct taken *taken, const struct frti_plan *plan,
             const struct frti_piece *piece, size_t width)
{
    size_t end = (size_t)piece->place + width;

    if (piece->place < taken->stack)
        return frti_fail(FRT_BAD_LAYOUT, "the plan writes stack byte %u twice",
                         piece->place);
    if (end > plan->stack_size)
        return frti_fail(FRT_BAD_LAYOUT,
                         "the plan writes stack byte %zu of %zu", end,
                         plan->stack_size);
    taken->stack = end;
    return FRT_OK;
}

static frt_status
verify_piece(struct taken *taken, const struct frti_plan *plan,
             const struct frti_piece *piece, bool is_result)
{
    const struct frti_convention *convention = plan->convention;

    switch ((frt_storage)piece->storage) {
    case FRT_STORAGE_GPR:
        if (piece->size > 8)
            break;
        return verify_register(&taken->gprs, piece->place,
                               is_result ? convention->gpr_result_count
                                         : convention->gpr_count,
                               "general");
    case FRT_STORAGE_FPR:
        if (piece->size > 32)
            break;
        return verify_register(&taken->fprs, piece->place,
                               is_result ? convention->fpr_result_count
                                         : convention->fpr_count,
                               "vector");
    case FRT_STORAGE_X87:
        if (!is_result || piece->size > 16)
            break;
        return verify_register(&taken->x87s, piece->place, 2, "x87");
    case FRT_STORAGE_STACK:
        if (is_result)
            break;
        return verify_stack(taken, plan, piece,
                            piece->extend == FRT_EXTEND_DOUBLE ? 8
                                                               : piece->size);
    }
    return frti_fail(FRT_BAD_LAYOUT,
                     "the plan puts %u bytes where they cannot travel",
                     piece->size);
}

/* The bytes that the pieces are cut from: the value, or its address. */
static size_t
travel_width(const struct frti_travel *travel)
{
    return travel->way == FRT_WAY_REFERENCE ? sizeof(void *)
                                            : frt_layout_size(travel->layout);
}

static frt_status
verify_travel(struct taken *taken, const struct frti_plan *plan,
              const struct frti_travel *travel, bool is_result)
{
    size_t read = 0;

    if (travel->piece_count > FRTI_PIECES ||
        (travel->way == FRT_WAY_NONE) != (travel->piece_count == 0))
        return frti_fail(FRT_BAD_LAYOUT, "the plan has a value in %u pieces",
                         travel->piece_count);
    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];
        frt_status status = verify_piece(taken, plan, piece, is_result);

        if (status != FRT_OK)
            return status;
        if (piece->offset < read || piece->size == 0 ||
            (size_t)piece->offset + piece->size > travel_width(travel))
            return frti_fail(FRT_BAD_LAYOUT,
                             "the plan takes bytes %u to %u of a value of %zu",
                             piece->offset, piece->offset + piece->size,
                             travel_width(travel));
        read = (size_t)piece->offset + piece->size;
    }
    return FRT_OK;
}

frt_status
frti_plan_verify(const struct frti_plan *plan)
{
    struct taken of_result = {0};
    struct taken of_arguments = {0};
    bool has_pointer = plan->result.way == FRT_WAY_REFERENCE;
    frt_status status = FRT_OK;

    if (has_pointer) { /* it travels with the arguments */
        if (plan->result.piece_count != 1 ||
            (int)plan->result.pieces[0].place !=
                plan->convention->result_pointer_gpr)
            return frti_fail(FRT_BAD_LAYOUT,
                             "the plan misplaces the result pointer");
        of_arguments.gprs |= UINT64_C(1) << plan->result.pieces[0].place;
    } else {
        status = verify_travel(&of_result, plan, &plan->result, true);
    }
    for (size_t i = 0; status == FRT_OK && i < plan->count; i++)
        status = verify_travel(&of_arguments, plan, &plan->arguments[i], false);
    return status;
}

/* ------------------------------------------------------------- print --- */

struct printer {
    char *buffer;
    size_t capacity;
    size_t length;
};

static void print(struct printer *printer, const char *format, ...)
    FRTI_PRINTF(2, 3);

static void
print(struct printer *printer, const char *format, ...)
{
    size_t done = printer->length;
    size_t room = done < printer->capacity ? printer->capacity - done : 0;
    va_list values;
    int length;

    va_start(values, format);
    length = vsnprintf(room == 0 ? NULL : printer->buffer + done, room, format,
                       values);
    va_end(values);
    printer->length += length < 0 ? 0 : (size_t)length;
}

const char *
frti_piece_name(const struct frti_convention *convention,
                const struct frti_piece *piece, bool is_result)
{
    static const char *const x87s[] = {"st0", "st1"};

    switch ((frt_storage)piece->storage) {
    case FRT_STORAGE_GPR:
        return (is_result ? convention->gpr_results
                          : convention->gpr_names)[piece->place];
    case FRT_STORAGE_FPR:
        return (piece->size > 16 ? convention->fpr_wide_names
                                 : convention->fpr_names)[piece->place];
    case FRT_STORAGE_X87:
        return x87s[piece->place];
    case FRT_STORAGE_STACK:
        break;
    }
    return NULL;
}

static void
print_place(struct printer *printer, const struct frti_plan *plan,
            const struct frti_piece *piece, bool is_result)
{
    const char *name = frti_piece_name(plan->convention, piece, is_result);

    if (name != NULL)
        print(printer, "%s", name);
    else
        print(printer, "stack+%u", piece->place);
}

static void
print_travel(struct printer *printer, const struct frti_plan *plan,
             const struct frti_travel *travel, bool is_result)
{
    static const char *const extends[] = {"", " zero-extended",
                                          " sign-extended", " as double"};

    if (travel->way == FRT_WAY_NONE)
        print(printer, " nothing");
    if (travel->way == FRT_WAY_REFERENCE)
        print(printer, is_result ? " at the address in" : " address of a copy");
    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];

        print(printer, "%s ", i == 0 ? "" : ",");
        if (travel->way == FRT_WAY_VALUE)
            print(printer, "%u-%u ", piece->offset,
                  piece->offset + piece->size - 1);
        if (!is_result)
            print(printer, "-> ");
        else if (travel->way == FRT_WAY_VALUE)
            print(printer, "<- ");
        print_place(printer, plan, piece,
                    is_result && travel->way != FRT_WAY_REFERENCE);
        print(printer, "%s", extends[piece->extend]);
    }
    print(printer, "\n");
}

size_t
frti_plan_print(char *buffer, size_t capacity, const struct frti_plan *plan)
{
    struct printer printer = {buffer, capacity, 0};

    if (capacity != 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < plan->count; i++) {
        print(&printer, "#%zu:", i + 1);
        print_travel(&printer, plan, &plan->arguments[i], false);
    }
    print(&printer, "result:");
    print_travel(&printer, plan, &plan->result, true);
    print(&printer, "stack: %zu bytes, aligned to %zu\n", plan->stack_size,
          plan->stack_alignment);
    return printer.length;
}
