/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/libffi/lower.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"

/* Offsets in the scratch have 32 bits. */
#define LOWER_SLOTS_MOST ((size_t)1 << 30)

/* Room for one more element; false: no memory, and it says so. */
static bool
lower_grow(struct frti_lowering *lowering, void **array, size_t *capacity,
           size_t count, size_t size)
{
    size_t larger = *capacity == 0 ? 8 : *capacity * 2;
    void *memory;

    if (lowering->status != FRT_OK)
        return false;
    if (count < *capacity)
        return true;
    memory = frti_allocate(larger * size, 16);
    if (memory == NULL) {
        lowering->status = frti_no_memory(larger * size, "a lowered call");
        return false;
    }
    if (count != 0)
        memcpy(memory, *array, count * size);
    frti_free(*array, *capacity * size, 16);
    *array = memory;
    *capacity = larger;
    return true;
}

size_t
frti_lower_slot(struct frti_lowering *lowering, size_t size, size_t alignment)
{
    size_t slot = 0;
    size_t end = 0;

    if (lowering->status != FRT_OK)
        return 0;
    if (!frti_align_up(&slot, lowering->slot_size, alignment) ||
        !frti_add(&end, slot, size) || end > LOWER_SLOTS_MOST) {
        lowering->status = frti_fail(
            FRT_UNSUPPORTED, "the arguments take more than %zu bytes by value",
            LOWER_SLOTS_MOST);
        return 0;
    }
    lowering->slot_size = end;
    return slot;
}

void
frti_lower_carrier(struct frti_lowering *lowering, ffi_type *type,
                   bool is_direct, size_t place)
{
    void *array = lowering->carriers;

    if (!lower_grow(lowering, &array, &lowering->carrier_capacity,
                    lowering->carrier_count, sizeof *lowering->carriers))
        return;
    lowering->carriers = array;
    lowering->carriers[lowering->carrier_count++] = (struct frti_carrier){
        .type = type, .is_direct = is_direct, .place = (uint32_t)place};
}

void
frti_lower_move(struct frti_lowering *lowering, struct frti_move move)
{
    void *array = lowering->moves;

    if (!lower_grow(lowering, &array, &lowering->move_capacity,
                    lowering->move_count, sizeof *lowering->moves))
        return;
    lowering->moves = array;
    lowering->moves[lowering->move_count++] = move;
}

void
frti_lower_piece(struct frti_lowering *lowering, ffi_type *type,
                 size_t argument, const struct frti_piece *piece)
{
    size_t slot = frti_lower_slot(lowering, piece->size > 8 ? 16 : 8,
                                  piece->size > 8 ? 16 : 8);

    frti_lower_move(lowering, (struct frti_move){.argument = (uint32_t)argument,
                                                 .offset = piece->offset,
                                                 .size = piece->size,
                                                 .slot = (uint32_t)slot,
                                                 .extend = piece->extend});
    frti_lower_carrier(lowering, type, false, slot);
}

void
frti_lower_reference(struct frti_lowering *lowering, size_t argument,
                     const struct frti_travel *travel)
{
    size_t alignment = frti_travel_alignment(travel);
    size_t size = frt_layout_size(travel->layout);
    size_t slot = frti_lower_slot(lowering, sizeof(void *), sizeof(void *));
    size_t copy;

    /* the scratch is 16-aligned: room to align the copy at each run */
    copy =
        frti_lower_slot(lowering, alignment > 16 ? size + alignment : size, 16);
    frti_lower_move(lowering, (struct frti_move){
                                  .argument = (uint32_t)argument,
                                  .size = (uint32_t)size,
                                  .slot = (uint32_t)slot,
                                  .is_address = true,
                                  .copy = (uint32_t)copy,
                                  .alignment = (uint32_t)alignment,
                              });
    frti_lower_carrier(lowering, &ffi_type_pointer, false, slot);
}

static size_t
lower_own_bytes(size_t count)
{
    return sizeof(struct frti_own_type) + (count + 1) * sizeof(ffi_type *);
}

ffi_type *
frti_lower_struct(struct frti_lowering *lowering, size_t size, size_t alignment,
                  ffi_type *const *elements, size_t count)
{
    struct frti_own_type *own;

    if (lowering->status != FRT_OK)
        return NULL;
    own = frti_allocate(lower_own_bytes(count), _Alignof(struct frti_own_type));
    if (own == NULL) {
        lowering->status =
            frti_no_memory(lower_own_bytes(count), "a libffi type");
        return NULL;
    }
    own->count = count;
    own->type = (ffi_type){.size = size,
                           .alignment = (unsigned short)alignment,
                           .type = FFI_TYPE_STRUCT,
                           .elements = own->elements};
    if (elements != NULL)
        memcpy(own->elements, elements, count * sizeof *elements);
    own->next = lowering->own_types;
    lowering->own_types = own;
    return &own->type;
}

void
frti_lower_result_slot(struct frti_lowering *lowering, ffi_type *type,
                       size_t size)
{
    lowering->result_type = type;
    lowering->result_way = FRTI_RESULT_SLOT;
    lowering->result_slot = frti_lower_slot(lowering, size, 16);
}

void
frti_lower_part(struct frti_lowering *lowering, size_t in_slot,
                const struct frti_piece *piece)
{
    lowering->parts[lowering->part_count++] =
        (struct frti_part){.slot = (uint32_t)(lowering->result_slot + in_slot),
                           .offset = piece->offset,
                           .size = piece->size};
}

static size_t
lower_types_bytes(const struct frti_lowering *lowering)
{
    return lowering->carrier_count * sizeof *lowering->types;
}

frt_status
frti_lowering_make_cif(ffi_cif *out, struct frti_lowering *lowering)
{
    size_t bytes = lower_types_bytes(lowering);
    unsigned count = (unsigned)lowering->carrier_count;
    ffi_status made;

    lowering->types = frti_allocate(bytes, sizeof *lowering->types);
    if (lowering->types == NULL)
        return frti_no_memory(bytes, "a libffi call");
    for (size_t i = 0; i < lowering->carrier_count; i++)
        lowering->types[i] = lowering->carriers[i].type;
    if (lowering->fixed_count != 0)
        made = ffi_prep_cif_var(out, FFI_DEFAULT_ABI,
                                (unsigned)lowering->fixed_count, count,
                                lowering->result_type, lowering->types);
    else
        made = ffi_prep_cif(out, FFI_DEFAULT_ABI, count, lowering->result_type,
                            lowering->types);
    if (made != FFI_OK)
        return frti_fail(FRT_UNSUPPORTED,
                         "libffi cannot prepare this call (status %d)",
                         (int)made);
    return FRT_OK;
}

void
frti_lowering_free(struct frti_lowering *lowering)
{
    frti_free(lowering->types, lower_types_bytes(lowering),
              sizeof *lowering->types);
    while (lowering->own_types != NULL) {
        struct frti_own_type *own = lowering->own_types;

        lowering->own_types = own->next;
        frti_free(own, lower_own_bytes(own->count),
                  _Alignof(struct frti_own_type));
    }
    frti_free(lowering->carriers,
              lowering->carrier_capacity * sizeof *lowering->carriers, 16);
    frti_free(lowering->moves,
              lowering->move_capacity * sizeof *lowering->moves, 16);
    *lowering = (struct frti_lowering){0};
}
