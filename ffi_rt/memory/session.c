/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Slots: where they come from, how they are opened and used again. */
#include "ffi_rt/memory/session.h"

#include <pthread.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/barrier.h"
#include "ffi_rt/base/status.h"

/* A small program never needs a chunk from the allocator. */
#define SESSION_FIRST_CHUNK 16
#define SESSION_CHUNK 63
#define SESSION_LOCKS 16
#define SESSION_COUNTED_KINDS 2 /* confined, shared */

struct session_chunk {
    _Alignas(FRTI_SESSION_ALIGNMENT) struct session_chunk *next;
    struct frti_session slots[SESSION_CHUNK];
};

struct session_shared_chunk {
    _Alignas(FRTI_SESSION_ALIGNMENT) struct session_shared_chunk *next;
    struct frti_shared_session slots[SESSION_CHUNK];
};

struct frti_session frti_session_global = {
    .word = FRTI_COUNTER(FRTI_SESSION_GENERATION),
    .stripe_page = FRTI_SESSION_NO_PAGE,
    .kind = FRTI_SESSION_GLOBAL,
};

/* Rank of the locks: session_list_lock, then session_locks by index; outside
 * fork nobody holds two, and nobody allocates under one, so that the fork
 * handlers may run in any order with the allocator's. */
static pthread_mutex_t session_list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t session_locks[SESSION_LOCKS] = {
    [0 ... SESSION_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER};

_Alignas(FRTI_SESSION_ALIGNMENT) static struct frti_session
    session_first_confined[SESSION_FIRST_CHUNK];
_Alignas(FRTI_SESSION_ALIGNMENT) static struct frti_shared_session
    session_first_shared[SESSION_FIRST_CHUNK];

/* Under session_list_lock. */
static struct frti_session *session_free[SESSION_COUNTED_KINDS];
static struct session_chunk *session_chunks; /* these two never freed */
static struct session_shared_chunk *session_shared_chunks;
static uint32_t session_shared_count; /* the next one's number */

static void
sessions_before_fork(void)
{
    pthread_mutex_lock(&session_list_lock);
    for (size_t i = 0; i < SESSION_LOCKS; i++)
        pthread_mutex_lock(&session_locks[i]);
    frti_stripes_before_fork();
    frti_barrier_before_fork();
}

static void
sessions_after_fork(void)
{
    frti_barrier_after_fork();
    frti_stripes_after_fork();
    for (size_t i = 0; i < SESSION_LOCKS; i++)
        pthread_mutex_unlock(&session_locks[i]);
    pthread_mutex_unlock(&session_list_lock);
}

/* The closer, if there was one, is not here. */
static void
session_forget_closer(struct frti_shared_session *shared)
{
    /* relaxed, all: the child has one thread */
    uint64_t word = frti_counter_get_relaxed(&shared->session.word);

    frti_counter_set_relaxed(&shared->closer, 0);
    if ((word & FRTI_SESSION_STATES) == FRTI_SESSION_CLOSING)
        frti_counter_set_relaxed(&shared->session.word,
                                 word & ~FRTI_SESSION_STATES);
}

static void
sessions_after_fork_in_child(void)
{
    frti_barrier_after_fork_in_child();
    frti_stripes_after_fork_in_child();
    for (size_t i = 0; i < SESSION_LOCKS; i++)
        pthread_mutex_unlock(&session_locks[i]);
    pthread_mutex_unlock(&session_list_lock);
    frti_closers_after_fork_in_child();
    frti_session_each_shared(session_forget_closer);
}

/* --------------------------------------------------------------- chunks --- */

/* Under session_list_lock: all of these. */

static void
session_enlist(struct frti_session *slot)
{
    slot->next = session_free[slot->kind];
    session_free[slot->kind] = slot;
}

static void
session_enlist_confined(struct frti_session *slots, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        slots[i].stripe_page = FRTI_SESSION_NO_PAGE;
        slots[i].kind = FRTI_SESSION_CONFINED;
        session_enlist(&slots[i]);
    }
}

/* Each has its place in the stripes of every thread for good. */
static void
session_enlist_shared(struct frti_shared_session *slots, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        uint32_t number = session_shared_count + (uint32_t)i;

        slots[i].session.stripe_page = number / FRTI_STRIPES;
        slots[i].session.stripe_offset =
            (uint16_t)(number % FRTI_STRIPES * sizeof(struct frti_stripe));
        slots[i].session.kind = FRTI_SESSION_SHARED;
        session_enlist(&slots[i].session);
    }
    session_shared_count += (uint32_t)count;
}

/* Locked: the loader's own lock, which a thread sanitizer does not see, is all
 * that another thread which loads us at the same time would have. */
FRTI_CONSTRUCTOR static void
sessions_begin(void)
{
    pthread_atfork(sessions_before_fork, sessions_after_fork,
                   sessions_after_fork_in_child);
    pthread_mutex_lock(&session_list_lock);
    session_enlist_confined(session_first_confined, SESSION_FIRST_CHUNK);
    session_enlist_shared(session_first_shared, SESSION_FIRST_CHUNK);
    pthread_mutex_unlock(&session_list_lock);
}

static bool
sessions_grow_confined(void)
{
    struct session_chunk *chunk =
        frti_allocate(sizeof *chunk, FRTI_SESSION_ALIGNMENT);

    if (chunk == NULL)
        return false;
    pthread_mutex_lock(&session_list_lock);
    chunk->next = session_chunks;
    session_chunks = chunk;
    session_enlist_confined(chunk->slots, SESSION_CHUNK);
    pthread_mutex_unlock(&session_list_lock);
    return true;
}

static bool
sessions_grow_shared(void)
{
    struct session_shared_chunk *chunk =
        frti_allocate(sizeof *chunk, FRTI_SESSION_ALIGNMENT);

    if (chunk == NULL)
        return false;
    pthread_mutex_lock(&session_list_lock);
    chunk->next = session_shared_chunks;
    session_shared_chunks = chunk;
    session_enlist_shared(chunk->slots, SESSION_CHUNK);
    pthread_mutex_unlock(&session_list_lock);
    return true;
}

void
frti_session_each_shared(void (*visit)(struct frti_shared_session *slot))
{
    for (size_t i = 0; i < SESSION_FIRST_CHUNK; i++)
        visit(&session_first_shared[i]);
    for (struct session_shared_chunk *chunk = session_shared_chunks;
         chunk != NULL; chunk = chunk->next)
        for (size_t i = 0; i < SESSION_CHUNK; i++)
            visit(&chunk->slots[i]);
}

/* ---------------------------------------------------------------- locks --- */

static pthread_mutex_t *
session_lock_of(const struct frti_session *slot)
{
    return &session_locks[(uintptr_t)slot / FRTI_SESSION_ALIGNMENT %
                          SESSION_LOCKS];
}

void
frti_session_lock(struct frti_session *slot)
{
    pthread_mutex_lock(session_lock_of(slot));
}

void
frti_session_unlock(struct frti_session *slot)
{
    pthread_mutex_unlock(session_lock_of(slot));
}

/* ------------------------------------------------------------ sentences --- */

const char *
frti_session_kind_name(const struct frti_session *slot)
{
    static const char *const names[] = {"confined", "shared", "global"};

    return names[slot->kind];
}

frt_status
frti_session_refuse(frt_status why, struct frti_session *slot)
{
    const char *kind = frti_session_kind_name(slot);

    if (why == FRT_WRONG_THREAD)
        return frti_fail(
            why,
            "the %s session belongs to thread %llu, and this is thread %llu",
            kind, (unsigned long long)frti_counter_get_relaxed(&slot->owner),
            (unsigned long long)frti_thread_number());
    if (why == FRT_TOO_MANY_HOLDS)
        return frti_fail(why, "the %s session is held %llu times already", kind,
                         (unsigned long long)FRTI_SESSION_MOST_HOLDS);
    return frti_fail(why,
                     "the %s session is closed, and what lived in it is "
                     "gone",
                     kind);
}

frt_status
frti_session_never_opened(void)
{
    return frti_fail(FRT_BAD_ARGUMENT, "the session was never opened");
}

/* ----------------------------------------------------------------- mode --- */

static pthread_once_t session_mode_once = PTHREAD_ONCE_INIT;
static bool session_mode_is_known; /* written under the once */
static enum frti_barrier_mode session_mode;

static void
session_choose_mode(void)
{
    session_mode_is_known = frti_barrier_choose(&session_mode) == FRT_OK;
    if (session_mode_is_known && session_mode != FRTI_BARRIER_MEMBARRIER)
        frti_stripe_tag = FRTI_STRIPE_TAG;
}

/* Before the first shared session.   -> BAD_ARGUMENT */
static frt_status
session_need_mode(void)
{
    pthread_once(&session_mode_once, session_choose_mode);
    if (FRTI_LIKELY(session_mode_is_known))
        return FRT_OK;
    return frti_barrier_choose(&session_mode); /* for its sentence */
}

const char *
frti_session_mode(void)
{
    if (session_need_mode() != FRT_OK)
        return frt_last_detail();
    return frti_barrier_mode_name(session_mode);
}

enum frti_barrier_mode
frti_session_mode_chosen(void)
{
    return session_mode;
}

/* ----------------------------------------------------------------- open --- */

static struct frti_session *
session_pop(enum frti_session_kind kind)
{
    struct frti_session *slot;

    pthread_mutex_lock(&session_list_lock);
    slot = session_free[kind];
    if (slot != NULL)
        session_free[kind] = slot->next;
    pthread_mutex_unlock(&session_list_lock);
    return slot;
}

static frt_status
session_take(struct frti_session **out, enum frti_session_kind kind)
{
    bool is_shared = kind == FRTI_SESSION_SHARED;
    struct frti_session *slot;

    while ((slot = session_pop(kind)) == NULL)
        if (!(is_shared ? sessions_grow_shared() : sessions_grow_confined()))
            return frti_no_memory(is_shared
                                      ? sizeof(struct session_shared_chunk)
                                      : sizeof(struct session_chunk),
                                  "sessions");
    *out = slot;
    return FRT_OK;
}

/* A stale handle's bind may still write binder, which then says too much and
 * never too little. */
static void
session_begin_shared(struct frti_shared_session *shared, uint64_t generation)
{
    uint64_t seen = frti_counter_get_relaxed(&shared->count); /* by the CAS */

    frti_pointer_set_relaxed(&shared->binder, NULL); /* the handle publishes */
    /* seq_cst, with the CASes of those who count here, also of a stale handle
     */
    while (
        !frti_counter_replace_seq_cst(&shared->count, &seen, generation << 32))
        continue;
}

static uint64_t
session_begin(struct frti_session *slot)
{
    /* relaxed: the slot is this thread's own. Its last life came through the
     * list's lock or its owner, and the handle publishes the new one. */
    uint64_t generation =
        frti_session_generation(slot) + FRTI_SESSION_GENERATION;

    slot->arena = (struct frti_arena){0};
    /* release, both: pair with tally_confined in close.c */
    frti_counter_set_release(&slot->owner, frti_thread_number());
    frti_counter_set_release(&slot->holds, 0);
    if (slot->kind == FRTI_SESSION_SHARED)
        session_begin_shared(frti_session_shared(slot), generation);
    frti_counter_set_relaxed(&slot->word, generation);
    return generation;
}

/* Another life would look like its first. */
static bool
session_is_spent(struct frti_session *slot)
{
    return frti_session_generation(slot) > UINT32_MAX - FRTI_SESSION_GENERATION;
}

uint64_t
frti_session_open_again(struct frti_session *slot)
{
    return session_is_spent(slot) ? 0 : session_begin(slot);
}

frt_status
frti_session_open(frt_session *out, enum frti_session_kind kind)
{
    struct frti_session *slot = NULL;
    frt_status status = FRT_OK;

    if (kind == FRTI_SESSION_SHARED)
        status = session_need_mode();
    if (status == FRT_OK)
        status = session_take(&slot, kind);
    if (status != FRT_OK)
        return status;
    out->slot = slot;
    out->generation = session_begin(slot);
    return FRT_OK;
}

void
frti_session_recycle(struct frti_session *slot)
{
    if (session_is_spent(slot))
        return;
    pthread_mutex_lock(&session_list_lock);
    session_enlist(slot);
    pthread_mutex_unlock(&session_list_lock);
}

bool
frt_session_is_open(frt_session session)
{
    return session.slot != NULL &&
           frti_session_is_open(session.slot, session.generation);
}

frt_arena
frt_arena_global(void)
{
    return (frt_arena){.slot = &frti_session_global,
                       .generation = FRTI_SESSION_GENERATION};
}
