/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * replaced LIBRARY, as TAP: what becomes of more upcalls than the library has
 * entries when its file is another by then. Each case loads a copy of its own
 * in a process of its own.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"

#define ENTRIES 4096

static int tests;
static int failures;

/* Functions of the copy: this program is linked with no library of ours. */
struct copy {
    __typeof__(frt_arena_global) *global;
    __typeof__(frt_descriptor_parse) *parse;
    __typeof__(frt_upcall_open) *open;
    __typeof__(frt_upcall_address) *address;
    __typeof__(frt_last_detail) *detail;
};

static bool
copy_load(struct copy *copy, const char *path)
{
    void *library = dlopen(path, RTLD_NOW);

    if (library == NULL) {
        printf("# %s\n", dlerror());
        return false;
    }
    *copy = (struct copy){
        (__typeof__(copy->global))dlsym(library, "frt_arena_global"),
        (__typeof__(copy->parse))dlsym(library, "frt_descriptor_parse"),
        (__typeof__(copy->open))dlsym(library, "frt_upcall_open"),
        (__typeof__(copy->address))dlsym(library, "frt_upcall_address"),
        (__typeof__(copy->detail))dlsym(library, "frt_last_detail"),
    };
    return copy->global && copy->parse && copy->open && copy->address &&
           copy->detail;
}

static frt_status
add_context(void *context, void *result, void *const *arguments)
{
    *(int *)result = *(int *)arguments[0] + (int)(intptr_t)context;
    return FRT_OK;
}

static frt_status
copy_open_and_call(bool *is_right, const struct copy *copy,
                   const frt_descriptor *descriptor, int context)
{
    frt_upcall upcall;
    frt_status status =
        copy->open(&upcall, copy->global(), descriptor, add_context,
                   (void *)(intptr_t)context, NULL);

    if (status == FRT_OK)
        *is_right = ((int (*)(int))copy->address(upcall))(1) == 1 + context;
    return status;
}

/* ------------------------------------------------------------- files --- */

enum change { CHANGE_NOTHING, CHANGE_FLIPPED, CHANGE_SHORT, CHANGE_GONE };

struct bytes {
    char *data;
    size_t size;
};

static bool
bytes_read(struct bytes *out, const char *path)
{
    int file = open(path, O_RDONLY);
    struct stat stat;
    bool is_read;

    if (file < 0 || fstat(file, &stat) != 0)
        return false;
    out->size = (size_t)stat.st_size;
    out->data = malloc(out->size);
    is_read = out->data != NULL &&
              read(file, out->data, out->size) == (ssize_t)out->size;
    close(file);
    return is_read;
}

static bool
bytes_write(const struct bytes *bytes, const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0755);
    bool is_written = file >= 0 && write(file, bytes->data, bytes->size) ==
                                       (ssize_t)bytes->size;

    return close(file) == 0 && is_written;
}

/* As installers do it: a new file takes the name. */
static bool
file_change(const char *path, const struct bytes *bytes, enum change change)
{
    struct bytes other = *bytes;

    if (unlink(path) != 0)
        return false;
    if (change == CHANGE_GONE)
        return true;
    if (change == CHANGE_SHORT)
        other.size = 4096;
    if (change == CHANGE_FLIPPED)
        for (size_t i = 0; i < other.size; i++)
            other.data[i] = (char)~other.data[i];
    return bytes_write(&other, path);
}

/* -------------------------------------------------------------- cases --- */

static const char *library_path;

/* 0: as it should be. */
static int
case_run(const char *path, enum change change)
{
    const frt_descriptor *descriptor;
    struct bytes bytes;
    struct copy copy;
    bool is_right = true;
    frt_status status;

    if (!bytes_read(&bytes, library_path) || !bytes_write(&bytes, path) ||
        !copy_load(&copy, path) ||
        copy.parse(&descriptor, "int f(int)", NULL) != FRT_OK)
        return 1;
    for (int i = 0; i < ENTRIES; i++)
        if (copy_open_and_call(&is_right, &copy, descriptor, i) != FRT_OK ||
            !is_right)
            return 2;
    if (!file_change(path, &bytes, change))
        return 3;
    status = copy_open_and_call(&is_right, &copy, descriptor, 5);
    if (change == CHANGE_NOTHING)
        return status == FRT_OK && is_right ? 0 : 4;
    printf("# %s\n", copy.detail());
    if (status != FRT_NO_CODE_MEMORY)
        return 5;
    return strstr(copy.detail(), change == CHANGE_GONE ? "No such file"
                                                       : "has changed") != NULL
               ? 0
               : 6;
}

static void
case_in_child(const char *path, enum change change, const char *what)
{
    int status = 1;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int code = case_run(path, change);

        fflush(stdout);
        _exit(code);
    }
    if (child > 0 && waitpid(child, &status, 0) != child)
        status = 1;
    (void)unlink(path);
    if (status != 0)
        printf("# status %x\n", (unsigned)status);
    printf("%sok %d - %s\n", status == 0 ? "" : "not ", ++tests, what);
    failures += status != 0;
}

int
main(int count, char **arguments)
{
    char folder[] = "replaced-XXXXXX";
    char path[sizeof folder + 32];

    if (count != 2 || mkdtemp(folder) == NULL)
        return EXIT_FAILURE;
    library_path = arguments[1];
    snprintf(path, sizeof path, "./%s/library.so", folder);
    case_in_child(path, CHANGE_NOTHING,
                  "an equal file in its place gives more entries");
    case_in_child(path, CHANGE_FLIPPED,
                  "no foreign bytes are run: NO_CODE_MEMORY, it has changed");
    case_in_child(path, CHANGE_SHORT, "nor is a shorter file looked behind");
    case_in_child(path, CHANGE_GONE, "a deleted file is told");
    (void)rmdir(folder);
    printf("1..%d\n", tests);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
