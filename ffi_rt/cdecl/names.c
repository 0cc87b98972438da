/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/names.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/pool.h"
#include "ffi_rt/cdecl/lexer.h"

#define NAMES_FIRST_BUCKETS 64

void
frti_names_init(struct frti_names *names, struct frti_source *source,
                struct frti_store *store)
{
    *names = (struct frti_names){.source = source, .store = store};
}

static size_t
names_bytes(size_t buckets)
{
    return buckets * sizeof(struct frti_name *);
}

void
frti_names_fini(struct frti_names *names)
{
    frti_free(names->buckets, names_bytes(names->bucket_count),
              sizeof *names->buckets);
    names->buckets = NULL;
    names->bucket_count = 0;
}

static struct frti_name **
names_bucket(const struct frti_names *names, uint32_t hash)
{
    return &names->buckets[hash & (names->bucket_count - 1)];
}

static void
names_refill(struct frti_names *names, struct frti_name **old, size_t old_count)
{
    for (size_t i = 0; i < old_count; i++) {
        struct frti_name *name = old[i];

        while (name != NULL) {
            struct frti_name *next = name->next;
            struct frti_name **bucket = names_bucket(names, name->hash);

            name->next = *bucket;
            *bucket = name;
            name = next;
        }
    }
}

static bool
names_make_room(struct frti_names *names)
{
    struct frti_name **old = names->buckets;
    size_t old_count = names->bucket_count;
    size_t count = old_count == 0 ? NAMES_FIRST_BUCKETS : old_count * 2;
    struct frti_name **buckets;

    if (names->count < 2 * old_count)
        return true;
    buckets = frti_allocate(names_bytes(count), sizeof *buckets);
    if (buckets == NULL)
        return frti_source_no_memory(names->source, names_bytes(count));
    names->buckets = buckets;
    names->bucket_count = count;
    names_refill(names, old, old_count);
    frti_free(old, names_bytes(old_count), sizeof *old);
    return true;
}

static struct frti_name *
names_add(struct frti_names *names, const char *text, size_t length,
          uint32_t hash)
{
    size_t bytes = offsetof(struct frti_name, text) + length + 1;
    struct frti_name **bucket;
    struct frti_name *name;

    if (!names_make_room(names))
        return NULL;
    name = frti_store_take(names->store, bytes);
    if (name == NULL) {
        frti_source_no_memory(names->source, bytes);
        return NULL;
    }
    memcpy(name->text, text, length);
    name->length = (uint32_t)length; /* a text is shorter than 4 GiB */
    name->hash = hash;
    name->keyword = (uint16_t)frti_keyword(text, length);
    bucket = names_bucket(names, hash);
    name->next = *bucket;
    *bucket = name;
    names->count++;
    return name;
}

static struct frti_name *
names_find(const struct frti_names *names, const char *text, size_t length,
           uint32_t hash)
{
    struct frti_name *name =
        names->bucket_count == 0 ? NULL : *names_bucket(names, hash);

    while (name != NULL && (name->hash != hash || name->length != length ||
                            memcmp(name->text, text, length) != 0))
        name = name->next;
    return name;
}

static uint32_t
names_hash(const char *text, size_t length)
{
    uint64_t hash = frti_hash(FRTI_HASH_START, text, length);

    return (uint32_t)(hash ^ hash >> 32);
}

struct frti_name *
frti_name_find(const struct frti_names *names, const char *text, size_t length)
{
    return names_find(names, text, length, names_hash(text, length));
}

struct frti_name *
frti_name_of(struct frti_names *names, const char *text, size_t length)
{
    uint32_t hash = names_hash(text, length);
    struct frti_name *name = names_find(names, text, length, hash);

    return name != NULL ? name : names_add(names, text, length, hash);
}

bool
frti_binding_is_tag(enum frti_binding_kind kind)
{
    return kind >= FRTI_BINDING_STRUCT;
}

static struct frti_binding **
names_slot(struct frti_name *name, enum frti_binding_kind kind)
{
    return frti_binding_is_tag(kind) ? &name->tag : &name->ordinary;
}

void
frti_scope_enter(struct frti_names *names)
{
    names->scope++;
}

/* A tag's binding may be remembered by types, so only others are used again. */
static void
names_undo(struct frti_names *names)
{
    struct frti_binding *binding = names->newest;

    *names_slot(binding->name, binding->kind) = binding->hidden;
    names->newest = binding->earlier;
    if (frti_binding_is_tag(binding->kind))
        return;
    binding->hidden = names->spare;
    names->spare = binding;
}

void
frti_scope_leave(struct frti_names *names)
{
    while (names->newest != NULL && names->newest->scope == names->scope)
        names_undo(names);
    names->scope--;
}

void
frti_unbind(struct frti_names *names, const struct frti_binding *newest)
{
    while (names->newest != newest)
        names_undo(names);
    names->scope = 0;
}

static struct frti_binding *
names_binding(struct frti_names *names)
{
    struct frti_binding *binding = names->spare;

    if (binding == NULL)
        return frti_store_take(names->store, sizeof *binding);
    names->spare = binding->hidden;
    return binding;
}

struct frti_binding *
frti_bind(struct frti_names *names, struct frti_name *name,
          const struct frti_binding *like)
{
    struct frti_binding *binding = names_binding(names);
    struct frti_binding **slot = names_slot(name, like->kind);

    if (binding == NULL) {
        frti_source_no_memory(names->source, sizeof *binding);
        return NULL;
    }
    *binding = *like;
    binding->name = name;
    binding->scope = names->scope;
    binding->hidden = *slot;
    binding->earlier = names->newest;
    names->newest = binding;
    *slot = binding;
    return binding;
}
