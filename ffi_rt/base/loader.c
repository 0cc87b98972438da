/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/loader.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ffi_rt/base/loader_names.h"
#include "ffi_rt/base/status.h"

#define LOADER_TEXT 512

/* What one open is about: the flags, and the first thing that went wrong. */
struct opening {
    int flags;
    unsigned scripts; /* that were followed: one may name itself */
    char why[LOADER_TEXT];
};

#define LOADER_MOST_SCRIPTS 16

static void *loader_try(struct opening *opening, const char *name);

/* -------------------------------------------------------------- fork --- */

/* glibc's loader does not outlive a fork in the middle of another thread's
 * dlopen: none happens while we are in it. Recursive, for what a library does
 * when it is opened may open another, or fork. */
static pthread_mutex_t loader_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void
loader_before_fork(void)
{
    pthread_mutex_lock(&loader_lock);
}

static void
loader_in_parent(void)
{
    pthread_mutex_unlock(&loader_lock);
}

/* The lock knows its owner by a number that the child does not have. */
static void
loader_in_child(void)
{
    loader_lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

/* What a library does when it is opened may take any other lock. */
FRTI_CONSTRUCTOR_LATER(3)
static void
loader_watch_fork(void)
{
    pthread_atfork(loader_before_fork, loader_in_parent, loader_in_child);
}

static void
loader_enter(void)
{
    pthread_mutex_lock(&loader_lock);
}

static void
loader_leave(int *unused)
{
    (void)unused;
    pthread_mutex_unlock(&loader_lock);
}

/* -------------------------------------------------------------- open --- */

/* As the linker does, a file beside the script is preferred. */
static void *
loader_try_beside(struct opening *opening, const char *name, const char *script)
{
    char path[LOADER_TEXT];
    int folder = (int)(strrchr(script, '/') + 1 - script);
    int length = snprintf(path, sizeof path, "%.*s%s", folder, script, name);
    bool is_there = strchr(name, '/') == NULL && length > 0 &&
                    (size_t)length < sizeof path && access(path, F_OK) == 0;

    return loader_try(opening, is_there ? path : name);
}

/* Each file that a script names, until one opens. That the script is no object
 * is no reason then. */
static void *
loader_follow(struct opening *opening, const char *path)
{
    struct frti_script script;
    char name[LOADER_TEXT];
    void *handle = NULL;

    if (opening->scripts == LOADER_MOST_SCRIPTS ||
        !frti_script_read(&script, path))
        return NULL;
    opening->scripts++;
    if (frti_script_next(&script, name, sizeof name)) {
        opening->why[0] = '\0';
        handle = loader_try_beside(opening, name, path);
    }
    while (handle == NULL && frti_script_next(&script, name, sizeof name))
        handle = loader_try_beside(opening, name, path);
    return handle;
}

/* Where the loader found `name`, if its sentence begins with that. It does for
 * a file that is no object, and for one that needs another that is not there;
 * of a file that `name` needs it has that one's path. */
static bool
loader_path_of(char *path, size_t capacity, const char *name, const char *why)
{
    const char *at = why;
    const char *end;

    while ((at = strstr(at, name)) != NULL) {
        end = at + strlen(name);
        if (strncmp(end, ": ", 2) == 0 && (at == why || at[-1] == '/'))
            break;
        at++;
    }
    if (at == NULL || (size_t)(end - why) >= capacity)
        return false;
    snprintf(path, capacity, "%.*s", (int)(end - why), why);
    return strchr(path, '/') != NULL;
}

static void *
loader_try(struct opening *opening, const char *name)
{
    void *handle = dlopen(name, opening->flags);
    const char *why;
    char path[LOADER_TEXT];

    if (handle != NULL)
        return handle;
    why = dlerror();
    if (why == NULL)
        return NULL;
    if (opening->why[0] == '\0')
        snprintf(opening->why, sizeof opening->why, "%s", why);
    return loader_path_of(path, sizeof path, name, why)
               ? loader_follow(opening, path)
               : NULL;
}

static bool
loader_is_bare(const char *name)
{
    return strchr(name, '/') == NULL && strstr(name, ".so") == NULL;
}

static void *
loader_try_bare(struct opening *opening, const char *name)
{
    char file[LOADER_TEXT];
    void *handle;
    int length = snprintf(file, sizeof file, "lib%s.so", name);

    if (length < 0 || (size_t)length >= sizeof file)
        return NULL;
    handle = loader_try(opening, file);
    if (handle == NULL && frti_newest_library(file, sizeof file, name))
        handle = loader_try(opening, file);
    return handle;
}

frt_status
frti_loader_open(void **out, const char *name, struct frti_loader_flags flags)
{
    struct opening opening = {.flags =
                                  (flags.now ? RTLD_NOW : RTLD_LAZY) |
                                  (flags.global ? RTLD_GLOBAL : RTLD_LOCAL)};
    FRTI_CLEANUP(loader_leave) int entered = 0;
    void *handle = NULL;

    (void)entered;
    loader_enter();
    if (name[0] != '\0')
        handle = loader_try(&opening, name);
    if (handle == NULL && name[0] != '\0' && loader_is_bare(name))
        handle = loader_try_bare(&opening, name);
    if (handle == NULL)
        return frti_fail(FRT_NOT_FOUND, "library '%s' cannot be opened: %s",
                         name,
                         name[0] == '\0' ? "it has no name" : opening.why);
    *out = handle;
    return FRT_OK;
}

void
frti_loader_close(void *handle)
{
    FRTI_CLEANUP(loader_leave) int entered = 0;

    (void)entered;
    loader_enter();
    dlclose(handle);
}

void *
frti_loader_process(void)
{
    return RTLD_DEFAULT;
}

/* ----------------------------------------------------------- symbols --- */

static frt_symbol_kind
loader_kind_of_type(unsigned type)
{
    switch (type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        return FRT_SYMBOL_FUNCTION;
    case STT_OBJECT:
    case STT_COMMON:
    case STT_TLS:
        return FRT_SYMBOL_DATA;
    default:
        return FRT_SYMBOL_UNKNOWN;
    }
}

struct segment_search {
    uintptr_t address;
    frt_symbol_kind kind;
};

static int
loader_look_in_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct segment_search *search = context;

    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];

        if (header->p_type == PT_LOAD &&
            search->address - (info->dlpi_addr + header->p_vaddr) <
                header->p_memsz) {
            search->kind =
                header->p_flags & PF_X ? FRT_SYMBOL_FUNCTION : FRT_SYMBOL_DATA;
            return 1;
        }
    }
    return 0;
}

/* By its entry in the symbol table; without one (the code that an indirect
 * function chose) by whether its memory is code. */
static frt_symbol_kind
loader_kind_of(void *address)
{
    struct segment_search search = {(uintptr_t)address, FRT_SYMBOL_DATA};
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;

    if (dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
        symbol != NULL && info.dli_saddr == address) {
        frt_symbol_kind kind =
            loader_kind_of_type(ELF64_ST_TYPE(symbol->st_info));

        if (kind != FRT_SYMBOL_UNKNOWN)
            return kind;
    }
    dl_iterate_phdr(loader_look_in_object, &search);
    return search.kind;
}

bool
frti_loader_find(frt_symbol *out, void *handle, const char *name,
                 const char *version)
{
    void *address;

    dlerror();
    address =
        version == NULL ? dlsym(handle, name) : dlvsym(handle, name, version);
    if (address == NULL && dlerror() != NULL)
        return false;
    out->address = address;
    out->kind = address == NULL ? FRT_SYMBOL_UNKNOWN : loader_kind_of(address);
    return true;
}
