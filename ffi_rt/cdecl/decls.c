/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declaration sets: their life, and what is added to them. */
#include "ffi_rt/cdecl/decls.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/cdecl/parser.h"
#include "ffi_rt/layout/layout.h"

frt_status
frt_decls_new(frt_decls **out, const frt_parse_options *options)
{
    frt_parse_options read;
    frt_status status;
    frt_decls *decls;

    if (out == NULL)
        return frti_null_argument("out");
    status =
        frti_options_read(&read, sizeof read, options, "frt_parse_options");
    if (status != FRT_OK)
        return status;
    if (read.decls != NULL)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "a declaration set does not begin with another one");
    decls = frti_allocate(sizeof *decls, _Alignof(frt_decls));
    if (decls == NULL)
        return frti_no_memory(sizeof *decls, "a declaration set");
    decls->model = read.model == NULL ? frt_model_native() : read.model;
    decls->raw_pointers = read.raw_pointers;
    pthread_rwlock_init(&decls->lock, NULL);
    frti_lasting_init(&decls->lasting);
    *out = decls;
    return FRT_OK;
}

static size_t
entries_bytes(size_t count)
{
    return count * sizeof(struct frti_binding *);
}

void
frt_decls_free(frt_decls *decls)
{
    if (decls == NULL)
        return;
    for (const frt_prototype *prototype = decls->prototypes; prototype != NULL;
         prototype = prototype->next)
        frt_descriptor_drop(prototype->descriptor);
    frti_lasting_fini(&decls->lasting);
    frti_free(decls->entries, entries_bytes(decls->capacity),
              sizeof *decls->entries);
    pthread_rwlock_destroy(&decls->lock);
    frti_free(decls, sizeof *decls, _Alignof(frt_decls));
}

/* ------------------------------------------------------------- parsing --- */

void
frti_decls_begin(struct frti_parser *parser)
{
    frt_decls *decls = parser->decls;

    pthread_rwlock_wrlock(&decls->lock);
    parser->model = decls->model;
    parser->lasting = &decls->lasting;
    parser->mark = frti_lasting_mark(&decls->lasting);
}

void
frti_decls_end(struct frti_parser *parser)
{
    frti_lasting_back(parser->lasting, &parser->mark);
    pthread_rwlock_unlock(&parser->decls->lock);
}

frt_status
frti_decls_check(const frt_parse_options *options)
{
    if (options->decls == NULL || options->model == NULL ||
        options->model == options->decls->model)
        return FRT_OK;
    return frti_fail(
        FRT_BAD_ARGUMENT, "the declaration set is of the model %s, not %s",
        frt_model_name(options->decls->model), frt_model_name(options->model));
}

/* -------------------------------------------------------------- commit --- */

static bool
entries_make_room(struct frti_parser *parser, size_t more)
{
    frt_decls *decls = parser->decls;
    size_t capacity = 2 * decls->capacity;
    struct frti_binding **entries;

    if (decls->capacity - decls->count >= more)
        return true;
    if (capacity < decls->count + more)
        capacity = decls->count + more;
    entries = frti_allocate(entries_bytes(capacity), sizeof *entries);
    if (entries == NULL)
        return frti_source_no_memory(&parser->source, entries_bytes(capacity));
    if (decls->count > 0)
        memcpy(entries, decls->entries, entries_bytes(decls->count));
    frti_free(decls->entries, entries_bytes(decls->capacity), sizeof *entries);
    decls->entries = entries;
    decls->capacity = capacity;
    return true;
}

/* Where bindings were made, while the text is there. */
struct locator {
    struct frti_cursor cursor;
    const char *file; /* the last one, in the text and as a name */
    const char *name;
};

static bool
locator_place(struct frti_parser *parser, struct locator *locator,
              struct frti_binding *binding)
{
    struct frti_line_column place =
        frti_source_line(&parser->source, &locator->cursor, binding->position);
    struct frti_name *name;

    if (locator->name == NULL || place.file != locator->file) {
        name = place.file_length == 0
                   ? frti_name_of(parser->names, "<text>", 6)
                   : frti_name_of(parser->names, place.file, place.file_length);
        if (name == NULL)
            return false;
        locator->file = place.file;
        locator->name = name->text;
    }
    binding->file = locator->name;
    binding->line = (uint32_t)place.line;
    return true;
}

bool
frti_decls_commit(struct frti_parser *parser)
{
    frt_decls *decls = parser->decls;
    struct locator locator = {.name = NULL};
    struct frti_binding *newest = parser->names->newest;
    size_t more = 0;
    size_t at;

    for (struct frti_binding *binding = newest; binding != parser->mark.newest;
         binding = binding->earlier, more++)
        if (!locator_place(parser, &locator, binding))
            return false;
    for (struct frti_change *change = parser->lasting->changes; change != NULL;
         change = change->next)
        if (change->binding->file == NULL &&
            !locator_place(parser, &locator, change->binding))
            return false;
    if (!entries_make_room(parser, more))
        return false;
    at = decls->count + more;
    for (struct frti_binding *binding = newest; binding != parser->mark.newest;
         binding = binding->earlier)
        decls->entries[--at] = binding;
    decls->count += more;
    parser->mark = frti_lasting_mark(parser->lasting);
    return true;
}

/* ----------------------------------------------------------------- add --- */

frt_status
frt_decls_add(frt_decls *decls, const char *text, const char *origin)
{
    const frt_parse_options options = {.size = sizeof options, .decls = decls};
    struct frti_parser parser;
    struct frti_declared last;
    frt_status status;

    if (decls == NULL)
        return frti_null_argument("decls");
    if (text == NULL)
        return frti_null_argument("text");
    if (frti_parser_init(&parser, text, origin, &options) &&
        frti_declarations(&parser, &last) &&
        frti_declared_check(&parser, &last))
        (void)frti_decls_commit(&parser);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}

static bool
decls_define(struct frti_parser *parser, const char *name)
{
    struct frti_binding binding = {.kind = FRTI_BINDING_CONSTANT};
    struct frti_name *found;
    const struct frti_binding *known;
    struct frti_where where;

    binding.position = (uint32_t)parser->token.position;
    if (!frti_constant_read(parser, &binding))
        return false;
    found = frti_name_of(parser->names, name, strlen(name));
    if (found == NULL)
        return false;
    known = found->ordinary;
    if (known == NULL)
        return frti_bind(parser->names, found, &binding) != NULL &&
               frti_decls_commit(parser);
    return frti_constants_agree(known, &binding) ||
           frti_refuse(parser, binding.position,
                       "'%.64s' is declared as something else at %s", name,
                       frti_where(&where, parser, known));
}

frt_status
frt_decls_define(frt_decls *decls, const char *name, const char *expression)
{
    const frt_parse_options options = {.size = sizeof options, .decls = decls};
    struct frti_parser parser;
    frt_status status;

    if (decls == NULL)
        return frti_null_argument("decls");
    if (name == NULL)
        return frti_null_argument("name");
    if (expression == NULL)
        return frti_null_argument("expression");
    if (!frti_is_name(name) ||
        frti_keyword(name, strlen(name)) != FRTI_TOKEN_NAME)
        return frti_fail(FRT_BAD_ARGUMENT, "'%.64s' cannot name a constant",
                         name);
    if (frti_parser_init(&parser, expression, NULL, &options))
        (void)decls_define(&parser, name);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}
