/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/session.h"

#include <pthread.h>

#include "ffi_rt/base/allocator.h"
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

#define SESSION_GLOBAL_GENERATION UINT64_C(1)

struct frti_session frti_session_global = {
    .word = FRTI_COUNTER(SESSION_GLOBAL_GENERATION << 32 |
                         FRTI_SESSION_OPEN << FRTI_SESSION_HOLD_BITS),
    .kind = FRTI_SESSION_GLOBAL,
};

/* Rank of the locks: session_list_lock, then session_locks by index; outside
 * fork nobody holds two, and nobody allocates under one, so that the fork
 * handlers may run in any order with the allocator's. */
static pthread_mutex_t session_list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t session_locks[SESSION_LOCKS] = {
    [0 ... SESSION_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER};

_Alignas(FRTI_SESSION_ALIGNMENT) static struct frti_session
    session_first[SESSION_COUNTED_KINDS][SESSION_FIRST_CHUNK];

/* Under session_list_lock. */
static struct frti_session *session_free[SESSION_COUNTED_KINDS];
static struct session_chunk *session_chunks; /* never freed */

static void
sessions_before_fork(void)
{
    pthread_mutex_lock(&session_list_lock);
    for (size_t i = 0; i < SESSION_LOCKS; i++)
        pthread_mutex_lock(&session_locks[i]);
}

static void
sessions_after_fork(void)
{
    for (size_t i = 0; i < SESSION_LOCKS; i++)
        pthread_mutex_unlock(&session_locks[i]);
    pthread_mutex_unlock(&session_list_lock);
}

/* Under session_list_lock, or before there are threads. */
static void
session_enlist(struct frti_session *slots, size_t count,
               enum frti_session_kind kind)
{
    for (size_t i = count; i-- > 0;) {
        slots[i].kind = kind;
        slots[i].next = session_free[kind];
        session_free[kind] = &slots[i];
    }
}

FRTI_CONSTRUCTOR static void
sessions_begin(void)
{
    pthread_atfork(sessions_before_fork, sessions_after_fork,
                   sessions_after_fork);
    session_enlist(session_first[FRTI_SESSION_CONFINED], SESSION_FIRST_CHUNK,
                   FRTI_SESSION_CONFINED);
    session_enlist(session_first[FRTI_SESSION_SHARED], SESSION_FIRST_CHUNK,
                   FRTI_SESSION_SHARED);
}

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

static const char *
session_kind_name(const struct frti_session *slot)
{
    static const char *const names[] = {"confined", "shared", "global"};

    return names[slot->kind];
}

frt_status
frti_session_refuse(frt_status why, struct frti_session *slot)
{
    const char *kind = session_kind_name(slot);

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
frti_ticket_refuse(const frt_ticket *ticket)
{
    if (ticket->slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the ticket was released before, or "
                                           "never acquired");
    return frti_fail(
        FRT_BAD_ARGUMENT, "the ticket was released before: its %s session %s",
        session_kind_name(ticket->slot),
        frti_session_is_open(ticket->slot, ticket->generation) ? "is not held"
                                                               : "is closed");
}

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

static bool
sessions_grow(enum frti_session_kind kind)
{
    struct session_chunk *chunk =
        frti_allocate(sizeof *chunk, FRTI_SESSION_ALIGNMENT);

    if (chunk == NULL)
        return false;
    pthread_mutex_lock(&session_list_lock);
    chunk->next = session_chunks;
    session_chunks = chunk;
    session_enlist(chunk->slots, SESSION_CHUNK, kind);
    pthread_mutex_unlock(&session_list_lock);
    return true;
}

frt_status
frti_session_open(frt_session *out, enum frti_session_kind kind)
{
    struct frti_session *slot;
    uint64_t generation;

    while ((slot = session_pop(kind)) == NULL)
        if (!sessions_grow(kind))
            return frti_no_memory(sizeof(struct session_chunk), "sessions");
    /* relaxed, all three: the slot is this thread's own. Its last life came
     * through the list's lock, and the handle publishes the new one. */
    generation =
        frti_session_word_generation(frti_counter_get_relaxed(&slot->word)) + 1;
    frti_counter_set_relaxed(&slot->owner, frti_thread_number());
    frti_counter_set_relaxed(&slot->word,
                             frti_session_word(generation, FRTI_SESSION_OPEN));
    out->slot = slot;
    out->generation = generation;
    return FRT_OK;
}

static frt_status
session_refuse_close(const struct frti_session *slot, uint64_t holds)
{
    return frti_fail(FRT_STILL_HELD, "the %s session is still held %llu time%s",
                     session_kind_name(slot), (unsigned long long)holds,
                     holds == 1 ? "" : "s");
}

static frt_status
session_closed_before(const struct frti_session *slot)
{
    return frti_fail(FRT_ALREADY_CLOSED, "the %s session was closed before",
                     session_kind_name(slot));
}

frt_status
frti_session_close(struct frti_session *slot, uint64_t generation)
{
    uint64_t word = frti_session_word(generation, FRTI_SESSION_OPEN);

    if (slot->kind == FRTI_SESSION_GLOBAL)
        return frti_fail(FRT_UNSUPPORTED, "the global session is never closed");
    if (!frti_session_is_open(slot, generation))
        return session_closed_before(slot);
    if (slot->kind == FRTI_SESSION_CONFINED && !frti_session_is_owner(slot))
        return frti_session_refuse(FRT_WRONG_THREAD, slot);
    /* acquire: pairs with the release of frti_session_release_shared */
    if (frti_counter_replace_acquire(
            &slot->word, &word,
            frti_session_word(generation, FRTI_SESSION_CLOSED)))
        return FRT_OK;
    if (frti_session_is_word_open(word, generation))
        return session_refuse_close(slot, frti_session_word_holds(word));
    return session_closed_before(slot);
}

void
frti_session_recycle(struct frti_session *slot)
{
    uint64_t word = frti_counter_get_relaxed(&slot->word); /* the closer's */

    if (frti_session_word_generation(word) == UINT32_MAX)
        return; /* retired: another life would look like its first */
    pthread_mutex_lock(&session_list_lock);
    slot->next = session_free[slot->kind];
    session_free[slot->kind] = slot;
    pthread_mutex_unlock(&session_list_lock);
}

static frt_status
session_never_opened(void)
{
    return frti_fail(FRT_BAD_ARGUMENT, "the session was never opened");
}

frt_status
frt_session_acquire(frt_ticket *out, frt_session session)
{
    if (out == NULL)
        return frti_null_argument("out");
    if (session.slot == NULL)
        return session_never_opened();
    return frti_session_acquire(out, session.slot, session.generation);
}

frt_status
frt_session_release(frt_ticket *ticket)
{
    if (ticket == NULL)
        return frti_null_argument("ticket");
    return frti_session_release(ticket);
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
                       .generation = SESSION_GLOBAL_GENERATION};
}
