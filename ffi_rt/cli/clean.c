/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What stays of a passage. */
#include "ffi_rt/cli/clean.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cleaner {
    struct frti_clean *out;
    const struct frti_passages *passages;
    const struct frti_passage *passage;
    size_t at;
    size_t parentheses; /* around it */
    size_t braces;
};

static const struct frti_lexeme *
cleaner_lexeme(const struct cleaner *cleaner, size_t at)
{
    return &cleaner->passages->lexemes.list[at];
}

static bool
cleaner_is(const struct cleaner *cleaner, size_t at, const char *text)
{
    return at < cleaner->passage->body &&
           frti_lexeme_is(cleaner_lexeme(cleaner, at), text);
}

static size_t
cleaner_after(const struct cleaner *cleaner, size_t at)
{
    return frti_passage_after(cleaner->passages, at, cleaner->passage->body);
}

void
frti_clean_add(struct frti_clean *out, const struct frti_lexeme *lexeme)
{
    if (out->count == out->capacity) {
        out->capacity = 2 * out->capacity + 64;
        out->list =
            frti_import_enlarge(out->list, out->capacity * sizeof *out->list);
    }
    out->list[out->count++] = *lexeme;
}

static void
clean_add_text(struct frti_clean *out, enum frti_lexeme_kind kind,
               const char *text)
{
    const struct frti_lexeme lexeme = {
        .text = text, .length = (uint32_t)strlen(text), .kind = kind};

    frti_clean_add(out, &lexeme);
}

static void
cleaner_copy(struct cleaner *cleaner, size_t end)
{
    for (; cleaner->at < end; cleaner->at++)
        frti_clean_add(cleaner->out, cleaner_lexeme(cleaner, cleaner->at));
}

/* ---------------------------------------------------------- attributes --- */

/* The name without the underscores that it may have at both ends. */
static struct frti_lexeme
attribute_name(const struct frti_lexeme *word)
{
    struct frti_lexeme name = *word;

    if (name.length > 4 && memcmp(name.text, "__", 2) == 0 &&
        memcmp(name.text + name.length - 2, "__", 2) == 0) {
        name.text += 2;
        name.length -= 4;
    }
    return name;
}

/* Those that change a layout or a convention. */
static bool
attribute_stays(const struct frti_lexeme *name)
{
    static const char *const names[] = {
        "packed",    "aligned",          "mode",   "vector_size",
        "ms_struct", "gcc_struct",       "ms_abi", "ext_vector_type",
        "sysv_abi",  "transparent_union"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (frti_lexeme_is(name, names[i]))
            return true;
    return false;
}

/* At a name in the list of an attribute; copies it and its arguments. */
static void
cleaner_attribute(struct cleaner *cleaner, bool *is_open)
{
    struct frti_lexeme name =
        attribute_name(cleaner_lexeme(cleaner, cleaner->at));
    size_t end = cleaner->at + 1;

    if (cleaner_is(cleaner, end, "("))
        end = cleaner_after(cleaner, end);
    if (!attribute_stays(&name)) {
        cleaner->at = end;
        return;
    }
    if (*is_open) {
        clean_add_text(cleaner->out, FRTI_LEXEME_SIGN, ",");
    } else {
        clean_add_text(cleaner->out, FRTI_LEXEME_WORD, "__attribute__");
        clean_add_text(cleaner->out, FRTI_LEXEME_SIGN, "(");
        clean_add_text(cleaner->out, FRTI_LEXEME_SIGN, "(");
    }
    *is_open = true;
    frti_clean_add(cleaner->out, &name);
    cleaner->at++;
    cleaner_copy(cleaner, end);
}

/* `__attribute__((...))` */
static void
cleaner_attributes(struct cleaner *cleaner)
{
    size_t end = cleaner_after(cleaner, cleaner->at + 1);
    bool is_open = false;

    cleaner->at += 3;
    while (cleaner->at + 2 < end)
        if (cleaner_lexeme(cleaner, cleaner->at)->kind == FRTI_LEXEME_WORD)
            cleaner_attribute(cleaner, &is_open);
        else
            cleaner->at++;
    cleaner->at = end;
    if (is_open) {
        clean_add_text(cleaner->out, FRTI_LEXEME_SIGN, ")");
        clean_add_text(cleaner->out, FRTI_LEXEME_SIGN, ")");
    }
}

/* `[[...]]` stays as it is, if anything of it does. */
static void
cleaner_brackets(struct cleaner *cleaner)
{
    size_t end = cleaner_after(cleaner, cleaner->at);
    bool stays = false;

    for (size_t at = cleaner->at; at < end; at++) {
        struct frti_lexeme name = attribute_name(cleaner_lexeme(cleaner, at));

        stays |= attribute_stays(&name);
    }
    if (stays)
        cleaner_copy(cleaner, end);
    cleaner->at = end;
}

/* asm("name"): of strings side by side, those that are not empty. */
static void
cleaner_label(struct cleaner *cleaner)
{
    size_t end = cleaner_after(cleaner, cleaner->at + 1);

    clean_add_text(cleaner->out, FRTI_LEXEME_WORD, "asm");
    for (cleaner->at++; cleaner->at < end; cleaner->at++)
        if (!cleaner_is(cleaner, cleaner->at, "\"\""))
            frti_clean_add(cleaner->out, cleaner_lexeme(cleaner, cleaner->at));
}

/* --------------------------------------------------------------- words --- */

struct spelling {
    const char *word;
    const char *clean; /* NULL: nothing */
};

static const struct spelling spellings[] = {
    {"_Noreturn", NULL},
    {"_Nonnull", NULL},
    {"_Nullable", NULL},
    {"_Null_unspecified", NULL},
    {"__alignof", "__alignof__"},
    {"__complex", "_Complex"},
    {"__complex__", "_Complex"},
    {"__const", "const"},
    {"__const__", "const"},
    {"__extension__", NULL},
    {"__inline", NULL},
    {"__inline__", NULL},
    {"__restrict", "restrict"},
    {"__restrict__", "restrict"},
    {"__signed", "signed"},
    {"__signed__", "signed"},
    {"__typeof", "__typeof__"},
    {"__volatile", "volatile"},
    {"__volatile__", "volatile"},
    {"inline", NULL},
    {"register", NULL},
    {"typeof", "__typeof__"},
    /* gcc's own, of which clang has not all */
    {"_Float32", "float"},
    {"_Float64", "double"},
    {"_Float32x", "double"},
    {"_Float64x", "long double"},
    {"__float80", "long double"},
};

/* clang has the type by this name, and on this CPU alone; gcc has it not in
 * _Complex. */
static const struct spelling spelling_of_quad = {"_Float128", "__float128"};

/* Keywords and types of the compiler that look like a parameter's name. */
static const char *const reserved[] = {
    "__alignof__", "__attribute__", "__float128", "__int128",
    "__int128_t",  "__thread",      "__typeof__", "__uint128_t"};

static bool
cleaner_is_complex(const struct cleaner *cleaner, size_t at)
{
    return cleaner_is(cleaner, at, "_Complex") ||
           cleaner_is(cleaner, at, "__complex__");
}

static const struct spelling *
cleaner_spelling(const struct cleaner *cleaner, const struct frti_lexeme *word)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (frti_lexeme_is(word, spellings[i].word))
            return &spellings[i];
    if (frti_lexeme_is(word, spelling_of_quad.word) &&
        !cleaner_is_complex(cleaner, cleaner->at - 1) &&
        !cleaner_is_complex(cleaner, cleaner->at + 1) &&
        strcmp(frt_model_name(frt_model_native()), "x86_64") == 0)
        return &spelling_of_quad;
    return NULL;
}

static bool
word_is_reserved(const struct frti_lexeme *word)
{
    static const char builtin[] = "__builtin_";

    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (frti_lexeme_is(word, reserved[i]))
            return true;
    return word->length > sizeof builtin &&
           memcmp(word->text, builtin, sizeof builtin - 1) == 0;
}

/* A word that C has, or that is a type or constant here. */
static bool
word_means_something(const struct cleaner *cleaner,
                     const struct frti_lexeme *word)
{
    static const char *const keywords[] = {
        "asm",      "auto",     "bool",     "break",   "case",    "char",
        "const",    "continue", "default",  "do",      "double",  "else",
        "enum",     "extern",   "false",    "float",   "for",     "goto",
        "if",       "inline",   "int",      "long",    "nullptr", "register",
        "restrict", "return",   "short",    "signed",  "sizeof",  "static",
        "struct",   "switch",   "true",     "typedef", "typeof",  "union",
        "unsigned", "void",     "volatile", "while"};
    const struct frti_entry *entry =
        frti_passages_find(cleaner->passages, word, false);

    if (entry != NULL)
        return entry->declaration.what == FRT_DECLARED_TYPEDEF ||
               entry->declaration.what == FRT_DECLARED_CONSTANT;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (frti_lexeme_is(word, keywords[i]))
            return true;
    return false;
}

/* A parameter beside it may be `n`. */
static bool
cleaner_has_word(const struct cleaner *cleaner, const struct frti_lexeme *word)
{
    for (size_t at = cleaner->passage->first; at < cleaner->passage->body;
         at++) {
        const struct frti_lexeme *other = cleaner_lexeme(cleaner, at);

        if (other->length == word->length &&
            memcmp(other->text, word->text, word->length) == 0)
            return true;
    }
    return false;
}

/* `__n` between parentheses is `n`, where nothing has either name. */
static struct frti_lexeme
cleaner_parameter(const struct cleaner *cleaner, const struct frti_lexeme *word)
{
    struct frti_lexeme name = *word;
    bool is_tag = cleaner->at > cleaner->passage->first &&
                  frti_passage_tag(cleaner->passages, cleaner->at - 1,
                                   cleaner->passage->body) == cleaner->at;

    while (name.length > 1 && name.text[0] == '_') {
        name.text++;
        name.length--;
    }
    if (cleaner->parentheses == 0 || cleaner->braces > 0 || is_tag ||
        name.length == word->length || !islower((unsigned char)name.text[0]) ||
        word_is_reserved(word) ||
        frti_passages_find(cleaner->passages, word, false) != NULL ||
        word_means_something(cleaner, &name) ||
        cleaner_has_word(cleaner, &name))
        return *word;
    return name;
}

static void
cleaner_word(struct cleaner *cleaner)
{
    const struct frti_lexeme *word = cleaner_lexeme(cleaner, cleaner->at);
    const struct spelling *spelling = cleaner_spelling(cleaner, word);
    struct frti_lexeme name = *word;

    /* what a text declares itself is no keyword in it */
    if (frti_passages_find(cleaner->passages, word, false) != NULL)
        spelling = NULL;
    if (spelling != NULL && spelling->clean != NULL)
        clean_add_text(cleaner->out, FRTI_LEXEME_WORD, spelling->clean);
    if (spelling == NULL &&
        (cleaner->passage->is_variable || !cleaner->passage->is_function ||
         !frti_lexeme_is(word, "extern"))) {
        name = cleaner_parameter(cleaner, word);
        frti_clean_add(cleaner->out, &name);
    }
    cleaner->at++;
}

/* ------------------------------------------------------------- passage --- */

static void
cleaner_skip_to(struct cleaner *cleaner, const char *end, const char *other)
{
    while (cleaner->at < cleaner->passage->body &&
           !cleaner_is(cleaner, cleaner->at, end) &&
           !cleaner_is(cleaner, cleaner->at, other))
        cleaner->at = cleaner_after(cleaner, cleaner->at);
}

static void
cleaner_sign(struct cleaner *cleaner)
{
    const struct frti_lexeme *sign = cleaner_lexeme(cleaner, cleaner->at);

    cleaner->parentheses += frti_lexeme_is(sign, "(");
    cleaner->parentheses -= frti_lexeme_is(sign, ")");
    cleaner->braces += frti_lexeme_is(sign, "{");
    cleaner->braces -= frti_lexeme_is(sign, "}");
    frti_clean_add(cleaner->out, sign);
    cleaner->at++;
}

static void
cleaner_step(struct cleaner *cleaner)
{
    const struct frti_lexeme *lexeme = cleaner_lexeme(cleaner, cleaner->at);
    bool is_before_bracket = cleaner_is(cleaner, cleaner->at + 1, "(");

    if (is_before_bracket && (frti_lexeme_is(lexeme, "__attribute__") ||
                              frti_lexeme_is(lexeme, "__attribute")))
        cleaner_attributes(cleaner);
    else if (is_before_bracket &&
             (frti_lexeme_is(lexeme, "__asm__") ||
              frti_lexeme_is(lexeme, "__asm") || frti_lexeme_is(lexeme, "asm")))
        cleaner_label(cleaner);
    else if (frti_lexeme_is(lexeme, "[") &&
             cleaner_is(cleaner, cleaner->at + 1, "["))
        cleaner_brackets(cleaner);
    else if (frti_lexeme_is(lexeme, "=") && cleaner->braces == 0 &&
             !cleaner->passage->is_static) /* a constant has its value */
        cleaner_skip_to(cleaner, ",", ";");
    else if (is_before_bracket && (frti_lexeme_is(lexeme, "_Static_assert") ||
                                   frti_lexeme_is(lexeme, "static_assert"))) {
        cleaner_skip_to(cleaner, ";", ";");
        cleaner->at++;
    } else if (lexeme->kind == FRTI_LEXEME_WORD)
        cleaner_word(cleaner);
    else
        cleaner_sign(cleaner);
}

void
frti_clean_passage(struct frti_clean *out, const struct frti_passages *passages,
                   const struct frti_passage *passage)
{
    struct cleaner cleaner = {.out = out,
                              .passages = passages,
                              .passage = passage,
                              .at = passage->first};

    if (passage->is_variable && !passage->is_extern && !passage->is_static)
        clean_add_text(out, FRTI_LEXEME_WORD, "extern");
    while (cleaner.at < passage->body)
        cleaner_step(&cleaner);
    if (passage->body < passage->end)
        clean_add_text(out, FRTI_LEXEME_SIGN, ";");
}
