/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Libraries: an opened shared object that lives in an arena.
 *
 * The record is freed with the arena; whoever looks at it holds the session.
 */
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/loader.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/session.h"

/* What the default libraries add to the process, opened once. */
#define LIBRARY_EXTRAS 2

struct frti_library {
    void *handle;    /* NULL: that of the process */
    bool is_default; /* the extras come after it */
    size_t bytes;
    const char *name;
    char text[]; /* the name of one that was opened */
};

static const struct frti_library library_process = {.name = "the process"};
static const struct frti_library library_default = {
    .is_default = true, .name = "the default libraries"};

static void
library_close(void *context)
{
    struct frti_library *library = context;

    frti_loader_close(library->handle);
    frti_free(library, library->bytes, _Alignof(struct frti_library));
}

static struct frti_library *
library_new(const char *name)
{
    size_t bytes = sizeof(struct frti_library) + strlen(name) + 1;
    struct frti_library *library =
        frti_allocate(bytes, _Alignof(struct frti_library));

    if (library == NULL)
        return NULL;
    library->bytes = bytes;
    library->name = memcpy(library->text, name, strlen(name) + 1);
    return library;
}

/* The global arena is never closed. Its memory has the record's address, so
 * that a leak checker sees who keeps it. */
static frt_status
library_last(struct frti_library *library)
{
    frt_segment place;
    frt_status status = frt_arena_allocate(&place, frt_arena_global(),
                                           sizeof library, sizeof library);

    if (status == FRT_OK)
        memcpy(place.address, &library, sizeof library);
    return status;
}

/* The record closes the handle from here on, or is gone. */
static frt_status
library_live_in(struct frti_library *library, frt_arena arena)
{
    frt_status status = arena.slot == frt_arena_global().slot
                            ? library_last(library)
                            : frt_arena_on_close(arena, library_close, library);

    if (status != FRT_OK)
        library_close(library);
    return status;
}

static frt_status
library_open(frt_library *out, frt_arena arena, const char *name,
             struct frti_loader_flags flags)
{
    struct frti_library *library = library_new(name);
    frt_status status;

    if (library == NULL)
        return frti_no_memory(sizeof *library, "a library");
    status = frti_loader_open(&library->handle, name, flags);
    if (status != FRT_OK) {
        frti_free(library, library->bytes, _Alignof(struct frti_library));
        return status;
    }
    status = library_live_in(library, arena);
    if (status == FRT_OK)
        *out = (frt_library){frt_arena_session(arena), library};
    return status;
}

frt_status
frt_library_open(frt_library *out, frt_arena arena, const char *name,
                 const frt_library_options *options)
{
    frt_library_options read;
    frt_status status =
        frti_options_read(&read, sizeof read, options, "frt_library_options");

    if (status != FRT_OK)
        return status;
    if (out == NULL || name == NULL)
        return frti_null_argument(out == NULL ? "out" : "name");
    if (arena.slot == NULL)
        return frti_session_never_opened();
    status = frti_session_check(arena.slot, arena.generation);
    if (status != FRT_OK)
        return status;
    return library_open(out, arena, name,
                        (struct frti_loader_flags){read.now, read.global});
}

frt_library
frt_library_process(void)
{
    return (frt_library){frt_arena_session(frt_arena_global()),
                         &library_process};
}

frt_library
frt_library_default(void)
{
    return (frt_library){frt_arena_session(frt_arena_global()),
                         &library_default};
}

const char *
frt_library_name(frt_library library)
{
    if (library.record == NULL || !frt_session_is_open(library.session))
        return "a closed library";
    return library.record->name;
}

/* ----------------------------------------------------------- symbols --- */

/* Of a name that has a version. */
#define LIBRARY_SYMBOL 512

/* `name`, `name@VERSION`, `name@@VERSION`, taken apart. */
struct wanted {
    const char *name;
    const char *version; /* NULL: none asked for */
    bool is_default;     /* and it must be the default one */
    char copy[LIBRARY_SYMBOL];
};

static bool
wanted_read(struct wanted *out, const char *name)
{
    const char *at = strchr(name, '@');
    size_t length = at == NULL ? strlen(name) : (size_t)(at - name);

    out->name = name;
    out->version = NULL;
    out->is_default = at != NULL && at[1] == '@';
    if (at == NULL || length >= sizeof out->copy)
        return at == NULL && length != 0;
    memcpy(out->copy, name, length);
    out->copy[length] = '\0';
    out->name = out->copy;
    out->version = at + (out->is_default ? 2 : 1);
    return length != 0 && out->version[0] != '\0';
}

static bool
library_find_in(frt_symbol *out, void *handle, const struct wanted *wanted)
{
    frt_symbol found;
    frt_symbol plain;

    if (!frti_loader_find(&found, handle, wanted->name, wanted->version))
        return false;
    if (wanted->is_default &&
        (!frti_loader_find(&plain, handle, wanted->name, NULL) ||
         plain.address != found.address))
        return false;
    *out = found;
    return true;
}

/* The C and mathematics libraries, by their file names; never closed. */
static bool
library_find_in_extras(frt_symbol *out, const struct wanted *wanted)
{
    static const char *const names[LIBRARY_EXTRAS] = {"libc.so.6", "libm.so.6"};

    for (size_t i = 0; i < LIBRARY_EXTRAS; i++) {
        void *handle;
        bool is_found;

        if (frti_loader_open(&handle, names[i],
                             (struct frti_loader_flags){0}) != FRT_OK)
            continue;
        is_found = library_find_in(out, handle, wanted);
        if (is_found) /* it stays: the address must */
            return true;
        frti_loader_close(handle);
    }
    return false;
}

static frt_status
library_find(frt_symbol *out, const struct frti_library *library,
             const char *name)
{
    void *handle =
        library->handle == NULL ? frti_loader_process() : library->handle;
    struct wanted wanted;

    if (!wanted_read(&wanted, name))
        return frti_fail(FRT_NOT_FOUND, "'%.64s' is not the name of a symbol",
                         name);
    if (library_find_in(out, handle, &wanted))
        return FRT_OK;
    if (library->is_default && library_find_in_extras(out, &wanted))
        return FRT_OK;
    return frti_fail(
        FRT_NOT_FOUND, "symbol '%s' is not in %s%s", name, library->name,
        library->is_default ? " (the process, libc.so.6, libm.so.6)" : "");
}

frt_status
frt_library_find(frt_symbol *out, frt_library library, const char *name)
{
    struct frti_hold hold;
    frt_status status;

    if (out == NULL || name == NULL)
        return frti_null_argument(out == NULL ? "out" : "name");
    if (library.record == NULL)
        return frti_null_argument("library");
    if (library.session.slot == NULL)
        return frti_session_never_opened();
    status =
        frti_hold_take(&hold, library.session.slot, library.session.generation);
    if (status != FRT_OK)
        return status;
    status = library_find(out, library.record, name);
    frti_hold_give(&hold);
    return status;
}
