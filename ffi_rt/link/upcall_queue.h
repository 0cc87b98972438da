/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Queues: calls of other threads that wait for the owner of their upcall.
 *
 * A thread that owns queued upcalls has one queue. A waiting call stands on its
 * caller's stack and holds nothing, so that a close takes it out of the queue
 * and lets it go on with the default result, which was written before it began
 * to wait. A posted one is a block of its own, with copies of its arguments.
 *
 *   operation       by                  under the lock of queues
 *   append          the caller, which holds the upcall meanwhile
 *   take the first  the owner, which then acquires the upcall by itself
 *   forget          the close of the upcall: nobody holds it
 *   end             the owner's thread: later calls are refused
 */
#ifndef FRTI_LINK_UPCALL_QUEUE_H
#define FRTI_LINK_UPCALL_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/upcall.h"

#define FRTI_QUEUED_SENTENCE 256

struct frti_queue;

struct frti_queued {
    struct frti_queued *next;
    struct frti_upcall *upcall;
    uint64_t generation; /* of the upcall's life */
    void **arguments;
    unsigned char *const *bases; /* NULL: posted */
    size_t bytes;                /* of a posted one's block */
    bool is_done;
    frt_status status; /* of the handler */
    char sentence[FRTI_QUEUED_SENTENCE];
    pthread_cond_t done;
};

/* This thread's queue, with a reference.   -> NO_MEMORY */
frt_status frti_queue_of_thread(struct frti_queue **out);
void frti_queue_drop(struct frti_queue *queue);

/* false: the owner's thread has ended. */
bool frti_queue_append(struct frti_queue *queue, struct frti_queued *call);
void frti_queue_wait(struct frti_queued *call);
/* How many calls are in it. */
size_t frti_queue_count(struct frti_queue *queue);

/* The upcall is closed: its calls are done, the posted ones are left to
 * frti_queue_discard. */
void frti_queue_forget(struct frti_upcall *upcall);
void frti_queue_discard(struct frti_queued *dropped);

/* A posted call, with copies.   -> NO_MEMORY */
frt_status frti_queued_new(struct frti_queued **out,
                           const struct frti_receiver *receiver,
                           void *const *arguments);

/* Runs one call on its owner's thread (upcall_enter.c). */
void frti_queued_run(struct frti_queued *call);

#endif
