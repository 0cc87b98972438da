/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/emitter.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"

#define EMITTER_FIRST 256

static bool
emitter_grow(struct frti_emitter *emitter, size_t size)
{
    size_t capacity =
        emitter->capacity == 0 ? EMITTER_FIRST : emitter->capacity;
    unsigned char *bytes;

    if (emitter->size + size <= emitter->capacity)
        return true;
    while (capacity < emitter->size + size)
        capacity *= 2;
    bytes = frti_allocate(capacity, 16);
    if (bytes == NULL)
        return false;
    if (emitter->size != 0)
        memcpy(bytes, emitter->bytes, emitter->size);
    frti_free(emitter->bytes, emitter->capacity, 16);
    emitter->bytes = bytes;
    emitter->capacity = capacity;
    return true;
}

void
frti_emit_bytes(struct frti_emitter *emitter, const void *bytes, size_t size)
{
    emitter->is_full = emitter->is_full || !emitter_grow(emitter, size);
    if (emitter->is_full)
        return;
    memcpy(emitter->bytes + emitter->size, bytes, size);
    emitter->size += size;
}

void
frti_emit_8(struct frti_emitter *emitter, uint8_t value)
{
    frti_emit_bytes(emitter, &value, sizeof value);
}

void
frti_emit_32(struct frti_emitter *emitter, uint32_t value)
{
    frti_emit_bytes(emitter, &value, sizeof value);
}

void
frti_emit_64(struct frti_emitter *emitter, uint64_t value)
{
    frti_emit_bytes(emitter, &value, sizeof value);
}

void
frti_emitter_free(struct frti_emitter *emitter)
{
    frti_free(emitter->bytes, emitter->capacity, 16);
    *emitter = (struct frti_emitter){0};
}

frt_status
frti_stub_refuse(void)
{
    return frti_null_argument("target");
}
