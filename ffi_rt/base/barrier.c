/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/barrier.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/membarrier.h"
#include "ffi_rt/base/status.h"

static const char *const barrier_names[] = {
    [FRTI_BARRIER_MEMBARRIER] = "membarrier",
    [FRTI_BARRIER_FENCE] = "fence",
    [FRTI_BARRIER_RMW] = "rmw",
};

/* Written once, under barrier_once. */
static enum frti_barrier_mode barrier_mode;
static const char *barrier_unknown; /* a word that is no mode */
static pthread_once_t barrier_once = PTHREAD_ONCE_INIT;

/* The sharing. A barrier that is asked for now is number begun + 1 or later:
 * the one that runs may have passed some thread already. */
static pthread_mutex_t barrier_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t barrier_ended = PTHREAD_COND_INITIALIZER;
static uint64_t barriers_begun; /* these three under barrier_lock */
static uint64_t barriers_ended;
static bool barrier_is_running;
static bool barrier_is_refused; /* written by the thread that runs one */

static bool
barrier_read_environment(void)
{
    const char *word = secure_getenv("FRT_SESSIONS");

    if (word == NULL)
        return false;
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(barrier_names); i++)
        if (strcmp(barrier_names[i], word) == 0) {
            barrier_mode = (enum frti_barrier_mode)i;
            return true;
        }
    barrier_unknown = word;
    return true;
}

static void
barrier_begin(void)
{
    if (!barrier_read_environment())
        barrier_mode =
            FRTI_THREAD_SANITIZER ? FRTI_BARRIER_RMW : FRTI_BARRIER_MEMBARRIER;
    /* forced or not: what the kernel lacks cannot be had */
    if (barrier_mode == FRTI_BARRIER_MEMBARRIER && barrier_unknown == NULL &&
        !frti_membarrier_register())
        barrier_mode = FRTI_BARRIER_FENCE;
}

frt_status
frti_barrier_choose(enum frti_barrier_mode *out)
{
    pthread_once(&barrier_once, barrier_begin);
    if (barrier_unknown != NULL)
        return frti_fail(
            FRT_BAD_ARGUMENT,
            "FRT_SESSIONS is '%.64s'; it can be membarrier, fence or rmw",
            barrier_unknown);
    *out = barrier_mode;
    return FRT_OK;
}

const char *
frti_barrier_mode_name(enum frti_barrier_mode mode)
{
    return barrier_names[mode];
}

/* barrier_lock is held, and given up for as long as the kernel works. */
static void
barrier_run(void)
{
    bool is_done;

    barrier_is_running = true;
    barriers_begun++;
    pthread_mutex_unlock(&barrier_lock);
    is_done = frti_membarrier();
    pthread_mutex_lock(&barrier_lock);
    barrier_is_refused |= !is_done;
    barrier_is_running = false;
    barriers_ended = barriers_begun;
    pthread_cond_broadcast(&barrier_ended);
}

bool
frti_barrier(void)
{
    uint64_t wanted;
    bool is_done;

    if (barrier_mode != FRTI_BARRIER_MEMBARRIER) {
        /* pairs with the one of the frequent side */
        frti_fence_seq_cst();
        return true;
    }
    pthread_mutex_lock(&barrier_lock);
    wanted = barriers_begun + 1;
    while (barriers_ended < wanted && !barrier_is_refused) {
        if (barrier_is_running)
            pthread_cond_wait(&barrier_ended, &barrier_lock);
        else
            barrier_run();
    }
    is_done = !barrier_is_refused;
    pthread_mutex_unlock(&barrier_lock);
    return is_done;
}

uint64_t
frti_barrier_count(void)
{
    uint64_t count;

    pthread_mutex_lock(&barrier_lock);
    count = barriers_begun;
    pthread_mutex_unlock(&barrier_lock);
    return count;
}

void
frti_barrier_before_fork(void)
{
    pthread_mutex_lock(&barrier_lock);
}

void
frti_barrier_after_fork(void)
{
    pthread_mutex_unlock(&barrier_lock);
}

/* Whoever ran one, or waited for it, is not here. */
void
frti_barrier_after_fork_in_child(void)
{
    pthread_mutex_unlock(&barrier_lock);
    pthread_cond_init(&barrier_ended, NULL);
    barrier_is_running = false;
    barriers_ended = barriers_begun;
}
