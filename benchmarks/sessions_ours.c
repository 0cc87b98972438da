/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The memory floor's path as a downcall inlines it (ffi_rt/link/enter.c). This
 * file opens that floor, as a unit test does, and is a shared object of its
 * own with the floor inside: what is inlined, and how thread-locals are
 * reached, is as in the library.
 */
#include "ffi_rt/memory/session.h"

#include "benchmarks/sessions_loop.h"

static void *
ours_open(void)
{
    frt_arena *arena = malloc(sizeof *arena);

    if (arena != NULL && frt_arena_open_shared(arena) != FRT_OK) {
        free(arena);
        return NULL;
    }
    return arena;
}

static bool
ours_close(void *session)
{
    if (frt_arena_close(*(frt_arena *)session) != FRT_OK)
        return false;
    free(session);
    return true;
}

SESSIONS_INLINE void
ours_around(void *const *sessions, size_t wanted, bool is_call)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status = frti_holding_begin(&holding, wanted);
    struct frti_hold *first = holding.first;
    struct frti_hold *top = first;

    for (size_t i = 0; i < wanted && status == FRT_OK; i++) {
        const frt_arena *arena = sessions[i];

        status = frti_holding_add(first, &top, arena->slot, arena->generation);
    }
    frti_holding_stand(&holding, top);
    if (FRTI_UNLIKELY(status != FRT_OK))
        sessions_failed();
    if (is_call)
        bench_sink(sessions_identity3(sessions[0], NULL, NULL));
}

SESSIONS_INLINE void
ours_loop(void *context, uint64_t count, size_t wanted, bool is_call)
{
    void *const *volatile place = context;

    while (count-- > 0)
        ours_around(place, wanted, is_call);
}

static void
ours_pair(void *context, uint64_t count)
{
    ours_loop(context, count, 1, false);
}

static void
ours_call_1(void *context, uint64_t count)
{
    ours_loop(context, count, 1, true);
}

static void
ours_call_3(void *context, uint64_t count)
{
    ours_loop(context, count, 3, true);
}

SESSIONS_INLINE void
ours_live(uint64_t count, bool is_of_many)
{
    while (count-- > 0) {
        frt_session session;
        struct frti_hold hold;

        if (frti_session_open(&session, FRTI_SESSION_SHARED) != FRT_OK ||
            frti_hold_take(&hold, session.slot, session.generation) != FRT_OK)
            sessions_failed();
        frti_hold_give(&hold);
        if (is_of_many) /* what another thread's first use would leave */
            frti_pointer_set_relaxed(&frti_session_shared(session.slot)->binder,
                                     FRTI_SESSION_SEVERAL);
        if (frti_session_close(session.slot, session.generation) != FRT_OK)
            sessions_failed();
        frti_session_recycle(session.slot);
    }
}

static void
ours_life(void *context, uint64_t count)
{
    (void)context;
    ours_live(count, false);
}

static void
ours_life_of_many(void *context, uint64_t count)
{
    (void)context;
    ours_live(count, true);
}

static size_t
ours_bytes_session(void)
{
    return sizeof(struct frti_shared_session);
}

/* Of a page that is fully used. */
static size_t
ours_bytes_thread(void)
{
    return (sizeof(struct frti_stripe_page) + FRTI_STRIPES - 1) / FRTI_STRIPES;
}

FRT_API extern const struct bench_sessions bench_sessions_ours;
const struct bench_sessions bench_sessions_ours = {
    .name = "ours",
    .open = ours_open,
    .close = ours_close,
    .pair = ours_pair,
    .call_1 = ours_call_1,
    .call_3 = ours_call_3,
    .life = ours_life,
    .life_of_many = ours_life_of_many,
    .bytes_session = ours_bytes_session,
    .bytes_thread = ours_bytes_thread,
};
