/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What passages use: the types, tags and constants that they name. A struct
 * behind a pointer is not used, only named, and neither is one that has another
 * name behind a pointer.
 */
#include <stdlib.h>

#include "ffi_rt/cli/passage.h"

/* Passages to be looked at. */
struct agenda {
    struct frti_passages *passages;
    size_t *list;
    size_t count;
};

static void
agenda_need(struct agenda *agenda, size_t number, enum frti_need need)
{
    struct frti_passage *passage = &agenda->passages->list[number];

    if (need == FRTI_NEED_NAME && !passage->is_alias)
        need = FRTI_NEED_WHOLE; /* it is printed as it stands */
    if (passage->need >= need)
        return;
    passage->need = need;
    agenda->list[agenda->count++] = number;
}

static bool
lexeme_is_qualifier(const struct frti_lexeme *lexeme)
{
    return frti_lexeme_is(lexeme, "const") ||
           frti_lexeme_is(lexeme, "volatile") ||
           frti_lexeme_is(lexeme, "__const") ||
           frti_lexeme_is(lexeme, "__volatile__");
}

/* How the type whose name ends before `at` is used. */
static enum frti_need
passage_use(const struct frti_passages *passages,
            const struct frti_passage *passage, size_t at)
{
    const struct frti_lexeme *list = passages->lexemes.list;

    while (at < passage->end && lexeme_is_qualifier(&list[at]))
        at++;
    if (at < passage->end && frti_lexeme_is(&list[at], "*"))
        return FRTI_NEED_NAME;
    return passage->is_alias ? passage->need : FRTI_NEED_WHOLE;
}

static void
agenda_use_tag(struct agenda *agenda, const struct frti_passage *passage,
               size_t at)
{
    const struct frti_entry *entry = frti_passages_find(
        agenda->passages, &agenda->passages->lexemes.list[at], true);

    if (entry != NULL && entry->passage != FRTI_NOWHERE &&
        (entry->declaration.what == FRT_DECLARED_ENUM ||
         passage_use(agenda->passages, passage, at + 1) == FRTI_NEED_WHOLE))
        agenda_need(agenda, entry->passage, FRTI_NEED_WHOLE);
}

/* Functions and variables are used by typeof alone; elsewhere the word is a
 * member's or a parameter's name. */
static void
agenda_use_name(struct agenda *agenda, const struct frti_passage *passage,
                size_t at)
{
    const struct frti_lexeme *list = agenda->passages->lexemes.list;
    const struct frti_entry *entry =
        frti_passages_find(agenda->passages, &list[at], false);
    bool is_operand = at > passage->first + 1 &&
                      frti_lexeme_is(&list[at - 1], "(") &&
                      (frti_lexeme_is(&list[at - 2], "__typeof__") ||
                       frti_lexeme_is(&list[at - 2], "__typeof") ||
                       frti_lexeme_is(&list[at - 2], "typeof"));

    if (entry == NULL || entry->passage == FRTI_NOWHERE)
        return;
    if (entry->declaration.what == FRT_DECLARED_TYPEDEF)
        agenda_need(agenda, entry->passage,
                    passage_use(agenda->passages, passage, at + 1));
    else if (entry->declaration.what == FRT_DECLARED_CONSTANT || is_operand)
        agenda_need(agenda, entry->passage, FRTI_NEED_WHOLE);
}

static void
agenda_use(struct agenda *agenda, const struct frti_passage *passage)
{
    size_t tag = FRTI_NOWHERE;

    for (size_t at = passage->first; at < passage->body; at++) {
        const struct frti_lexeme *lexeme = &agenda->passages->lexemes.list[at];
        size_t found;

        if (lexeme->kind != FRTI_LEXEME_WORD)
            continue;
        found = frti_passage_tag(agenda->passages, at, passage->body);
        if (found != FRTI_NOWHERE)
            tag = found;
        if (at == tag)
            agenda_use_tag(agenda, passage, at);
        else
            agenda_use_name(agenda, passage, at);
    }
}

void
frti_passages_need(struct frti_passages *passages,
                   const struct frti_import *import)
{
    /* each passage comes at most twice: for its name, and whole */
    struct agenda agenda = {.passages = passages,
                            .list = frti_import_allocate(
                                (2 * passages->count + 1) * sizeof(size_t))};

    for (size_t i = 0; i < passages->entry_count; i++) {
        const struct frti_entry *entry = &passages->entries[i];

        if (entry->passage != FRTI_NOWHERE &&
            frti_import_wants(import, &entry->declaration))
            agenda_need(&agenda, entry->passage, FRTI_NEED_WHOLE);
    }
    while (agenda.count > 0)
        agenda_use(&agenda, &passages->list[agenda.list[--agenda.count]]);
    free(agenda.list);
}
