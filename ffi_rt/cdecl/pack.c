/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * pack()                    natural alignment
 * pack(n)                   at most n
 * pack(push [, name] [, n]) remembers the present limit
 * pack(pop [, name])        back to what the push of that name, or the last
 *                           push, remembered
 * GCC manual, "Structure-Layout Pragmas".
 */
#include "ffi_rt/cdecl/pack.h"

#include <ctype.h>
#include <string.h>

struct pack_words {
    const char *at;
    const char *end;
    const char *word; /* the one just read */
    size_t length;
};

static void
pack_skip_blanks(struct pack_words *words)
{
    while (words->at < words->end && isspace((unsigned char)*words->at))
        words->at++;
}

/* The next run of letters and digits; empty at the end or before a sign. */
static bool
pack_word(struct pack_words *words)
{
    pack_skip_blanks(words);
    words->word = words->at;
    while (words->at < words->end &&
           (isalnum((unsigned char)*words->at) || *words->at == '_'))
        words->at++;
    words->length = (size_t)(words->at - words->word);
    pack_skip_blanks(words);
    return words->length > 0;
}

static bool
pack_comma(struct pack_words *words)
{
    if (words->at == words->end || *words->at != ',')
        return false;
    words->at++;
    return true;
}

static bool
pack_is(const struct pack_words *words, const char *text)
{
    return strlen(text) == words->length &&
           memcmp(words->word, text, words->length) == 0;
}

static bool
pack_limit(size_t *out, const struct pack_words *words)
{
    static const struct {
        const char *word;
        size_t limit;
    } known[] = {{"0", 0}, {"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (pack_is(words, known[i].word)) {
            *out = known[i].limit;
            return true;
        }
    return false;
}

static void
pack_name(struct frti_pack_entry *entry, const struct pack_words *words)
{
    size_t length = words->length < sizeof entry->name ? words->length
                                                       : sizeof entry->name - 1;

    memcpy(entry->name, words->word, length);
    entry->name[length] = '\0';
}

static const char *
pack_push(struct frti_pack *pack, struct pack_words *words)
{
    struct frti_pack_entry entry = {.limit = pack->limit};
    size_t limit = pack->limit;

    if (pack->depth == FRTI_PACK_DEPTH)
        return "too many '#pragma pack(push)' are open";
    while (pack_comma(words)) {
        if (!pack_word(words))
            return "'#pragma pack' has an empty argument";
        if (isdigit((unsigned char)*words->word)) {
            if (!pack_limit(&limit, words))
                return "'#pragma pack' takes 1, 2, 4, 8 or 16";
        } else {
            pack_name(&entry, words);
        }
    }
    if (words->at != words->end)
        return "'#pragma pack(push)' is not well formed";
    pack->pushed[pack->depth++] = entry;
    pack->limit = limit;
    return NULL;
}

static const char *
pack_pop(struct frti_pack *pack, struct pack_words *words)
{
    struct frti_pack_entry wanted = {.name = ""};
    size_t depth = pack->depth;

    if (pack_comma(words) && pack_word(words))
        pack_name(&wanted, words);
    if (words->at != words->end)
        return "'#pragma pack(pop)' is not well formed";
    while (depth > 0 && wanted.name[0] != '\0' &&
           strcmp(pack->pushed[depth - 1].name, wanted.name) != 0)
        depth--;
    if (depth == 0)
        return "'#pragma pack(pop)' without a push";
    pack->depth = depth - 1;
    pack->limit = pack->pushed[depth - 1].limit;
    return NULL;
}

const char *
frti_pack_change(struct frti_pack *pack, const char *arguments, const char *end)
{
    struct pack_words words = {.at = arguments, .end = end};
    size_t limit = 0;

    if (!pack_word(&words)) {
        if (words.at != end)
            return "'#pragma pack' is not well formed";
        pack->limit = 0;
        return NULL;
    }
    if (pack_is(&words, "push"))
        return pack_push(pack, &words);
    if (pack_is(&words, "pop"))
        return pack_pop(pack, &words);
    if (!pack_limit(&limit, &words) || words.at != end)
        return "'#pragma pack' takes 1, 2, 4, 8 or 16";
    pack->limit = limit;
    return NULL;
}
