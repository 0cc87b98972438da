/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Closing a session.
 *
 *   1  closed before: said before any lock, so that a close action may try
 *   2  held by this thread's stripe: refused at once, inside an upcall say
 *   3  the closers' lock of this slot: one counts at a time
 *   4  a first count, without a barrier: what it sees is held
 *   5  OPEN -> CLOSING, and the barrier, unless nobody else ever used it
 *   6  the second count: what it does not see will see CLOSING
 *   7  CLOSING -> CLOSED, if no acquire put OPEN back; or back to OPEN
 *
 * Many closers share the barrier of step 5.
 */
#include <pthread.h>
#include <stdio.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/session.h"

/* Without memory for more, so many are closed with one barrier. */
#define CLOSE_FEW 32

/* How many holders a sentence names. */
#define CLOSE_NAMED 4

/* ----------------------------------------------------------------- lock --- */

/* A word in the slot; who waits does so here, whichever slot it is. */
enum { CLOSER_FREE, CLOSER_TAKEN, CLOSER_WANTED };

static pthread_mutex_t closers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closers_changed = PTHREAD_COND_INITIALIZER;

static bool
closer_try(struct frti_shared_session *shared)
{
    uint64_t seen = CLOSER_FREE;

    /* acquire: pairs with the release of closer_unlock */
    return frti_counter_replace_acquire(&shared->closer, &seen, CLOSER_TAKEN);
}

static void
closer_lock(struct frti_shared_session *shared)
{
    if (closer_try(shared))
        return;
    pthread_mutex_lock(&closers_lock);
    /* acquire: as in closer_try */
    while (frti_counter_exchange_acquire(&shared->closer, CLOSER_WANTED) !=
           CLOSER_FREE)
        pthread_cond_wait(&closers_changed, &closers_lock);
    pthread_mutex_unlock(&closers_lock);
}

static void
closer_unlock(struct frti_shared_session *shared)
{
    /* release: pairs with the acquires of closer_try and closer_lock */
    if (frti_counter_exchange_release(&shared->closer, CLOSER_FREE) !=
        CLOSER_WANTED)
        return;
    pthread_mutex_lock(&closers_lock);
    pthread_cond_broadcast(&closers_changed);
    pthread_mutex_unlock(&closers_lock);
}

void
frti_closers_after_fork_in_child(void)
{
    pthread_mutex_init(&closers_lock, NULL);
    pthread_cond_init(&closers_changed, NULL);
}

/* ---------------------------------------------------------------- count --- */

struct tally {
    uint64_t total;
    size_t found; /* holders, of which up to `capacity` are written */
    size_t capacity;
    frt_holder *holders;
};

static void
tally_add(struct tally *tally, uint64_t thread, uint64_t count)
{
    if (count == 0)
        return;
    if (tally->found < tally->capacity)
        tally->holders[tally->found] =
            (frt_holder){.thread = thread, .count = count};
    tally->found++;
    tally->total += count;
}

static void
tally_record(struct tally *tally, struct frti_stripe_record *record,
             struct frti_session *slot, uint64_t generation)
{
    struct frti_stripe *stripe =
        frti_stripe_of_record(record, slot->stripe_page, slot->stripe_offset);

    if (stripe != NULL && frti_stripe_generation_acquire(stripe) == generation)
        tally_add(tally, frti_counter_get_relaxed(&record->thread), /* a name */
                  frti_stripe_held(stripe));
}

static void
tally_counted(struct tally *tally, struct frti_shared_session *shared,
              uint64_t generation)
{
    /* acquire: pairs with the release of frti_session_release_counted */
    uint64_t count = frti_counter_get_acquire(&shared->count);

    if (count >> 32 == generation)
        tally_add(tally, 0, (uint32_t)count);
}

static void
tally_shared(struct tally *tally, struct frti_session *slot,
             uint64_t generation)
{
    struct frti_shared_session *shared = frti_session_shared(slot);
    /* acquire: pairs with the CAS of session_name_binder */
    void *binder = frti_pointer_get_acquire(&shared->binder);
    struct frti_stripe_record *record;

    if (binder == FRTI_SESSION_SEVERAL)
        for (record = frti_stripe_records(); record != NULL;
             record = record->next)
            tally_record(tally, record, slot, generation);
    else if (binder != NULL)
        tally_record(tally, binder, slot, generation);
    tally_counted(tally, shared, generation);
}

/* ------------------------------------------------------------ sentences --- */

static const char *
close_times(uint64_t count)
{
    return count == 1 ? "time" : "times";
}

/* ": by thread 3 (2 times), ..." */
static void
close_name_holders(char *text, size_t size, const struct tally *tally)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < tally->found && i < tally->capacity; i++) {
        const frt_holder *holder = &tally->holders[i];
        int length;

        if (holder->thread != 0)
            length = snprintf(
                text + used, size - used, "%s thread %llu (%llu %s)",
                i == 0 ? ": by" : ",", (unsigned long long)holder->thread,
                (unsigned long long)holder->count, close_times(holder->count));
        else
            length = snprintf(
                text + used, size - used,
                "%s no thread that is known (%llu %s)", i == 0 ? ": by" : ",",
                (unsigned long long)holder->count, close_times(holder->count));
        if (length < 0 || (size_t)length >= size - used)
            break;
        used += (size_t)length;
    }
}

static FRTI_COLD frt_status
close_refuse(const struct frti_session *slot, const struct tally *tally)
{
    char holders[64 * CLOSE_NAMED];

    close_name_holders(holders, sizeof holders, tally);
    return frti_fail(FRT_STILL_HELD, "the %s session is still held %llu %s%s%s",
                     frti_session_kind_name(slot),
                     (unsigned long long)tally->total,
                     close_times(tally->total), holders,
                     tally->found > tally->capacity ? ", and others" : "");
}

static FRTI_COLD frt_status
close_vetoed(void)
{
    return frti_fail(FRT_STILL_HELD,
                     "the shared session is still held: an acquire came first");
}

static FRTI_COLD frt_status
closed_before(const struct frti_session *slot)
{
    return frti_fail(FRT_ALREADY_CLOSED, "the %s session was closed before",
                     frti_session_kind_name(slot));
}

static FRTI_COLD frt_status
close_without_barrier(void)
{
    return frti_fail(FRT_UNSUPPORTED,
                     "the shared session cannot be closed: the system refuses "
                     "membarrier, which it had granted");
}

/* --------------------------------------------------------------- shared --- */

/* Another closer has the lock: no status of ours. */
#define CLOSE_LATER ((frt_status)-1)

struct closing {
    struct frti_session *slot;
    uint64_t generation;
    size_t index;  /* in a list of many */
    bool is_alone; /* nobody else ever used this life */
};

static frt_status
closing_count(const struct closing *closing)
{
    frt_holder holders[CLOSE_NAMED];
    struct tally tally = {.capacity = CLOSE_NAMED, .holders = holders};

    tally_shared(&tally, closing->slot, closing->generation);
    return tally.total == 0 ? FRT_OK : close_refuse(closing->slot, &tally);
}

static frt_status
closing_look_first(const struct closing *closing)
{
    struct frti_session *slot = closing->slot;
    struct frti_stripe *mine =
        frti_stripe_here(slot->stripe_page, slot->stripe_offset);

    if (!frti_session_is_open(slot, closing->generation))
        return closed_before(slot);
    if (mine != NULL &&
        frti_stripe_generation_acquire(mine) == closing->generation &&
        frti_stripe_held(mine) != 0)
        return closing_count(closing);
    return FRT_OK;
}

/* Under the closers' lock, which it keeps if it says FRT_OK. */
static frt_status
closing_announce(struct closing *closing)
{
    struct frti_session *slot = closing->slot;
    struct frti_shared_session *shared = frti_session_shared(slot);
    uint64_t word = closing->generation;
    frt_status status;
    void *binder;

    if (!frti_session_is_open(slot, closing->generation))
        status = closed_before(slot);
    else
        status = closing_count(closing);
    if (status != FRT_OK) {
        closer_unlock(shared);
        return status;
    }
    /* seq_cst and a fence: pairs with stripe_bind, the counted acquire, and in
     * the modes fence and rmw with every acquire. Nobody but a closer takes
     * OPEN away, so that this cannot fail. */
    (void)frti_counter_replace_seq_cst(
        &slot->word, &word, closing->generation | FRTI_SESSION_CLOSING);
    frti_fence_seq_cst();
    /* acquire: as in tally_shared */
    binder = frti_pointer_get_acquire(&shared->binder);
    closing->is_alone = binder == NULL || binder == frti_here.stripe_record;
    return FRT_OK;
}

/* After the barrier, if there was to be one. Gives the lock back. */
static frt_status
closing_decide(const struct closing *closing, bool has_barrier)
{
    struct frti_session *slot = closing->slot;
    uint64_t open = closing->generation;
    uint64_t word = open | FRTI_SESSION_CLOSING;
    frt_status status =
        has_barrier ? closing_count(closing) : close_without_barrier();

    /* seq_cst: pairs with the veto in frti_session_judge. If OPEN is back
     * already, there is nothing to put back. */
    if (!frti_counter_replace_seq_cst(
            &slot->word, &word,
            open | (status == FRT_OK ? FRTI_SESSION_CLOSED : 0)) &&
        status == FRT_OK)
        status = close_vetoed();
    closer_unlock(frti_session_shared(slot));
    return status;
}

static frt_status
close_shared(struct frti_session *slot, uint64_t generation)
{
    struct closing closing = {.slot = slot, .generation = generation};
    frt_status status = closing_look_first(&closing);

    if (status != FRT_OK)
        return status;
    closer_lock(frti_session_shared(slot));
    status = closing_announce(&closing);
    if (status != FRT_OK)
        return status;
    return closing_decide(&closing, closing.is_alone || frti_barrier());
}

/* ------------------------------------------------------------- any kind --- */

static frt_status
close_confined(struct frti_session *slot, uint64_t generation)
{
    uint64_t holds;

    if (!frti_session_is_open(slot, generation))
        return closed_before(slot);
    if (!frti_session_is_owner(slot))
        return frti_session_refuse(FRT_WRONG_THREAD, slot);
    holds = frti_counter_get_relaxed(&slot->holds); /* its owner's own */
    if (holds != 0) {
        frt_holder holder = {.thread = frti_thread_number(), .count = holds};
        struct tally tally = {holds, 1, 1, &holder};

        return close_refuse(slot, &tally);
    }
    /* relaxed: others look at the word, and see tally_confined */
    frti_counter_set_relaxed(&slot->word, generation | FRTI_SESSION_CLOSED);
    return FRT_OK;
}

frt_status
frti_session_close(struct frti_session *slot, uint64_t generation)
{
    if (slot->kind == FRTI_SESSION_SHARED)
        return close_shared(slot, generation);
    if (slot->kind == FRTI_SESSION_CONFINED)
        return close_confined(slot, generation);
    return frti_fail(FRT_UNSUPPORTED, "the global session is never closed");
}

/* ----------------------------------------------------------------- many --- */

/* True: it waits in *out for the barrier. Never waits for a lock while it has
 * others: what another closer has comes later, by itself. */
static bool
many_announce(struct closing *out, frt_status *status, frt_arena arena)
{
    *out = (struct closing){.slot = arena.slot, .generation = arena.generation};
    *status = closing_look_first(out);
    if (*status != FRT_OK || !closer_try(frti_session_shared(arena.slot)))
        return false;
    *status = closing_announce(out);
    return *status == FRT_OK;
}

static size_t
many_announce_all(struct closing *closings, frt_status *statuses,
                  const frt_arena *arenas, size_t count)
{
    size_t waiting = 0;

    for (size_t i = 0; i < count; i++) {
        if (arenas[i].slot == NULL)
            statuses[i] = frti_session_never_opened();
        else if (arenas[i].slot->kind != FRTI_SESSION_SHARED)
            statuses[i] =
                frti_session_close(arenas[i].slot, arenas[i].generation);
        else if (many_announce(&closings[waiting], &statuses[i], arenas[i]))
            closings[waiting++].index = i;
        else if (statuses[i] == FRT_OK)
            statuses[i] = CLOSE_LATER;
    }
    return waiting;
}

static void
close_some(struct closing *closings, frt_status *statuses,
           const frt_arena *arenas, size_t count)
{
    size_t waiting = many_announce_all(closings, statuses, arenas, count);
    bool is_needed = false;
    bool has_barrier;

    for (size_t i = 0; i < waiting; i++)
        is_needed |= !closings[i].is_alone;
    has_barrier = !is_needed || frti_barrier();
    for (size_t i = 0; i < waiting; i++)
        statuses[closings[i].index] =
            closing_decide(&closings[i], has_barrier || closings[i].is_alone);
    for (size_t i = 0; i < count; i++)
        if (statuses[i] == CLOSE_LATER)
            statuses[i] = close_shared(arenas[i].slot, arenas[i].generation);
}

void
frti_session_close_many(frt_status *statuses, const frt_arena *arenas,
                        size_t count)
{
    struct closing few[CLOSE_FEW];
    size_t bytes = count * sizeof *few;
    struct closing *all = count > CLOSE_FEW
                              ? frti_allocate(bytes, _Alignof(struct closing))
                              : NULL;

    if (all != NULL) {
        close_some(all, statuses, arenas, count);
        frti_free(all, bytes, _Alignof(struct closing));
        return;
    }
    for (size_t done = 0; done < count; done += CLOSE_FEW)
        close_some(few, statuses + done, arenas + done,
                   count - done < CLOSE_FEW ? count - done : CLOSE_FEW);
}

/* -------------------------------------------------------------- holders --- */

/* Of a confined one, asked on any thread: if the owner closes it meanwhile, the
 * slot may be in its next life. */
static void
tally_confined(struct tally *tally, struct frti_session *slot,
               uint64_t generation)
{
    /* acquire, both: pair with the releases of session_begin, so that who sees
     * these of a later life sees its word */
    uint64_t owner = frti_counter_get_acquire(&slot->owner);
    uint64_t holds = frti_counter_get_acquire(&slot->holds);

    if (frti_session_is_open(slot, generation))
        tally_add(tally, owner, holds);
}

size_t
frt_session_holders(frt_holder *holders, size_t capacity, frt_session session)
{
    struct tally tally = {.capacity = holders == NULL ? 0 : capacity,
                          .holders = holders};
    struct frti_session *slot = session.slot;

    if (slot == NULL || !frti_session_is_open(slot, session.generation))
        return 0;
    if (slot->kind == FRTI_SESSION_SHARED)
        tally_shared(&tally, slot, session.generation);
    else if (slot->kind == FRTI_SESSION_CONFINED)
        tally_confined(&tally, slot, session.generation);
    return tally.found;
}

size_t
frt_fork_drop_holds(void)
{
    return frti_stripes_drop_lost();
}
