/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/upcall_queue.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/link/upcall_inside.h"

struct frti_queue {
    struct frti_queue *next;   /* of all, for fork */
    struct frti_queue **link;  /* to this one, in that list */
    struct frti_queued *first; /* in order of arrival */
    struct frti_queued **last;
    struct frti_queued *left; /* by a fork: posted, and the parent's to run */
    pthread_cond_t arrived;
    size_t references; /* its thread's, and one by each upcall */
    bool has_ended;    /* the thread */
};

/* Guards all queues and what waits in them. Taken after frti_upcall_lock. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct frti_queue *queues;
static __thread struct frti_queue *queue_here
    __attribute__((tls_model("initial-exec")));

static void
queues_lock(void)
{
    pthread_mutex_lock(&queue_lock);
}

static void
queues_unlock(void)
{
    pthread_mutex_unlock(&queue_lock);
}

static void
queue_init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* A caller that waits has its call on its own stack. No block is freed here:
 * the allocator may not be through with the fork. */
static void
queue_leave(struct frti_queue *queue)
{
    while (queue->first != NULL) {
        struct frti_queued *call = queue->first;

        queue->first = call->next;
        if (call->bases == NULL) {
            call->next = queue->left;
            queue->left = call;
        }
    }
    queue->last = &queue->first;
}

/* A child has none of the threads that wait, and nobody on the conditions. What
 * was posted is the parent's to run. */
static void
queues_after_fork_in_child(void)
{
    for (struct frti_queue *queue = queues; queue != NULL;
         queue = queue->next) {
        queue_leave(queue);
        queue_init_condition(&queue->arrived);
        queue->has_ended = queue != queue_here;
    }
    queues_unlock();
}

FRTI_CONSTRUCTOR_LATER(1)
static void
queues_watch_fork(void)
{
    pthread_atfork(queues_lock, queues_unlock, queues_after_fork_in_child);
}

/* --------------------------------------------------------- new, drop --- */

static void
queue_free(struct frti_queue *queue)
{
    frti_queue_discard(queue->left);
    pthread_cond_destroy(&queue->arrived);
    frti_free(queue, sizeof *queue, _Alignof(struct frti_queue));
}

void
frti_queue_drop(struct frti_queue *queue)
{
    bool is_last;

    if (queue == NULL)
        return;
    queues_lock();
    is_last = --queue->references == 0;
    if (is_last) {
        *queue->link = queue->next;
        if (queue->next != NULL)
            queue->next->link = queue->link;
    }
    queues_unlock();
    if (is_last)
        queue_free(queue);
}

/* Under the lock: nobody runs it any more; a caller has the default result. */
static void
queued_finish(struct frti_queued *call, struct frti_queued **dropped)
{
    if (call->bases == NULL) {
        call->next = *dropped;
        *dropped = call;
        return;
    }
    call->is_done = true;
    pthread_cond_signal(&call->done);
}

void
frti_queue_discard(struct frti_queued *dropped)
{
    while (dropped != NULL) {
        struct frti_queued *next = dropped->next;

        frti_free(dropped, dropped->bytes, 64);
        dropped = next;
    }
}

static void
queue_end_thread(void)
{
    struct frti_queue *queue = queue_here;
    struct frti_queued *dropped = NULL;

    queue_here = NULL;
    if (queue == NULL)
        return;
    queues_lock();
    queue->has_ended = true;
    while (queue->first != NULL) {
        struct frti_queued *call = queue->first;

        queue->first = call->next;
        queued_finish(call, &dropped);
    }
    queue->last = &queue->first;
    queues_unlock();
    frti_queue_discard(dropped);
    frti_queue_drop(queue);
}

static void
queue_enlist(struct frti_queue *queue)
{
    queues_lock();
    queue->next = queues;
    queue->link = &queues;
    if (queues != NULL)
        queues->link = &queue->next;
    queues = queue;
    queues_unlock();
}

static frt_status
queue_make_here(void)
{
    struct frti_thread *thread = frti_thread_record();
    struct frti_queue *queue;

    if (thread == NULL)
        return frti_no_memory(sizeof *thread, "a thread's record");
    queue = frti_allocate(sizeof *queue, _Alignof(struct frti_queue));
    if (queue == NULL)
        return frti_no_memory(sizeof *queue, "a queue of upcalls");
    queue->last = &queue->first;
    queue->references = 1;
    queue_init_condition(&queue->arrived);
    queue_enlist(queue);
    queue_here = queue;
    thread->at_end[FRTI_THREAD_END_QUEUE] = queue_end_thread;
    return FRT_OK;
}

frt_status
frti_queue_of_thread(struct frti_queue **out)
{
    frt_status status = FRT_OK;

    if (queue_here == NULL)
        status = queue_make_here();
    if (status != FRT_OK)
        return status;
    queues_lock();
    queue_here->references++;
    queues_unlock();
    *out = queue_here;
    return FRT_OK;
}

/* ------------------------------------------------------ append, wait --- */

bool
frti_queue_append(struct frti_queue *queue, struct frti_queued *call)
{
    bool is_alive;

    queue_init_condition(&call->done);
    queues_lock();
    is_alive = !queue->has_ended;
    if (is_alive) {
        call->next = NULL;
        *queue->last = call;
        queue->last = &call->next;
        pthread_cond_signal(&queue->arrived);
    }
    queues_unlock();
    if (!is_alive)
        pthread_cond_destroy(&call->done);
    return is_alive;
}

/* A cancellation waits, too: the call stands on this stack. */
void
frti_queue_wait(struct frti_queued *call)
{
    int cancellation;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    queues_lock();
    while (!call->is_done)
        pthread_cond_wait(&call->done, &queue_lock);
    queues_unlock();
    pthread_cond_destroy(&call->done);
    pthread_setcancelstate(cancellation, NULL);
}

size_t
frti_queue_count(struct frti_queue *queue)
{
    size_t count = 0;

    queues_lock();
    for (struct frti_queued *call = queue->first; call != NULL;
         call = call->next)
        count++;
    queues_unlock();
    return count;
}

void
frti_queue_forget(struct frti_upcall *upcall)
{
    struct frti_queue *queue = upcall->queue;
    struct frti_queued **link;

    upcall->dropped = NULL;
    if (queue == NULL)
        return;
    queues_lock();
    link = &queue->first;
    while (*link != NULL) {
        struct frti_queued *call = *link;

        if (call->upcall == upcall) {
            *link = call->next;
            queued_finish(call, &upcall->dropped);
        } else {
            link = &call->next;
        }
    }
    queue->last = link;
    queues_unlock();
}

/* --------------------------------------------------------------- post --- */

static size_t
posted_size(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_SEGMENT
               ? sizeof(frt_segment)
               : frt_layout_size(layout);
}

static size_t
posted_align(size_t offset, const frt_layout *layout)
{
    size_t alignment = frt_layout_alignment(layout);

    if (alignment < 16)
        alignment = 16;
    return (offset + alignment - 1) & ~(alignment - 1);
}

frt_status
frti_queued_new(struct frti_queued **out, const struct frti_receiver *receiver,
                void *const *arguments)
{
    const frt_descriptor *descriptor = receiver->descriptor;
    size_t first =
        sizeof(struct frti_queued) + receiver->count * sizeof(void *);
    size_t bytes = first;
    struct frti_queued *call;

    for (size_t i = 0; i < receiver->count; i++) {
        const frt_layout *layout = frt_descriptor_parameter(descriptor, i);

        bytes = posted_align(bytes, layout) + posted_size(layout);
    }
    call = receiver->scratch_alignment > 64 ? NULL : frti_allocate(bytes, 64);
    if (call == NULL)
        return frti_no_memory(bytes, "a posted call");
    call->bytes = bytes;
    call->arguments = (void **)(void *)(call + 1);
    bytes = first;
    for (size_t i = 0; i < receiver->count; i++) {
        const frt_layout *layout = frt_descriptor_parameter(descriptor, i);

        bytes = posted_align(bytes, layout);
        call->arguments[i] = (char *)call + bytes;
        memcpy(call->arguments[i], arguments[i], posted_size(layout));
        bytes += posted_size(layout);
    }
    *out = call;
    return FRT_OK;
}

/* --------------------------------------------------------------- poll --- */

static struct timespec
poll_deadline(int milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    return until;
}

/* Under the lock; false: nothing came. */
static bool
poll_wait(struct frti_queue *queue, int milliseconds)
{
    struct timespec until;
    int error = 0;

    if (milliseconds > 0)
        until = poll_deadline(milliseconds);
    while (queue->first == NULL && milliseconds != 0 && error == 0)
        error =
            milliseconds < 0
                ? pthread_cond_wait(&queue->arrived, &queue_lock)
                : pthread_cond_timedwait(&queue->arrived, &queue_lock, &until);
    return queue->first != NULL;
}

/* A cancellation that comes while it waits gives the lock back. */
static struct frti_queued *
poll_take(struct frti_queue *queue, int milliseconds)
{
    struct frti_queued *call = NULL;
    int cancellation;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    queues_lock();
    if (poll_wait(queue, milliseconds)) {
        call = queue->first;
        queue->first = call->next;
        if (queue->first == NULL)
            queue->last = &queue->first;
    }
    queues_unlock();
    pthread_setcancelstate(cancellation, NULL);
    return call;
}

/* A cleanup: an exception of the handler leaves nobody waiting. */
static void
poll_finish(struct frti_queued **call)
{
    struct frti_queued *dropped = NULL;

    queues_lock();
    queued_finish(*call, &dropped);
    queues_unlock();
    frti_queue_discard(dropped);
}

static void
poll_run(struct frti_queued *taken)
{
    FRTI_CLEANUP(poll_finish) struct frti_queued *call = taken;

    frti_queued_run(call);
}

static frt_status
poll_run_all(size_t *out, int milliseconds)
{
    FRTI_CLEANUP(frti_upcall_unmark) struct frti_upcall_mark mark;
    struct frti_queued *call;
    frt_status status;
    size_t ran = 0;

    frti_upcall_mark(&mark);
    while ((call = poll_take(queue_here, ran == 0 ? milliseconds : 0)) !=
           NULL) {
        poll_run(call);
        ran++;
    }
    status = frti_upcall_judge(FRT_OK);
    if (status == FRT_OK && out != NULL)
        *out = ran;
    return status;
}

frt_status
frt_upcall_poll(size_t *out, int milliseconds)
{
    frt_status status = FRT_OK;

    if (queue_here == NULL)
        status = queue_make_here();
    return status == FRT_OK ? poll_run_all(out, milliseconds) : status;
}
