/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/reader.h"

#include <ctype.h>
#include <string.h>

void
frti_reader_begin(struct frti_reader *reader, frt_arena arena, const char *text)
{
    *reader = (struct frti_reader){.at = text, .arena = arena};
    reader->where =
        frti_text_in(reader->where_bytes, sizeof reader->where_bytes);
    reader->reason =
        frti_text_in(reader->reason_bytes, sizeof reader->reason_bytes);
}

void
frti_reader_skip_space(struct frti_reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

/* Behind the quote that closes the one at `at`; NULL: none does. */
const char *
frti_reader_after_quote(const char *at)
{
    char quote = *at++;

    for (; *at != quote; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        if (*at == '\0')
            return NULL;
    }
    return at + 1;
}

/* The end of the word that begins here: of the text, or within braces at the
 * next ',' or '}' or ']'. */
const char *
frti_reader_word_end(const struct frti_reader *reader)
{
    const char *end = reader->at;

    if (reader->depth == 0)
        return end + strlen(end);
    if (*end == '\'' || *end == '"') {
        const char *after = frti_reader_after_quote(end);

        end = after == NULL ? end + strlen(end) : after;
    }
    end += strcspn(end, ",}]");
    while (end > reader->at && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

size_t
frti_reader_word(const struct frti_reader *reader)
{
    return (size_t)(frti_reader_word_end(reader) - reader->at);
}

bool
frti_reader_is_word(const struct frti_reader *reader, const char *word)
{
    size_t length = frti_reader_word(reader);

    return length == strlen(word) && memcmp(reader->at, word, length) == 0;
}

/* "`pear` is not an integer" */
bool
frti_reader_refuse(struct frti_reader *reader, const char *reason)
{
    frti_text_cite(&reader->reason, reader->at, frti_reader_word(reader));
    frti_text_say(&reader->reason, " is %s", reason);
    return false;
}

bool
frti_reader_fail(struct frti_reader *reader, const char *reason)
{
    frti_text_say(&reader->reason, "%s", reason);
    return false;
}

bool
frti_reader_allocate(struct frti_reader *reader, frt_segment *out,
                     const frt_layout *layout, size_t count)
{
    if (frt_arena_allocate_layout(out, reader->arena, layout, count) == FRT_OK)
        return true;
    return frti_reader_fail(reader, frt_last_detail());
}
