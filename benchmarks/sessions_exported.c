/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What everybody can call: an acquire with its ticket, and its release. */
#include "benchmarks/sessions_loop.h"
#include "ffi_rt/ffi_rt.h"

static void *
exported_open(void)
{
    frt_arena *arena = malloc(sizeof *arena);

    if (arena != NULL && frt_arena_open_shared(arena) != FRT_OK) {
        free(arena);
        return NULL;
    }
    return arena;
}

static bool
exported_close(void *session)
{
    if (frt_arena_close(*(frt_arena *)session) != FRT_OK)
        return false;
    free(session);
    return true;
}

SESSIONS_INLINE void
exported_around(void *const *sessions, size_t wanted, bool is_call)
{
    frt_ticket tickets[SESSIONS_MOST];

    for (size_t i = 0; i < wanted; i++) {
        const frt_arena *arena = sessions[i];

        if (frt_session_acquire(&tickets[i], frt_arena_session(*arena)) !=
            FRT_OK)
            sessions_failed();
    }
    if (is_call)
        bench_sink(sessions_identity3(sessions[0], NULL, NULL));
    for (size_t i = wanted; i-- > 0;)
        frt_session_release(&tickets[i]);
}

SESSIONS_INLINE void
exported_loop(void *context, uint64_t count, size_t wanted, bool is_call)
{
    void *const *volatile place = context;

    while (count-- > 0)
        exported_around(place, wanted, is_call);
}

static void
exported_pair(void *context, uint64_t count)
{
    exported_loop(context, count, 1, false);
}

static void
exported_call_1(void *context, uint64_t count)
{
    exported_loop(context, count, 1, true);
}

static void
exported_call_3(void *context, uint64_t count)
{
    exported_loop(context, count, 3, true);
}

const struct bench_sessions bench_sessions_ours_exported = {
    .name = "ours_exported",
    .open = exported_open,
    .close = exported_close,
    .pair = exported_pair,
    .call_1 = exported_call_1,
    .call_3 = exported_call_3,
};
