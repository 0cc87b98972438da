/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/receive.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"

/* A call may not take more scratch than this. */
#define RECEIVE_SCRATCH_MOST ((size_t)4 << 20)

static bool
receiver_equal(const void *one, const void *other)
{
    const struct frti_receiver *a = one;
    const struct frti_receiver *b = other;

    return a->descriptor == b->descriptor;
}

void
frti_receiver_discard(struct frti_receiver *receiver)
{
    if (receiver->discard != NULL)
        receiver->discard(receiver);
    frt_descriptor_drop(receiver->descriptor);
    frti_free(receiver, receiver->bytes, _Alignof(struct frti_receiver));
}

static void
receiver_destroy(void *thing)
{
    frti_receiver_discard(thing);
}

static struct frti_pool receiver_pool =
    FRTI_POOL(receiver_equal, receiver_destroy);

frt_status
frti_receiver_new(struct frti_receiver **out, const frt_descriptor *descriptor,
                  size_t copies)
{
    size_t count = frt_descriptor_count(descriptor);
    size_t takes = (sizeof(struct frti_take) * count + 7) & ~(size_t)7;
    size_t bytes = sizeof(struct frti_receiver) + takes +
                   copies * sizeof(struct frti_copy);
    struct frti_receiver *receiver =
        frti_allocate(bytes, _Alignof(struct frti_receiver));

    if (receiver == NULL)
        return frti_no_memory(bytes, "a receiver of upcalls");
    receiver->bytes = bytes;
    receiver->descriptor = frt_descriptor_keep(descriptor);
    receiver->count = count;
    receiver->scratch = count * sizeof(void *);
    receiver->scratch_alignment = 16;
    receiver->copies =
        (struct frti_copy *)(void *)((char *)receiver->takes + takes);
    *out = receiver;
    return FRT_OK;
}

uint32_t
frti_receiver_slot(struct frti_receiver *receiver, size_t size,
                   size_t alignment)
{
    size_t offset;

    if (alignment < 8) /* what begins as zero is cleared in words */
        alignment = 8;
    size = (size + 7) & ~(size_t)7;
    offset = (receiver->scratch + alignment - 1) & ~(alignment - 1);
    if (alignment > receiver->scratch_alignment)
        receiver->scratch_alignment = alignment;
    receiver->scratch = offset + size;
    return (uint32_t)offset;
}

frt_status
frti_receiver_finish(struct frti_receiver *receiver)
{
    receiver->scratch += receiver->scratch_alignment - 16;
    if (receiver->scratch <= RECEIVE_SCRATCH_MOST)
        return FRT_OK;
    return frti_fail(FRT_UNSUPPORTED,
                     "the arguments take %zu bytes to put together, over %zu",
                     receiver->scratch, RECEIVE_SCRATCH_MOST);
}

frt_status
frti_receiver_of(const struct frti_receiver **out,
                 const frt_descriptor *descriptor)
{
    struct frti_receiver like = {.descriptor = descriptor};
    struct frti_receiver *receiver;
    frt_status status;

    like.shared.hash =
        frti_hash(FRTI_HASH_START, &descriptor, sizeof descriptor);
    receiver = frti_pool_find(&receiver_pool, &like);
    if (receiver == NULL) {
        status = frti_receiver_make(&receiver, descriptor);
        if (status != FRT_OK)
            return status;
        receiver->shared.hash = like.shared.hash;
        receiver = frti_pool_intern(&receiver_pool, receiver);
        if (receiver == NULL)
            return frti_no_memory(sizeof like, "the table of receivers");
    }
    *out = receiver;
    return FRT_OK;
}

void
frti_receiver_drop(const struct frti_receiver *receiver)
{
    if (receiver != NULL)
        frti_pool_drop(&receiver_pool, receiver);
}

/* --------------------------------------------------------------- run --- */

static void
receive_narrow(unsigned char *to, const unsigned char *from)
{
    double promoted;
    float value;

    memcpy(&promoted, from, sizeof promoted);
    value = (float)promoted;
    memcpy(to, &value, sizeof value);
}

static void
receive_segment(unsigned char *to, const unsigned char *from,
                const struct frti_copy *copy)
{
    frt_segment segment = {.flags = copy->flags};

    memcpy(&segment.address, from, sizeof segment.address);
    segment.size = segment.address == NULL ? 0 : copy->size;
    memcpy(to, &segment, sizeof segment);
}

void
frti_receive_copy(const struct frti_receiver *receiver,
                  unsigned char *const *bases)
{
    for (size_t i = 0; i < receiver->copy_count; i++) {
        const struct frti_copy *copy = &receiver->copies[i];
        const unsigned char *from = bases[FRTI_TAKE_IMAGE] + copy->from;
        unsigned char *to = bases[FRTI_TAKE_SCRATCH] + copy->to;

        if (copy->is_reference)
            memcpy(&from, from, sizeof(void *));
        switch ((enum frti_copy_kind)copy->kind) {
        case FRTI_COPY_BYTES:
            memcpy(to, from, copy->size);
            break;
        case FRTI_COPY_NARROW:
            receive_narrow(to, from);
            break;
        case FRTI_COPY_SEGMENT:
            receive_segment(to, from, copy);
            break;
        }
    }
}

void
frti_receive_result_slow(const struct frti_receiver *receiver,
                         unsigned char *const *bases, const void *result)
{
    unsigned char *image = bases[FRTI_TAKE_IMAGE];

    if (receiver->in_memory) /* psABI section 3.2.3: rax has the address */
        memcpy(image + frti_gate_image.gpr_results, &result, sizeof result);
    for (size_t i = 0; i < receiver->part_count; i++)
        memcpy(image + receiver->parts[i].to,
               (const unsigned char *)result + receiver->parts[i].from,
               receiver->parts[i].size);
}
