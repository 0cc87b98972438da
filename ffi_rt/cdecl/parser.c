/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PARSER_SENTENCE 512
#define PARSER_QUOTE 72 /* of a token, in a sentence */
#define PARSER_KEPT 62

struct frti_kept {
    struct frti_kept *next;
    size_t count;
    const frt_layout *layouts[PARSER_KEPT];
};

bool
frti_parser_init(struct frti_parser *parser, const char *text,
                 const frt_model *model)
{
    parser->store = (struct frti_store){0};
    parser->has_ahead = false;
    parser->model = model == NULL ? frt_model_native() : model;
    parser->kept = NULL;
    parser->depth = 0;
    parser->aggregates = 0;
    frti_names_init(&parser->names, &parser->source, &parser->store);
    if (!frti_source_init(&parser->source, text))
        return false;
    frti_lexer_init(&parser->lexer, &parser->source, &parser->names);
    return frti_next(parser);
}

void
frti_parser_fini(struct frti_parser *parser)
{
    for (const struct frti_kept *kept = parser->kept; kept != NULL;
         kept = kept->next)
        for (size_t i = 0; i < kept->count; i++)
            frt_layout_drop(kept->layouts[i]);
    frti_names_fini(&parser->names);
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

static bool
parser_note(struct frti_parser *parser, const frt_layout *layout)
{
    struct frti_kept *kept = parser->kept;

    if (kept == NULL || kept->count == PARSER_KEPT) {
        kept = frti_make(parser, sizeof *kept);
        if (kept == NULL)
            return false;
        kept->next = parser->kept;
        parser->kept = kept;
    }
    kept->layouts[kept->count++] = layout;
    return true;
}

bool
frti_take(struct frti_parser *parser, size_t position, frt_status status,
          const frt_layout *layout)
{
    if (status != FRT_OK)
        return frti_pass_on(parser, position, status);
    if (parser_note(parser, layout))
        return true;
    frt_layout_drop(layout);
    return false;
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
