/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/upcall_house.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/pool.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/session.h"

/* The upcalls of one arena. Its close action ends them; the pool finds it. */
struct frti_house {
    struct frti_shared shared; /* a reference by each upcall and action */
    frt_session session;
    frti_counter is_watched; /* the arena has an action for it */
    struct frti_upcall *first;
};

static bool
house_equal(const void *one, const void *other)
{
    const struct frti_house *a = one;
    const struct frti_house *b = other;

    return a->session.slot == b->session.slot &&
           a->session.generation == b->session.generation;
}

static void
house_destroy(void *thing)
{
    frti_free(thing, sizeof(struct frti_house), _Alignof(struct frti_house));
}

static struct frti_pool house_pool = FRTI_POOL(house_equal, house_destroy);

void
frti_house_enter(struct frti_house *house, struct frti_upcall *upcall)
{
    upcall->before = NULL;
    upcall->next = house->first;
    if (house->first != NULL)
        house->first->before = upcall;
    house->first = upcall;
}

void
frti_house_leave(struct frti_upcall *upcall)
{
    if (upcall->house == NULL)
        return;
    if (upcall->before == NULL)
        upcall->house->first = upcall->next;
    else
        upcall->before->next = upcall->next;
    if (upcall->next != NULL)
        upcall->next->before = upcall->before;
}

static frt_status
house_find(struct frti_house **out, frt_session session)
{
    struct frti_house like = {.session = session};
    struct frti_house *house;

    like.shared.hash = frti_hash(FRTI_HASH_START, &session, sizeof session);
    house = frti_pool_find(&house_pool, &like);
    if (house == NULL) {
        house = frti_allocate(sizeof *house, _Alignof(struct frti_house));
        if (house == NULL)
            return frti_no_memory(sizeof *house, "an arena's upcalls");
        house->shared.hash = like.shared.hash;
        house->session = session;
        house = frti_pool_intern(&house_pool, house);
        if (house == NULL)
            return frti_no_memory(sizeof like, "the table of arenas");
    }
    *out = house;
    return FRT_OK;
}

/* Two threads may each add an action: the second finds nothing left to do. */
static frt_status
house_watch(struct frti_house *house, frt_arena arena)
{
    frt_status status;

    /* relaxed: the arena is held, so that its actions run later */
    if (frti_counter_get_relaxed(&house->is_watched) != 0)
        return FRT_OK;
    frti_shared_keep(house);
    status = frt_arena_on_close(arena, frti_house_close, house);
    if (status != FRT_OK)
        frti_pool_drop(&house_pool, house);
    else
        frti_counter_set_relaxed(&house->is_watched, 1);
    return status;
}

frt_status
frti_house_find(struct frti_house **out, frt_arena arena)
{
    frt_status status;

    if (arena.slot->kind == FRTI_SESSION_GLOBAL)
        return FRT_OK;
    status = house_find(out, frt_arena_session(arena));
    return status == FRT_OK ? house_watch(*out, arena) : status;
}

void
frti_house_drop(struct frti_house *house)
{
    if (house != NULL)
        frti_pool_drop(&house_pool, house);
}

struct frti_upcall *
frti_house_first(const struct frti_house *house)
{
    return house->first;
}
