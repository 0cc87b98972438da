/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/loader_names.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"

/* ------------------------------------------------------------ script --- */

static const char script_separators[] = " \t\r\n(),";

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
    out->at = strstr(out->text, "GROUP");
    if (out->at == NULL)
        out->at = strstr(out->text, "INPUT");
    return out->at != NULL;
}

static bool
script_is_word(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

bool
frti_script_next(struct frti_script *script, char *name, size_t capacity)
{
    for (;;) {
        const char *word;
        size_t length;
        bool is_short;

        script->at += strspn(script->at, script_separators);
        word = script->at;
        length = strcspn(word, script_separators);
        if (length == 0)
            return false;
        script->at += length;
        if (script_is_word(word, length, "GROUP") ||
            script_is_word(word, length, "INPUT") ||
            script_is_word(word, length, "AS_NEEDED"))
            continue;
        is_short = length > 2 && memcmp(word, "-l", 2) == 0;
        if (length + sizeof "lib.so" <= capacity) {
            snprintf(name, capacity, is_short ? "lib%.*s.so" : "%.*s",
                     (int)(is_short ? length - 2 : length),
                     is_short ? word + 2 : word);
            return true;
        }
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
