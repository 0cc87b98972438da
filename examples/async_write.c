/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * File writes that go on while nobody is in a call.
 *
 * The kernel, or another thread, reads memory of a shared arena long after the
 * call that asked for it has returned. A ticket keeps the arena open meanwhile:
 * the thread that submits acquires it, and whoever sees the write complete
 * releases it, on whatever thread that is. Closing the arena in between is
 * refused. Twice: by POSIX aio, and by a thread of our own.
 */
#include "examples/check.h"

#include <aio.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define PIECES 4
#define PIECE 4096

/* One write under way. Its ticket goes along with it. */
struct job {
    frt_segment piece;
    frt_ticket ticket;
    struct aiocb aio;
    int file;
    off_t offset;
    ssize_t written;
};

static void
job_init(struct job *job, frt_arena arena, int file, int number)
{
    *job = (struct job){.file = file, .offset = (off_t)number * PIECE};
    check(frt_arena_allocate(&job->piece, arena, PIECE, 0));
    check(frt_segment_fill(&job->piece, 0, PIECE, (uint8_t)('a' + number)));
    check(frt_session_acquire(&job->ticket, frt_arena_session(arena)));
}

static void
show_close(const char *when, frt_arena arena)
{
    printf("  close %s: %s\n", when, frt_status_name(frt_arena_close(arena)));
}

static void
show_file(int file)
{
    char text[PIECES + 1] = "";

    for (int i = 0; i < PIECES; i++)
        if (pread(file, &text[i], 1, (off_t)i * PIECE + PIECE - 1) != 1)
            exit(EXIT_FAILURE);
    printf("  the file has the pieces %s\n", text);
}

/* ----------------------------------------------------------- POSIX aio --- */

static void
aio_submit(struct job *job)
{
    job->aio = (struct aiocb){.aio_fildes = job->file,
                              .aio_buf = job->piece.address,
                              .aio_nbytes = job->piece.size,
                              .aio_offset = job->offset};
    if (aio_write(&job->aio) != 0)
        exit(EXIT_FAILURE);
}

/* On a thread that submitted nothing. */
static void *
aio_complete(void *context)
{
    struct job *jobs = context;

    for (int i = 0; i < PIECES; i++) {
        const struct aiocb *waiting = &jobs[i].aio;

        while (aio_error(waiting) == EINPROGRESS)
            aio_suspend(&waiting, 1, NULL);
        jobs[i].written = aio_return(&jobs[i].aio);
        check(frt_session_release(&jobs[i].ticket));
    }
    return NULL;
}

/* -------------------------------------------------- a thread of our own --- */

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job *jobs;
    int submitted;
    bool is_let_go;
};

/* Waits, so that the close of the arena comes while it has work to do. */
static void *
pool_run(void *context)
{
    struct pool *pool = context;

    pthread_mutex_lock(&pool->lock);
    while (pool->submitted < PIECES || !pool->is_let_go)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < PIECES; i++) {
        struct job *job = &pool->jobs[i];

        job->written =
            pwrite(job->file, job->piece.address, job->piece.size, job->offset);
        check(frt_session_release(&job->ticket));
    }
    return NULL;
}

static void
pool_tell(struct pool *pool, int submitted, bool is_let_go)
{
    pthread_mutex_lock(&pool->lock);
    pool->submitted += submitted;
    pool->is_let_go = is_let_go;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

/* ---------------------------------------------------------------- both --- */

static void
finish(struct job *jobs, frt_arena arena, int file)
{
    show_close("after the last write", arena);
    for (int i = 0; i < PIECES; i++)
        if (jobs[i].written != PIECE)
            exit(EXIT_FAILURE);
    show_file(file);
}

static void
write_by_aio(int file)
{
    struct job jobs[PIECES];
    frt_arena arena;
    pthread_t thread;

    puts("POSIX aio");
    check(frt_arena_open_shared(&arena));
    for (int i = 0; i < PIECES; i++) {
        job_init(&jobs[i], arena, file, i);
        aio_submit(&jobs[i]);
    }
    show_close("with writes under way", arena);
    if (pthread_create(&thread, NULL, aio_complete, jobs) != 0)
        exit(EXIT_FAILURE);
    pthread_join(thread, NULL);
    finish(jobs, arena, file);
}

static void
write_by_pool(int file)
{
    struct job jobs[PIECES];
    struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .jobs = jobs};
    frt_arena arena;
    pthread_t thread;

    puts("a thread of our own");
    check(frt_arena_open_shared(&arena));
    if (pthread_create(&thread, NULL, pool_run, &pool) != 0)
        exit(EXIT_FAILURE);
    for (int i = 0; i < PIECES; i++) {
        job_init(&jobs[i], arena, file, i);
        pool_tell(&pool, 1, false);
    }
    show_close("with writes under way", arena);
    pool_tell(&pool, 0, true);
    pthread_join(thread, NULL);
    finish(jobs, arena, file);
}

int
main(void)
{
    FILE *files[] = {tmpfile(), tmpfile()};

    if (files[0] == NULL || files[1] == NULL)
        return EXIT_FAILURE;
    write_by_aio(fileno(files[0]));
    write_by_pool(fileno(files[1]));
    fclose(files[0]);
    fclose(files[1]);
    return EXIT_SUCCESS;
}
