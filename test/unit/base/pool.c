/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/pool.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <unistd.h>

#include "test/unit/base/child.h"
#include "test/unit/base/failing.h"

struct thing {
    struct frti_shared shared;
    uint64_t value;
};

static bool
thing_equal(const void *one, const void *other)
{
    return ((const struct thing *)one)->value ==
           ((const struct thing *)other)->value;
}

static void
thing_destroy(void *thing)
{
    frti_free(thing, sizeof(struct thing), _Alignof(struct thing));
}

static struct frti_pool pool = FRTI_POOL(thing_equal, thing_destroy);

static struct thing *
thing_new(uint64_t value)
{
    struct thing *thing = frti_allocate(sizeof *thing, _Alignof(struct thing));

    thing->value = value;
    thing->shared.hash = frti_hash(FRTI_HASH_START, &value, sizeof value);
    return thing;
}

static struct thing *
intern(uint64_t value)
{
    return frti_pool_intern(&pool, thing_new(value));
}

static struct thing *
find(uint64_t value)
{
    struct thing like = {.value = value};

    like.shared.hash = frti_hash(FRTI_HASH_START, &value, sizeof value);
    return frti_pool_find(&pool, &like);
}

/* Test vectors of FNV-1a, 64 bits: the empty string, "a", "foobar". */
Test(pool, hash)
{
    cr_assert_eq(frti_hash(FRTI_HASH_START, "", 0),
                 UINT64_C(0xcbf29ce484222325));
    cr_assert_eq(frti_hash(FRTI_HASH_START, "a", 1),
                 UINT64_C(0xaf63dc4c8601ec8c));
    cr_assert_eq(frti_hash(FRTI_HASH_START, "foobar", 6),
                 UINT64_C(0x85944171f73967e8));
    cr_assert_eq(frti_hash(frti_hash(FRTI_HASH_START, "foo", 3), "bar", 3),
                 UINT64_C(0x85944171f73967e8));
}

Test(pool, equal_things_are_one)
{
    size_t live = frti_allocator_live();
    struct thing *one = intern(1);
    struct thing *other = intern(2);

    cr_assert_neq(one, other);
    cr_assert_eq(intern(1), one);
    cr_assert_eq(find(2), other);
    cr_assert_null(find(3));
    cr_assert_eq(frti_pool_count(&pool), 2);
    frti_pool_drop(&pool, one);
    cr_assert_eq(frti_pool_count(&pool), 2, "one more reference is out");
    frti_pool_drop(&pool, one);
    cr_assert_eq(frti_pool_count(&pool), 1);
    cr_assert_null(find(1));
    frti_pool_drop(&pool, other);
    frti_pool_drop(&pool, other);
    cr_assert_eq(frti_pool_count(&pool), 0);
    cr_assert_eq(frti_allocator_live(), live, "the table is given back");
}

Test(pool, find_in_an_empty_pool)
{
    cr_assert_null(find(1));
    cr_assert_eq(frti_pool_count(&pool), 0);
}

Test(pool, keep)
{
    struct thing *thing = intern(1);

    frti_shared_keep(thing);
    frti_pool_drop(&pool, thing);
    cr_assert_eq(find(1), thing);
    frti_pool_drop(&pool, thing);
    frti_pool_drop(&pool, thing);
    cr_assert_null(find(1));
}

#define MANY 5000

Test(pool, grows_and_shrinks)
{
    static struct thing *things[MANY];
    size_t live = frti_allocator_live();

    for (uint64_t i = 0; i < MANY; i++)
        things[i] = intern(i);
    cr_assert_geq(pool.bucket_count, MANY / 2);
    for (uint64_t i = 0; i < MANY; i++) {
        cr_assert_eq(find(i), things[i]);
        frti_pool_drop(&pool, things[i]);
    }
    for (uint64_t i = 10; i < MANY; i++)
        frti_pool_drop(&pool, things[i]);
    cr_assert_leq(pool.bucket_count, 128);
    for (uint64_t i = 0; i < 10; i++)
        frti_pool_drop(&pool, things[i]);
    cr_assert_eq(frti_allocator_live(), live);
}

Test(pool, no_memory_for_the_first_table)
{
    size_t live = frti_allocator_live();
    struct thing *thing = thing_new(1);

    failing_begin(1);
    cr_assert_null(frti_pool_intern(&pool, thing));
    cr_assert(failing_end());
    cr_assert_eq(frti_allocator_live(), live, "the candidate is destroyed");
    cr_assert_eq(frti_pool_count(&pool), 0);
    frti_pool_drop(&pool, intern(1));
}

/* Without memory for a larger table the old one serves. */
Test(pool, no_memory_for_a_larger_table)
{
    static struct thing *things[300];

    for (uint64_t i = 0; i < 300; i++) {
        struct thing *candidate = thing_new(i);

        if (i > 0)
            failing_begin_always();
        things[i] = frti_pool_intern(&pool, candidate);
        failing_end();
        cr_assert_not_null(things[i]);
    }
    cr_assert_eq(pool.bucket_count, 64);
    for (uint64_t i = 0; i < 300; i++) {
        cr_assert_eq(find(i), things[i]);
        frti_pool_drop(&pool, things[i]);
        frti_pool_drop(&pool, things[i]);
    }
    cr_assert_eq(frti_pool_count(&pool), 0);
}

#define THREADS 8
#define ROUNDS 2000

static void *
churn(void *unused)
{
    for (uint64_t i = 0; i < ROUNDS; i++) {
        struct thing *one = intern(i % 7);
        struct thing *other = intern(i % 7);

        cr_assert_eq(one, other);
        cr_assert_eq(one->value, i % 7);
        frti_pool_drop(&pool, one);
        frti_shared_keep(other);
        frti_pool_drop(&pool, other);
        frti_pool_drop(&pool, other);
    }
    return unused;
}

Test(pool, threads)
{
    pthread_t threads[THREADS];
    size_t live = frti_allocator_live();

    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, churn, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(frti_pool_count(&pool), 0);
    cr_assert_eq(frti_allocator_live(), live);
}

static frti_counter is_over = FRTI_COUNTER(0);

static void
churn_once(void)
{
    frti_pool_drop(&pool, intern(3));
    sched_yield(); /* so that the forking thread has a chance */
}

static void *
churn_until_over(void *unused)
{
    while (frti_counter_get_relaxed(&is_over) == 0)
        churn_once();
    return unused;
}

/* A child that is forked while another thread is in the pool uses it. */
Test(pool, fork)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, churn_until_over, NULL), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();

        cr_assert_geq(child, 0);
        if (child == 0) {
            struct thing *thing;

            alarm(20);
            thing = intern(4);
            end_child(thing != NULL && thing == find(4));
        }
        wait_for_child(child);
    }
    frti_counter_add_relaxed(&is_over, 1);
    pthread_join(thread, NULL);
}

static pthread_barrier_t barrier;

static void *
lock_for_a_while(void *unused)
{
    pthread_mutex_lock(&pool.lock);
    pthread_barrier_wait(&barrier);
    usleep(50000);
    pthread_mutex_unlock(&pool.lock);
    return unused;
}

/* The lock is free in the child, though a thread that the child does not have
 * held it. */
Test(pool, fork_under_its_lock)
{
    struct thing *thing = intern(1);
    pthread_t thread;
    pid_t child;

    pthread_barrier_init(&barrier, NULL, 2);
    cr_assert_eq(pthread_create(&thread, NULL, lock_for_a_while, NULL), 0);
    pthread_barrier_wait(&barrier);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        alarm(20);
        end_child(find(1) == thing);
    }
    wait_for_child(child);
    pthread_join(thread, NULL);
    frti_pool_drop(&pool, thing);
}
