/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What a thread keeps of its upcalls: pending failures, languages that are
 * attached to it. The cold part is a block of its own, made when first needed,
 * given back when the thread ends. */
#include "ffi_rt/link/upcall_inside.h"

#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/memory/hold.h"

struct attached {
    struct attached *next;
    const frt_thread_hooks *hooks;
};

struct cold {
    char sentence[FRTI_DETAIL_SIZE]; /* of the pending failure */
    struct attached *attached;       /* the last first */
};

static __thread struct cold *inside_cold
    __attribute__((tls_model("initial-exec")));

static void
inside_end_thread(void)
{
    struct cold *cold = inside_cold;

    if (cold == NULL)
        return;
    while (cold->attached != NULL) {
        struct attached *last = cold->attached;

        cold->attached = last->next;
        if (last->hooks->detach != NULL)
            last->hooks->detach(last->hooks->context);
        frti_free(last, sizeof *last, _Alignof(struct attached));
    }
    inside_cold = NULL;
    frti_free(cold, sizeof *cold, _Alignof(struct cold));
}

static bool
inside_holds(const struct frti_session *slot)
{
    const struct frti_inside *call = frti_here.upcalls.top;

    while (call != NULL && call->upcall->session.slot != slot)
        call = call->up;
    return call != NULL;
}

FRTI_CONSTRUCTOR static void
inside_begin(void)
{
    frti_hold_is_inside = inside_holds;
}

/* NULL: no memory, or the thread's destructors ran. */
static struct cold *
inside_cold_part(void)
{
    struct frti_thread *thread = frti_thread_record();

    if (thread == NULL || inside_cold != NULL)
        return thread == NULL ? NULL : inside_cold;
    inside_cold = frti_allocate(sizeof *inside_cold, _Alignof(struct cold));
    if (inside_cold != NULL)
        thread->at_end[FRTI_THREAD_END_UPCALLS] = inside_end_thread;
    return inside_cold;
}

/* ----------------------------------------------------------- failures --- */

const char *
frti_upcall_sentence(frt_status status)
{
    const struct frti_thread *thread = frti_thread_known();

    if (thread == NULL || thread->status != status || thread->detail[0] == '\0')
        return frt_status_text(status);
    return thread->detail;
}

static void
failure_keep(const char *name, frt_status status)
{
    struct cold *cold = inside_cold_part();

    if (cold != NULL)
        snprintf(cold->sentence, sizeof cold->sentence,
                 "the upcall '%s' failed (%s): %s", name,
                 frt_status_name(status), frti_upcall_sentence(status));
}

/* A failure that follows others within its own call stands for them all. Of
 * those that follow each other, the first is kept: C code went on with a
 * default result after it. */
void
frti_upcall_note_failure(const char *name, frt_status status,
                         const struct frti_inside *inside)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;
    bool is_first = here->pending == here->mark || here->depth == 0;

    if (here->pending > inside->pending) {
        here->pending = inside->pending;
        is_first = true;
    }
    if (is_first)
        failure_keep(name, status);
    here->pending++;
}

frt_status
frti_upcall_raise_pending(void)
{
    if (inside_cold == NULL)
        return frti_fail(FRT_UPCALL_FAILED, "an upcall failed");
    return frti_fail(FRT_UPCALL_FAILED, "%s", inside_cold->sentence);
}

frt_status
frt_upcall_raise(void)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;

    if (here->pending == here->mark)
        return FRT_OK;
    here->pending = here->mark;
    return frti_upcall_raise_pending();
}

frt_status
frt_fail(frt_status status, const char *sentence)
{
    return frti_fail(status, "%s",
                     sentence == NULL ? frt_status_text(status) : sentence);
}

/* -------------------------------------------------------------- attach --- */

static bool
attach_is_done(const frt_thread_hooks *hooks)
{
    if (inside_cold == NULL)
        return false;
    for (struct attached *a = inside_cold->attached; a != NULL; a = a->next)
        if (a->hooks == hooks)
            return true;
    return false;
}

static frt_status
attach_and_remember(struct cold *cold, const frt_thread_hooks *hooks)
{
    struct attached *attached =
        frti_allocate(sizeof *attached, _Alignof(struct attached));
    frt_status status;

    if (attached == NULL)
        return frti_no_memory(sizeof *attached, "an attached thread");
    status = hooks->attach(hooks->context);
    if (status != FRT_OK) {
        frti_free(attached, sizeof *attached, _Alignof(struct attached));
        return status;
    }
    attached->hooks = hooks;
    attached->next = cold->attached;
    cold->attached = attached;
    return FRT_OK;
}

frt_status
frti_upcall_attach(bool *is_brief, const frt_thread_hooks *hooks)
{
    struct cold *cold;
    frt_status status;

    if (attach_is_done(hooks))
        return FRT_OK;
    cold = inside_cold_part();
    if (cold != NULL)
        return attach_and_remember(cold, hooks);
    status = hooks->attach(hooks->context);
    *is_brief = status == FRT_OK;
    return status;
}
