/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries of a downcall: check, hold, frame, run, keep errno, done.
 *
 * What a step took is given back by a cleanup, so that an exception or a
 * cancellation that passes through the call gives it back too.
 */
#include <errno.h>
#include <string.h>

#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/downcall.h"
#include "ffi_rt/memory/session.h"

/* Scratch of up to this size is on the C stack; more is a frame. */
#define ENTER_SCRATCH 512

/* ------------------------------------------------------- run, errno --- */

struct entering {
    const struct frti_downcall *downcall;
    void *target;
    void *result;
    void *const *arguments;
    frt_call_state *state; /* NULL: errno is left to itself */
};

/* errno of the thread outside, errno of the call inside. */
static void
enter_captured(const struct entering *entering, void *result, void *scratch)
{
    const struct frti_downcall *downcall = entering->downcall;
    int outside = errno;

    errno = entering->state->error_number;
    downcall->backend->run(downcall->call, entering->target, result,
                           entering->arguments, scratch);
    entering->state->error_number = errno;
    errno = outside;
}

static void
enter_run(const struct entering *entering, void *result, void *scratch)
{
    const struct frti_downcall *downcall = entering->downcall;

    if (entering->state != NULL)
        enter_captured(entering, result, scratch);
    else
        downcall->backend->run(downcall->call, entering->target, result,
                               entering->arguments, scratch);
}

static void
enter_pop(frt_frame *frame)
{
    (void)frt_frame_pop(frame);
}

static FRTI_NOINLINE frt_status
enter_large(const struct entering *entering, void *result)
{
    FRTI_CLEANUP(enter_pop) frt_frame frame;
    frt_status status = frt_frame_push(&frame, entering->downcall->scratch, 16);

    if (status == FRT_OK)
        enter_run(entering, result, frame.address);
    return status;
}

static frt_status
enter_with_scratch(const struct entering *entering, void *result)
{
    _Alignas(16) char scratch[ENTER_SCRATCH];

    if (FRTI_UNLIKELY(entering->downcall->scratch > sizeof scratch))
        return enter_large(entering, result);
    enter_run(entering, result, scratch);
    return FRT_OK;
}

/* ---------------------------------------------------------- segments --- */

/* A pointer comes back as a segment with what its type promises. */
static frt_status
enter_for_segment(const struct entering *entering)
{
    const struct frti_downcall *downcall = entering->downcall;
    void *address = NULL;
    frt_status status = enter_with_scratch(entering, &address);

    if (status != FRT_OK)
        return status;
    *(frt_segment *)entering->result =
        (frt_segment){.address = address,
                      .size = address == NULL ? 0 : downcall->pointee,
                      .flags = downcall->is_const ? FRT_SEGMENT_READ_ONLY : 0};
    return FRT_OK;
}

static frt_status
enter_result(const struct entering *entering)
{
    const frt_layout *result =
        frt_descriptor_result(entering->downcall->descriptor);

    if (frt_layout_kind(result) == FRT_KIND_SEGMENT)
        return enter_for_segment(entering);
    return enter_with_scratch(entering, entering->result);
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
                         number, segment->address, rule->alignment);
    default:
        return frti_fail(status,
                         "argument %zu holds %zu bytes, and its parameter "
                         "asks for %zu",
                         number, segment->size, rule->size);
    }
}

static frt_status
enter_check(const struct frti_segment_rule *rule, const frt_segment *segment)
{
    if (segment->size == 0 && !rule->is_required)
        return FRT_OK;
    if (FRTI_UNLIKELY(segment->size < rule->size || segment->address == NULL))
        return enter_refuse(FRT_OUT_OF_BOUNDS, rule, segment);
    if (FRTI_UNLIKELY(!frti_is_aligned(segment->address, rule->alignment)))
        return enter_refuse(FRT_BAD_ALIGNMENT, rule, segment);
    if (FRTI_UNLIKELY(rule->is_written &&
                      (segment->flags & FRT_SEGMENT_READ_ONLY)))
        return enter_refuse(FRT_READ_ONLY, rule, segment);
    return FRT_OK;
}

/* Also when it fails, what is taken stands: the cleanup pops it. */
FRTI_INLINE frt_status
enter_hold(struct frti_holding *holding, const struct entering *entering)
{
    const struct frti_downcall *downcall = entering->downcall;
    struct frti_hold *first = holding->first;
    struct frti_hold *top = first;
    frt_status status = FRT_OK;

    for (size_t i = 0; i < downcall->rule_count; i++) {
        const struct frti_segment_rule *rule = &downcall->rules[i];
        const frt_segment *segment = entering->arguments[rule->index];

        status =
            frti_holding_add(first, &top, segment->slot, segment->generation);
        if (FRTI_LIKELY(status == FRT_OK))
            status = enter_check(rule, segment);
        if (FRTI_UNLIKELY(status != FRT_OK))
            break;
    }
    frti_holding_stand(holding, top);
    return status;
}

/* ----------------------------------------------------------- entries --- */

/* The cleanup releases what is held, however the call ends. */
static inline frt_status
enter_holding(const struct entering *entering)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status =
        frti_holding_begin(&holding, entering->downcall->rule_count);

    if (FRTI_LIKELY(status == FRT_OK))
        status = enter_hold(&holding, entering);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    return enter_result(entering);
}

static inline frt_status
enter_any(const struct entering *entering)
{
    if (FRTI_UNLIKELY(entering->target == NULL))
        return frti_null_argument("target");
    return enter_holding(entering);
}

static frt_status
enter_segments(void *target, void *result, void *const *arguments,
               const frt_downcall *downcall)
{
    struct entering entering = {frti_downcall_of(downcall), target, result,
                                arguments, NULL};

    return enter_any(&entering);
}

static frt_status
enter_segments_captured(void *target, void *result, void *const *arguments,
                        const frt_downcall *downcall, frt_call_state *state)
{
    struct entering entering = {frti_downcall_of(downcall), target, result,
                                arguments, state};

    if (FRTI_UNLIKELY(state == NULL))
        return frti_null_argument("state");
    return enter_any(&entering);
}

static frt_status
enter_plain(void *target, void *result, void *const *arguments,
            const frt_downcall *downcall)
{
    struct entering entering = {frti_downcall_of(downcall), target, result,
                                arguments, NULL};

    if (FRTI_UNLIKELY(target == NULL))
        return frti_null_argument("target");
    return enter_with_scratch(&entering, result);
}

void
frti_downcall_set_entries(struct frti_downcall *downcall)
{
    frt_entry *direct = downcall->backend->entry(downcall->call);
    bool is_plain =
        downcall->rule_count == 0 &&
        frt_layout_kind(frt_descriptor_result(downcall->descriptor)) !=
            FRT_KIND_SEGMENT;

    downcall->head.entry = !is_plain        ? enter_segments
                           : direct != NULL ? direct
                                            : enter_plain;
    downcall->head.captured = enter_segments_captured;
}
