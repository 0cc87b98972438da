/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/batch.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/abi/values.h"

#define BATCH_PATH 4096

static const char *const batch_levels[] = {"-O0", "-O2"};

static const char *
batch_compiler(bool is_clang)
{
    const char *asked = getenv(is_clang ? "FRT_ABI_CLANG" : "FRT_ABI_GCC");

    if (asked != NULL)
        return asked;
    return is_clang ? "clang" : "gcc";
}

bool
batch_has_clang(void)
{
    return *batch_compiler(true) != '\0';
}

const char *
batch_cell_name(unsigned cell)
{
    static const char *const names[BATCH_CELLS] = {"gcc -O0", "gcc -O2",
                                                   "clang -O0", "clang -O2"};

    return names[cell];
}

static bool
batch_is_gcc(const struct signature *signature)
{
    return signature->only_gcc || !batch_has_clang();
}

unsigned
batch_cell_of(uint64_t seed, const struct signature *signature)
{
    uint64_t random = value_mix(value_mix(~seed) + signature->number);

    return (unsigned)(random % (batch_is_gcc(signature) ? 2 : BATCH_CELLS));
}

unsigned
batch_control_cell_of(unsigned cell, const struct signature *signature)
{
    return batch_is_gcc(signature) ? 1 - cell : BATCH_CELLS - 1 - cell;
}

/* ------------------------------------------------------------ sources --- */

static FILE *
batch_open(const char *folder, const char *mode, const char *format, ...)
{
    char path[BATCH_PATH];
    int length = snprintf(path, sizeof path, "%s/", folder);
    va_list values;
    FILE *file;

    va_start(values, format);
    vsnprintf(path + length, sizeof path - (size_t)length, format, values);
    va_end(values);
    file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

static void
batch_close(FILE *file)
{
    if (fclose(file) != 0) {
        perror("batch: write");
        exit(2);
    }
}

static void
batch_object_path(char path[static BATCH_PATH], const char *folder,
                  unsigned index, const char *name)
{
    snprintf(path, BATCH_PATH, "%s/b%u_%s.so", folder, index, name);
}

static void
batch_write_half(const char *folder, const struct batch *batch,
                 const char *half,
                 void (*write)(FILE *file, const struct signature *signature))
{
    FILE *file = batch_open(folder, "w", "b%u_%s.c", batch->index, half);
    char object[BATCH_PATH];
    static unsigned stamp;

    stamp++;
    batch_object_path(object, folder, batch->index, half);
    unlink(object); /* an earlier round's */
    fputs("#include \"test/abi/callee.h\"\n\n", file);
    for (size_t i = 0; i < batch->count; i++) {
        text_types(file, batch->signatures[i], stamp);
        write(file, batch->signatures[i]);
    }
    batch_close(file);
}

void
batch_write(const char *folder, const struct batch *batch)
{
    batch_write_half(folder, batch, "callee", text_callee);
    batch_write_half(folder, batch, "control", text_control);
}

/* Each output needs its source, its compiler and its level. */
static void
batch_write_edge(FILE *file, const struct batch *batch, const char *half,
                 const char *source, unsigned cell)
{
    fprintf(file, "build b%u_%s.so: compile %s\n  cc = %s\n  level = %s%s\n",
            batch->index, half, source, batch_compiler(cell >= 2),
            batch_levels[cell % 2], batch->is_wide ? " -mavx" : "");
}

static void
batch_write_half_edge(FILE *file, const struct batch *batch, const char *half,
                      unsigned cell)
{
    char source[64];

    snprintf(source, sizeof source, "b%u_%s.c", batch->index, half);
    batch_write_edge(file, batch, half, source, cell);
}

void
batch_write_ninja(const char *folder, const struct batch *batches, size_t count,
                  const char *root)
{
    FILE *file = batch_open(folder, "w", "build.ninja");

    /* gcc 12's own va_arg of vectors on AArch64 breaks the aliasing rules */
    fprintf(file,
            "rule compile\n"
            "  command = $cc -std=gnu11 -w -fno-strict-aliasing $level -fPIC "
            "-shared -I%s -o $out $in\n"
            "  description = $cc $level $in\n",
            root);
    for (size_t i = 0; i < count; i++) {
        batch_write_half_edge(file, &batches[i], "callee", batches[i].cell);
        batch_write_half_edge(file, &batches[i], "control",
                              batches[i].control_cell);
    }
    batch_close(file);
}

void
batch_add_source(const char *folder, const char *name, const char *source,
                 const struct batch *batch)
{
    FILE *file = batch_open(folder, "a", "build.ninja");

    batch_write_edge(file, batch, name, source, batch->cell);
    batch_close(file);
}

/* Each failed edge has a line that says so, and one with what gcc or clang says
 * when it crashes. What a crash leaves stays in the folder. */
bool
batch_compile(const char *folder)
{
    static const char crash[] = "internal compiler error|PLEASE submit a bug";
    char command[4 * BATCH_PATH];

    fflush(NULL);
    snprintf(command, sizeof command,
             "cd '%s' && { "
             "TMPDIR=$PWD ninja -k 0 -j2 > ninja.log 2>&1 < /dev/null || "
             "test $(grep -c '^FAILED:' ninja.log) -le "
             "$(grep -c -E '%s' ninja.log) || "
             "{ grep -A 20 '^FAILED:' ninja.log >&2; false; }; }",
             folder, crash);
    return system(command) == 0;
}

bool
batch_is_compiled(const char *folder, const struct batch *batch)
{
    static const char *const halves[] = {"callee", "control"};
    char path[BATCH_PATH];

    for (size_t i = 0; i < 2; i++) {
        batch_object_path(path, folder, batch->index, halves[i]);
        if (access(path, R_OK) != 0)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------ objects --- */

void *
batch_load_object(const char *folder, unsigned index, const char *name)
{
    char path[BATCH_PATH];
    void *object;

    batch_object_path(path, folder, index, name);
    object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        fprintf(stderr, "batch: %s\n", dlerror());
        exit(2);
    }
    return object;
}

void
batch_load(struct batch_objects *out, const char *folder,
           const struct batch *batch)
{
    out->callee = batch_load_object(folder, batch->index, "callee");
    out->control = batch_load_object(folder, batch->index, "control");
}

void
batch_unload(struct batch_objects *objects)
{
    dlclose(objects->callee);
    dlclose(objects->control);
}

void *
batch_symbol(void *object, const char *format, ...)
{
    char name[64];
    va_list values;
    void *symbol;

    va_start(values, format);
    vsnprintf(name, sizeof name, format, values);
    va_end(values);
    symbol = dlsym(object, name);
    if (symbol == NULL) {
        fprintf(stderr, "batch: there is no %s\n", name);
        exit(2);
    }
    return symbol;
}
