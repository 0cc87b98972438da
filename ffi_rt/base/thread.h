/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What the library keeps for each thread.
 *
 * Hot: `frti_here` of the public header, initial-exec thread-local storage, a
 * few words. Cold: a record from the allocator, made when first needed, which
 * a key's destructor gives back when the thread ends.
 */
#ifndef FRTI_BASE_THREAD_H
#define FRTI_BASE_THREAD_H

#include "ffi_rt/base/status.h"
#include "ffi_rt/ffi_rt.h"

/* Who has something to do at a thread's end; they run in this order. */
enum frti_thread_end {
    FRTI_THREAD_END_UPCALLS,
    FRTI_THREAD_END_QUEUE,
    FRTI_THREAD_END_HOLDS,
    FRTI_THREAD_END_BUFFER_STACK,
    FRTI_THREAD_END_COUNT
};

struct frti_thread {
    char detail[FRTI_DETAIL_SIZE];               /* of the last failure */
    frt_status status;                           /* its */
    void (*at_end[FRTI_THREAD_END_COUNT])(void); /* NULL: nothing to do */
};

/* This thread's record; NULL when there is no memory for it, or after the
 * thread's destructors ran. */
struct frti_thread *frti_thread_record(void);

/* The same, but does not make one. */
struct frti_thread *frti_thread_known(void);

/* Where frti_here is for the thread that runs now. Compilers keep the address
 * of a thread-local, but user code may come back on another thread: a fiber
 * can move. Ask here after it has run. */
#if defined(__x86_64__) && defined(__linux__)

static inline struct frti_here *
frti_here_anew(void)
{
    struct frti_here *here;

    __asm__ volatile("movq %%fs:0, %0\n\taddq frti_here@gottpoff(%%rip), %0"
                     : "=r"(here)
                     :
                     : "cc");
    return here;
}

#elif defined(__aarch64__) && defined(__linux__)

static inline struct frti_here *
frti_here_anew(void)
{
    struct frti_here *here;
    uintptr_t offset;

    __asm__ volatile("mrs %0, tpidr_el0\n\t"
                     "adrp %1, :gottprel:frti_here\n\t"
                     "ldr %1, [%1, :gottprel_lo12:frti_here]\n\t"
                     "add %0, %0, %1"
                     : "=&r"(here), "=&r"(offset));
    return here;
}

#else

struct frti_here *frti_here_anew(void);

#endif

FRTI_COLD uint64_t frti_thread_number_slow(void);

/* This thread's number: never 0, never used twice in a process. */
static inline uint64_t
frti_thread_number(void)
{
    uint64_t number = frti_here.thread;

    return FRTI_LIKELY(number != 0) ? number : frti_thread_number_slow();
}

#endif
