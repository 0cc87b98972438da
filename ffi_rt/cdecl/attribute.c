/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Attributes, of GNU C and of C23. Those that change a layout are used, those
 * that would change a layout or a call in a way that cannot be had are refused
 * by name, all others are skipped.
 */
#include <string.h>

#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/parser.h"

/* `aligned` without a number: the largest alignment of a scalar, on all the
 * models. GCC manual, "Common Variable Attributes". */
#define ATTRIBUTE_LARGEST_ALIGNMENT 16

/* The value of `mode` in frti_attributes is an index here, plus 1. */
static const struct attribute_mode {
    const char *name;
    frt_kind kind; /* of a signed integer, or a float */
    frt_kind unsigned_kind;
    bool is_complex;
} attribute_modes[] = {
    {"QI", FRT_KIND_SCHAR, FRT_KIND_UCHAR, false},
    {"byte", FRT_KIND_SCHAR, FRT_KIND_UCHAR, false},
    {"HI", FRT_KIND_SHORT, FRT_KIND_USHORT, false},
    {"SI", FRT_KIND_INT, FRT_KIND_UINT, false},
    {"DI", FRT_KIND_LONG, FRT_KIND_ULONG, false},
    {"word", FRT_KIND_LONG, FRT_KIND_ULONG, false},
    {"pointer", FRT_KIND_LONG, FRT_KIND_ULONG, false},
    {"unwind_word", FRT_KIND_LONG, FRT_KIND_ULONG, false},
    {"TI", FRT_KIND_INT128, FRT_KIND_UINT128, false},
    {"HF", FRT_KIND_FLOAT16, FRT_KIND_FLOAT16, false},
    {"SF", FRT_KIND_FLOAT, FRT_KIND_FLOAT, false},
    {"DF", FRT_KIND_DOUBLE, FRT_KIND_DOUBLE, false},
    {"XF", FRT_KIND_LONG_DOUBLE, FRT_KIND_LONG_DOUBLE, false},
    {"TF", FRT_KIND_FLOAT128, FRT_KIND_FLOAT128, false},
    {"HC", FRT_KIND_FLOAT16, FRT_KIND_FLOAT16, true},
    {"SC", FRT_KIND_FLOAT, FRT_KIND_FLOAT, true},
    {"DC", FRT_KIND_DOUBLE, FRT_KIND_DOUBLE, true},
    {"XC", FRT_KIND_LONG_DOUBLE, FRT_KIND_LONG_DOUBLE, true},
    {"TC", FRT_KIND_FLOAT128, FRT_KIND_FLOAT128, true},
};

static const char *const attribute_refused[] = {
    "aarch64_vector_pcs",
    "address_space",
    "matrix_type",
    "ms_abi",
    "ms_struct",
    "neon_polyvector_type",
    "neon_vector_type",
    "preserve_all",
    "preserve_most",
    "regcall",
    "scalar_storage_order",
    "swiftcall",
    "vectorcall",
};

/* A name without the underscores around it. */
struct attribute_word {
    const char *text;
    size_t length;
};

static struct attribute_word
attribute_word_of(const struct frti_name *name)
{
    struct attribute_word word = {name->text, name->length};

    if (word.length > 4 && strncmp(word.text, "__", 2) == 0 &&
        strcmp(word.text + word.length - 2, "__") == 0) {
        word.text += 2;
        word.length -= 4;
    }
    return word;
}

static bool
attribute_is(struct attribute_word word, const char *text)
{
    return strlen(text) == word.length &&
           memcmp(word.text, text, word.length) == 0;
}

static bool
attribute_set_alignment(struct frti_parser *parser, size_t *alignment,
                        size_t wanted, size_t position)
{
    if (!frti_is_power_of_two(wanted))
        return frti_source_fail(&parser->source, FRT_BAD_ALIGNMENT, position,
                                "the alignment is no power of two");
    if (wanted > *alignment)
        *alignment = wanted;
    return true;
}

/* The one argument of an attribute: `(constant)`. */
static bool
attribute_number(struct frti_parser *parser, size_t *out, const char *what)
{
    return frti_expect(parser, '(', "'('") &&
           frti_size_constant(parser, out, what) &&
           frti_expect(parser, ')', "')'");
}

static bool
attribute_aligned(struct frti_parser *parser, struct frti_attributes *add)
{
    size_t wanted = ATTRIBUTE_LARGEST_ALIGNMENT;
    size_t position = parser->token.position;
    int kind;

    if (frti_is(parser, '(')) {
        if (!frti_peek(parser, &kind))
            return false;
        if (kind == ')')
            return frti_skip_brackets(parser) &&
                   attribute_set_alignment(parser, &add->alignment, wanted,
                                           position);
        position = parser->ahead.position;
        if (!attribute_number(parser, &wanted, "an alignment"))
            return false;
    }
    return attribute_set_alignment(parser, &add->alignment, wanted, position);
}

static bool
attribute_mode(struct frti_parser *parser, struct frti_attributes *add)
{
    struct attribute_word word;

    if (!frti_expect(parser, '(', "'('"))
        return false;
    if (parser->token.name == NULL)
        return frti_refuse_token(parser, "a mode");
    word = attribute_word_of(parser->token.name);
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(attribute_modes); i++)
        if (attribute_is(word, attribute_modes[i].name)) {
            add->mode = (int)i + 1;
            return frti_next(parser) && frti_expect(parser, ')', "')'");
        }
    return frti_refuse_quoting(parser, &parser->token, "the mode ",
                               " is not supported");
}

/* 0 would mean that there is no such attribute. */
static bool
attribute_vector(struct frti_parser *parser, size_t *out, const char *what)
{
    size_t position = parser->token.position;

    if (!attribute_number(parser, out, what))
        return false;
    return *out != 0 ||
           frti_refuse(parser, position, "a vector has at least one element");
}

static bool
attribute_check_refused(struct frti_parser *parser, struct attribute_word word,
                        size_t position)
{
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(attribute_refused); i++)
        if (attribute_is(word, attribute_refused[i]))
            return frti_refuse(parser, position,
                               "the attribute '%s' is not supported",
                               attribute_refused[i]);
    return true;
}

/* At the present token: what follows the attribute's name. */
static bool
attribute_use(struct frti_parser *parser, struct frti_attributes *add,
              const struct frti_token *name)
{
    struct attribute_word word = attribute_word_of(name->name);

    add->position = name->position;
    if (attribute_is(word, "packed"))
        add->is_packed = true;
    else if (attribute_is(word, "aligned"))
        return attribute_aligned(parser, add);
    else if (attribute_is(word, "vector_size"))
        return attribute_vector(parser, &add->vector, "a vector's size");
    else if (attribute_is(word, "ext_vector_type"))
        return attribute_vector(parser, &add->elements, "a vector's length");
    else if (attribute_is(word, "mode"))
        return attribute_mode(parser, add);
    else if (!attribute_check_refused(parser, word, name->position))
        return false;
    return !frti_is(parser, '(') || frti_skip_brackets(parser);
}

/* `name`, `prefix::name`, with arguments or without; C23's own change nothing
 * that matters here. */
static bool
attribute_one(struct frti_parser *parser, struct frti_attributes *add,
              bool is_gnu)
{
    struct frti_token name = parser->token;
    struct attribute_word prefix;

    if (name.name == NULL)
        return frti_refuse_token(parser, "an attribute's name");
    if (!frti_next(parser))
        return false;
    if (frti_is(parser, FRTI_TOKEN_SCOPE)) {
        prefix = attribute_word_of(name.name);
        is_gnu = attribute_is(prefix, "gnu") || attribute_is(prefix, "clang");
        if (!frti_next(parser))
            return false;
        name = parser->token;
        if (name.name == NULL)
            return frti_refuse_token(parser, "an attribute's name");
        if (!frti_next(parser))
            return false;
    }
    if (is_gnu)
        return attribute_use(parser, add, &name);
    return !frti_is(parser, '(') || frti_skip_brackets(parser);
}

static bool
attribute_list(struct frti_parser *parser, struct frti_attributes *add,
               int close, bool is_gnu)
{
    while (!frti_is(parser, close)) {
        if (!frti_is(parser, ',') && !attribute_one(parser, add, is_gnu))
            return false;
        if (frti_is(parser, ',')) {
            if (!frti_next(parser))
                return false;
        } else if (!frti_is(parser, close)) {
            return frti_refuse_token(parser, close == ')' ? "',' or ')'"
                                                          : "',' or ']'");
        }
    }
    return true;
}

static bool
attribute_gnu(struct frti_parser *parser, struct frti_attributes *add)
{
    return frti_next(parser) &&
           frti_expect(parser, '(', "'((' of an attribute") &&
           frti_expect(parser, '(', "'((' of an attribute") &&
           attribute_list(parser, add, ')', true) && frti_next(parser) &&
           frti_expect(parser, ')', "'))' of an attribute");
}

static bool
attribute_c23(struct frti_parser *parser, struct frti_attributes *add)
{
    return frti_next(parser) && frti_next(parser) &&
           attribute_list(parser, add, ']', false) && frti_next(parser) &&
           frti_expect(parser, ']', "']]' of an attribute");
}

bool
frti_attributes(struct frti_parser *parser, struct frti_attributes *add)
{
    for (;;) {
        int ahead = 0;

        if (frti_is(parser, FRTI_TOKEN_ATTRIBUTE)) {
            if (!attribute_gnu(parser, add))
                return false;
            continue;
        }
        if (frti_is(parser, '[') && !frti_peek(parser, &ahead))
            return false;
        if (ahead != '[')
            return true;
        if (!attribute_c23(parser, add))
            return false;
    }
}

bool
frti_alignas(struct frti_parser *parser, struct frti_attributes *add)
{
    struct frti_type type;
    size_t wanted;
    size_t position;

    if (!frti_expect(parser, '(', "'(' of _Alignas"))
        return false;
    position = parser->token.position;
    if (frti_begins_type(parser)) {
        if (!frti_type_name(parser, &type))
            return false;
        if (!frti_type_is_complete(&type))
            return frti_refuse(parser, position,
                               "_Alignas of an incomplete type");
        wanted = frt_layout_alignment(type.layout);
    } else if (!frti_size_constant(parser, &wanted, "an alignment")) {
        return false;
    }
    add->position = position;
    if (wanted != 0 &&
        !attribute_set_alignment(parser, &add->minimum, wanted, position))
        return false;
    return frti_expect(parser, ')', "')'");
}

void
frti_attributes_merge(struct frti_attributes *into,
                      const struct frti_attributes *from)
{
    into->is_packed |= from->is_packed;
    if (from->alignment > into->alignment)
        into->alignment = from->alignment;
    if (from->minimum > into->minimum)
        into->minimum = from->minimum;
    if (from->vector != 0)
        into->vector = from->vector;
    if (from->elements != 0)
        into->elements = from->elements;
    if (from->mode != 0)
        into->mode = from->mode;
    if (from->position != 0)
        into->position = from->position;
}

static bool
mode_fits(const struct attribute_mode *mode, const struct frti_type *type)
{
    bool is_floating = mode->kind == mode->unsigned_kind;

    if (type->function != NULL)
        return false;
    if (mode->is_complex)
        return frt_layout_kind(type->layout) == FRT_KIND_COMPLEX;
    return is_floating ? frt_layout_is_floating(type->layout)
                       : frt_layout_is_integer(type->layout);
}

static bool
attribute_apply_mode(struct frti_parser *parser, struct frti_type *type,
                     const struct frti_attributes *attributes)
{
    const struct attribute_mode *mode = &attribute_modes[attributes->mode - 1];
    bool is_const = type->is_const;
    frt_kind kind;

    if (!mode_fits(mode, type))
        return frti_refuse(parser, attributes->position,
                           "the mode '%s' does not fit the type", mode->name);
    kind =
        frt_layout_is_signed(type->layout) ? mode->kind : mode->unsigned_kind;
    if (!frti_type_value(parser, type, kind, attributes->position) ||
        (mode->is_complex &&
         !frti_type_complex(parser, type, attributes->position)))
        return false;
    type->is_const = is_const;
    return true;
}

bool
frti_attributes_base(struct frti_parser *parser, struct frti_type *type,
                     const struct frti_attributes *attributes)
{
    size_t bytes = attributes->vector;

    if (attributes->mode != 0 &&
        !attribute_apply_mode(parser, type, attributes))
        return false;
    if (attributes->elements != 0 &&
        (type->function != NULL ||
         !frti_multiply(&bytes, attributes->elements,
                        frt_layout_size(type->layout))))
        return frti_refuse(parser, attributes->position,
                           "the vector is too large");
    return bytes == 0 ||
           frti_type_vector(parser, type, bytes, attributes->position);
}

bool
frti_attributes_typedef(struct frti_parser *parser, struct frti_type *type,
                        const struct frti_attributes *attributes)
{
    return attributes->alignment == 0 ||
           frti_type_align(parser, type, attributes->alignment,
                           attributes->position);
}
