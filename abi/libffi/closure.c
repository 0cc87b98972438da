/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Entries for a CPU without gates: libffi's ordinary closures, for the types
 * that lower_plain.c knows. A closure leads to one function here, whatever its
 * signature, which makes an image of what libffi gives it:
 *
 *     image: | result, 64 bytes | libffi's own | addresses of arguments |
 *
 * libffi describes a closure by the receiver's cif, also to a call that comes
 * after the close: an entry keeps its receiver until it has another.
 */
#include <ffi.h>

#include "abi/entry.h"
#include "abi/libffi/lower.h"
#include "abi/receive.h"
#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"

/* A larger result goes through memory by every convention. */
#define CLOSURE_RESULT 64
/* Arguments that most calls get along with, and that any may have. */
#define CLOSURE_FEW 16
#define CLOSURE_MOST 1024

struct closure_image {
    _Alignas(16) unsigned char result[CLOSURE_RESULT];
    void *given; /* where libffi wants it */
    void *arguments[];
};

const struct frti_gate_image frti_gate_image = {
    .results_size = CLOSURE_RESULT,
};

/* What the entry of a receiver needs: its gate. */
struct closure_gate {
    ffi_cif cif; /* the first: libffi gives it back */
    struct frti_lowering lowering;
    size_t result_size; /* of what is copied to libffi */
    frt_extend extend;  /* to a whole register, as lower_plain.c has it */
};

/* ----------------------------------------------------------- receivers --- */

static void
closure_discard(struct frti_receiver *receiver)
{
    struct closure_gate *gate = (struct closure_gate *)receiver->gate;

    frti_lowering_free(&gate->lowering);
    frti_free(gate, sizeof *gate, _Alignof(struct closure_gate));
}

static frt_status
closure_make_gate(struct frti_receiver *receiver)
{
    struct closure_gate *gate =
        frti_allocate(sizeof *gate, _Alignof(struct closure_gate));
    frt_status status;

    if (gate == NULL)
        return frti_no_memory(sizeof *gate, "a receiver of upcalls");
    receiver->gate = gate;
    receiver->discard = closure_discard;
    status = frti_lower(&gate->lowering, receiver->descriptor);
    if (status == FRT_OK)
        status = frti_lowering_make_cif(&gate->cif, &gate->lowering);
    return status;
}

static struct frti_take
closure_copy(struct frti_receiver *receiver, struct frti_copy copy, size_t size,
             size_t alignment)
{
    copy.is_reference = true;
    copy.to = frti_receiver_slot(receiver, size, alignment);
    receiver->copies[receiver->copy_count++] = copy;
    return (struct frti_take){.base = FRTI_TAKE_SCRATCH, .offset = copy.to};
}

/* libffi has them aligned to words. */
static struct frti_take
closure_take(struct frti_receiver *receiver, size_t index)
{
    const frt_layout *layout =
        frt_descriptor_parameter(receiver->descriptor, index);
    struct frti_copy copy = {
        .from = (uint32_t)(offsetof(struct closure_image, arguments) +
                           index * sizeof(void *)),
        .size = layout->size};

    if (layout->kind == FRT_KIND_SEGMENT) {
        copy.kind = FRTI_COPY_SEGMENT;
        copy.size = layout->asked_size;
        copy.flags = layout->is_const ? FRT_SEGMENT_READ_ONLY : 0;
        return closure_copy(receiver, copy, sizeof(frt_segment),
                            _Alignof(frt_segment));
    }
    if (layout->kind == FRT_KIND_FLOAT &&
        index >= frt_descriptor_fixed(receiver->descriptor))
        copy.kind = FRTI_COPY_NARROW;
    else if (layout->alignment <= 8)
        return (struct frti_take){.is_reference = true, .offset = copy.from};
    return closure_copy(receiver, copy, layout->size, layout->alignment);
}

/* A handler's result that is not where libffi's image has it. */
static void
closure_take_part(struct frti_receiver *receiver, size_t alignment, size_t size)
{
    receiver->result =
        (struct frti_take){.base = FRTI_TAKE_SCRATCH,
                           .offset = frti_receiver_slot(
                               receiver, receiver->result_size, alignment)};
    receiver->parts[receiver->part_count++] = (struct frti_copy){.size = size};
}

static void
closure_take_result(struct frti_receiver *receiver, struct closure_gate *gate)
{
    const frt_layout *layout = frt_descriptor_result(receiver->descriptor);

    receiver->result_size = layout->size;
    gate->result_size = layout->size;
    gate->extend = frti_extend_of(layout);
    if (layout->kind == FRT_KIND_SEGMENT) { /* its first word travels */
        receiver->is_segment = true;
        receiver->result_size = sizeof(frt_segment);
        closure_take_part(receiver, _Alignof(frt_segment), sizeof(void *));
    } else if (layout->size > CLOSURE_RESULT) {
        gate->result_size = 0;
        receiver->in_memory = true;
        receiver->result = (struct frti_take){
            .is_reference = true,
            .offset = offsetof(struct closure_image, given),
        };
    } else if (layout->alignment > 16) {
        closure_take_part(receiver, layout->alignment, layout->size);
    }
}

static frt_status
closure_build(struct frti_receiver *receiver)
{
    frt_status status;

    if (receiver->count > CLOSURE_MOST)
        return frti_fail(FRT_UNSUPPORTED,
                         "an upcall has up to %d arguments on this CPU, not "
                         "%zu",
                         CLOSURE_MOST, receiver->count);
    status = closure_make_gate(receiver);
    if (status != FRT_OK)
        return status;
    for (size_t i = 0; i < receiver->count; i++)
        receiver->takes[i] = closure_take(receiver, i);
    closure_take_result(receiver, (struct closure_gate *)receiver->gate);
    return frti_receiver_finish(receiver);
}

frt_status
frti_receiver_make(struct frti_receiver **out, const frt_descriptor *descriptor)
{
    struct frti_receiver *receiver;
    frt_status status = frti_receiver_new(&receiver, descriptor,
                                          frt_descriptor_count(descriptor));

    if (status != FRT_OK)
        return status;
    status = closure_build(receiver);
    if (status != FRT_OK)
        frti_receiver_discard(receiver);
    else
        *out = receiver;
    return status;
}

/* --------------------------------------------------------------- calls --- */

static void
closure_give_result(void *to, const struct closure_image *image, size_t size,
                    frt_extend extend)
{
    uint64_t value = 0;
    unsigned shift = 64 - 8 * (unsigned)size;

    if (extend == FRT_EXTEND_NONE) {
        memcpy(to, image->result, size);
        return;
    }
    memcpy(&value, image->result, size);
    if (extend == FRT_EXTEND_SIGN)
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    memcpy(to, &value, sizeof value);
}

/* A handler may close its upcall: what is needed after is read before. */
static void
closure_call(struct closure_image *image, const struct closure_gate *gate,
             void *result, void **arguments, struct frti_slot *slot)
{
    size_t size = gate->result_size;
    frt_extend extend = gate->extend;

    image->given = result;
    memcpy(image->arguments, arguments, gate->cif.nargs * sizeof *arguments);
    slot->receive(slot, (unsigned char *)image);
    closure_give_result(result, image, size, extend);
}

static FRTI_NOINLINE void
closure_run_many(ffi_cif *cif, void *result, void **arguments, void *slot)
{
    _Alignas(struct closure_image) unsigned char
        room[sizeof(struct closure_image) + CLOSURE_MOST * sizeof(void *)];

    closure_call((struct closure_image *)(void *)room,
                 (const struct closure_gate *)(void *)cif, result, arguments,
                 slot);
}

static void
closure_run(ffi_cif *cif, void *result, void **arguments, void *slot)
{
    _Alignas(struct closure_image) unsigned char
        room[sizeof(struct closure_image) + CLOSURE_FEW * sizeof(void *)];

    if (cif->nargs > CLOSURE_FEW)
        closure_run_many(cif, result, arguments, slot);
    else
        closure_call((struct closure_image *)(void *)room,
                     (const struct closure_gate *)(void *)cif, result,
                     arguments, slot);
}

/* ------------------------------------------------------------- entries --- */

/* Never freed. */
struct closure_entry {
    struct frti_slot slot;
    ffi_closure *closure;
    const struct frti_receiver *receiver; /* the last that it was armed with */
    struct closure_entry *older;
};

/* Under the lock. */
static struct closure_entry *closure_entries; /* all */
static struct frti_slot *closure_fresh;

const size_t frti_entry_first = 0;

struct frti_slot *
frti_entry_fresh(void)
{
    struct frti_slot *slot = closure_fresh;

    if (slot != NULL)
        closure_fresh = slot->next;
    return slot;
}

frt_status
frti_entry_more(struct frti_slot **out)
{
    struct closure_entry *entry =
        frti_allocate(sizeof *entry, _Alignof(struct closure_entry));

    if (entry == NULL)
        return frti_no_memory(sizeof *entry, "an upcall's entry");
    entry->closure =
        ffi_closure_alloc(sizeof *entry->closure, &entry->slot.code);
    if (entry->closure == NULL) {
        frti_free(entry, sizeof *entry, _Alignof(struct closure_entry));
        return frti_fail(FRT_NO_CODE_MEMORY,
                         "libffi has no memory for a closure");
    }
    *out = &entry->slot;
    return FRT_OK;
}

size_t
frti_entry_add(struct frti_slot *more)
{
    struct closure_entry *entry = (struct closure_entry *)(void *)more;

    entry->older = closure_entries;
    closure_entries = entry;
    more->next = closure_fresh;
    closure_fresh = more;
    return 1;
}

frt_status
frti_entry_arm(struct frti_slot *slot, const struct frti_receiver *receiver,
               frti_receive *receive)
{
    struct closure_entry *entry = (struct closure_entry *)(void *)slot;
    struct closure_gate *gate = (struct closure_gate *)receiver->gate;
    ffi_status made;

    slot->receive = receive;
    made = ffi_prep_closure_loc(entry->closure, &gate->cif, closure_run, slot,
                                slot->code);
    if (made != FFI_OK)
        return frti_fail(FRT_NO_CODE_MEMORY,
                         "libffi cannot prepare a closure (status %d)",
                         (int)made);
    frti_shared_keep((struct frti_receiver *)receiver);
    frti_receiver_drop(entry->receiver);
    entry->receiver = receiver;
    return FRT_OK;
}
