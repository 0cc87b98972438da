/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Passages: the declarations of a preprocessed text as they stand in it, and
 * what of the library's declarations each of them makes.
 *
 * C names a thing before it uses it, so passages that are printed in the order
 * of the text need nothing else but that those which they use are among them.
 */
#ifndef FRTI_CLI_PASSAGE_H
#define FRTI_CLI_PASSAGE_H

#include "ffi_rt/cli/import.h"
#include "ffi_rt/cli/lexeme.h"

/* No passage, or no entry. */
#define FRTI_NOWHERE SIZE_MAX

enum frti_need {
    FRTI_NEED_NOT,
    FRTI_NEED_NAME, /* behind a pointer: of a struct the tag will do */
    FRTI_NEED_WHOLE
};

struct frti_passage {
    size_t first;  /* lexemes */
    size_t end;    /* behind the `;`, or the body */
    size_t body;   /* the `{` of a function's; `end`: none */
    bool is_alias; /* a typedef of a name, or of pointers to it */
    bool is_typedef;
    bool is_static; /* or constexpr */
    bool is_extern;
    bool is_function;
    bool is_variable;
    enum frti_need need;
};

/* A declaration of the library's, and where the text has it. */
struct frti_entry {
    frt_declaration declaration;
    size_t passage;  /* FRTI_NOWHERE: a macro */
    size_t next;     /* entry of the same hash; FRTI_NOWHERE: none */
    bool is_outside; /* its name does not stand within parentheses */
    bool is_known;   /* a tag that was printed */
};

struct frti_passages {
    struct frti_lexemes lexemes;
    struct frti_passage *list;
    size_t count;
    struct frti_entry *entries;
    size_t entry_count;
    size_t *slots; /* of entries, by hash of the name */
    size_t slot_count;
};

void frti_passages_read(struct frti_passages *out, frt_decls *decls,
                        const char *text);
void frti_passages_free(struct frti_passages *passages);

/* What is wanted, and what that uses, is needed. */
void frti_passages_need(struct frti_passages *passages,
                        const struct frti_import *import);

/* The declaration that a word means, as a tag or as another name; NULL: none.
 */
struct frti_entry *frti_passages_find(const struct frti_passages *passages,
                                      const struct frti_lexeme *word,
                                      bool is_tag);
bool frti_entry_is_tag(const struct frti_entry *entry);

/* The lexeme after the one at `at`, of a pair of brackets after the other. */
size_t frti_passage_after(const struct frti_passages *passages, size_t at,
                          size_t end);

/* The tag at `at`, if that is a `struct`, `union` or `enum`: past attributes.
 * FRTI_NOWHERE: it is another word, or there is no tag. */
size_t frti_passage_tag(const struct frti_passages *passages, size_t at,
                        size_t end);

#endif
