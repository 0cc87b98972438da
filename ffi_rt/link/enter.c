/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries of a downcall: check, hold, frame, run, keep errno, done.
 *
 * What a step took is given back by a cleanup, so that an exception or a
 * cancellation that passes through the call gives it back too.
 *
 * An entry is compiled for each way through these steps that is worth one, and
 * has nothing of the steps that it does not need; the simplest way of all, the
 * stub, needs none of them.
 */
#include "ffi_rt/base/error_number.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/downcall.h"
#include "ffi_rt/memory/buffer_stack.h"
#include "ffi_rt/memory/segment.h"
#include "ffi_rt/memory/session.h"

/* Scratch of up to this size is on the C stack; more is a frame. */
#define ENTER_SCRATCH 512

struct entering {
    const struct frti_downcall *downcall;
    void *target;
    void *result;
    void *const *arguments;
    frt_call_state *state; /* if it is captured */
};

/* What an entry is compiled for. */
struct way {
    bool is_direct;   /* there is a stub */
    bool is_captured; /* errno goes in and out */
};

/* ------------------------------------------------------- run, errno --- */

FRTI_INLINE void
enter_call(const struct entering *entering, const struct way way, void *result,
           void *scratch)
{
    const struct frti_downcall *downcall = entering->downcall;

    if (way.is_direct)
        (void)downcall->direct(entering->target, result, entering->arguments,
                               &downcall->head);
    else
        downcall->backend->run(downcall->call, entering->target, result,
                               entering->arguments, scratch);
}

/* errno of the thread outside, errno of the call inside. */
FRTI_INLINE void
enter_run(const struct entering *entering, const struct way way, void *result,
          void *scratch)
{
    int *number;
    int outside;

    if (!way.is_captured) {
        enter_call(entering, way, result, scratch);
        return;
    }
    number = frti_error_number();
    outside = *number;
    *number = entering->state->error_number;
    enter_call(entering, way, result, scratch);
    number = frti_error_number();
    entering->state->error_number = *number;
    *number = outside;
}

static FRTI_NOINLINE frt_status
enter_large(const struct entering *entering, bool is_captured, void *result)
{
    const struct way way = {.is_captured = is_captured};
    FRTI_CLEANUP(frti_frame_end) frt_frame frame = {0};
    frt_status status = frt_frame_push(&frame, entering->downcall->scratch, 16);

    if (status == FRT_OK)
        enter_run(entering, way, result, frame.address);
    return status;
}

static FRTI_NOINLINE frt_status
enter_small(const struct entering *entering, bool is_captured, void *result)
{
    const struct way way = {.is_captured = is_captured};
    _Alignas(16) char scratch[ENTER_SCRATCH];

    enter_run(entering, way, result, scratch);
    return FRT_OK;
}

/* A stub needs no scratch. */
FRTI_INLINE frt_status
enter_with_scratch(const struct entering *entering, const struct way way,
                   void *result)
{
    if (way.is_direct) {
        enter_run(entering, way, result, NULL);
        return FRT_OK;
    }
    if (FRTI_UNLIKELY(entering->downcall->scratch > ENTER_SCRATCH))
        return enter_large(entering, way.is_captured, result);
    return enter_small(entering, way.is_captured, result);
}

/* ---------------------------------------------------------- segments --- */

/* A pointer comes back as a segment with what its type promises. */
FRTI_INLINE frt_status
enter_for_segment(const struct entering *entering, const struct way way)
{
    const struct frti_downcall *downcall = entering->downcall;
    void *address = NULL;
    frt_status status = enter_with_scratch(entering, way, &address);

    if (status != FRT_OK)
        return status;
    *(frt_segment *)entering->result =
        (frt_segment){.address = address,
                      .size = address == NULL ? 0 : downcall->pointee,
                      .flags = downcall->is_const ? FRT_SEGMENT_READ_ONLY : 0};
    return FRT_OK;
}

FRTI_INLINE frt_status
enter_result(const struct entering *entering, const struct way way)
{
    if (FRTI_UNLIKELY(entering->downcall->gives_segment))
        return enter_for_segment(entering, way);
    return enter_with_scratch(entering, way, entering->result);
}

static FRTI_COLD frt_status
enter_refuse(frt_status status, const struct frti_segment_rule *rule,
             const frt_segment *segment)
{
    size_t number = rule->index + 1;

    switch (status) {
    case FRT_READ_ONLY:
        return frti_fail(status,
                         "argument %zu is a read-only segment, and its "
                         "parameter is not a pointer to const",
                         number);
    case FRT_BAD_ALIGNMENT:
        return frti_fail(status, "argument %zu is at %p, not aligned to %zu",
                         number, segment->address, (size_t)rule->mask + 1);
    default:
        return frti_fail(status,
                         "argument %zu holds %zu bytes, and its parameter "
                         "asks for %zu",
                         number, frti_segment_room(segment), rule->size);
    }
}

/* What is not plainly right: an empty segment passes where it may. */
static FRTI_COLD frt_status
enter_check_again(const struct frti_segment_rule *rule,
                  const frt_segment *segment)
{
    size_t room = frti_segment_room(segment);

    if (room == 0 && !rule->is_required)
        return FRT_OK;
    if (room < rule->least)
        return enter_refuse(FRT_OUT_OF_BOUNDS, rule, segment);
    if (((uintptr_t)segment->address & rule->mask) != 0)
        return enter_refuse(FRT_BAD_ALIGNMENT, rule, segment);
    return enter_refuse(FRT_READ_ONLY, rule, segment);
}

/* Plainly: without a look at what may be otherwise. */
FRTI_INLINE bool
enter_is_right(const struct frti_segment_rule *rule, const frt_segment *segment)
{
    return segment->size >= rule->least && segment->address != NULL &&
           ((uintptr_t)segment->address & rule->mask) == 0 &&
           (segment->flags & rule->forbidden) == 0;
}

FRTI_INLINE frt_status
enter_check(const struct frti_segment_rule *rule, const frt_segment *segment)
{
    return FRTI_LIKELY(enter_is_right(rule, segment))
               ? FRT_OK
               : enter_check_again(rule, segment);
}

/* Also when it fails, what is taken stands: the cleanup pops it. */
FRTI_INLINE frt_status
enter_hold(struct frti_holding *holding, const struct entering *entering)
{
    size_t count = entering->downcall->rule_count;
    struct frti_hold *first = holding->first;
    struct frti_hold *top = first;
    frt_status status = FRT_OK;

    for (size_t i = 0; i < count && FRTI_LIKELY(status == FRT_OK); i++) {
        const struct frti_segment_rule *rule = &entering->downcall->rules[i];
        const frt_segment *segment = entering->arguments[rule->index];

        status =
            frti_holding_add(first, &top, segment->slot, segment->generation);
        if (FRTI_LIKELY(status == FRT_OK))
            status = enter_check(rule, segment);
    }
    frti_holding_stand(holding, top);
    return status;
}

/* The cleanup releases what is held, however the call ends. */
FRTI_INLINE frt_status
enter_holding(const struct entering *entering, const struct way way)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status =
        frti_holding_begin(&holding, entering->downcall->rule_count);

    if (FRTI_LIKELY(status == FRT_OK))
        status = enter_hold(&holding, entering);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    return enter_result(entering, way);
}

/* As enter_hold, where that takes no call. False: something is not plainly
 * right. What is taken stands in either case. Segments of one session often
 * come one after the other: what was found of the last holds for the next. */
FRTI_INLINE bool
enter_hold_fast(struct frti_holding *holding, const struct entering *entering)
{
    const struct frti_segment_rule *rule = entering->downcall->rules;
    const struct frti_segment_rule *end = rule + entering->downcall->rule_count;
    struct frti_hold *first = holding->first;
    struct frti_hold *top = first;
    struct frti_session *slot = NULL;
    uint32_t generation = 0;

    for (; rule != end; rule++) {
        const frt_segment *segment = entering->arguments[rule->index];

        if (segment->slot != slot || segment->generation != generation) {
            slot = segment->slot;
            generation = segment->generation;
            if (FRTI_UNLIKELY(
                    !frti_holding_add_fast(first, &top, slot, generation)))
                break;
        }
        if (FRTI_UNLIKELY(!enter_is_right(rule, segment)))
            break;
    }
    frti_holding_stand(holding, top);
    return rule == end;
}

/* By value: what has no address stays in registers until here. */
static FRTI_NOINLINE frt_status
enter_stub_again(const struct entering entering, bool is_captured)
{
    const struct way way = {.is_direct = true};
    const struct way captured = {.is_direct = true, .is_captured = true};

    return is_captured ? enter_holding(&entering, captured)
                       : enter_holding(&entering, way);
}

/* What was held for nothing is released after the second try, which does not
 * mind. */
FRTI_INLINE frt_status
enter_holding_fast(const struct entering *entering, const struct way way)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;

    frti_holding_begin_fast(&holding);
    if (FRTI_LIKELY(enter_hold_fast(&holding, entering)))
        return enter_result(entering, way);
    return enter_stub_again(*entering, way.is_captured);
}

/* ----------------------------------------------------------- entries --- */

/* The steps that an entry takes; nothing of the others is in it. */
FRTI_INLINE frt_status
enter(const struct entering *entering, const struct way way, bool holds)
{
    if (FRTI_UNLIKELY(entering->target == NULL))
        return frti_null_argument("target");
    if (way.is_captured && FRTI_UNLIKELY(entering->state == NULL))
        return frti_null_argument("state");
    if (!holds)
        return enter_result(entering, way);
    if (way.is_direct &&
        FRTI_LIKELY(frti_holding_has_room(entering->downcall->rule_count)))
        return enter_holding_fast(entering, way);
    if (way.is_direct)
        return enter_stub_again(*entering, way.is_captured);
    return enter_holding(entering, way);
}

FRTI_INLINE struct entering
entering_of(void *target, void *result, void *const *arguments,
            const frt_downcall *downcall, frt_call_state *state)
{
    return (struct entering){.downcall = frti_downcall_of(downcall),
                             .target = target,
                             .result = result,
                             .arguments = arguments,
                             .state = state};
}

static frt_status
enter_run_segments(void *target, void *result, void *const *arguments,
                   const frt_downcall *downcall)
{
    const struct way way = {0};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, NULL);

    return enter(&entering, way, true);
}

static frt_status
enter_run_plain(void *target, void *result, void *const *arguments,
                const frt_downcall *downcall)
{
    const struct way way = {0};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, NULL);

    return enter(&entering, way, false);
}

static frt_status
enter_run_captured(void *target, void *result, void *const *arguments,
                   const frt_downcall *downcall, frt_call_state *state)
{
    const struct way way = {.is_captured = true};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, state);

    return enter(&entering, way, true);
}

static frt_status
enter_stub_segments(void *target, void *result, void *const *arguments,
                    const frt_downcall *downcall)
{
    const struct way way = {.is_direct = true};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, NULL);

    return enter(&entering, way, true);
}

static frt_status
enter_stub_segments_captured(void *target, void *result, void *const *arguments,
                             const frt_downcall *downcall,
                             frt_call_state *state)
{
    const struct way way = {.is_direct = true, .is_captured = true};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, state);

    return enter(&entering, way, true);
}

static frt_status
enter_stub_captured(void *target, void *result, void *const *arguments,
                    const frt_downcall *downcall, frt_call_state *state)
{
    const struct way way = {.is_direct = true, .is_captured = true};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, state);

    return enter(&entering, way, false);
}

static frt_status
enter_stub(void *target, void *result, void *const *arguments,
           const frt_downcall *downcall)
{
    const struct way way = {.is_direct = true};
    const struct entering entering =
        entering_of(target, result, arguments, downcall, NULL);

    return enter(&entering, way, false);
}

void
frti_downcall_set_entries(struct frti_downcall *downcall)
{
    bool holds = downcall->rule_count != 0;

    downcall->direct = downcall->backend->entry(downcall->call);
    if (downcall->direct == NULL) {
        downcall->head.entry = holds ? enter_run_segments : enter_run_plain;
        downcall->head.captured = enter_run_captured;
        return;
    }
    downcall->head.entry = holds                     ? enter_stub_segments
                           : downcall->gives_segment ? enter_stub
                                                     : downcall->direct;
    downcall->head.captured =
        holds ? enter_stub_segments_captured : enter_stub_captured;
}
