/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The libffi backend: a descriptor is lowered to carriers and a cif once; a run
 * fills the carriers' slots and calls. */
#include <string.h>

#include "abi/abi.h"
#include "abi/libffi/lower.h"
#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"

struct frti_call {
    ffi_cif cif;
    struct frti_lowering lowering;
    size_t slots;  /* where they begin in the scratch */
    bool is_plain; /* every carrier is the caller's argument, in order */
};

static void
call_discard(struct frti_call *call)
{
    if (call == NULL)
        return;
    frti_lowering_free(&call->lowering);
    frti_free(call, sizeof *call, _Alignof(struct frti_call));
}

/* libffi may replace the pointers to structs: those need an array of ours. */
static bool
call_is_plain(const struct frti_lowering *lowering, size_t count)
{
    if (lowering->carrier_count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct frti_carrier *carrier = &lowering->carriers[i];

        if (!carrier->is_direct || carrier->place != i ||
            carrier->type->type == FFI_TYPE_STRUCT)
            return false;
    }
    return true;
}

static frt_status
call_prepare(struct frti_call **out, const frt_descriptor *descriptor)
{
    struct frti_call *call =
        frti_allocate(sizeof *call, _Alignof(struct frti_call));
    frt_status status;

    if (call == NULL)
        return frti_no_memory(sizeof *call, "a libffi call");
    status = frti_lower(&call->lowering, descriptor);
    if (status == FRT_OK)
        status = frti_lowering_make_cif(&call->cif, &call->lowering);
    if (status != FRT_OK) {
        call_discard(call);
        return status;
    }
    call->is_plain =
        call_is_plain(&call->lowering, frt_descriptor_count(descriptor));
    call->slots =
        (call->lowering.carrier_count * sizeof(void *) + 15) & ~(size_t)15;
    *out = call;
    return FRT_OK;
}

static size_t
call_scratch(const struct frti_call *call)
{
    if (call->is_plain && call->lowering.slot_size == 0)
        return 0;
    return call->slots + call->lowering.slot_size;
}

static void
call_widen(void *slot, const unsigned char *bytes, const struct frti_move *move)
{
    uint64_t value = 0;
    unsigned shift = 64 - 8 * move->size;
    float single;
    double promoted;

    if (move->extend == FRT_EXTEND_DOUBLE) {
        memcpy(&single, bytes, sizeof single);
        promoted = single;
        memcpy(slot, &promoted, sizeof promoted);
        return;
    }
    for (size_t i = 0; i < move->size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    if (move->extend == FRT_EXTEND_SIGN)
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    memcpy(slot, &value, sizeof value);
}

static void
call_move(char *slots, const struct frti_move *move, void *const *arguments)
{
    const unsigned char *bytes =
        (const unsigned char *)arguments[move->argument] + move->offset;
    char *slot = slots + move->slot;

    if (move->is_address) {
        size_t mask = move->alignment > 16 ? move->alignment - 1 : 15;
        char *copy = slots + move->copy;

        copy += -(uintptr_t)copy & mask;
        memcpy(copy, bytes, move->size);
        memcpy(slot, &copy, sizeof copy);
    } else if (move->extend != FRT_EXTEND_NONE) {
        call_widen(slot, bytes, move);
    } else {
        memcpy(slot, bytes, move->size);
    }
}

static void
call_fill(const struct frti_call *call, char *scratch, void *result,
          void *const *arguments)
{
    const struct frti_lowering *lowering = &call->lowering;
    void **values = (void **)scratch;
    char *slots = scratch + call->slots;

    for (size_t i = 0; i < lowering->move_count; i++)
        call_move(slots, &lowering->moves[i], arguments);
    for (size_t i = 0; i < lowering->carrier_count; i++) {
        const struct frti_carrier *carrier = &lowering->carriers[i];

        values[i] = carrier->is_direct ? arguments[carrier->place]
                                       : slots + carrier->place;
    }
    if (lowering->has_result_argument)
        memcpy(values[0], &result, sizeof result);
}

static void
call_run(const struct frti_call *call, void *target, void *result,
         void *const *arguments, void *scratch)
{
    const struct frti_lowering *lowering = &call->lowering;
    char *slots = (char *)scratch + call->slots;
    void **values = (void **)scratch;
    void *place = NULL;

    if (lowering->result_way == FRTI_RESULT_DIRECT)
        place = result;
    else if (lowering->result_way == FRTI_RESULT_SLOT)
        place = slots + lowering->result_slot;
    if (call->is_plain)
        values = (void **)arguments; /* only read: no structs among them */
    else
        call_fill(call, scratch, result, arguments);
    ffi_call((ffi_cif *)&call->cif, FFI_FN(target), place, values);
    for (size_t i = 0; i < lowering->part_count; i++)
        memcpy((char *)result + lowering->parts[i].offset,
               (char *)slots + lowering->parts[i].slot,
               lowering->parts[i].size);
}

/* libffi's entry is not ours to jump to. */
static frt_entry *
call_entry(const struct frti_call *call)
{
    (void)call;
    return NULL;
}

const struct frti_backend frti_backend_libffi = {
    .name = "libffi",
    .prepare = call_prepare,
    .discard = call_discard,
    .scratch = call_scratch,
    .run = call_run,
    .entry = call_entry,
};
