/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * In C each struct, union and enum without a tag is a type of its own; to the
 * library those with the same members are one. So cdef gives a tag to what a
 * declaration defines without one. It comes of the declaration's text, for the
 * same may be declared again.
 */
#include "ffi_rt/lua/tag.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The library takes no text that is nested deeper. */
enum { TAG_DEPTH = 200 };

const char *
frti_text_skip(const char *at)
{
    const char *end;

    if (*at == '"' || *at == '\'') {
        for (end = at + 1; *end != '\0' && *end != *at; end++)
            if (*end == '\\' && end[1] != '\0')
                end++;
        return *end == '\0' ? end : end + 1;
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return NULL;
    end = strstr(at + 2, "*/");
    return end == NULL ? at + strlen(at) : end + 2;
}

const char *
frti_text_word(const char *at)
{
    bool is_number = isdigit((unsigned char)*at);

    while (isalnum((unsigned char)*at) || *at == '_' ||
           (is_number && *at == '\'' && isalnum((unsigned char)at[1])))
        at++;
    return at;
}

static const char *
skip_space(const char *at)
{
    const char *behind;

    for (;; at = behind) {
        behind = at + strspn(at, " \t\n\v\f\r");
        if (*behind == '/' && frti_text_skip(behind) != NULL)
            behind = frti_text_skip(behind);
        if (behind == at)
            return at;
    }
}

/* Behind the bracket that closes the one at `at`; NULL: none does. */
static const char *
skip_group(const char *at)
{
    int depth = 0;

    while (*at != '\0' && depth < TAG_DEPTH) {
        if (frti_text_skip(at) != NULL) {
            at = frti_text_skip(at);
            continue;
        }
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Where a tag would stand, behind the word `struct` and attributes. NULL: there
 * is one, or nothing is defined. */
static const char *
tag_place(const char *at)
{
    const char *next;

    for (; at != NULL; at = skip_group(next)) {
        at = skip_space(at);
        if (*at == '{' || (*at == ':' && at[strcspn(at, "{;")] == '{'))
            return at;
        next = skip_space(frti_text_word(at));
        if (*next != '(' && (next != at || *at != '['))
            return NULL;
    }
    return NULL;
}

static bool
is_tagged_word(const char *at, size_t length)
{
    static const char *const words[] = {"struct", "union", "enum"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(at, words[i], length) == 0)
            return true;
    return false;
}

/* Where the next tag is missing, or the text's end. What is within braces is no
 * declaration. */
static const char *
tag_next(const char *at)
{
    const char *behind;
    int depth = 0;

    for (; *at != '\0'; at = behind) {
        behind = frti_text_skip(at);
        if (behind != NULL)
            continue;
        depth += (*at == '{') - (*at == '}');
        behind = frti_text_word(at);
        if (depth == 0 && is_tagged_word(at, (size_t)(behind - at)) &&
            tag_place(behind) != NULL)
            return tag_place(behind);
        if (behind == at)
            behind++;
    }
    return at;
}

/* FNV-1a of a declaration from `at` to its semicolon, but for its spaces. Other
 * braces begin what is wrong. */
static uint64_t
tag_hash(const char *at)
{
    uint64_t hash = 0xcbf29ce484222325;
    bool is_closed = false;
    int depth = 0;

    for (at = skip_space(at); *at != '\0'; at = skip_space(at + 1)) {
        depth += (*at == '{') - (*at == '}');
        is_closed |= depth == 0 && *at == '}';
        if ((depth == 0 && *at == ';') || (is_closed && *at == '{'))
            break;
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
    }
    return hash;
}

void
frti_tag_declarations(lua_State *L)
{
    const char *text = lua_tostring(L, -1), *at;
    char tag[sizeof FRTI_TAG + 18];
    luaL_Buffer out;

    luaL_checkstack(L, 4, "tags");
    luaL_buffinit(L, &out);
    for (at = tag_next(text); *at != '\0'; at = tag_next(at)) {
        snprintf(tag, sizeof tag, " " FRTI_TAG "%016llx ",
                 (unsigned long long)tag_hash(at));
        luaL_addlstring(&out, text, (size_t)(at - text));
        luaL_addstring(&out, tag);
        text = at;
    }
    luaL_addstring(&out, text);
    luaL_pushresult(&out);
}
