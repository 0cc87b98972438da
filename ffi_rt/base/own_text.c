/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/own_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ffi_rt/base/status.h"

/* A line of /proc/self/maps is at most a path of 4 KiB and the numbers. */
#define OWN_LINE 4352

/* Where our pages come from. */
struct own_file {
    char path[OWN_LINE];
    uintptr_t start; /* of the mapping that has the code */
    uintptr_t end;
    off_t offset; /* of its start, in the file */
};

/* Whole pages, as addresses. */
struct own_range {
    uintptr_t first;
    uintptr_t last;
};

static struct own_range
own_pages(struct frti_own_part part)
{
    uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    uintptr_t start = (uintptr_t)part.address;

    return (struct own_range){start & ~mask,
                              (start + part.size + mask) & ~mask};
}

/* What the kernel adds to the path of a file that has lost its name. Another
 * may have it by now: whether that will do is seen by its bytes. */
static void
own_strip_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    size_t length = strlen(path);

    if (length >= sizeof mark &&
        strcmp(path + length - (sizeof mark - 1), mark) == 0)
        path[length - (sizeof mark - 1)] = '\0';
}

/* `start-end perms offset device inode   path`; proc(5). */
static bool
own_read_line(struct own_file *out, const char *line, uintptr_t address)
{
    char *rest;
    const char *path = strchr(line, '/');

    out->start = strtoul(line, &rest, 16);
    if (*rest != '-')
        return false;
    out->end = strtoul(rest + 1, &rest, 16);
    if (address < out->start || address >= out->end || path == NULL)
        return false;
    rest = strchr(rest + 1, ' '); /* after the permissions */
    if (rest == NULL)
        return false;
    out->offset = (off_t)strtoull(rest, NULL, 16);
    strcpy(out->path, path);
    own_strip_deleted(out->path);
    return true;
}

/* The next line of what is read in pieces; false: the end. No stream: this
 * may not allocate. */
struct own_reader {
    int file;
    size_t have;
    char buffer[OWN_LINE];
};

static bool
own_next_line(char *line, struct own_reader *reader)
{
    char *end;
    size_t length;

    while ((end = memchr(reader->buffer, '\n', reader->have)) == NULL) {
        ssize_t got;

        if (reader->have == sizeof reader->buffer)
            return false;
        got = read(reader->file, reader->buffer + reader->have,
                   sizeof reader->buffer - reader->have);
        if (got <= 0)
            return false;
        reader->have += (size_t)got;
    }
    length = (size_t)(end - reader->buffer);
    memcpy(line, reader->buffer, length);
    line[length] = '\0';
    reader->have -= length + 1;
    memmove(reader->buffer, end + 1, reader->have);
    return true;
}

static bool
own_find_file(struct own_file *out, uintptr_t address)
{
    struct own_reader reader = {
        .file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char line[OWN_LINE];
    bool is_found = false;

    if (reader.file < 0)
        return false;
    while (!is_found && own_next_line(line, &reader))
        is_found = own_read_line(out, line, address);
    close(reader.file);
    return is_found;
}

static FRTI_COLD frt_status
own_refuse(const char *what)
{
    return frti_fail(FRT_NO_CODE_MEMORY,
                     "the library's own code cannot be mapped again (%s: %s)",
                     what, strerror(errno));
}

static FRTI_COLD frt_status
own_changed(const struct own_file *file)
{
    return frti_fail(FRT_NO_CODE_MEMORY,
                     "the library's own code cannot be mapped again: %s has "
                     "changed",
                     file->path);
}

/* By its size first: bytes behind a file's end cannot be looked at. */
static frt_status
own_map_open(int from, struct frti_own_part text, ptrdiff_t shift,
             const struct own_file *file)
{
    struct own_range pages = own_pages(text);
    void *place = (void *)(pages.first + (uintptr_t)shift);
    off_t offset = file->offset + (off_t)(pages.first - file->start);
    uintptr_t needed = (uintptr_t)text.address + text.size - pages.first;
    struct stat stat;

    if (fstat(from, &stat) != 0)
        return own_refuse(file->path);
    if (stat.st_size < offset + (off_t)needed)
        return own_changed(file);
    if (mmap(place, pages.last - pages.first, PROT_READ | PROT_EXEC,
             MAP_PRIVATE | MAP_FIXED, from, offset) != place)
        return own_refuse(file->path);
    /* it may have been replaced since the program was started */
    if (memcmp((const char *)text.address + shift, text.address, text.size) !=
        0)
        return own_changed(file);
    return FRT_OK;
}

static frt_status
own_map_code(struct frti_own_part text, ptrdiff_t shift,
             const struct own_file *file)
{
    int from = open(file->path, O_RDONLY | O_CLOEXEC);
    frt_status status;

    if (from < 0)
        return own_refuse(file->path);
    status = own_map_open(from, text, shift, file);
    close(from);
    return status;
}

static bool
own_map_data(const struct own_range *data, ptrdiff_t shift)
{
    return mprotect((void *)(data->first + (uintptr_t)shift),
                    data->last - data->first, PROT_READ | PROT_WRITE) == 0;
}

/* What lies between the two is of no use. */
static void
own_unmap_between(const struct own_range *one, const struct own_range *other,
                  ptrdiff_t shift)
{
    if (other->first < one->first)
        own_unmap_between(other, one, shift);
    else if (other->first > one->last)
        munmap((void *)(one->last + (uintptr_t)shift),
               other->first - one->last);
}

static frt_status
own_map(ptrdiff_t shift, struct frti_own_part text,
        const struct own_range *code, const struct own_range *data,
        const struct own_file *file)
{
    frt_status status = own_map_code(text, shift, file);

    if (status != FRT_OK)
        return status;
    if (!own_map_data(data, shift))
        return own_refuse("memory beside it");
    own_unmap_between(code, data, shift);
    return FRT_OK;
}

frt_status
frti_own_text_again(ptrdiff_t *out, struct frti_own_part code,
                    struct frti_own_part data)
{
    struct own_range text = own_pages(code);
    struct own_range plain = own_pages(data);
    uintptr_t low = text.first < plain.first ? text.first : plain.first;
    uintptr_t high = text.last > plain.last ? text.last : plain.last;
    struct own_file file;
    ptrdiff_t shift;
    frt_status status;
    void *room;

    if (!own_find_file(&file, text.first))
        return frti_fail(FRT_NO_CODE_MEMORY,
                         "the library's own code cannot be mapped again: "
                         "/proc/self/maps does not say where it is from");
    room = mmap(NULL, high - low, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return own_refuse("address space");
    shift = (ptrdiff_t)((uintptr_t)room - low);
    status = own_map(shift, code, &text, &plain, &file);
    if (status != FRT_OK)
        munmap(room, high - low);
    else
        *out = shift;
    return status;
}
