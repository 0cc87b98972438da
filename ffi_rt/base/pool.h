/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A pool interns immutable things: two that are equal are the same pointer.
 *
 * Each thing begins with a frti_shared. Its reference count drops to zero under
 * the pool's lock alone, so that what a lookup finds is never on its way out.
 *
 *   operation    lock   count
 *   intern       held   +1 on the one found
 *   keep         -      +1, by somebody who has a reference
 *   drop         -      -1 while it stays over 0
 *                held   -1 to 0, removal; destroyed after the lock
 *
 * A forked child may use its pools: the locks are taken around fork.
 */
#ifndef FRTI_BASE_POOL_H
#define FRTI_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/base/atomic.h"

struct frti_shared {
    struct frti_shared *next; /* in its bucket */
    uint64_t hash;
    frti_counter references;
};

struct frti_pool {
    bool (*equal)(const void *one, const void *other);
    void (*destroy)(void *thing); /* frees it and drops what it keeps */
    pthread_mutex_t lock;
    struct frti_shared **buckets;
    size_t bucket_count; /* 0 or a power of two */
    size_t count;
    struct frti_pool *next; /* of all pools, for fork */
    atomic_bool is_known;   /* on that list */
};

#define FRTI_POOL(equal_function, destroy_function)                            \
    {                                                                          \
        .equal = (equal_function), .destroy = (destroy_function),              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                      \
    }

/* The pool's thing that equals `candidate`, with one more reference for the
 * caller; `candidate` itself, if there is none. `candidate` (its hash filled,
 * the caller's own) is taken over: kept, or destroyed. NULL: no memory for the
 * table, and the candidate is destroyed. */
void *frti_pool_intern(struct frti_pool *pool, void *candidate);

/* The thing that equals the one in the caller's storage, with a reference;
 * NULL: none. */
void *frti_pool_find(struct frti_pool *pool, const void *like);

void frti_shared_keep(const void *thing);
void frti_pool_drop(struct frti_pool *pool, const void *thing);

/* Things in the pool. */
size_t frti_pool_count(struct frti_pool *pool);

/* FNV-1a over bytes, to be continued from an earlier hash. */
#define FRTI_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t frti_hash(uint64_t hash, const void *bytes, size_t size);

#endif
