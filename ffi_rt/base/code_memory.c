/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/code_memory.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/frame_description.h"
#include "ffi_rt/base/gdb.h"
#include "ffi_rt/base/status.h"

#define CODE_BLOCK ((size_t)256 << 10)
#define CODE_ALIGNMENT 16

struct frti_code_block {
    char *view; /* executable */
    size_t size;
    size_t used;
    size_t alive; /* codes in it */
    int file;     /* -1: no more is appended */
    pid_t maker;  /* the process that may append */
    struct frti_frame_description frames;
    struct frti_gdb_object *object; /* NULL: gdb was not told */
};

enum code_state { CODE_UNKNOWN, CODE_GIVEN, CODE_REFUSED };

/* Guards what follows, and every block's counts. */
static pthread_mutex_t code_lock = PTHREAD_MUTEX_INITIALIZER;
static struct frti_code_block *code_current; /* is appended to; NULL: none */
static size_t code_blocks;
static int code_error; /* errno of the last refusal */
static enum code_state code_state;
static char code_why[128]; /* it is refused */

/* memfd_create(2): since Linux 6.3 a file that may be executed says so. */
static int
code_open_file(void)
{
    const unsigned may_execute = 0x10;
    int file = memfd_create("ffi_rt code", MFD_CLOEXEC | may_execute);

    if (file < 0 && errno == EINVAL)
        file = memfd_create("ffi_rt code", MFD_CLOEXEC);
    return file;
}

static FRTI_COLD frt_status
code_refuse(const char *what)
{
    code_error = errno;
    return frti_fail(FRT_NO_CODE_MEMORY,
                     "the system refuses executable memory (%s: %s)", what,
                     strerror(errno));
}

static frt_status
block_map(struct frti_code_block *block)
{
    void *view;

    block->file = code_open_file();
    if (block->file < 0)
        return code_refuse("memfd_create");
    if (ftruncate(block->file, (off_t)block->size) != 0)
        return code_refuse("ftruncate");
    view = mmap(NULL, block->size, PROT_READ | PROT_EXEC, MAP_SHARED,
                block->file, 0);
    if (view == MAP_FAILED)
        return code_refuse("mmap");
    block->view = view;
    return FRT_OK;
}

/* Appends nothing more. */
static void
block_seal(struct frti_code_block *block)
{
    if (block->file >= 0)
        close(block->file);
    block->file = -1;
}

static void
block_free(struct frti_code_block *block)
{
    block_seal(block);
    if (block->view != NULL) {
        frti_gdb_withdraw(block->object);
        frti_frames_forget(&block->frames);
        munmap(block->view, block->size);
        code_blocks--;
    }
    frti_free(block, sizeof *block, _Alignof(struct frti_code_block));
}

static frt_status
block_new(struct frti_code_block **out, size_t size)
{
    struct frti_code_block *block =
        frti_allocate(sizeof *block, _Alignof(struct frti_code_block));
    frt_status status;

    if (block == NULL)
        return frti_no_memory(sizeof *block, "a block of code");
    block->size = size;
    block->file = -1;
    block->maker = getpid();
    status = block_map(block);
    if (status != FRT_OK) {
        block_free(block);
        return status;
    }
    code_blocks++;
    frti_frames_register(&block->frames, block->view, block->size);
    block->object = frti_gdb_announce(block->view, block->size, &block->frames);
    *out = block;
    return FRT_OK;
}

/* Writes through a view that lasts for this write alone. */
static frt_status
block_write(struct frti_code_block *block, size_t offset, const void *bytes,
            size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t start = offset & ~(page - 1);
    size_t length = offset + size - start;
    char *view = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED,
                      block->file, (off_t)start);

    if (view == MAP_FAILED)
        return code_refuse("mmap");
    memcpy(view + (offset - start), bytes, size);
    munmap(view, length);
    __builtin___clear_cache(block->view + offset, block->view + offset + size);
    return FRT_OK;
}

/* A block that is no longer appended to lives as long as its codes. */
static void
code_retire_current(void)
{
    struct frti_code_block *block = code_current;

    code_current = NULL;
    if (block == NULL)
        return;
    block_seal(block);
    if (block->alive == 0)
        block_free(block);
}

/* A child that was made without the handlers below, by _Fork or clone, may not
 * append either. */
static bool
code_has_room(size_t size)
{
    return code_current != NULL && code_current->maker == getpid() &&
           code_current->size - code_current->used >= size;
}

static frt_status
code_make_room(size_t size)
{
    size_t wanted = size > CODE_BLOCK ? size : CODE_BLOCK;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct frti_code_block *block = NULL;
    frt_status status;

    if (code_has_room(size))
        return FRT_OK;
    status = block_new(&block, (wanted + page - 1) & ~(page - 1));
    if (status != FRT_OK)
        return status;
    code_retire_current();
    code_current = block;
    return FRT_OK;
}

static frt_status
code_append(struct frti_code *out, const void *bytes, size_t size)
{
    size_t room = (size + CODE_ALIGNMENT - 1) & ~(size_t)(CODE_ALIGNMENT - 1);
    frt_status status = code_make_room(room);
    struct frti_code_block *block = code_current;

    if (status == FRT_OK)
        status = block_write(block, block->used, bytes, size);
    if (status != FRT_OK)
        return status;
    out->entry = block->view + block->used;
    out->block = block;
    block->used += room;
    block->alive++;
    return FRT_OK;
}

frt_status
frti_code_publish(struct frti_code *out, const void *bytes, size_t size)
{
    frt_status status;

    pthread_mutex_lock(&code_lock);
    status = code_append(out, bytes, size);
    pthread_mutex_unlock(&code_lock);
    return status;
}

void
frti_code_drop(const struct frti_code *code)
{
    struct frti_code_block *block = code->block;

    pthread_mutex_lock(&code_lock);
    if (--block->alive == 0) {
        if (block == code_current)
            code_retire_current();
        else
            block_free(block);
    }
    pthread_mutex_unlock(&code_lock);
}

size_t
frti_code_blocks(void)
{
    size_t count;

    pthread_mutex_lock(&code_lock);
    count = code_blocks;
    pthread_mutex_unlock(&code_lock);
    return count;
}

/* --------------------------------------------------------------- try --- */

/* A rule of the system, unlike a want of files or memory, stays. */
static bool
code_is_lasting(int error)
{
    return error == EPERM || error == EACCES || error == ENOSYS ||
           error == EINVAL || error == EOPNOTSUPP;
}

static frt_status
code_try(void)
{
    frt_status status = code_make_room(CODE_ALIGNMENT);

    if (status == FRT_OK) {
        code_state = CODE_GIVEN;
        if (code_current->alive == 0)
            code_retire_current();
    } else if (status == FRT_NO_CODE_MEMORY && code_is_lasting(code_error)) {
        code_state = CODE_REFUSED;
        strncpy(code_why, frt_last_detail(), sizeof code_why - 1);
    }
    return status;
}

frt_status
frti_code_try(void)
{
    frt_status status = FRT_OK;

    pthread_mutex_lock(&code_lock);
    if (code_state == CODE_UNKNOWN)
        status = code_try();
    else if (code_state == CODE_REFUSED)
        status = frti_fail(FRT_NO_CODE_MEMORY, "%s", code_why);
    pthread_mutex_unlock(&code_lock);
    return status;
}

bool
frti_code_is_guarded(void)
{
    const int get_mdwe = 66; /* PR_GET_MDWE, Linux 6.3 */
    int flags = prctl(get_mdwe, 0, 0, 0, 0);

    return flags > 0;
}

/* -------------------------------------------------------------- fork --- */

static void
code_before_fork(void)
{
    pthread_mutex_lock(&code_lock);
}

static void
code_in_parent(void)
{
    pthread_mutex_unlock(&code_lock);
}

static void
code_in_child(void)
{
    if (code_current != NULL) {
        block_seal(code_current);
        if (code_current->alive != 0)
            code_current = NULL;
        else
            code_retire_current();
    }
    pthread_mutex_unlock(&code_lock);
}

FRTI_CONSTRUCTOR static void
code_watch_fork(void)
{
    pthread_atfork(code_before_fork, code_in_parent, code_in_child);
}
