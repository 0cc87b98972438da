/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/layout/c_text.h"

#include <stdarg.h>
#include <stdio.h>

static void
c_text_add(struct frti_c_text *text, const char *part)
{
    for (; *part != '\0'; part++) {
        if (text->length + 1 < text->capacity)
            text->buffer[text->length] = *part;
        text->length++;
    }
}

void
frti_c_text_put(struct frti_c_text *text, const char *part)
{
    if (frti_c_text_is_full(text))
        return;
    if (text->wants_space && *part != '\0')
        c_text_add(text, " ");
    c_text_add(text, part);
    text->wants_space = false;
}

void
frti_c_text_put_word(struct frti_c_text *text, const char *word)
{
    frti_c_text_put(text, word);
    text->wants_space = true;
}

void
frti_c_text_end(struct frti_c_text *text, const char *part)
{
    text->wants_space = false;
    frti_c_text_put(text, part);
}

void
frti_c_text_format(struct frti_c_text *text, const char *format, ...)
{
    char part[80]; /* words and numbers, no names */
    va_list values;

    va_start(values, format);
    vsnprintf(part, sizeof part, format, values);
    va_end(values);
    frti_c_text_put(text, part);
}

size_t
frti_c_text_finish(struct frti_c_text *text)
{
    size_t end;

    if (frti_c_text_is_full(text))
        c_text_add(text, "...");
    end = text->length;
    if (text->capacity != 0)
        text->buffer[end < text->capacity ? end : text->capacity - 1] = '\0';
    return end;
}
