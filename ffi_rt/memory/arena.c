/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/arena.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/sanitizer.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/segment.h"

#define ARENA_ALIGNMENT 16

/* In nanoseconds: between two tries of a close that waits. */
#define ARENA_SECOND UINT64_C(1000000000)
#define ARENA_SHORTEST_PAUSE UINT64_C(1000)
#define ARENA_LONGEST_PAUSE UINT64_C(1000000)

/* The first block suits a call or two; each further one is twice as large,
 * and what would take more than a quarter of a block gets its own. */
#define ARENA_FIRST_BLOCK ((size_t)512)
#define ARENA_LARGEST_BLOCK ((size_t)64 << 10)

struct frti_block {
    struct frti_block *next;
    size_t size; /* as it was allocated, with this head */
    size_t alignment;
};

struct frti_close_action {
    struct frti_close_action *next;
    frt_close_action *run;
    void *context;
};

/* What is asked for; `size` is at least 1. */
struct arena_request {
    size_t size;
    size_t alignment;
    size_t head; /* of a block of its own, up to the memory */
    size_t own;  /* the size of that block */
};

static frt_status
arena_request_of(struct arena_request *out, size_t size, size_t alignment)
{
    struct arena_request request;

    if (alignment == 0)
        alignment = ARENA_ALIGNMENT;
    if (!frti_is_power_of_two(alignment))
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "the alignment %zu is not a power of two", alignment);
    if (alignment < FRTI_POISON_GRAIN)
        alignment = FRTI_POISON_GRAIN;
    request.size = size + (size == 0);
    request.alignment = alignment;
    if (!frti_align_up(&request.head, sizeof(struct frti_block), alignment) ||
        !frti_add(&request.own, request.head, request.size) ||
        request.own > PTRDIFF_MAX)
        return frti_fail(FRT_OVERFLOW,
                         "%zu bytes aligned to %zu do not fit in an address "
                         "space",
                         size, alignment);
    *out = request;
    return FRT_OK;
}

static struct frti_block *
arena_block_new(size_t size, size_t alignment)
{
    struct frti_block *block = frti_allocate(size, alignment);

    if (block == NULL)
        return NULL;
    block->size = size;
    block->alignment = alignment;
    return block;
}

/* A piece of the current block; NULL: it does not fit. */
static void *
arena_cut(struct frti_arena *arena, const struct arena_request *request)
{
    size_t room = (size_t)(arena->limit - arena->top);
    size_t gap = -(uintptr_t)arena->top & (request->alignment - 1);
    size_t rest;
    char *piece;

    if (gap > room || request->size > room - gap)
        return NULL;
    rest = room - gap - request->size;
    piece = arena->top + gap;
    frti_unpoison(piece, request->size);
    arena->top = piece + request->size;
    arena->top += rest > FRTI_RED_ZONE ? FRTI_RED_ZONE : rest;
    return piece;
}

/* The size of the next block to be cut up; 0: the request gets its own. */
static size_t
arena_next_block(const struct frti_arena *arena,
                 const struct arena_request *request)
{
    /* wherever in the block the piece begins */
    size_t need = request->own + request->alignment;
    size_t size =
        arena->top == NULL ? ARENA_FIRST_BLOCK : arena->blocks->size * 2;

    if (need > ARENA_LARGEST_BLOCK / 4)
        return 0;
    while (size < need)
        size *= 2;
    return size < ARENA_LARGEST_BLOCK ? size : ARENA_LARGEST_BLOCK;
}

static void *
arena_add_own(struct frti_arena *arena, struct frti_block *block,
              const struct arena_request *request)
{
    struct frti_block **link =
        arena->top == NULL ? &arena->blocks : &arena->blocks->next;

    block->next = *link;
    *link = block;
    return (char *)block + request->head;
}

static void *
arena_add_block(struct frti_arena *arena, struct frti_block *block,
                const struct arena_request *request)
{
    block->next = arena->blocks;
    arena->blocks = block;
    arena->top = (char *)(block + 1);
    arena->limit = (char *)block + block->size;
    frti_poison(arena->top, (size_t)(arena->limit - arena->top));
    return arena_cut(arena, request);
}

static void
arena_lock(struct frti_session *slot)
{
    if (slot->kind != FRTI_SESSION_CONFINED)
        frti_session_lock(slot);
}

static void
arena_unlock(struct frti_session *slot)
{
    if (slot->kind != FRTI_SESSION_CONFINED)
        frti_session_unlock(slot);
}

/* The block comes from the allocator outside the lock; another thread may add
 * one meanwhile, which does no harm. */
static void *
arena_extend(struct frti_session *slot, const struct arena_request *request,
             size_t size)
{
    bool is_own = size == 0;
    struct frti_block *block =
        is_own ? arena_block_new(request->own, request->alignment)
               : arena_block_new(size, ARENA_ALIGNMENT);
    void *piece;

    if (block == NULL)
        return NULL;
    arena_lock(slot);
    piece = is_own ? arena_add_own(&slot->arena, block, request)
                   : arena_add_block(&slot->arena, block, request);
    arena_unlock(slot);
    return piece;
}

/* The session is held. */
static frt_status
arena_take(void **out, struct frti_session *slot, size_t size, size_t alignment)
{
    struct arena_request request = {0};
    frt_status status = arena_request_of(&request, size, alignment);
    size_t next;
    void *piece;

    if (status != FRT_OK)
        return status;
    arena_lock(slot);
    piece = arena_cut(&slot->arena, &request);
    next = arena_next_block(&slot->arena, &request);
    arena_unlock(slot);
    if (piece == NULL)
        piece = arena_extend(slot, &request, next);
    if (piece == NULL)
        return frti_no_memory(size, "an arena");
    *out = piece;
    return FRT_OK;
}

static frt_status
arena_check_handle(frt_arena arena)
{
    if (arena.slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the arena was never opened");
    return FRT_OK;
}

static frt_status
arena_hold(struct frti_hold *out, frt_arena arena)
{
    frt_status status = arena_check_handle(arena);

    if (status != FRT_OK)
        return status;
    return frti_hold_take(out, arena.slot, arena.generation);
}

frt_status
frt_arena_allocate(frt_segment *out, frt_arena arena, size_t size,
                   size_t alignment)
{
    struct frti_hold hold;
    void *address = NULL;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = arena_hold(&hold, arena);
    if (status != FRT_OK)
        return status;
    status = arena_take(&address, arena.slot, size, alignment);
    frti_hold_give(&hold);
    if (status == FRT_OK)
        *out = frti_segment_of(address, size, arena);
    return status;
}

frt_status
frt_arena_allocate_layout(frt_segment *out, frt_arena arena,
                          const frt_layout *layout, size_t count)
{
    size_t size;

    if (layout == NULL)
        return frti_null_argument("layout");
    if (!frt_layout_is_complete(layout)) {
        char text[128];

        frt_layout_print(text, sizeof text, layout);
        return frti_fail(FRT_BAD_LAYOUT, "%s is incomplete and has no size",
                         text);
    }
    if (!frti_multiply(&size, frt_layout_size(layout), count))
        return frti_fail(FRT_OVERFLOW,
                         "%zu times %zu bytes do not fit in an address space",
                         count, frt_layout_size(layout));
    return frt_arena_allocate(out, arena, size, frt_layout_alignment(layout));
}

frt_status
frt_arena_allocate_string(frt_segment *out, frt_arena arena, const char *text)
{
    frt_segment segment;
    frt_status status;
    size_t size;

    if (text == NULL)
        return frti_null_argument("text");
    if (out == NULL)
        return frti_null_argument("out");
    size = strlen(text) + 1;
    status = frt_arena_allocate(&segment, arena, size, 1);
    if (status != FRT_OK)
        return status;
    status = frt_segment_put_bytes(&segment, 0, text, size);
    if (status == FRT_OK)
        *out = segment;
    return status;
}

static frt_status
arena_open(frt_arena *out, enum frti_session_kind kind)
{
    frt_session session;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = frti_session_open(&session, kind);
    if (status != FRT_OK)
        return status;
    *out = (frt_arena){.slot = session.slot, .generation = session.generation};
    return FRT_OK;
}

frt_status
frt_arena_open_confined(frt_arena *out)
{
    return arena_open(out, FRTI_SESSION_CONFINED);
}

frt_status
frt_arena_open_shared(frt_arena *out)
{
    return arena_open(out, FRTI_SESSION_SHARED);
}

static void
arena_run_actions(struct frti_arena *arena)
{
    while (arena->actions != NULL) {
        struct frti_close_action action = *arena->actions;

        frti_free(arena->actions, sizeof action,
                  _Alignof(struct frti_close_action));
        arena->actions = action.next;
        action.run(action.context);
    }
}

static void
arena_free_blocks(struct frti_arena *arena)
{
    struct frti_block *block = arena->blocks;

    while (block != NULL) {
        struct frti_block *next = block->next;

        frti_unpoison(block, block->size); /* jemalloc knows of no poison */
        frti_free(block, block->size, block->alignment);
        block = next;
    }
    *arena = (struct frti_arena){0};
}

/* A cleanup, so that an action that throws does not keep the others from
 * running. */
static void
arena_end(struct frti_session **slot)
{
    arena_run_actions(&(*slot)->arena);
    arena_free_blocks(&(*slot)->arena);
    frti_session_recycle(*slot);
}

static void
arena_run_to_end(struct frti_session *slot)
{
    FRTI_CLEANUP(arena_end) struct frti_session *ending = slot;

    arena_run_actions(&ending->arena);
}

frt_status
frt_arena_close(frt_arena arena)
{
    frt_status status = arena_check_handle(arena);

    if (status == FRT_OK)
        status = frti_session_close(arena.slot, arena.generation);
    if (status != FRT_OK)
        return status;
    arena_run_to_end(arena.slot);
    return FRT_OK;
}

/* Those that were closed and have not come to their end. */
struct arena_many {
    const frt_status *statuses;
    const frt_arena *arenas;
    size_t next;
    size_t count;
};

/* A cleanup as well, for actions that do not return. */
static void
arena_end_many(struct arena_many *many)
{
    while (many->next < many->count) {
        size_t i = many->next++;

        if (many->statuses[i] == FRT_OK)
            arena_run_to_end(many->arenas[i].slot);
    }
}

static frt_status
arena_first_failure(const frt_status *statuses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (statuses[i] != FRT_OK)
            return statuses[i];
    return FRT_OK;
}

frt_status
frt_arena_close_many(frt_status *statuses, const frt_arena *arenas,
                     size_t count)
{
    FRTI_CLEANUP(arena_end_many)
    struct arena_many many = {statuses, arenas, 0, 0};
    char why[FRTI_DETAIL_SIZE];
    frt_status status;

    if (count == 0)
        return FRT_OK;
    if (statuses == NULL || arenas == NULL)
        return frti_null_argument(statuses == NULL ? "statuses" : "arenas");
    frti_session_close_many(statuses, arenas, count);
    snprintf(why, sizeof why, "%s", frt_last_detail());
    many.count = count;
    arena_end_many(&many);
    status = arena_first_failure(statuses, count);
    /* again: an action may have failed in something of its own */
    return status == FRT_OK ? FRT_OK : frti_fail(status, "%s", why);
}

static uint64_t
arena_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * ARENA_SECOND + (uint64_t)now.tv_nsec;
}

static void
arena_sleep(uint64_t nanoseconds)
{
    struct timespec span = {(time_t)(nanoseconds / ARENA_SECOND),
                            (long)(nanoseconds % ARENA_SECOND)};

    nanosleep(&span, NULL);
}

/* Releases tell nobody, which is why they are cheap: it looks again. */
frt_status
frt_arena_close_wait(frt_arena arena, uint64_t nanoseconds)
{
    uint64_t start = arena_now();
    uint64_t pause = ARENA_SHORTEST_PAUSE;

    for (;;) {
        frt_status status = frt_arena_close(arena);
        uint64_t passed = arena_now() - start;

        if (status != FRT_STILL_HELD || passed >= nanoseconds ||
            frti_hold_is_here(arena.slot))
            return status;
        arena_sleep(pause < nanoseconds - passed ? pause
                                                 : nanoseconds - passed);
        pause = pause < ARENA_LONGEST_PAUSE ? pause * 2 : pause;
    }
}

bool
frt_arena_is_open(frt_arena arena)
{
    return frt_session_is_open(frt_arena_session(arena));
}

frt_session
frt_arena_session(frt_arena arena)
{
    return (frt_session){.slot = arena.slot, .generation = arena.generation};
}

static frt_status
arena_add_action(struct frti_session *slot, frt_close_action *run,
                 void *context)
{
    struct frti_close_action *action =
        frti_allocate(sizeof *action, _Alignof(struct frti_close_action));

    if (action == NULL)
        return frti_no_memory(sizeof *action, "a close action");
    action->run = run;
    action->context = context;
    arena_lock(slot);
    action->next = slot->arena.actions;
    slot->arena.actions = action;
    arena_unlock(slot);
    return FRT_OK;
}

frt_status
frt_arena_on_close(frt_arena arena, frt_close_action *action, void *context)
{
    struct frti_hold hold;
    frt_status status;

    if (action == NULL)
        return frti_null_argument("action");
    status = arena_hold(&hold, arena);
    if (status != FRT_OK)
        return status;
    if (arena.slot->kind == FRTI_SESSION_GLOBAL)
        status = frti_fail(FRT_UNSUPPORTED, "the global arena is never closed");
    else
        status = arena_add_action(arena.slot, action, context);
    frti_hold_give(&hold);
    return status;
}
