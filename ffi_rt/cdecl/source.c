/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/source.h"

#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"

/* What is shown of a line: characters before the caret, and in all. With the
 * sentence they fit into a detail: 4 bytes a character, two lines. */
#define SOURCE_BEFORE 40
#define SOURCE_SHOWN 72
#define SOURCE_SENTENCE 512
#define SOURCE_FILE 200

size_t
frti_utf8(uint32_t *code, const char *at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)*at;
    size_t length = lead < 0x80   ? 1
                    : lead < 0xc0 ? 0
                    : lead < 0xe0 ? 2
                    : lead < 0xf0 ? 3
                    : lead < 0xf8 ? 4
                                  : 0;
    uint32_t value = length < 2 ? lead : lead & (0x7fu >> length);

    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | ((unsigned char)at[i] & 0x3f);
    }
    if (length == 0 || value < least[length] || value > 0x10ffff ||
        (value >= 0xd800 && value < 0xe000))
        return 0;
    *code = value;
    return length;
}

/* The bytes of the line splice at `at`, 0: none. As GNU C, blanks may stand
 * between the backslash and the end of the line. */
static size_t
source_splice(const char *at)
{
    const char *end = at + 1;

    if (*at != '\\')
        return 0;
    end += strspn(end, " \t");
    if (*end == '\r')
        end++;
    return *end == '\n' ? (size_t)(end + 1 - at) : 0;
}

static size_t
source_count_splices(const char *text)
{
    size_t count = 0;

    while ((text = strchr(text, '\\')) != NULL) {
        size_t splice = source_splice(text);

        count += splice != 0;
        text += splice == 0 ? 1 : splice;
    }
    return count;
}

static void
source_copy_spliced(struct frti_source *source, char *copy)
{
    const char *from = source->original;
    char *to = copy;

    while (*from != '\0') {
        size_t splice = source_splice(from);

        if (splice == 0) {
            *to++ = *from++;
            continue;
        }
        from += splice;
        source->splices[source->splice_count++] =
            (struct frti_splice){.at = (size_t)(to - copy),
                                 .original = (size_t)(from - source->original)};
    }
    source->text = copy;
    source->length = (size_t)(to - copy);
}

static bool
source_splice_all(struct frti_source *source, size_t count)
{
    size_t bytes = source->original_length + 1;
    size_t splice_bytes = count * sizeof *source->splices;
    char *copy = frti_allocate(bytes, 1);

    source->splices = frti_allocate(splice_bytes, _Alignof(struct frti_splice));
    if (copy == NULL || source->splices == NULL) {
        frti_free(copy, bytes, 1);
        frti_free(source->splices, splice_bytes, _Alignof(struct frti_splice));
        source->splices = NULL;
        return frti_source_no_memory(source, bytes + splice_bytes);
    }
    source->copy_bytes = bytes;
    source_copy_spliced(source, copy);
    return true;
}

bool
frti_source_init(struct frti_source *source, const char *text,
                 const char *origin)
{
    size_t length = strnlen(text, FRTI_SOURCE_LIMIT + 1);
    size_t splices;

    *source = (struct frti_source){.original = text,
                                   .original_length = length,
                                   .text = text,
                                   .length = length,
                                   .origin = origin};
    if (length > FRTI_SOURCE_LIMIT) {
        source->status =
            frti_fail(FRT_BAD_DECLARATION, "the text is longer than %zu MiB",
                      FRTI_SOURCE_LIMIT >> 20);
        return false;
    }
    splices = source_count_splices(text);
    return splices == 0 || source_splice_all(source, splices);
}

void
frti_source_fini(struct frti_source *source)
{
    frti_free(source->markers,
              source->marker_capacity * sizeof *source->markers,
              _Alignof(struct frti_marker));
    source->markers = NULL;
    source->marker_capacity = 0;
    if (source->copy_bytes == 0)
        return;
    frti_free((char *)source->text, source->copy_bytes, 1);
    frti_free(source->splices, source->splice_count * sizeof *source->splices,
              _Alignof(struct frti_splice));
    source->copy_bytes = 0;
}

static size_t
source_original_offset(const struct frti_source *source, size_t position)
{
    size_t low = 0;
    size_t high = source->splice_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (source->splices[middle].at <= position)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return position;
    return source->splices[low - 1].original +
           (position - source->splices[low - 1].at);
}

/* One byte that is not UTF-8 counts as a character. */
static size_t
source_step(const char *at)
{
    uint32_t code;
    size_t length = frti_utf8(&code, at);

    return length == 0 ? 1 : length;
}

static const char *
source_line_start(const struct frti_source *source, size_t offset)
{
    const char *start = source->original + offset;

    while (start > source->original && start[-1] != '\n')
        start--;
    return start;
}

/* --------------------------------------------------------------- lines --- */

static size_t
source_line_ends(const char *from, const char *to)
{
    size_t count = 0;

    while ((from = memchr(from, '\n', (size_t)(to - from))) != NULL) {
        count++;
        from++;
    }
    return count;
}

static void
cursor_move(const struct frti_source *source, struct frti_cursor *cursor,
            size_t original)
{
    const char *from = source->original + cursor->original;
    const char *to = source->original + original;

    if (from <= to)
        cursor->line_ends += source_line_ends(from, to);
    else
        cursor->line_ends -= source_line_ends(to, from);
    cursor->original = original;
}

/* The last marker at or before `original`; NULL: none. */
static const struct frti_marker *
source_marker(const struct frti_source *source, size_t original)
{
    size_t low = 0;
    size_t high = source->marker_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (source->markers[middle].original <= original)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &source->markers[low - 1];
}

struct frti_line_column
frti_source_line(const struct frti_source *source, struct frti_cursor *cursor,
                 size_t position)
{
    size_t original = source_original_offset(source, position);
    const struct frti_marker *marker = source_marker(source, original);

    cursor_move(source, cursor, original);
    if (marker != NULL)
        return (struct frti_line_column){
            .file = marker->file,
            .file_length = marker->file_length,
            .line = cursor->line_ends - marker->line_ends + marker->line};
    return (struct frti_line_column){
        .file = source->origin,
        .file_length = source->origin == NULL ? 0 : strlen(source->origin),
        .line = cursor->line_ends + 1};
}

struct frti_line_column
frti_source_place(const struct frti_source *source, size_t position)
{
    size_t offset = source_original_offset(source, position);
    struct frti_cursor cursor = {.original = 0};
    const char *end = source->original + offset;
    const char *start = source_line_start(source, offset);
    struct frti_line_column place = frti_source_line(source, &cursor, position);

    place.column = 1;
    for (const char *at = start; at < end; at += source_step(at))
        place.column++;
    return place;
}

static bool
source_make_room(struct frti_source *source)
{
    size_t capacity = source->marker_capacity * 2 + 16;
    size_t bytes = capacity * sizeof *source->markers;
    struct frti_marker *markers;

    if (source->marker_count < source->marker_capacity)
        return true;
    markers = frti_allocate(bytes, _Alignof(struct frti_marker));
    if (markers == NULL)
        return frti_source_no_memory(source, bytes);
    if (source->marker_count > 0)
        memcpy(markers, source->markers,
               source->marker_count * sizeof *markers);
    frti_free(source->markers,
              source->marker_capacity * sizeof *source->markers,
              _Alignof(struct frti_marker));
    source->markers = markers;
    source->marker_capacity = capacity;
    return true;
}

bool
frti_source_mark(struct frti_source *source, size_t position, size_t line,
                 const char *file, size_t file_length)
{
    struct frti_cursor cursor = {.original = 0};
    const struct frti_marker *last;

    if (!source_make_room(source))
        return false;
    last = source->marker_count == 0
               ? NULL
               : &source->markers[source->marker_count - 1];
    if (last != NULL)
        cursor = (struct frti_cursor){.original = last->original,
                                      .line_ends = last->line_ends};
    cursor_move(source, &cursor, source_original_offset(source, position));
    if (last != NULL && cursor.original <= last->original)
        return true; /* known: the text is read from there once more */
    source->markers[source->marker_count++] =
        (struct frti_marker){.original = cursor.original,
                             .line_ends = cursor.line_ends,
                             .line = line,
                             .file = file,
                             .file_length = file_length};
    return true;
}

static char *
source_put(char *to, const char *text)
{
    size_t length = strlen(text);

    memcpy(to, text, length);
    return to + length;
}

/* Copies the character at *from; what a terminal cannot show becomes `?`. */
static char *
source_put_character(char *to, const char **from)
{
    uint32_t code;
    size_t length = frti_utf8(&code, *from);

    if (length == 0 || (code < ' ' && code != '\t') || code == 0x7f ||
        (code >= 0x80 && code < 0xa0)) {
        *to++ = '?';
        *from += length == 0 ? 1 : length;
        return to;
    }
    memcpy(to, *from, length);
    *from += length;
    return to + length;
}

/* The line around `offset` and a caret under that place, each after a line
 * end and four blanks. `column` is the caret's. */
static void
source_draw(char *to, const struct frti_source *source, size_t offset,
            size_t column)
{
    const char *caret = source->original + offset;
    const char *at = source_line_start(source, offset);
    bool is_late = column > SOURCE_BEFORE + 1;
    char under[SOURCE_SHOWN + 1];
    size_t before = 0;

    for (size_t skip = is_late ? column - SOURCE_BEFORE - 1 : 0; skip > 0;
         skip--)
        at += source_step(at);
    to = source_put(to, is_late ? "\n    ..." : "\n    ");
    for (size_t shown = 0; shown < SOURCE_SHOWN; shown++) {
        if (*at == '\0' || *at == '\n' || (*at == '\r' && at[1] == '\n'))
            break;
        if (at < caret)
            under[before++] = *at == '\t' ? '\t' : ' ';
        to = source_put_character(to, &at);
    }
    under[before] = '\0';
    if (*at != '\0' && *at != '\n' && *at != '\r')
        to = source_put(to, "...");
    to = source_put(to, is_late ? "\n       " : "\n    ");
    to = source_put(to, under);
    source_put(to, "^")[0] = '\0';
}

bool
frti_source_fail(struct frti_source *source, frt_status status, size_t position,
                 const char *sentence)
{
    char clean[SOURCE_SENTENCE + 4];
    char *to = clean;
    char drawing[2 * (SOURCE_SHOWN * 4 + 16)];
    struct frti_line_column place;

    if (source->status != FRT_OK)
        return false;
    if (source->is_trying) {
        source->status = status;
        return false;
    }
    place = frti_source_place(source, position);
    if (place.file_length == 0)
        place.file = "";
    source_draw(drawing, source, source_original_offset(source, position),
                place.column);
    while (*sentence != '\0' && to < clean + SOURCE_SENTENCE)
        to = source_put_character(to, &sentence);
    *to = '\0';
    source->status =
        frti_fail(status, "%.*s%s%zu:%zu: %s%s",
                  (int)(place.file_length < SOURCE_FILE ? place.file_length
                                                        : SOURCE_FILE),
                  place.file, place.file_length == 0 ? "" : ":", place.line,
                  place.column, clean, drawing);
    return false;
}

bool
frti_source_no_memory(struct frti_source *source, size_t bytes)
{
    if (source->status == FRT_OK)
        source->status = frti_no_memory(bytes, "the text of a declaration");
    return false;
}
