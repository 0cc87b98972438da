/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ffi_rt/cdecl/decls.h"

#define PARSER_SENTENCE 512
#define PARSER_QUOTE 72 /* of a token, in a sentence */

bool
frti_parser_init(struct frti_parser *parser, const char *text,
                 const char *origin, const frt_parse_options *options)
{
    parser->store = (struct frti_store){0};
    parser->has_ahead = false;
    parser->depth = 0;
    parser->decls = options->decls;
    parser->lasting = &parser->own;
    parser->model = options->model;
    if (parser->decls != NULL)
        frti_decls_begin(parser);
    else
        frti_lasting_init(&parser->own);
    parser->names = &parser->lasting->names;
    parser->names->source = &parser->source;
    if (parser->model == NULL)
        parser->model = frt_model_native();
    if (!frti_source_init(&parser->source, text, origin))
        return false;
    frti_lexer_init(&parser->lexer, &parser->source, parser->names);
    return frti_next(parser);
}

void
frti_parser_fini(struct frti_parser *parser)
{
    if (parser->decls != NULL)
        frti_decls_end(parser);
    else
        frti_lasting_fini(&parser->own);
    frti_store_fini(&parser->store);
    frti_source_fini(&parser->source);
}

bool
frti_next(struct frti_parser *parser)
{
    if (parser->has_ahead) {
        parser->token = parser->ahead;
        parser->has_ahead = false;
        return true;
    }
    return frti_lexer_next(&parser->lexer, &parser->token);
}

bool
frti_is(const struct frti_parser *parser, int kind)
{
    return parser->token.kind == kind;
}

bool
frti_expect(struct frti_parser *parser, int kind, const char *name)
{
    if (!frti_is(parser, kind))
        return frti_refuse_token(parser, name);
    return frti_next(parser);
}

bool
frti_peek(struct frti_parser *parser, int *kind)
{
    if (!parser->has_ahead) {
        if (!frti_lexer_next(&parser->lexer, &parser->ahead))
            return false;
        parser->has_ahead = true;
    }
    *kind = parser->ahead.kind;
    return true;
}

static int
parser_partner(int open)
{
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : 0;
}

bool
frti_skip_brackets(struct frti_parser *parser)
{
    char open[FRTI_DEPTH_LIMIT];
    size_t depth = 0;
    size_t start = parser->token.position;

    do {
        int kind = parser->token.kind;

        if (kind == FRTI_TOKEN_END)
            return frti_refuse(parser, start, "'%c' has no partner", open[0]);
        if (parser_partner(kind) != 0) {
            if (depth == FRTI_DEPTH_LIMIT)
                return frti_refuse(parser, parser->token.position,
                                   "brackets are nested too deeply");
            open[depth++] = (char)kind;
        } else if (kind == ')' || kind == ']' || kind == '}') {
            if (parser_partner(open[depth - 1]) != kind)
                return frti_refuse(parser, parser->token.position,
                                   "'%c' does not close the '%c' before it",
                                   kind, open[depth - 1]);
            depth--;
        }
        if (!frti_next(parser))
            return false;
    } while (depth > 0);
    return true;
}

struct frti_place_of_return
frti_try(struct frti_parser *parser)
{
    parser->source.is_trying = true;
    return (struct frti_place_of_return){.lexer = parser->lexer,
                                         .token = parser->token,
                                         .ahead = parser->ahead,
                                         .has_ahead = parser->has_ahead,
                                         .depth = parser->depth,
                                         .newest = parser->names->newest};
}

bool
frti_tried(struct frti_parser *parser, const struct frti_place_of_return *place,
           bool is_right)
{
    parser->source.is_trying = false;
    if (is_right || parser->source.status == FRT_NO_MEMORY)
        return is_right;
    parser->source.status = FRT_OK;
    frti_unbind(parser->names, place->newest);
    parser->lexer = place->lexer;
    parser->token = place->token;
    parser->ahead = place->ahead;
    parser->has_ahead = place->has_ahead;
    parser->depth = place->depth;
    return true;
}

bool
frti_enter(struct frti_parser *parser, enum frti_step step)
{
    if (parser->depth + step > FRTI_DEPTH_LIMIT * FRTI_LEVEL)
        return frti_refuse(parser, parser->token.position,
                           "the declaration is nested over %d levels deep",
                           FRTI_DEPTH_LIMIT);
    parser->depth += step;
    return true;
}

void
frti_leave(struct frti_parser *parser, enum frti_step step)
{
    parser->depth -= step;
}

bool
frti_refuse(struct frti_parser *parser, size_t position, const char *format,
            ...)
{
    char sentence[PARSER_SENTENCE];
    va_list values;

    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return frti_source_fail(&parser->source, FRT_BAD_DECLARATION, position,
                            sentence);
}

bool
frti_pass_on(struct frti_parser *parser, size_t position, frt_status status)
{
    char sentence[PARSER_SENTENCE];

    if (status == FRT_NO_MEMORY) {
        if (parser->source.status == FRT_OK)
            parser->source.status = status;
        return false;
    }
    snprintf(sentence, sizeof sentence, "%s", frt_last_detail());
    return frti_source_fail(&parser->source, status, position, sentence);
}

void *
frti_make(struct frti_parser *parser, size_t size)
{
    void *made = frti_store_take(&parser->store, size);

    if (made == NULL)
        frti_source_no_memory(&parser->source, size);
    return made;
}

void *
frti_make_lasting(struct frti_parser *parser, size_t size)
{
    void *made = frti_store_take(&parser->lasting->store, size);

    if (made == NULL)
        frti_source_no_memory(&parser->source, size);
    return made;
}

const char *
frti_copy_lasting(struct frti_parser *parser, const char *text, size_t length)
{
    char *copy = frti_make_lasting(parser, length + 1);

    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

const char *
frti_where(struct frti_where *out, const struct frti_parser *parser,
           const struct frti_binding *binding)
{
    struct frti_line_column place;

    if (binding->file != NULL) {
        snprintf(out->text, sizeof out->text, "%.200s:%u", binding->file,
                 binding->line);
        return out->text;
    }
    place = frti_source_place(&parser->source, binding->position);
    if (place.file_length == 0)
        snprintf(out->text, sizeof out->text, "%zu:%zu", place.line,
                 place.column);
    else
        snprintf(out->text, sizeof out->text, "%.*s:%zu",
                 (int)(place.file_length < 200 ? place.file_length : 200),
                 place.file, place.line);
    return out->text;
}

bool
frti_rebind(struct frti_parser *parser, struct frti_binding *binding,
            size_t position)
{
    if (binding->file != NULL &&
        !frti_lasting_remember(parser->lasting, binding)) {
        frti_source_no_memory(&parser->source, sizeof *binding);
        return false;
    }
    binding->file = NULL;
    binding->position = (uint32_t)position;
    return true;
}

bool
frti_take(struct frti_parser *parser, size_t position, frt_status status,
          const frt_layout *layout)
{
    if (status != FRT_OK)
        return frti_pass_on(parser, position, status);
    if (frti_lasting_keep(parser->lasting, layout))
        return true;
    frt_layout_drop(layout);
    return frti_source_no_memory(&parser->source, sizeof layout);
}

/* The bytes of `text` that stay within `room` without cutting a character. */
static size_t
parser_fitting(const char *text, size_t length, size_t room)
{
    if (length <= room)
        return length;
    while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
        room--;
    return room;
}

bool
frti_refuse_quoting(struct frti_parser *parser, const struct frti_token *token,
                    const char *before, const char *after)
{
    const char *text = parser->source.text + token->position;
    size_t length = parser_fitting(text, token->length, PARSER_QUOTE);

    if (token->kind == FRTI_TOKEN_END)
        return frti_refuse(parser, token->position, "%sthe end of the text%s",
                           before, after);
    return frti_refuse(parser, token->position, "%s'%.*s%s'%s", before,
                       (int)length, text, length < token->length ? "..." : "",
                       after);
}

bool
frti_refuse_token(struct frti_parser *parser, const char *wanted)
{
    char before[96];

    snprintf(before, sizeof before, "%s is expected, not ", wanted);
    return frti_refuse_quoting(parser, &parser->token, before, "");
}
