/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Receivers by their plans, for CPUs with gates. */
#include "abi/abi.h"
#include "abi/receive.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"

/* ------------------------------------------------------------- place --- */

/* Where a piece is when the gate has saved the registers. */
static struct frti_take
place_of(const struct frti_piece *piece)
{
    const struct frti_gate_image *image = &frti_gate_image;
    struct frti_take take = {.base = FRTI_TAKE_IMAGE};

    switch ((frt_storage)piece->storage) {
    case FRT_STORAGE_GPR:
        take.offset = image->gprs + piece->place * 8;
        break;
    case FRT_STORAGE_FPR:
        take.offset = image->fprs + piece->place * image->fpr_stride;
        break;
    case FRT_STORAGE_X87: /* of results alone */
        break;
    case FRT_STORAGE_STACK:
        take.offset = image->stack + piece->place;
        break;
    }
    return take;
}

/* Where a piece of the result is when the gate loads the registers. */
static struct frti_take
place_of_result(const struct frti_piece *piece)
{
    const struct frti_gate_image *image = &frti_gate_image;
    struct frti_take take = {.base = FRTI_TAKE_IMAGE};

    if (piece->storage == FRT_STORAGE_GPR)
        take.offset = image->gpr_results + piece->place * 8;
    else if (piece->storage == FRT_STORAGE_FPR)
        take.offset = image->fpr_results + piece->place * image->fpr_stride;
    else
        take.offset = image->x87_results + piece->place * 16;
    return take;
}

typedef struct frti_take place_function(const struct frti_piece *piece);

/* How many bytes from a piece's place on are the value's alone. */
static size_t
place_room(const struct frti_piece *piece)
{
    switch ((frt_storage)piece->storage) {
    case FRT_STORAGE_GPR:
        return 8;
    case FRT_STORAGE_FPR:
        return frti_gate_image.fpr_stride;
    case FRT_STORAGE_X87:
        return 16;
    case FRT_STORAGE_STACK:
        break;
    }
    return piece->size;
}

/* The value's bytes lie together, beginning at the first piece's place, and
 * what it has beyond them, which a handler may write, is nobody else's. */
static bool
place_is_whole(const struct frti_travel *travel, place_function *place)
{
    struct frti_take first = place(&travel->pieces[0]);
    const struct frti_piece *last = &travel->pieces[travel->piece_count - 1];

    if (frt_layout_size(travel->layout) > last->offset + place_room(last))
        return false;
    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];
        struct frti_take at = place(piece);

        if (at.offset != first.offset + piece->offset)
            return false;
    }
    return true;
}

/* What is known of the place's alignment is enough. The image is 16-aligned;
 * the stack may be more. */
static bool
place_is_aligned(const struct frti_travel *travel, place_function *place,
                 size_t stack_alignment)
{
    const struct frti_piece *first = &travel->pieces[0];
    size_t known = first->storage == FRT_STORAGE_STACK
                       ? first->place | stack_alignment
                       : place(first).offset | 16;

    return known % frt_layout_alignment(travel->layout) == 0;
}

/* ------------------------------------------------------------- build --- */

enum frti_fill
frti_fill_of(const struct frti_travel *result)
{
    const struct frti_piece *piece = &result->pieces[0];
    bool is_signed = frti_extend_of(result->layout) == FRT_EXTEND_SIGN;

    if (result->piece_count != 1)
        return FRTI_FILL_NONE;
    if (piece->storage == FRT_STORAGE_FPR)
        return piece->size == 4 ? FRTI_FILL_FLOAT : FRTI_FILL_NONE;
    switch (piece->size) {
    case 1:
        return is_signed ? FRTI_FILL_I8 : FRTI_FILL_U8;
    case 2:
        return is_signed ? FRTI_FILL_I16 : FRTI_FILL_U16;
    case 4:
        return is_signed ? FRTI_FILL_I32 : FRTI_FILL_U32;
    default:
        return FRTI_FILL_NONE;
    }
}

struct building {
    struct frti_receiver *receiver;
    const struct frti_plan *plan;
};

static void
build_copy(struct building *building, struct frti_copy copy)
{
    building->receiver->copies[building->receiver->copy_count++] = copy;
}

static struct frti_take
build_segment(struct building *building, const struct frti_travel *travel)
{
    struct frti_take from = place_of(&travel->pieces[0]);
    uint32_t to = frti_receiver_slot(building->receiver, sizeof(frt_segment),
                                     _Alignof(frt_segment));

    build_copy(
        building,
        (struct frti_copy){
            .kind = FRTI_COPY_SEGMENT,
            .from = from.offset,
            .to = to,
            .size = travel->layout->asked_size,
            .flags = travel->layout->is_const ? FRT_SEGMENT_READ_ONLY : 0,
        });
    return (struct frti_take){.base = FRTI_TAKE_SCRATCH, .offset = to};
}

static struct frti_take
build_in_scratch(struct building *building, const struct frti_travel *travel)
{
    uint32_t to =
        frti_receiver_slot(building->receiver, frt_layout_size(travel->layout),
                           frt_layout_alignment(travel->layout));

    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];
        struct frti_take from = place_of(piece);
        bool is_double = piece->extend == FRT_EXTEND_DOUBLE;

        build_copy(building,
                   (struct frti_copy){
                       .kind = is_double ? FRTI_COPY_NARROW : FRTI_COPY_BYTES,
                       .from = from.offset,
                       .to = to + piece->offset,
                       .size = piece->size,
                   });
    }
    return (struct frti_take){.base = FRTI_TAKE_SCRATCH, .offset = to};
}

/* Compilers align the copy as its type is, without a typedef's wishes, and at
 * most as the stack is: what asks for more gets another one. */
static struct frti_take
build_reference(struct building *building, const struct frti_travel *travel,
                struct frti_take take)
{
    size_t alignment = frt_layout_alignment(travel->layout);
    size_t size = frt_layout_size(travel->layout);
    uint32_t to;

    if (alignment <= 16 && alignment <= frti_travel_alignment(travel)) {
        take.is_reference = true;
        return take;
    }
    to = frti_receiver_slot(building->receiver, size, alignment);
    build_copy(building, (struct frti_copy){.is_reference = true,
                                            .from = take.offset,
                                            .to = to,
                                            .size = size});
    return (struct frti_take){.base = FRTI_TAKE_SCRATCH, .offset = to};
}

static struct frti_take
build_argument(struct building *building, const struct frti_travel *travel)
{
    size_t alignment = frt_layout_alignment(travel->layout);
    size_t size = frt_layout_size(travel->layout);
    struct frti_take take = {.base = FRTI_TAKE_IMAGE};

    if (travel->way == FRT_WAY_NONE) /* what is read there is nothing */
        return alignment <= 16 && size == 0
                   ? take
                   : (struct frti_take){
                         .base = FRTI_TAKE_SCRATCH,
                         .offset = frti_receiver_slot(building->receiver, size,
                                                      alignment)};
    if (frt_layout_kind(travel->layout) == FRT_KIND_SEGMENT)
        return build_segment(building, travel);
    take = place_of(&travel->pieces[0]);
    if (travel->way == FRT_WAY_REFERENCE)
        return build_reference(building, travel, take);
    if (travel->pieces[0].extend != FRT_EXTEND_DOUBLE &&
        place_is_whole(travel, place_of) &&
        place_is_aligned(travel, place_of, building->plan->stack_alignment))
        return take;
    return build_in_scratch(building, travel);
}

static void
build_result_parts(struct building *building, const struct frti_travel *result)
{
    struct frti_receiver *receiver = building->receiver;

    receiver->result.base = FRTI_TAKE_SCRATCH;
    receiver->result.offset = frti_receiver_slot(
        receiver, receiver->result_size, frt_layout_alignment(result->layout));
    for (size_t i = 0; i < result->piece_count; i++) {
        const struct frti_piece *piece = &result->pieces[i];

        receiver->parts[receiver->part_count++] = (struct frti_copy){
            .from = piece->offset,
            .to = place_of_result(piece).offset,
            .size = piece->size,
        };
    }
}

/* The handler of a segment writes a frt_segment; its first word travels. */
static void
build_result_segment(struct building *building,
                     const struct frti_travel *result)
{
    struct frti_receiver *receiver = building->receiver;

    receiver->is_segment = true;
    receiver->result_size = sizeof(frt_segment);
    receiver->result.base = FRTI_TAKE_SCRATCH;
    receiver->result.offset = frti_receiver_slot(
        building->receiver, sizeof(frt_segment), _Alignof(frt_segment));
    receiver->parts[receiver->part_count++] =
        (struct frti_copy){.to = place_of_result(&result->pieces[0]).offset,
                           .size = sizeof(void *)};
}

static void
build_result(struct building *building)
{
    const struct frti_travel *result = &building->plan->result;
    struct frti_receiver *receiver = building->receiver;

    receiver->result_size = frt_layout_size(result->layout);
    receiver->result.offset = frti_gate_image.gpr_results;
    if (result->way == FRT_WAY_NONE) {
        if (receiver->result_size != 0) /* a handler may write it */
            build_result_parts(building, result);
        return;
    }
    if (result->way == FRT_WAY_REFERENCE) {
        receiver->in_memory = true;
        receiver->result = place_of(&result->pieces[0]);
        receiver->result.is_reference = true;
        return;
    }
    if (frt_layout_kind(result->layout) == FRT_KIND_SEGMENT) {
        build_result_segment(building, result);
        return;
    }
    receiver->result = place_of_result(&result->pieces[0]);
    if (!place_is_whole(result, place_of_result) ||
        !place_is_aligned(result, place_of_result, 16))
        build_result_parts(building, result);
}

static bool
build_is_simple(const struct frti_receiver *receiver)
{
    if (receiver->copy_count != 0 || receiver->part_count != 0 ||
        receiver->in_memory || receiver->result_size > 8 ||
        receiver->count > FRTI_SIMPLE_ARGUMENTS)
        return false;
    for (size_t i = 0; i < receiver->count; i++)
        if (receiver->takes[i].is_reference ||
            receiver->takes[i].base != FRTI_TAKE_IMAGE)
            return false;
    return true;
}

static size_t
build_copies(const struct frti_plan *plan)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->count; i++)
        count += plan->arguments[i].piece_count;
    return count;
}

static frt_status
build(struct frti_receiver *receiver, const struct frti_plan *plan)
{
    struct building building = {receiver, plan};
    frt_status status;

    for (size_t i = 0; i < plan->count; i++)
        receiver->takes[i] = build_argument(&building, &plan->arguments[i]);
    build_result(&building);
    receiver->is_simple = build_is_simple(receiver);
    status = frti_receiver_finish(receiver);
    if (status != FRT_OK)
        return status;
    return frti_gate_choose(&receiver->gate, plan);
}

static frt_status
build_new(struct frti_receiver **out, const struct frti_plan *plan)
{
    struct frti_receiver *receiver;
    frt_status status =
        frti_receiver_new(&receiver, plan->descriptor, build_copies(plan));

    if (status != FRT_OK)
        return status;
    status = build(receiver, plan);
    if (status != FRT_OK)
        frti_receiver_discard(receiver);
    else
        *out = receiver;
    return status;
}

frt_status
frti_receiver_make(struct frti_receiver **out, const frt_descriptor *descriptor)
{
    const struct frti_convention *convention =
        frti_convention_of(frt_descriptor_model(descriptor));
    struct frti_plan *plan;
    frt_status status;

    if (convention == NULL)
        return frti_fail(FRT_UNSUPPORTED,
                         "there are no upcalls by this CPU's convention");
    status = frti_plan_new(&plan, convention, descriptor);
    if (status != FRT_OK)
        return status;
    status = build_new(out, plan);
    frti_plan_free(plan);
    return status;
}
