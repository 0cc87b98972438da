/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/pool.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/compiler.h"

#define POOL_FIRST_BUCKETS 64

/* All pools in use. Rank of the locks: pools_lock, then the pools in the order
 * of the list; outside fork nobody holds two. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static struct frti_pool *pools;

static void
pools_before_fork(void)
{
    pthread_mutex_lock(&pools_lock);
    for (struct frti_pool *pool = pools; pool != NULL; pool = pool->next)
        pthread_mutex_lock(&pool->lock);
}

static void
pools_after_fork(void)
{
    for (struct frti_pool *pool = pools; pool != NULL; pool = pool->next)
        pthread_mutex_unlock(&pool->lock);
    pthread_mutex_unlock(&pools_lock);
}

FRTI_CONSTRUCTOR static void
pools_watch_fork(void)
{
    pthread_atfork(pools_before_fork, pools_after_fork, pools_after_fork);
}

static void
pool_enlist(struct frti_pool *pool)
{
    /* acquire: pairs with the release below; whoever then forks sees the list
     */
    if (atomic_load_explicit(&pool->is_known, memory_order_acquire))
        return;
    pthread_mutex_lock(&pools_lock);
    /* relaxed: written under this lock alone */
    if (!atomic_load_explicit(&pool->is_known, memory_order_relaxed)) {
        pool->next = pools;
        pools = pool;
        atomic_store_explicit(&pool->is_known, true, memory_order_release);
    }
    pthread_mutex_unlock(&pools_lock);
}

static size_t
pool_bytes(size_t buckets)
{
    return buckets * sizeof(struct frti_shared *);
}

static struct frti_shared **
pool_bucket(struct frti_pool *pool, uint64_t hash)
{
    return &pool->buckets[hash & (pool->bucket_count - 1)];
}

static void
pool_refill(struct frti_pool *pool, struct frti_shared **old, size_t old_count)
{
    for (size_t i = 0; i < old_count; i++) {
        struct frti_shared *thing = old[i];

        while (thing != NULL) {
            struct frti_shared *next = thing->next;
            struct frti_shared **bucket = pool_bucket(pool, thing->hash);

            thing->next = *bucket;
            *bucket = thing;
            thing = next;
        }
    }
}

/* A table that cannot get larger or smaller stays as it is: slower, right. */
static bool
pool_resize(struct frti_pool *pool, size_t count)
{
    struct frti_shared **old = pool->buckets;
    size_t old_count = pool->bucket_count;
    struct frti_shared **buckets =
        frti_allocate(pool_bytes(count), sizeof *buckets);

    if (buckets == NULL)
        return old != NULL;
    pool->buckets = buckets;
    pool->bucket_count = count;
    pool_refill(pool, old, old_count);
    frti_free(old, pool_bytes(old_count), sizeof *old);
    return true;
}

static bool
pool_make_room(struct frti_pool *pool)
{
    if (pool->bucket_count == 0)
        return pool_resize(pool, POOL_FIRST_BUCKETS);
    if (pool->count >= pool->bucket_count)
        return pool_resize(pool, pool->bucket_count * 2);
    return true;
}

/* An empty pool gives its table back; a sparse one half of it. */
static void
pool_give_room(struct frti_pool *pool)
{
    if (pool->count == 0) {
        frti_free(pool->buckets, pool_bytes(pool->bucket_count),
                  sizeof *pool->buckets);
        pool->buckets = NULL;
        pool->bucket_count = 0;
    } else if (pool->count * 8 < pool->bucket_count &&
               pool->bucket_count > POOL_FIRST_BUCKETS) {
        (void)pool_resize(pool, pool->bucket_count / 2);
    }
}

static struct frti_shared *
pool_look(struct frti_pool *pool, const struct frti_shared *like)
{
    struct frti_shared *thing;

    if (pool->bucket_count == 0)
        return NULL;
    for (thing = *pool_bucket(pool, like->hash); thing != NULL;
         thing = thing->next)
        if (thing->hash == like->hash && pool->equal(thing, like))
            break;
    if (thing != NULL)
        /* relaxed: the lock orders it against the drop to zero */
        frti_counter_add_relaxed(&thing->references, 1);
    return thing;
}

static bool
pool_insert(struct frti_pool *pool, struct frti_shared *thing)
{
    struct frti_shared **bucket;

    if (!pool_make_room(pool))
        return false;
    bucket = pool_bucket(pool, thing->hash);
    frti_counter_add_relaxed(&thing->references, 1); /* not yet shared */
    thing->next = *bucket;
    *bucket = thing;
    pool->count++;
    return true;
}

void *
frti_pool_intern(struct frti_pool *pool, void *candidate)
{
    struct frti_shared *thing;

    pool_enlist(pool);
    pthread_mutex_lock(&pool->lock);
    thing = pool_look(pool, candidate);
    if (thing == NULL && pool_insert(pool, candidate))
        thing = candidate;
    pthread_mutex_unlock(&pool->lock);
    if (thing != candidate)
        pool->destroy(candidate);
    return thing;
}

void *
frti_pool_find(struct frti_pool *pool, const void *like)
{
    struct frti_shared *thing;

    pool_enlist(pool);
    pthread_mutex_lock(&pool->lock);
    thing = pool_look(pool, like);
    pthread_mutex_unlock(&pool->lock);
    return thing;
}

void
frti_shared_keep(const void *thing)
{
    struct frti_shared *shared = (struct frti_shared *)thing;

    /* relaxed: the caller's own reference keeps it */
    frti_counter_add_relaxed(&shared->references, 1);
}

static void
pool_remove(struct frti_pool *pool, struct frti_shared *thing)
{
    struct frti_shared **link = pool_bucket(pool, thing->hash);

    while (*link != thing)
        link = &(*link)->next;
    *link = thing->next;
    pool->count--;
    pool_give_room(pool);
}

void
frti_pool_drop(struct frti_pool *pool, const void *thing)
{
    struct frti_shared *shared = (struct frti_shared *)thing;
    bool is_last;

    /* release: pairs with the acquire of the last drop below */
    if (frti_counter_shrink_release(&shared->references))
        return;
    pthread_mutex_lock(&pool->lock);
    is_last = frti_counter_end_acq_rel(&shared->references);
    if (is_last)
        pool_remove(pool, shared);
    pthread_mutex_unlock(&pool->lock);
    if (is_last)
        pool->destroy(shared);
}

size_t
frti_pool_count(struct frti_pool *pool)
{
    size_t count;

    pthread_mutex_lock(&pool->lock);
    count = pool->count;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

uint64_t
frti_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}
