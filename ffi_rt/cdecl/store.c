/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/store.h"

#include <stdint.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"

/* Chunks double, so that a small text takes little and a large one few. */
#define STORE_FIRST_CHUNK ((size_t)4096)
#define STORE_LAST_CHUNK ((size_t)1 << 20)
#define STORE_ALIGNMENT _Alignof(uint64_t)

struct frti_store_chunk {
    struct frti_store_chunk *next;
    size_t size; /* with this head */
};

_Static_assert(sizeof(struct frti_store_chunk) % STORE_ALIGNMENT == 0,
               "what follows the head is aligned");

static size_t
store_next_size(const struct frti_store *store)
{
    if (store->chunks == NULL)
        return STORE_FIRST_CHUNK;
    if (store->chunks->size >= STORE_LAST_CHUNK)
        return STORE_LAST_CHUNK;
    return store->chunks->size * 2;
}

static bool
store_grow(struct frti_store *store, size_t size)
{
    size_t bytes = store_next_size(store);
    size_t needed;
    struct frti_store_chunk *chunk;

    if (!frti_add(&needed, size, sizeof *chunk))
        return false;
    bytes = needed > bytes ? needed : bytes;
    chunk = frti_allocate(bytes, STORE_ALIGNMENT);
    if (chunk == NULL)
        return false;
    chunk->next = store->chunks;
    chunk->size = bytes;
    store->chunks = chunk;
    store->at = (char *)(chunk + 1);
    store->left = bytes - sizeof *chunk;
    return true;
}

void *
frti_store_take(struct frti_store *store, size_t size)
{
    void *taken;

    if (!frti_align_up(&size, size, STORE_ALIGNMENT))
        return NULL;
    if (size > store->left && !store_grow(store, size))
        return NULL;
    taken = store->at;
    store->at += size;
    store->left -= size;
    return taken;
}

static void
store_free(struct frti_store_chunk *chunk)
{
    while (chunk != NULL) {
        struct frti_store_chunk *next = chunk->next;

        frti_free(chunk, chunk->size, STORE_ALIGNMENT);
        chunk = next;
    }
}

void
frti_store_empty(struct frti_store *store)
{
    struct frti_store_chunk *newest = store->chunks;
    char *first;

    if (newest == NULL)
        return;
    first = (char *)(newest + 1);
    store_free(newest->next);
    newest->next = NULL;
    store->left += (size_t)(store->at - first);
    memset(first, 0, (size_t)(store->at - first));
    store->at = first;
}

void
frti_store_fini(struct frti_store *store)
{
    store_free(store->chunks);
    *store = (struct frti_store){0};
}
