/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * stress: closers against those who use what is closed.
 *
 *   stress [SECONDS [USERS [CLOSERS [SESSIONS]]]]
 *
 * With STRESS_HISTORY in the environment each close that is refused is held
 * against what was under way; with STRESS_UNTIL_VIOLATION the first one ends
 * the run.
 *
 * Each cell has a session and a block of memory that lives by it. Users
 * acquire, look whether the block is alive, write to it, look again, release;
 * some of them hand their ticket to another thread, which does the rest; some
 * threads end while their ticket is out. Closers close whatever cell they come
 * to; the one that succeeds kills the block, and opens the next life.
 *
 * A violation is a block that dies under a ticket, a session that is closed
 * twice, one that is open after an acquire was refused, a ticket that cannot be
 * released, or a session that is held in the end though every ticket is back.
 * The block is touched by plain accesses, so that thread sanitizer sees what
 * the counting does not order.
 *
 * Exit status: 0 no violation, 3 some, 2 it did not run.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/ffi_rt.h"

#define MOST_USERS 64
#define MOST_CELLS 64
#define WORDS 64

/* One life of a cell; never freed while the program runs, so that a late user
 * reads that it is dead instead of anything. */
struct block {
    _Alignas(64) uint64_t alive; /* plain: under the session's protection */
    uint64_t words[WORDS];       /* one a user */
    frt_arena arena;
    _Atomic int closed;
    _Atomic unsigned long entered; /* for the history: acquires begun */
    _Atomic unsigned long left;    /* failed, or released */
    struct block *next;            /* in a closer's list */
};

struct cell {
    _Alignas(64) struct block *_Atomic block;
};

static struct cell cells[MOST_CELLS];
static bool has_history; /* it costs two atomics a use: a run of its own */
static unsigned cell_count = 4;
static _Atomic bool is_over;
static _Atomic unsigned long violations;
static _Atomic unsigned long acquired, refused, closes, still_held, moved;

static void
violation(const char *what)
{
    if (atomic_fetch_add(&violations, 1) < 5)
        fprintf(stderr, "stress: %s (%s)\n", what, frt_last_detail());
}

static void
need(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "stress: %s: %s\n", what, frt_last_detail());
    exit(2);
}

static uint32_t
next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* ---------------------------------------------------------------- blocks ---
 */

static void
block_publish(struct cell *cell, struct block *block)
{
    need(frt_arena_open_shared(&block->arena) == FRT_OK, "open");
    block->alive = 1;
    atomic_store_explicit(&block->closed, 0, memory_order_relaxed);
    atomic_store_explicit(&cell->block, block, memory_order_release);
}

static struct block *
block_new(void)
{
    struct block *block = aligned_alloc(64, sizeof *block);

    need(block != NULL, "memory");
    memset(block, 0, sizeof *block);
    return block;
}

/* After the close: nobody may be here. */
static void
block_kill(struct block *block)
{
    block->alive = 0;
    for (size_t i = 0; i < WORDS; i++)
        block->words[i] = UINT64_MAX;
}

/* ----------------------------------------------------------------- users ---
 */

static void
history_enter(struct block *block)
{
    if (has_history)
        atomic_fetch_add(&block->entered, 1);
}

static void
history_leave(struct block *block)
{
    if (has_history)
        atomic_fetch_add(&block->left, 1);
}

/* A ticket on its way, with what it keeps alive. */
struct parcel {
    frt_ticket ticket;
    struct block *block;
};

#define POST_BOXES 8
struct post_box {
    _Alignas(64) struct parcel *_Atomic parcel;
};
static struct post_box post_boxes[POST_BOXES];

static void
look(const struct block *block)
{
    if (*(volatile const uint64_t *)&block->alive != 1)
        violation("a block died under a ticket");
}

static void
use(struct block *block, size_t user, unsigned spins)
{
    look(block);
    block->words[user]++;
    for (volatile unsigned i = 0; i < spins; i++)
        continue;
    look(block);
}

static void
parcel_finish(struct parcel *parcel, size_t user)
{
    use(parcel->block, user, 0);
    if (frt_session_release(&parcel->ticket) != FRT_OK)
        violation("a ticket that was handed over cannot be released");
    history_leave(parcel->block);
    free(parcel);
    atomic_fetch_add_explicit(&moved, 1, memory_order_relaxed);
}

/* Puts it into a box, and takes what was there. */
static void
parcel_send(struct block *block, const frt_ticket *ticket, size_t user,
            unsigned box)
{
    struct parcel *parcel = malloc(sizeof *parcel);

    need(parcel != NULL, "memory");
    *parcel = (struct parcel){*ticket, block};
    parcel = atomic_exchange_explicit(&post_boxes[box % POST_BOXES].parcel,
                                      parcel, memory_order_acq_rel);
    if (parcel != NULL)
        parcel_finish(parcel, user);
}

static void
check_refusal(struct block *block)
{
    if (frt_arena_is_open(block->arena))
        violation("a session is open after an acquire was refused");
}

/* A store to a line that others write, too, has to wait for it, and those after
 * it wait behind it: now and then a hold comes late to where others see it,
 * unless something orders it. */
#define BUSY_LINES 16
static struct {
    _Alignas(64) _Atomic uint32_t word;
} busy_lines[BUSY_LINES];

static void
fill_store_buffer(uint32_t random)
{
    for (size_t i = 0; i < BUSY_LINES; i++)
        atomic_store_explicit(&busy_lines[i].word, random,
                              memory_order_relaxed);
}

static bool
use_once(struct cell *cell, size_t user, uint32_t random)
{
    struct block *block =
        atomic_load_explicit(&cell->block, memory_order_acquire);
    frt_session session = frt_arena_session(block->arena);
    frt_ticket ticket;

    history_enter(block);
    if (random % 4 == 0)
        fill_store_buffer(random);
    if (frt_session_acquire(&ticket, session) != FRT_OK) {
        check_refusal(block);
        history_leave(block);
        return false;
    }
    use(block, user, random % 64 == 0 ? 300 : random % 8);
    if (random % 256 == 1) {
        parcel_send(block, &ticket, user, random >> 8);
        return true;
    }
    if (frt_session_release(&ticket) != FRT_OK)
        violation("a ticket cannot be released");
    history_leave(block);
    return true;
}

struct user {
    size_t index;
    unsigned long times; /* 0: until it is over */
};

static void *
user_run(void *context)
{
    const struct user *user = context;
    uint32_t random = (uint32_t)(user->index * 2654435761u + 12345);
    unsigned long done = 0, failed = 0;

    while (!atomic_load_explicit(&is_over, memory_order_relaxed) &&
           (user->times == 0 || done < user->times)) {
        uint32_t value = next_random(&random);

        if (use_once(&cells[(value >> 16) % cell_count], user->index, value))
            done++;
        else
            failed++;
        if (value % 4096 == 7)
            sched_yield();
    }
    atomic_fetch_add(&acquired, done);
    atomic_fetch_add(&refused, failed);
    return NULL;
}

/* Threads that come and go; some end while their ticket is in a box. */
static void *
churn_run(void *context)
{
    struct user *user = context;
    struct user short_lived = {user->index, 40};

    while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
        pthread_t thread;

        need(pthread_create(&thread, NULL, user_run, &short_lived) == 0,
             "thread");
        pthread_join(thread, NULL);
    }
    return NULL;
}

/* --------------------------------------------------------------- closers ---
 */

static frt_status
close_any_way(struct block *block, uint32_t random)
{
    frt_status status;

    if (random % 8 != 0)
        return frt_arena_close(block->arena);
    return frt_arena_close_many(&status, &block->arena, 1);
}

/* Nobody was in an acquire or had a ticket when it began, and nobody began
 * one before it ended: then it may not say that somebody holds. */
static frt_status
close_one(struct block *block, uint32_t random)
{
    unsigned long left = atomic_load(&block->left);
    unsigned long entered = atomic_load(&block->entered);
    frt_status status = close_any_way(block, random);

    if (has_history && status == FRT_STILL_HELD && left == entered &&
        atomic_load(&block->entered) == entered)
        violation("still held, and nobody was there");
    return status;
}

static void *
closer_run(void *context)
{
    const struct user *closer = context;
    uint32_t random = (uint32_t)(closer->index * 40503u + 977);
    struct block *old = NULL; /* killed blocks, oldest last */
    unsigned long done = 0, held = 0;

    while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
        uint32_t value = next_random(&random);
        struct cell *cell = &cells[(value >> 16) % cell_count];
        struct block *block =
            atomic_load_explicit(&cell->block, memory_order_acquire);
        frt_status status = close_one(block, value);

        held += status == FRT_STILL_HELD;
        if (status == FRT_OK) {
            done++;
            if (atomic_fetch_add(&block->closed, 1) != 0)
                violation("a session was closed twice");
            block_kill(block);
            block->next = old;
            old = block;
            block_publish(cell, block_new());
        } else if (status == FRT_UNSUPPORTED) {
            violation("a close could not be decided");
        }
        if (value % 16 == 0)
            sched_yield();
    }
    atomic_fetch_add(&closes, done);
    atomic_fetch_add(&still_held, held);
    return old;
}

static void
free_old(struct block *old)
{
    while (old != NULL) {
        struct block *next = old->next;

        free(old);
        old = next;
    }
}

/* ------------------------------------------------------------------ main ---
 */

static unsigned
argument(int argc, char **argv, int index, unsigned otherwise, unsigned most)
{
    unsigned long value = otherwise;

    if (index < argc)
        value = strtoul(argv[index], NULL, 10);
    return value > most ? most : (unsigned)value;
}

static void
wait_seconds(unsigned seconds)
{
    const struct timespec tick = {0, 20000000};

    for (unsigned i = 0; i < seconds * 50; i++) {
        nanosleep(&tick, NULL);
        if (getenv("STRESS_UNTIL_VIOLATION") != NULL &&
            atomic_load(&violations) > 0)
            break;
    }
    atomic_store(&is_over, true);
}

/* Every ticket is back: every session can be closed. */
static void
close_all(void)
{
    for (unsigned i = 0; i < POST_BOXES; i++) {
        struct parcel *parcel = atomic_exchange(&post_boxes[i].parcel, NULL);

        if (parcel != NULL)
            parcel_finish(parcel, 0);
    }
    for (unsigned i = 0; i < cell_count; i++) {
        struct block *block = atomic_load(&cells[i].block);

        if (frt_arena_close(block->arena) != FRT_OK)
            violation("a session is held in the end");
        free(block);
    }
}

static const char *
mode(void)
{
    const char *word = getenv("FRT_SESSIONS");

    return word == NULL ? "the default mode" : word;
}

int
main(int argc, char **argv)
{
    unsigned seconds = argument(argc, argv, 1, 2, 3600);
    unsigned users = argument(argc, argv, 2, 3, MOST_USERS - 2);
    unsigned closers = argument(argc, argv, 3, 2, MOST_USERS);
    static pthread_t user_threads[MOST_USERS], closer_threads[MOST_USERS];
    static struct user roles[MOST_USERS * 2];

    cell_count = argument(argc, argv, 4, 4, MOST_CELLS);
    has_history = getenv("STRESS_HISTORY") != NULL;
    for (unsigned i = 0; i < cell_count; i++)
        block_publish(&cells[i], block_new());
    for (unsigned i = 0; i < users; i++) {
        roles[i] = (struct user){i + 1, 0};
        need(pthread_create(&user_threads[i], NULL,
                            i == 2 ? churn_run : user_run, &roles[i]) == 0,
             "thread");
    }
    for (unsigned i = 0; i < closers; i++) {
        roles[MOST_USERS + i] = (struct user){i + 1, 0};
        need(pthread_create(&closer_threads[i], NULL, closer_run,
                            &roles[MOST_USERS + i]) == 0,
             "thread");
    }
    wait_seconds(seconds);
    for (unsigned i = 0; i < users; i++)
        pthread_join(user_threads[i], NULL);
    for (unsigned i = 0; i < closers; i++) {
        void *old = NULL;

        pthread_join(closer_threads[i], &old);
        free_old(old);
    }
    close_all();
    printf("%s: %lu acquired, %lu refused, %lu handed over, %lu closed, "
           "%lu still held: %lu violations\n",
           mode(), acquired, refused, moved, closes, still_held, violations);
    return violations == 0 ? 0 : 3;
}
