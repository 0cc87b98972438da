/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* So much is shown of a word in a sentence. */
#define TEXT_WORD 64

struct frti_text
frti_text_in(char *bytes, size_t capacity)
{
    bytes[0] = '\0';
    return (struct frti_text){.bytes = bytes, .capacity = capacity};
}

void
frti_text_add(struct frti_text *text, const char *bytes, size_t count)
{
    size_t room = text->capacity - 1 - text->length;

    if (count > room) {
        count = room;
        text->is_full = true;
    }
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void
frti_text_cut(struct frti_text *text, size_t length)
{
    text->length = length;
    text->bytes[length] = '\0';
}

void
frti_text_say(struct frti_text *text, const char *format, ...)
{
    size_t room = text->capacity - text->length;
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text->bytes + text->length, room, format, list);
    va_end(list);
    if (length < 0)
        return;
    if ((size_t)length >= room) {
        text->is_full = true;
        length = (int)room - 1;
    }
    text->length += (size_t)length;
}

/* The ranges are those of Unicode 15.0, table 3-7. */
size_t
frti_text_sequence(const char *bytes, size_t count)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (byte[0] < 0x80)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4)
        return 0;
    length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (byte[0] == 0xe0)
        low = 0xa0;
    else if (byte[0] == 0xed)
        high = 0x9f;
    else if (byte[0] == 0xf0)
        low = 0x90;
    else if (byte[0] == 0xf4)
        high = 0x8f;
    if (count < length || byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (byte[i] < 0x80 || byte[i] > 0xbf)
            return 0;
    return length;
}

void
frti_text_cite(struct frti_text *text, const char *bytes, size_t count)
{
    size_t length = count <= TEXT_WORD ? count : TEXT_WORD;

    while (length < count && length > 0 &&
           ((unsigned char)bytes[length] & 0xc0) == 0x80)
        length--; /* no character is cut */
    frti_text_add(text, "'", 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        frti_text_add(text, byte < ' ' || byte == 0x7f ? "?" : bytes + i, 1);
    }
    frti_text_say(text, length < count ? "...'" : "'");
}

/* The letter of a two-character escape; 0: there is none. */
static char
text_short_escape(unsigned char byte)
{
    static const char from[] = "\n\t\r\b\f", to[] = "ntrbf";
    const char *found = byte == 0 ? NULL : strchr(from, byte);

    return found == NULL ? '\0' : to[found - from];
}

/* Three octal digits, for what follows must not be read as part of it. */
void
frti_text_escape(struct frti_text *text, unsigned char byte, char quote)
{
    char letter = text_short_escape(byte);

    if (letter != '\0')
        frti_text_say(text, "\\%c", letter);
    else if (byte == '\\' || byte == (unsigned char)quote)
        frti_text_say(text, "\\%c", byte);
    else if (byte < 0x20 || byte >= 0x7f)
        frti_text_say(text, "\\%03o", byte);
    else
        frti_text_say(text, "%c", byte);
}

static void
text_json_escape(struct frti_text *text, unsigned char byte)
{
    char letter = text_short_escape(byte);

    if (letter != '\0')
        frti_text_say(text, "\\%c", letter);
    else if (byte == '\\' || byte == '"')
        frti_text_say(text, "\\%c", byte);
    else if (byte >= 0x80)
        frti_text_say(text, "\\ufffd");
    else if (byte < 0x20 || byte == 0x7f)
        frti_text_say(text, "\\u%04x", byte);
    else
        frti_text_say(text, "%c", byte);
}

void
frti_text_quote(struct frti_text *text, const char *bytes, size_t count,
                bool is_json)
{
    const unsigned char *byte = (const unsigned char *)bytes;

    frti_text_add(text, "\"", 1);
    for (size_t i = 0; i < count;) {
        size_t length = frti_text_sequence(bytes + i, count - i);

        if (length > 1)
            frti_text_add(text, bytes + i, length);
        else if (is_json)
            text_json_escape(text, byte[i]);
        else
            frti_text_escape(text, byte[i], '"');
        i += length > 1 ? length : 1;
    }
    frti_text_add(text, "\"", 1);
}
