/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A receiver: a plan read backwards, from the place where a gate stands.
 *
 * For each argument it says where the value is: in the register image or on
 * the caller's stack, as it lies there, wherever its bytes are together and
 * aligned; else in the scratch memory, where copies put it together. Receivers
 * are shared by descriptor.
 *
 *     void f(struct { long a; float b; } s, int n, long stack)
 *
 *     copies    image gpr 0 -> scratch 0, 8 bytes
 *               image fpr 0 -> scratch 8, 4 bytes
 *     takes     s: scratch 0     n: image gpr 1     stack: image stack 0
 *
 *     scratch:  | addresses[count] | values ... |
 */
#ifndef FRTI_ABI_RECEIVE_H
#define FRTI_ABI_RECEIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi/gate.h"
#include "abi/plan.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/pool.h"
#include "ffi_rt/ffi_rt.h"

enum frti_take_base {
    FRTI_TAKE_IMAGE, /* and the caller's stack behind it */
    FRTI_TAKE_SCRATCH,
    FRTI_TAKE_BASES
};

struct frti_take {
    uint8_t base;      /* enum frti_take_base */
    bool is_reference; /* the value's address lies there */
    uint32_t offset;
};

enum frti_copy_kind {
    FRTI_COPY_BYTES,
    FRTI_COPY_NARROW, /* a double becomes the float that it was */
    FRTI_COPY_SEGMENT /* an address becomes a frt_segment */
};

struct frti_copy {
    uint8_t kind;      /* enum frti_copy_kind */
    bool is_reference; /* the value's address lies there */
    uint32_t from;     /* in the image */
    uint32_t to;       /* in the scratch */
    size_t size;       /* SEGMENT: of the segment */
    uint32_t flags;
};

/* Addresses of arguments that fit in a simple call. */
#define FRTI_SIMPLE_ARGUMENTS 8

struct frti_receiver {
    struct frti_shared shared;
    const frt_descriptor *descriptor; /* kept */
    const void *gate;
    void (*discard)(struct frti_receiver *receiver); /* of the gate, if that
                                                        is to be freed */
    size_t count;
    size_t scratch;           /* bytes, with what aligning it may take */
    size_t scratch_alignment; /* at least 16 */
    struct frti_take result;
    size_t result_size; /* as a handler writes it */
    bool is_segment;    /* the result is: its address travels */
    bool is_simple;     /* nothing is copied, and the result is one register */
    bool in_memory;     /* the result goes where the caller said */
    size_t part_count;  /* of a result that was put together in the scratch */
    struct frti_copy parts[FRTI_PIECES]; /* `from` is in the result */
    size_t copy_count;
    struct frti_copy *copies; /* behind the takes */
    size_t bytes;
    struct frti_take takes[];
};

/* The receiver of a descriptor of the native model, with a reference.
 *   -> NO_MEMORY, UNSUPPORTED, OVERFLOW */
frt_status frti_receiver_of(const struct frti_receiver **out,
                            const frt_descriptor *descriptor);
void frti_receiver_drop(const struct frti_receiver *receiver);

/* Of a descriptor that none is there for yet; the build chooses the file.
 *   -> as frti_receiver_of */
frt_status frti_receiver_make(struct frti_receiver **out,
                              const frt_descriptor *descriptor);
/* For it: one to fill, with room for copies.   -> NO_MEMORY */
frt_status frti_receiver_new(struct frti_receiver **out,
                             const frt_descriptor *descriptor, size_t copies);
/* Room in its scratch, whose size is known at the end.
 *   -> UNSUPPORTED (it is too large) */
uint32_t frti_receiver_slot(struct frti_receiver *receiver, size_t size,
                            size_t alignment);
frt_status frti_receiver_finish(struct frti_receiver *receiver);
void frti_receiver_discard(struct frti_receiver *receiver);

/* The copies. `bases`: the image and the scratch. */
void frti_receive_copy(const struct frti_receiver *receiver,
                       unsigned char *const *bases);

static inline void *
frti_receive_address(const struct frti_take *take, unsigned char *const *bases)
{
    unsigned char *place = bases[take->base] + take->offset;
    void *value;

    if (!take->is_reference)
        return place;
    memcpy(&value, place, sizeof value);
    return value;
}

/* Fills the addresses, at the start of the scratch. */
static inline void **
frti_receive_arguments(const struct frti_receiver *receiver,
                       unsigned char *const *bases)
{
    void **addresses = (void **)(void *)bases[FRTI_TAKE_SCRATCH];

    if (receiver->copy_count != 0)
        frti_receive_copy(receiver, bases);
    for (size_t i = 0; i < receiver->count; i++)
        addresses[i] = frti_receive_address(&receiver->takes[i], bases);
    return addresses;
}

void frti_receive_result_slow(const struct frti_receiver *receiver,
                              unsigned char *const *bases, const void *result);

/* What the handler wrote becomes the result's registers. */
static inline void
frti_receive_result(const struct frti_receiver *receiver,
                    unsigned char *const *bases, const void *result)
{
    if (receiver->in_memory || receiver->part_count != 0)
        frti_receive_result_slow(receiver, bases, result);
}

#endif
