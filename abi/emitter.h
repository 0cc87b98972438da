/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * An emitter: machine code that grows, for the conventions' emit verbs.
 *
 * A stub is called as a frt_entry: (target, result, arguments, downcall). It
 * returns FRT_OK, or what frti_stub_refuse returns when target is NULL. It
 * reads exactly the bytes of each argument and writes exactly the result's. It
 * sets up a frame pointer and saves nothing else, so that one frame description
 * serves a block of stubs, and holds nothing, so that it can be left sideways.
 *
 *     | way out for a NULL target | the stub                        |
 *     ^ first byte                ^ entry, FRTI_STUB_ENTRY bytes on
 */
#ifndef FRTI_ABI_EMITTER_H
#define FRTI_ABI_EMITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/plan.h"
#include "ffi_rt/ffi_rt.h"

#define FRTI_STUB_ENTRY 16

struct frti_emitter {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    bool is_full;        /* no memory: nothing more is emitted */
    const char *refusal; /* why this machine cannot do it; NULL: it can */
};

void frti_emit_bytes(struct frti_emitter *emitter, const void *bytes,
                     size_t size);
void frti_emit_8(struct frti_emitter *emitter, uint8_t value);
void frti_emit_32(struct frti_emitter *emitter, uint32_t value);
void frti_emit_64(struct frti_emitter *emitter, uint64_t value);
void frti_emitter_free(struct frti_emitter *emitter);

/* Where a stub goes when its target is NULL. */
frt_status frti_stub_refuse(void);

#endif
