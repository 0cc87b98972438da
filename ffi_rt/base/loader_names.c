/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/loader_names.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"

/* ------------------------------------------------------------ script --- */

static const char script_separators[] = " \t\r\n(),;";

/* Comments become blanks. */
static void
script_clear_comments(char *text)
{
    char *start;

    while ((start = strstr(text, "/*")) != NULL) {
        const char *end = strstr(start + 2, "*/");

        text = end == NULL ? start + strlen(start) : start + (end + 2 - start);
        memset(start, ' ', (size_t)(text - start));
    }
}

static bool
script_is_word(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

/* Up to the next separator, or between quotes; *length 0: there is no more. */
static const char *
script_word(struct frti_script *script, size_t *length)
{
    const char *word;
    bool is_quoted;

    script->at += strspn(script->at, script_separators);
    is_quoted = *script->at == '"';
    word = script->at + is_quoted;
    *length = strcspn(word, is_quoted ? "\"" : script_separators);
    script->at = word + *length;
    script->at += is_quoted && *script->at == '"';
    return word;
}

/* To what the first GROUP or INPUT has in its brackets. */
static bool
script_find_files(struct frti_script *script)
{
    for (;;) {
        size_t length;
        const char *word = script_word(script, &length);
        const char *next = script->at + strspn(script->at, " \t\r\n");

        if (length == 0)
            return false;
        if (*next == '(' && (script_is_word(word, length, "GROUP") ||
                             script_is_word(word, length, "INPUT")))
            return true;
    }
}

bool
frti_script_read(struct frti_script *out, const char *path)
{
    FILE *file = fopen(path, "re");
    size_t length;

    if (file == NULL)
        return false;
    length = fread(out->text, 1, sizeof out->text - 1, file);
    fclose(file);
    out->text[length] = '\0';
    if (memchr(out->text, '\0', length) != NULL)
        return false;
    script_clear_comments(out->text);
    out->at = out->text;
    return script_find_files(out);
}

/* False: it has no room, or there is none. */
static bool
script_name_of(char *name, size_t capacity, const char *word, size_t length)
{
    static const char *const forms[] = {"%.*s", "lib%.*s.so"};
    bool is_short = false;

    if (length > 3 && memcmp(word, "-l:", 3) == 0) {
        word += 3;
        length -= 3;
    } else if (length > 2 && memcmp(word, "-l", 2) == 0) {
        is_short = true;
        word += 2;
        length -= 2;
    } else if (word[0] == '=') { /* in the system root, which is `/` here */
        word++;
        length--;
    }
    if (length == 0 || length + sizeof "lib.so" > capacity)
        return false;
    snprintf(name, capacity, forms[is_short], (int)length, word);
    return true;
}

bool
frti_script_next(struct frti_script *script, char *name, size_t capacity)
{
    for (;;) {
        size_t length;
        const char *word = script_word(script, &length);

        if (length == 0)
            return false;
        if (!script_is_word(word, length, "GROUP") &&
            !script_is_word(word, length, "INPUT") &&
            !script_is_word(word, length, "AS_NEEDED") &&
            script_name_of(name, capacity, word, length))
            return true;
    }
}

/* ------------------------------------------------------------ newest --- */

struct newest {
    char prefix[256]; /* libNAME.so. */
    char file[256];   /* "": none so far */
    char folder[1024];
};

static void
newest_look(struct newest *newest, const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    size_t prefix = strlen(newest->prefix);

    if (entries == NULL)
        return;
    while ((entry = readdir(entries)) != NULL)
        if (strncmp(entry->d_name, newest->prefix, prefix) == 0 &&
            strspn(entry->d_name + prefix, "0123456789.") ==
                strlen(entry->d_name + prefix) &&
            strverscmp(entry->d_name, newest->file) > 0) {
            snprintf(newest->file, sizeof newest->file, "%s", entry->d_name);
            snprintf(newest->folder, sizeof newest->folder, "%s", folder);
        }
    closedir(entries);
}

/* dlinfo(3): the size first, then the folders. */
static void
newest_look_everywhere(struct newest *newest, void *handle)
{
    Dl_serinfo size;
    Dl_serinfo *folders;

    if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) != 0)
        return;
    folders = frti_allocate(size.dls_size, _Alignof(Dl_serinfo));
    if (folders == NULL)
        return;
    if (dlinfo(handle, RTLD_DI_SERINFOSIZE, folders) == 0 &&
        dlinfo(handle, RTLD_DI_SERINFO, folders) == 0)
        for (unsigned i = 0; i < folders->dls_cnt; i++)
            newest_look(newest, folders->dls_serpath[i].dls_name);
    frti_free(folders, size.dls_size, _Alignof(Dl_serinfo));
}

bool
frti_newest_library(char *path, size_t capacity, const char *name)
{
    struct newest newest = {.file = ""};
    void *handle = dlopen(NULL, RTLD_LAZY);
    int length;

    if (handle == NULL)
        return false;
    length = snprintf(newest.prefix, sizeof newest.prefix, "lib%s.so.", name);
    if (length > 0 && (size_t)length < sizeof newest.prefix) {
        newest_look_everywhere(&newest, handle);
        newest_look(&newest, "/usr/local/lib");
    }
    dlclose(handle);
    if (newest.file[0] == '\0')
        return false;
    length = snprintf(path, capacity, "%s/%s", newest.folder, newest.file);
    return length > 0 && (size_t)length < capacity;
}
