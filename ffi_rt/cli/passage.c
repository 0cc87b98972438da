/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Where declarations begin and end in a text, and which of them it is. */
#include "ffi_rt/cli/passage.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- walking --- */

static const struct frti_lexeme *
lexeme_at(const struct frti_passages *passages, size_t at)
{
    return &passages->lexemes.list[at];
}

static bool
passage_is(const struct frti_passages *passages, size_t at, size_t end,
           const char *text)
{
    return at < end && frti_lexeme_is(lexeme_at(passages, at), text);
}

static bool
lexeme_is_bracket(const struct frti_lexeme *lexeme, const char *brackets)
{
    return lexeme->kind == FRTI_LEXEME_SIGN && lexeme->length == 1 &&
           strchr(brackets, lexeme->text[0]) != NULL;
}

size_t
frti_passage_after(const struct frti_passages *passages, size_t at, size_t end)
{
    size_t depth = 0;

    do {
        depth += lexeme_is_bracket(lexeme_at(passages, at), "([{");
        if (depth > 0)
            depth -= lexeme_is_bracket(lexeme_at(passages, at), ")]}");
    } while (++at < end && depth > 0);
    return at;
}

/* Past attributes that begin at `at`. */
static size_t
passage_after_attributes(const struct frti_passages *passages, size_t at,
                         size_t end)
{
    for (;;) {
        if (passage_is(passages, at, end, "__attribute__") ||
            passage_is(passages, at, end, "__attribute") ||
            passage_is(passages, at, end, "_Alignas"))
            at++;
        else if (!passage_is(passages, at, end, "[") ||
                 !passage_is(passages, at + 1, end, "["))
            return at;
        at = at < end ? frti_passage_after(passages, at, end) : end;
    }
}

static bool
lexeme_is_tag_word(const struct frti_lexeme *lexeme)
{
    return frti_lexeme_is(lexeme, "struct") ||
           frti_lexeme_is(lexeme, "union") || frti_lexeme_is(lexeme, "enum");
}

size_t
frti_passage_tag(const struct frti_passages *passages, size_t at, size_t end)
{
    if (!lexeme_is_tag_word(lexeme_at(passages, at)))
        return FRTI_NOWHERE;
    at = passage_after_attributes(passages, at + 1, end);
    return at < end && lexeme_at(passages, at)->kind == FRTI_LEXEME_WORD
               ? at
               : FRTI_NOWHERE;
}

/* The `{` of the body that follows the `struct`, `union` or `enum` at `at`.
 * FRTI_NOWHERE: none. */
static size_t
passage_tag_body(const struct frti_passages *passages, size_t at, size_t end)
{
    size_t tag = frti_passage_tag(passages, at, end);

    if (!lexeme_is_tag_word(lexeme_at(passages, at)))
        return FRTI_NOWHERE;
    at = passage_after_attributes(passages,
                                  tag == FRTI_NOWHERE ? at + 1 : tag + 1, end);
    if (passage_is(passages, at, end, ":")) /* what an enum is stored in */
        do
            at++;
        while (at < end && lexeme_at(passages, at)->kind == FRTI_LEXEME_WORD);
    return passage_is(passages, at, end, "{") ? at : FRTI_NOWHERE;
}

/* ----------------------------------------------------------- splitting --- */

static void
passages_add(struct frti_passages *passages, size_t *capacity,
             const struct frti_passage *passage)
{
    if (passages->count == *capacity) {
        *capacity = 2 * *capacity + 256;
        passages->list = frti_import_enlarge(
            passages->list, *capacity * sizeof *passages->list);
    }
    passages->list[passages->count++] = *passage;
}

/* One more lexeme, or group of them, of the passage; returns what follows.
 * *is_value: it is of a value after `=`. */
static size_t
passage_step(const struct frti_passages *passages, struct frti_passage *passage,
             size_t at, bool *is_value)
{
    size_t end = passages->lexemes.count;
    const struct frti_lexeme *lexeme = lexeme_at(passages, at);
    size_t after = passage_after_attributes(passages, at, end);
    size_t body = passage_tag_body(passages, at, end);

    if (after != at)
        return after;
    if (body != FRTI_NOWHERE) {
        passage->is_alias = false;
        return frti_passage_after(passages, body, end);
    }
    if (lexeme_is_bracket(lexeme, "=,"))
        *is_value = lexeme->text[0] == '=';
    passage->is_typedef |= frti_lexeme_is(lexeme, "typedef");
    passage->is_extern |= frti_lexeme_is(lexeme, "extern");
    passage->is_static |=
        frti_lexeme_is(lexeme, "static") || frti_lexeme_is(lexeme, "constexpr");
    if (!lexeme_is_bracket(lexeme, "([{"))
        return at + 1;
    passage->is_alias = false;
    if (lexeme->text[0] == '{' && !*is_value)
        passage->body = at;
    return frti_passage_after(passages, at, end);
}

/* Reads the passage at `at`; returns what follows. */
static size_t
passage_read(const struct frti_passages *passages, struct frti_passage *out,
             size_t at)
{
    size_t count = passages->lexemes.count;
    bool is_value = false;
    bool is_end = false;

    *out = (struct frti_passage){
        .first = at, .body = FRTI_NOWHERE, .is_alias = true};
    while (at < count && !is_end) {
        is_end = frti_lexeme_is(lexeme_at(passages, at), ";");
        at = passage_step(passages, out, at, &is_value);
        is_end |= out->body != FRTI_NOWHERE;
    }
    out->end = at;
    if (out->body == FRTI_NOWHERE)
        out->body = at;
    out->is_alias &= out->is_typedef;
    return at;
}

static void
passages_split(struct frti_passages *passages)
{
    size_t capacity = 0;
    size_t count = passages->lexemes.count;
    size_t at = 0;

    while (at < count) {
        struct frti_passage passage;

        if (lexeme_at(passages, at)->kind == FRTI_LEXEME_PACK ||
            lexeme_is_bracket(lexeme_at(passages, at), ";}")) {
            at++;
        } else if (passage_is(passages, at, count, "extern") &&
                   passage_is(passages, at + 1, count, "\"C\"")) {
            at += passage_is(passages, at + 2, count, "{") ? 3 : 2;
        } else {
            at = passage_read(passages, &passage, at);
            passages_add(passages, &capacity, &passage);
        }
    }
}

/* ------------------------------------------------------------- entries --- */

static size_t
text_hash(const char *text, size_t length)
{
    size_t hash = 5381;

    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)text[i];
    return hash;
}

bool
frti_entry_is_tag(const struct frti_entry *entry)
{
    return entry->declaration.what == FRT_DECLARED_STRUCT ||
           entry->declaration.what == FRT_DECLARED_UNION ||
           entry->declaration.what == FRT_DECLARED_ENUM;
}

static size_t *
passages_slot(const struct frti_passages *passages, const char *name,
              size_t length)
{
    return &passages
                ->slots[text_hash(name, length) & (passages->slot_count - 1)];
}

/* In each chain the first that was declared comes first. */
static void
passages_index(struct frti_passages *passages, frt_decls *decls)
{
    size_t count = frt_decls_count(decls);

    for (passages->slot_count = 16; passages->slot_count < 2 * count;)
        passages->slot_count *= 2;
    passages->slots =
        frti_import_allocate(passages->slot_count * sizeof *passages->slots);
    for (size_t i = 0; i < passages->slot_count; i++)
        passages->slots[i] = FRTI_NOWHERE;
    passages->entries = frti_import_allocate(count * sizeof *passages->entries);
    passages->entry_count = count;
    for (size_t i = count; i-- > 0;) {
        struct frti_entry *entry = &passages->entries[i];
        size_t *slot;

        if (frt_decls_at(&entry->declaration, decls, i) != FRT_OK)
            frti_import_fail();
        entry->passage = FRTI_NOWHERE;
        slot = passages_slot(passages, entry->declaration.name,
                             strlen(entry->declaration.name));
        entry->next = *slot;
        *slot = i;
    }
}

static bool
entry_is(const struct frti_entry *entry, const struct frti_lexeme *word,
         bool is_tag)
{
    return frti_entry_is_tag(entry) == is_tag &&
           frti_lexeme_is(word, entry->declaration.name);
}

struct frti_entry *
frti_passages_find(const struct frti_passages *passages,
                   const struct frti_lexeme *word, bool is_tag)
{
    size_t at = *passages_slot(passages, word->text, word->length);

    while (at != FRTI_NOWHERE &&
           !entry_is(&passages->entries[at], word, is_tag))
        at = passages->entries[at].next;
    return at == FRTI_NOWHERE ? NULL : &passages->entries[at];
}

/* ------------------------------------------------------------ matching --- */

static bool
entry_is_there(const struct frti_passages *passages,
               const struct frti_entry *entry, const struct frti_lexeme *word)
{
    const struct frti_file *file = &passages->lexemes.files[word->file];

    return entry->declaration.line == word->line &&
           strlen(entry->declaration.file) == file->length &&
           memcmp(entry->declaration.file, file->name, file->length) == 0;
}

/* Its place is where it has its members. */
static bool
entry_is_defined(const struct frti_entry *entry)
{
    return entry->declaration.what == FRT_DECLARED_ENUM
               ? entry->declaration.bits == 1
               : frt_layout_is_complete(entry->declaration.layout);
}

/* What follows a name that is declared; what follows a type that is used is
 * another word, or a `*`. */
static bool
name_ends(const struct frti_passages *passages, size_t at, size_t end)
{
    static const char *const words[] = {"__attribute__", "__attribute", "asm",
                                        "__asm__", "__asm"};

    if (at >= end)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (passage_is(passages, at, end, words[i]))
            return true;
    return lexeme_is_bracket(lexeme_at(passages, at), "()[,;=:}");
}

static bool
entry_is_declared_by(const struct frti_entry *entry,
                     const struct frti_passages *passages,
                     const struct frti_passage *passage, size_t at)
{
    if (entry->declaration.what != FRT_DECLARED_CONSTANT &&
        (entry->declaration.what == FRT_DECLARED_TYPEDEF) !=
            passage->is_typedef)
        return false;
    return name_ends(passages, at + 1, passage->body);
}

/* The word at `at` may be what the passage declares: several may stand on one
 * line. One outside of parentheses is rather meant than a parameter of that
 * name. */
static void
passage_match(struct frti_passages *passages, size_t number, size_t at,
              bool is_tag, bool has_body, bool is_outside)
{
    const struct frti_lexeme *word = lexeme_at(passages, at);
    struct frti_entry *entry = frti_passages_find(passages, word, is_tag);

    if (entry == NULL || !entry_is_there(passages, entry, word))
        return;
    if (is_tag ? entry_is_defined(entry) && !has_body
               : !entry_is_declared_by(entry, passages, &passages->list[number],
                                       at))
        return;
    if (entry->passage != FRTI_NOWHERE && (entry->is_outside || !is_outside))
        return;
    entry->passage = number;
    entry->is_outside = is_outside;
}

static void
passage_match_all(struct frti_passages *passages, size_t number)
{
    const struct frti_passage *passage = &passages->list[number];
    size_t depth = 0;
    size_t tag = FRTI_NOWHERE;
    bool has_body = false;

    for (size_t at = passage->first; at < passage->body; at++) {
        const struct frti_lexeme *lexeme = lexeme_at(passages, at);

        depth += lexeme_is_bracket(lexeme, "(");
        depth -= lexeme_is_bracket(lexeme, ")");
        if (lexeme->kind != FRTI_LEXEME_WORD)
            continue;
        if (lexeme_is_tag_word(lexeme)) {
            tag = frti_passage_tag(passages, at, passage->body);
            has_body =
                passage_tag_body(passages, at, passage->end) != FRTI_NOWHERE;
        } else {
            passage_match(passages, number, at, at == tag, has_body,
                          depth == 0);
        }
    }
}

void
frti_passages_read(struct frti_passages *out, frt_decls *decls,
                   const char *text)
{
    *out = (struct frti_passages){.count = 0};
    frti_lexemes_read(&out->lexemes, text);
    passages_split(out);
    passages_index(out, decls);
    for (size_t i = 0; i < out->count; i++)
        passage_match_all(out, i);
    for (size_t i = 0; i < out->entry_count; i++) {
        const struct frti_entry *entry = &out->entries[i];

        if (entry->passage == FRTI_NOWHERE)
            continue;
        out->list[entry->passage].is_function |=
            entry->declaration.what == FRT_DECLARED_FUNCTION;
        out->list[entry->passage].is_variable |=
            entry->declaration.what == FRT_DECLARED_VARIABLE;
    }
}

void
frti_passages_free(struct frti_passages *passages)
{
    frti_lexemes_free(&passages->lexemes);
    free(passages->list);
    free(passages->entries);
    free(passages->slots);
}
