/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Instructions as our assembler emits them, held to the GNU assembler:
 *
 *     expect("mov %rsi,%rdi");
 *     frti_x86_move(&assembled, X86_RDI, X86_RSI);
 *     ...
 *     compare("x86_64-linux-gnu-");
 *
 * Where that assembler is missing, the test is skipped: a list with the bytes
 * written out stands beside.
 */
#ifndef TEST_UNIT_ABI_ASSEMBLING_H
#define TEST_UNIT_ABI_ASSEMBLING_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/emitter.h"

#define ASSEMBLING_MOST 20000

static struct frti_emitter assembled;
static char *assembling_texts[ASSEMBLING_MOST];
static size_t assembling_starts[ASSEMBLING_MOST];
static size_t assembling_count;

/* What is emitted next is this. */
__attribute__((format(printf, 1, 2))) static inline void
expect(const char *format, ...)
{
    va_list values;

    cr_assert_lt(assembling_count, ASSEMBLING_MOST);
    va_start(values, format);
    cr_assert_geq(
        vasprintf(&assembling_texts[assembling_count], format, values), 0);
    va_end(values);
    assembling_starts[assembling_count++] = assembled.size;
}

static inline size_t
assembling_end(size_t index)
{
    return index + 1 < assembling_count ? assembling_starts[index + 1]
                                        : assembled.size;
}

/* Reads the bytes that stand in a file. */
static inline size_t
assembling_read(unsigned char **out, const char *folder)
{
    char path[64];
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "%s/bytes", folder);
    file = fopen(path, "rb");
    cr_assert_not_null(file);
    *out = malloc(assembled.size + 1);
    size = fread(*out, 1, assembled.size + 1, file);
    fclose(file);
    return size;
}

static inline void
assembling_run(const char *folder, const char *prefix)
{
    char path[64];
    char command[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/text.s", folder);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    for (size_t i = 0; i < assembling_count; i++)
        fprintf(file, "%s\n", assembling_texts[i]);
    fclose(file);
    snprintf(command, sizeof command,
             "cd %s && %sas -o object text.s && "
             "%sobjcopy -O binary -j .text object bytes",
             folder, prefix, prefix);
    cr_assert_eq(system(command), 0, "%s", command);
}

static inline void
assembling_judge(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < assembling_count; i++) {
        size_t start = assembling_starts[i];
        size_t length = assembling_end(i) - start;

        cr_assert_gt(length, 0);
        cr_assert(assembling_end(i) <= size &&
                      memcmp(assembled.bytes + start, bytes + start, length) ==
                          0,
                  "not the bytes of `%s`", assembling_texts[i]);
        free(assembling_texts[i]);
    }
    cr_assert_eq(size, assembled.size);
}

/* valgrind would watch the tools, and judge them. */
static inline bool
assembling_is_watched(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

/* `prefix`: of the tools' names. */
static inline void
compare(const char *prefix)
{
    char folder[] = "/tmp/ffi_rt_as_XXXXXX";
    char command[128];
    unsigned char *bytes;
    size_t size;

    if (assembling_is_watched())
        cr_skip_test("valgrind would watch %sas, too", prefix);
    snprintf(command, sizeof command,
             "command -v %sas > /dev/null && command -v %sobjcopy > /dev/null",
             prefix, prefix);
    if (system(command) != 0)
        cr_skip_test("%sas or %sobjcopy is missing", prefix, prefix);
    cr_assert_not_null(mkdtemp(folder));
    assembling_run(folder, prefix);
    size = assembling_read(&bytes, folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    assembling_judge(bytes, size);
    free(bytes);
    frti_emitter_free(&assembled);
}

/* The bytes emitted since the last time are those written out in hex. */
static inline void
check_bytes(const char *hex)
{
    char *text = malloc(assembled.size * 3 + 1);
    size_t length = 0;

    for (size_t i = 0; i < assembled.size; i++)
        length += (size_t)sprintf(text + length, i == 0 ? "%02x" : " %02x",
                                  assembled.bytes[i]);
    cr_assert_str_eq(text, hex);
    free(text);
    frti_emitter_free(&assembled);
}

#endif
