/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Clean C: what its two files share. */
#ifndef FRTI_CLI_IMPORT_C_H
#define FRTI_CLI_IMPORT_C_H

#include "ffi_rt/cli/import.h"

enum frti_entry_state { FRTI_ENTRY_NEW, FRTI_ENTRY_NAMED, FRTI_ENTRY_DONE };

struct frti_entry {
    frt_declaration declaration;
    enum frti_entry_state state;
    char *body; /* of a typedef of a struct without a tag: its text */
};

struct frti_printer {
    FILE *file;
    const struct frti_import *import;
    frt_parse_options options;
    struct frti_entry *entries;
    size_t count;
    size_t *bodies; /* entries with one, by hash, plus 1 */
    size_t *tags;   /* struct, union and enum entries, by hash, plus 1 */
    size_t slots;   /* a power of two over twice the entries */
};

/* The entries and their tables; false: the library failed. */
bool frti_printer_begin(struct frti_printer *printer);
void frti_printer_end(struct frti_printer *printer);

/* The library's text of a layout; the caller frees it. */
char *frti_text_of_layout(const frt_layout *layout);

/* Prints the text between two others, shrunk but for the body that begins at
 * `body`. What it needs comes first. */
void frti_print_shrunk(struct frti_printer *printer, const char *text,
                       const char *body, const char *before, const char *after);

/* ---------------------------------------------------------- import_c.c --- */

/* Prints an entry, unless that was done. */
void frti_entry_print(struct frti_printer *printer, struct frti_entry *entry);
/* It is printed first, or at least named, so that it is no struct of a
 * prototype's own. NULL is allowed. */
void frti_entry_need(struct frti_printer *printer, struct frti_entry *entry,
                     bool is_whole);
bool frti_entry_has_constants(const struct frti_printer *printer,
                              const struct frti_entry *entry);

#endif
