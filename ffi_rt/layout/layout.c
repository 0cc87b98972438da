/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/layout/layout.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"

static bool layouts_are_equal(const void *one, const void *other);
static void layout_destroy(void *thing);

struct frti_pool frti_layouts = FRTI_POOL(layouts_are_equal, layout_destroy);

/* ------------------------------------------------------------ identity --- */

static uint64_t
hash_word(uint64_t hash, uint64_t word)
{
    return frti_hash(hash, &word, sizeof word);
}

static uint64_t
hash_text(uint64_t hash, const char *text)
{
    /* no text and the empty one differ by the NUL */
    return text == NULL ? hash : frti_hash(hash, text, strlen(text) + 1);
}

static bool
texts_are_equal(const char *one, const char *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    return strcmp(one, other) == 0;
}

static uint64_t
hash_member(uint64_t hash, const frt_place *member)
{
    hash = hash_word(hash, (uintptr_t)member->layout);
    hash = hash_word(hash, member->offset << 1 | member->is_const);
    return hash_text(hash, member->name);
}

static uint64_t
layout_hash(const frt_layout *layout)
{
    uint64_t hash = hash_word(FRTI_HASH_START, layout->alignment);

    if (layout->plain != NULL)
        return hash_word(hash, (uintptr_t)layout->plain);
    hash = hash_word(hash, layout->kind | (uint64_t)layout->is_const << 32);
    hash = hash_word(hash, (uintptr_t)layout->model);
    hash = hash_word(hash, layout->size);
    hash = hash_word(hash, (uintptr_t)layout->element);
    hash = hash_word(hash, (uintptr_t)layout->descriptor);
    hash = hash_word(hash, layout->count);
    hash = hash_text(hash, layout->tag);
    if (layout->members != NULL)
        for (size_t i = 0; i < layout->count; i++)
            hash = hash_member(hash, &layout->members[i]);
    return hash;
}

static bool
members_are_equal(const frt_layout *one, const frt_layout *other)
{
    if (one->members == NULL || other->members == NULL)
        return one->members == other->members;
    for (size_t i = 0; i < one->count; i++) {
        const frt_place *a = &one->members[i];
        const frt_place *b = &other->members[i];

        if (a->layout != b->layout || a->offset != b->offset ||
            a->bit_offset != b->bit_offset || a->is_const != b->is_const ||
            !texts_are_equal(a->name, b->name))
            return false;
    }
    return true;
}

/* What is computed from these need not be compared. */
static bool
layouts_are_equal(const void *one, const void *other)
{
    const frt_layout *a = one;
    const frt_layout *b = other;

    if (a->alignment != b->alignment || a->plain != b->plain)
        return false;
    if (a->plain != NULL)
        return true;
    return a->kind == b->kind && a->model == b->model && a->size == b->size &&
           a->is_complete == b->is_complete && a->element == b->element &&
           a->count == b->count && a->descriptor == b->descriptor &&
           a->is_const == b->is_const && a->is_packed == b->is_packed &&
           a->declared_pack == b->declared_pack &&
           a->declared_alignment == b->declared_alignment &&
           texts_are_equal(a->tag, b->tag) && members_are_equal(a, b);
}

/* ---------------------------------------------------------------- life --- */

const frt_layout *
frt_layout_keep(const frt_layout *layout)
{
    if (layout != NULL && layout->is_counted)
        frti_shared_keep(layout);
    return layout;
}

void
frt_layout_drop(const frt_layout *layout)
{
    if (layout != NULL && layout->is_counted)
        frti_pool_drop(&frti_layouts, layout);
}

static void
layout_destroy(void *thing)
{
    frt_layout *layout = thing;

    frt_layout_drop(layout->plain);
    if (layout->plain == NULL) {
        frt_layout_drop(layout->element);
        frt_descriptor_drop(layout->descriptor);
        for (size_t i = 0; layout->members != NULL && i < layout->count; i++)
            frt_layout_drop(layout->members[i].layout);
    }
    frti_free(layout, layout->bytes, _Alignof(frt_layout));
}

frt_layout *
frti_layout_new(size_t count, size_t text_size)
{
    frt_layout *fresh;
    size_t bytes;

    if (!frti_multiply(&bytes, count, sizeof(frt_place)) ||
        !frti_add(&bytes, bytes, text_size) ||
        !frti_add(&bytes, bytes, sizeof *fresh))
        return NULL;
    fresh = frti_allocate(bytes, _Alignof(frt_layout));
    if (fresh == NULL)
        return NULL;
    fresh->members = (const frt_place *)(fresh + 1);
    fresh->count = count;
    fresh->bytes = bytes;
    return fresh;
}

frt_status
frti_layout_intern_new(const frt_layout **out, frt_layout *fresh)
{
    const frt_layout *interned;

    fresh->is_counted = true;
    fresh->shared.hash = layout_hash(fresh);
    interned = frti_pool_intern(&frti_layouts, fresh);
    if (interned == NULL)
        return frti_no_memory(sizeof(void *), "the table of layouts");
    *out = interned;
    return FRT_OK;
}

void
frti_layout_copy_fields(frt_layout *to, const frt_layout *from)
{
    _Static_assert(offsetof(frt_layout, model) == sizeof(struct frti_shared),
                   "nothing between what is the pool's and what is copied");
    memcpy((char *)to + sizeof to->shared,
           (const char *)from + sizeof to->shared,
           sizeof *to - sizeof to->shared);
}

/* The copy's texts and references are its own. */
static frt_layout *
layout_copy(const frt_layout *like)
{
    size_t text_size = 0;
    frt_layout *fresh;
    size_t bytes;

    if (like->plain == NULL && like->tag != NULL)
        text_size = strlen(like->tag) + 1;
    fresh = frti_layout_new(0, text_size);
    if (fresh == NULL)
        return NULL;
    bytes = fresh->bytes;
    frti_layout_copy_fields(fresh, like);
    fresh->bytes = bytes;
    if (text_size != 0)
        fresh->tag = memcpy(fresh + 1, like->tag, text_size);
    if (frt_layout_keep(fresh->plain) == NULL) {
        frt_layout_keep(fresh->element);
        frt_descriptor_keep(fresh->descriptor);
    }
    return fresh;
}

frt_status
frti_layout_intern(const frt_layout **out, frt_layout *like)
{
    const frt_layout *found;
    frt_layout *fresh;

    like->shared.hash = layout_hash(like);
    found = frti_pool_find(&frti_layouts, like);
    if (found != NULL) {
        *out = found;
        return FRT_OK;
    }
    fresh = layout_copy(like);
    if (fresh == NULL)
        return frti_no_memory(sizeof *fresh, "a layout");
    return frti_layout_intern_new(out, fresh);
}

/* ----------------------------------------------------------- sentences --- */

const char *
frti_layout_text(struct frti_layout_text *out, const frt_layout *layout)
{
    size_t length = frt_layout_print(out->text, sizeof out->text, layout);

    if (length >= sizeof out->text)
        memcpy(out->text + sizeof out->text - 4, "...", 4);
    return out->text;
}

static bool
is_name_byte(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '$' || byte >= 0x80;
}

/* Those of C11 6.4.1, which every compiler has, by their first letter. */
static bool
is_keyword(const char *text)
{
    static const char *const keywords[][8] = {
        ['_' & 31] = {"_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex",
                      "_Generic", "_Noreturn"},
        ['a' & 31] = {"auto"},
        ['b' & 31] = {"break"},
        ['c' & 31] = {"case", "char", "const", "continue"},
        ['d' & 31] = {"default", "do", "double"},
        ['e' & 31] = {"else", "enum", "extern"},
        ['f' & 31] = {"float", "for"},
        ['g' & 31] = {"goto"},
        ['i' & 31] = {"if", "inline", "int"},
        ['l' & 31] = {"long"},
        ['r' & 31] = {"register", "restrict", "return"},
        ['s' & 31] = {"short", "signed", "sizeof", "static", "struct",
                      "switch"},
        ['t' & 31] = {"typedef"},
        ['u' & 31] = {"union", "unsigned"},
        ['v' & 31] = {"void", "volatile"},
        ['w' & 31] = {"while"},
    };
    size_t row = (unsigned char)*text & 31;

    for (size_t i = 0;
         row < FRTI_ARRAY_LENGTH(keywords) &&
         i < FRTI_ARRAY_LENGTH(keywords[0]) && keywords[row][i] != NULL;
         i++)
        if (strcmp(text, keywords[row][i]) == 0)
            return true;
    return false;
}

bool
frti_is_name(const char *text)
{
    if (!is_name_byte((unsigned char)*text) || is_keyword(text))
        return false;
    for (; *text != '\0'; text++)
        if (!is_name_byte((unsigned char)*text) &&
            !(*text >= '0' && *text <= '9'))
            return false;
    return true;
}

frt_status
frti_layout_deepen(unsigned short *depth, size_t part_depth)
{
    if (part_depth >= FRTI_LAYOUT_DEPTH)
        return frti_fail(FRT_BAD_LAYOUT,
                         "a layout nested more than %d levels deep",
                         FRTI_LAYOUT_DEPTH);
    if (*depth <= part_depth)
        *depth = (unsigned short)(part_depth + 1);
    return FRT_OK;
}

/* ----------------------------------------------------------- accessors --- */

frt_kind
frt_layout_kind(const frt_layout *layout)
{
    return layout->kind;
}

size_t
frt_layout_size(const frt_layout *layout)
{
    return layout->size;
}

size_t
frt_layout_alignment(const frt_layout *layout)
{
    return layout->alignment;
}

bool
frt_layout_is_complete(const frt_layout *layout)
{
    return layout->is_complete;
}

bool
frt_layout_is_signed(const frt_layout *layout)
{
    return layout->is_signed;
}

bool
frt_layout_is_integer(const frt_layout *layout)
{
    return layout->kind == FRT_KIND_ENUM ||
           (layout->kind >= FRT_KIND_BOOL && layout->kind <= FRT_KIND_UINT128);
}

bool
frt_layout_is_floating(const frt_layout *layout)
{
    return layout->kind >= FRT_KIND_FLOAT16 &&
           layout->kind <= FRT_KIND_FLOAT128;
}

const char *
frt_layout_tag(const frt_layout *layout)
{
    return layout->tag;
}

const frt_model *
frt_layout_model(const frt_layout *layout)
{
    return layout->model;
}

const frt_layout *
frt_layout_element(const frt_layout *layout)
{
    return layout->element;
}

size_t
frt_layout_count(const frt_layout *layout)
{
    return layout->count;
}

bool
frt_layout_is_const(const frt_layout *layout)
{
    return layout->is_const;
}

const frt_descriptor *
frt_layout_descriptor(const frt_layout *layout)
{
    return layout->descriptor;
}
