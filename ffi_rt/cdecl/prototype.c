/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The public functions: one text in, one layout, descriptor or prototype out.
 */
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/cdecl/decls.h"
#include "ffi_rt/cdecl/parser.h"
#include "ffi_rt/cdecl/prototype.h"

static frt_status
parse_check(const void *out, const char *text, const frt_parse_options *options,
            frt_parse_options *read)
{
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (text == NULL)
        return frti_null_argument("text");
    status =
        frti_options_read(read, sizeof *read, options, "frt_parse_options");
    return status == FRT_OK ? frti_decls_check(read) : status;
}

/* The whole text, of which the last declaration counts. */
static bool
parse_last(struct frti_declared *last, struct frti_parser *parser,
           const char *text, const frt_parse_options *options)
{
    if (!frti_parser_init(parser, text, NULL, options) ||
        !frti_declarations(parser, last))
        return false;
    return last->count > 0 || frti_refuse(parser, parser->token.position,
                                          "the text declares nothing");
}

/* ------------------------------------------------------------- layouts --- */

/* In `unsigned lnog` the second word is a slip, not a name to be ignored. */
static bool
layout_check(struct frti_parser *parser, const struct frti_declared *last)
{
    const struct frti_declarator *declarator = &last->declarator;

    if (last->count > 1)
        return frti_refuse(parser, declarator->position,
                           "one type is expected here, not several");
    if (declarator->name != NULL && last->storage != FRTI_STORAGE_TYPEDEF)
        return frti_refuse(parser, declarator->position,
                           "a type is expected, without the name '%.64s'",
                           declarator->name->text);
    if (declarator->type.function != NULL)
        return frti_refuse(parser, declarator->position,
                           "a function has no layout, a pointer to one has");
    return true;
}

static bool
layout_read(const frt_layout **out, struct frti_parser *parser,
            const char *text, const frt_parse_options *options)
{
    struct frti_declared last;
    struct frti_declarator *declarator = &last.declarator;

    if (!parse_last(&last, parser, text, options) ||
        !layout_check(parser, &last))
        return false;
    /* of a type name they stand where a typedef has them */
    if (declarator->name == NULL &&
        !frti_attributes_typedef(parser, &declarator->type,
                                 &declarator->attributes))
        return false;
    *out = frt_layout_keep(declarator->type.layout);
    return true;
}

frt_status
frt_layout_parse(const frt_layout **out, const char *text,
                 const frt_parse_options *options)
{
    struct frti_parser parser;
    frt_parse_options read;
    frt_status status = parse_check(out, text, options, &read);

    if (status != FRT_OK)
        return status;
    (void)layout_read(out, &parser, text, &read);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}

/* --------------------------------------------------------- descriptors --- */

static bool
function_check_va_list(struct frti_parser *parser,
                       const struct frti_function *function)
{
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next)
        if (parameter->type.is_va_list)
            return frti_refuse(parser, parameter->position,
                               "a va_list cannot be passed, for only C code "
                               "can make one: use a function with '...'");
    return true;
}

static bool
function_check(struct frti_parser *parser, const struct frti_declared *last)
{
    const struct frti_declarator *declarator = &last->declarator;

    if (last->count > 1)
        return frti_refuse(parser, declarator->position,
                           "one function is expected here, not several");
    if (declarator->type.function != NULL)
        return function_check_va_list(parser, declarator->type.function);
    if (declarator->name == NULL)
        return frti_refuse(parser, declarator->position,
                           "a function is expected, not a type alone");
    return frti_refuse(parser, declarator->position,
                       "'%.64s' is not declared as a function",
                       declarator->name->text);
}

static bool
function_read(const frt_descriptor **out, struct frti_declared *last,
              struct frti_parser *parser, const char *text,
              const frt_parse_options *options)
{
    return parse_last(last, parser, text, options) &&
           function_check(parser, last) &&
           frti_function_descriptor(parser, out, last->declarator.type.function,
                                    options->raw_pointers,
                                    last->declarator.position);
}

frt_status
frt_descriptor_parse(const frt_descriptor **out, const char *text,
                     const frt_parse_options *options)
{
    struct frti_parser parser;
    struct frti_declared last;
    frt_parse_options read;
    frt_status status = parse_check(out, text, options, &read);

    if (status != FRT_OK)
        return status;
    (void)function_read(out, &last, &parser, text, &read);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}

/* ---------------------------------------------------------- prototypes --- */

static size_t
prototype_bytes(const struct frti_declared *last)
{
    const struct frti_function *function = last->declarator.type.function;
    size_t bytes = sizeof(struct frt_prototype) +
                   function->count * sizeof(const char *) +
                   last->declarator.name->length + 1;

    if (last->label != NULL)
        bytes += strlen(last->label) + 1;
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next)
        if (parameter->name != NULL)
            bytes += parameter->name->length + 1;
    return bytes;
}

static const char *
prototype_copy(char **at, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = *at;

    memcpy(copy, text, bytes);
    *at += bytes;
    return copy;
}

static void
prototype_fill(frt_prototype *prototype, const struct frti_declared *last)
{
    const struct frti_function *function = last->declarator.type.function;
    char *at = (char *)(prototype->parameters + function->count);

    prototype->name = prototype_copy(&at, last->declarator.name->text);
    prototype->symbol = last->label == NULL ? prototype->name
                                            : prototype_copy(&at, last->label);
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next)
        prototype->parameters[prototype->count++] =
            parameter->name == NULL
                ? NULL
                : prototype_copy(&at, parameter->name->text);
}

static bool
prototype_check(struct frti_parser *parser, const struct frti_declared *last)
{
    const struct frti_declarator *declarator = &last->declarator;

    if (declarator->name == NULL)
        return frti_refuse(parser, declarator->position,
                           "the function has no name");
    if (last->storage == FRTI_STORAGE_TYPEDEF)
        return frti_refuse(parser, declarator->position,
                           "'%.64s' is a type, not a function",
                           declarator->name->text);
    return last->label == NULL || *last->label != '\0' ||
           frti_refuse(parser, declarator->position,
                       "the asm name of '%.64s' is empty",
                       declarator->name->text);
}

static bool
prototype_read(frt_prototype **out, struct frti_parser *parser,
               const char *text, const frt_parse_options *options)
{
    struct frti_declared last;
    const frt_descriptor *descriptor;
    frt_prototype *prototype;
    size_t bytes;

    if (!function_read(&descriptor, &last, parser, text, options))
        return false;
    prototype = NULL;
    if (prototype_check(parser, &last)) {
        bytes = prototype_bytes(&last);
        prototype = frti_allocate(bytes, _Alignof(frt_prototype));
        if (prototype == NULL)
            frti_source_no_memory(&parser->source, bytes);
    }
    if (prototype == NULL) {
        frt_descriptor_drop(descriptor);
        return false;
    }
    prototype->bytes = bytes;
    prototype->descriptor = descriptor;
    prototype_fill(prototype, &last);
    *out = prototype;
    return true;
}

frt_status
frt_prototype_parse(frt_prototype **out, const char *text,
                    const frt_parse_options *options)
{
    struct frti_parser parser;
    frt_parse_options read;
    frt_status status = parse_check(out, text, options, &read);

    if (status != FRT_OK)
        return status;
    (void)prototype_read(out, &parser, text, &read);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}

void
frt_prototype_free(frt_prototype *prototype)
{
    if (prototype == NULL)
        return;
    frt_descriptor_drop(prototype->descriptor);
    frti_free(prototype, prototype->bytes, _Alignof(frt_prototype));
}

const char *
frt_prototype_name(const frt_prototype *prototype)
{
    return prototype->name;
}

const char *
frt_prototype_symbol(const frt_prototype *prototype)
{
    return prototype->symbol;
}

const frt_descriptor *
frt_prototype_descriptor(const frt_prototype *prototype)
{
    return prototype->descriptor;
}

const char *
frt_prototype_parameter_name(const frt_prototype *prototype, size_t index)
{
    return index < prototype->count ? prototype->parameters[index] : NULL;
}
