/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Structs and unions: what is refused, and how a layout is filled in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/layout/layout.h"
#include "ffi_rt/layout/packing.h"

/* A struct or union under construction. */
struct draft {
    frt_kind kind;
    frt_aggregate_options options;
    const frt_model *model;
    const frt_member *members;
    size_t count;
    size_t text_size;
    size_t name_count; /* lent ones included */
    bool has_named;    /* a member with a name, or a struct or union */
    unsigned short depth;
};

/* ----------------------------------------------------------- sentences --- */

struct draft_text {
    char text[128];
};

static const char *
draft_text(struct draft_text *out, const struct draft *draft)
{
    const char *tag = draft->options.tag;

    snprintf(out->text, sizeof out->text, "%s%s%.80s",
             draft->kind == FRT_KIND_STRUCT ? "struct" : "union",
             tag == NULL ? "" : " ", tag == NULL ? "" : tag);
    return out->text;
}

/* "member 'x' of struct point: <fault>" */
static frt_status
draft_fault(const struct draft *draft, size_t index, frt_status status,
            const char *fault)
{
    const char *name = draft->members[index].name;
    struct draft_text whole;

    draft_text(&whole, draft);
    if (name == NULL)
        return frti_fail(status, "member %zu of %s: %s", index + 1, whole.text,
                         fault);
    return frti_fail(status, "member '%s' of %s: %s", name, whole.text, fault);
}

/* ------------------------------------------------------------- options --- */

static frt_status
draft_check_options(const struct draft *draft)
{
    const frt_aggregate_options *options = &draft->options;
    struct draft_text whole;

    if (options->tag != NULL && !frti_is_name(options->tag))
        return frti_fail(FRT_BAD_ARGUMENT, "the tag '%s' is not a C name",
                         options->tag);
    if (options->alignment != 0 && (!frti_is_power_of_two(options->alignment) ||
                                    options->alignment > FRTI_ALIGNMENT_LIMIT))
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "%s: aligned(%zu), which is no power of two up to %zu",
                         draft_text(&whole, draft), options->alignment,
                         FRTI_ALIGNMENT_LIMIT);
    if (options->pack != 0 &&
        (!frti_is_power_of_two(options->pack) || options->pack > 16))
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "%s: #pragma pack(%zu), which can be 1, 2, 4, 8 or 16",
                         draft_text(&whole, draft), options->pack);
    return FRT_OK;
}

/* ------------------------------------------------------------- members --- */

static bool
layout_is_flexible(const frt_layout *layout)
{
    return layout->kind == FRT_KIND_ARRAY && layout->count == FRT_FLEXIBLE;
}

static bool
layout_lends_names(const frt_layout *layout)
{
    return layout->kind == FRT_KIND_STRUCT || layout->kind == FRT_KIND_UNION;
}

/* GNU C: a struct that ends in one may stand anywhere. */
static const char *
flexible_fault(const struct draft *draft, size_t index)
{
    if (draft->kind == FRT_KIND_UNION)
        return "a flexible array cannot stand in a union";
    if (!draft->has_named)
        return "a flexible array needs a named member before it";
    if (index + 1 != draft->count)
        return "a flexible array stands last";
    return NULL;
}

/* NULL: the member's name, if any, is one that its kind can have. */
static const char *
name_fault(const frt_member *member)
{
    const frt_layout *layout = member->layout;

    if (member->name == NULL)
        return NULL;
    if (!frti_is_name(member->name))
        return "that is not a C name";
    if (layout->kind == FRT_KIND_PADDING)
        return "padding has no name";
    if (layout->kind == FRT_KIND_BIT_FIELD && layout->count == 0)
        return "a bit-field of width 0 has no name";
    return NULL;
}

/* NULL: it can be a member here. */
static const char *
member_fault(const struct draft *draft, size_t index)
{
    const frt_layout *layout = draft->members[index].layout;

    if (layout_is_flexible(layout))
        return flexible_fault(draft, index);
    if (layout->kind == FRT_KIND_VOID)
        return "void is no member";
    if (layout->kind == FRT_KIND_FUNCTION)
        return "a function is no member, a pointer to it is";
    if (!layout->is_complete)
        return "its type is incomplete";
    return NULL;
}

static frt_status
draft_take_model(struct draft *draft, size_t index)
{
    const frt_model *model = draft->members[index].layout->model;

    if (model == NULL) /* padding */
        return FRT_OK;
    if (draft->model == NULL)
        draft->model = model;
    if (draft->model != model)
        return draft_fault(draft, index, FRT_BAD_LAYOUT,
                           "it is of another model than the struct");
    return FRT_OK;
}

static frt_status
draft_count_names(struct draft *draft, const frt_member *member)
{
    size_t text_size;

    if (member->name == NULL) {
        if (layout_lends_names(member->layout)) {
            draft->has_named = true;
            draft->name_count += member->layout->name_count;
        }
        return FRT_OK;
    }
    text_size = strlen(member->name) + 1;
    draft->has_named = true;
    draft->name_count++;
    if (!frti_add(&draft->text_size, draft->text_size, text_size))
        return frti_no_memory(text_size, "a member's name");
    return FRT_OK;
}

static frt_status
draft_check_member(struct draft *draft, size_t index)
{
    const frt_member *member = &draft->members[index];
    frt_status status;
    const char *fault;

    if (member->layout == NULL)
        return draft_fault(draft, index, FRT_BAD_ARGUMENT,
                           "its layout is NULL");
    fault = name_fault(member);
    if (fault != NULL)
        return draft_fault(draft, index, FRT_BAD_ARGUMENT, fault);
    fault = member_fault(draft, index);
    if (fault != NULL)
        return draft_fault(draft, index, FRT_BAD_LAYOUT, fault);
    status = draft_take_model(draft, index);
    if (status == FRT_OK)
        status = frti_layout_deepen(&draft->depth, member->layout->depth);
    if (status == FRT_OK)
        status = draft_count_names(draft, member);
    return status;
}

static frt_status
draft_check(struct draft *draft)
{
    frt_status status = draft_check_options(draft);

    if (draft->options.tag != NULL)
        draft->text_size = strlen(draft->options.tag) + 1;
    draft->model = draft->options.model;
    for (size_t i = 0; status == FRT_OK && i < draft->count; i++)
        status = draft_check_member(draft, i);
    if (draft->model == NULL)
        draft->model = frt_model_native();
    return status;
}

/* --------------------------------------------------------------- names --- */

static const char **
names_of_layout(const char **into, const frt_layout *layout)
{
    if (layout->name_count == 0)
        return into;
    for (size_t i = 0; i < layout->count; i++) {
        const frt_place *member = &layout->members[i];

        if (member->name != NULL)
            *into++ = member->name;
        else if (layout_lends_names(member->layout))
            into = names_of_layout(into, member->layout);
    }
    return into;
}

static void
draft_names(const char **into, const struct draft *draft)
{
    for (size_t i = 0; i < draft->count; i++) {
        const frt_member *member = &draft->members[i];

        if (member->name != NULL)
            *into++ = member->name;
        else if (layout_lends_names(member->layout))
            into = names_of_layout(into, member->layout);
    }
}

static int
names_compare(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static frt_status
draft_check_names(const struct draft *draft)
{
    size_t count = draft->name_count;
    struct draft_text whole;
    frt_status status = FRT_OK;
    const char **names;
    size_t bytes;

    if (count < 2)
        return FRT_OK;
    if (!frti_multiply(&bytes, count, sizeof *names))
        return frti_no_memory(SIZE_MAX, "member names");
    names = frti_allocate(bytes, sizeof *names);
    if (names == NULL)
        return frti_no_memory(bytes, "member names");
    draft_names(names, draft);
    qsort(names, count, sizeof *names, names_compare);
    for (size_t i = 1; status == FRT_OK && i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status = frti_fail(FRT_BAD_LAYOUT, "%s has two members '%s'",
                               draft_text(&whole, draft), names[i]);
    frti_free(names, bytes, sizeof *names);
    return status;
}

/* ------------------------------------------------------------- filling --- */

/* One that is aligned to what it is aligned to anyway is the same. */
static const frt_layout *
draft_layout(const struct draft *draft, const frt_layout *layout)
{
    const frt_layout *plain = layout->plain;

    if (plain == NULL || plain->alignment != layout->alignment ||
        draft->options.packed || layout->kind == FRT_KIND_BIT_FIELD)
        return layout;
    return plain;
}

/* The texts stand behind the members. */
static void
draft_copy(frt_layout *fresh, const struct draft *draft)
{
    frt_place *places = (frt_place *)(fresh + 1);
    char *texts = (char *)(places + draft->count);

    if (draft->options.tag != NULL) {
        fresh->tag = texts;
        texts = stpcpy(texts, draft->options.tag) + 1;
    }
    for (size_t i = 0; i < draft->count; i++) {
        const frt_member *member = &draft->members[i];

        places[i].layout = frt_layout_keep(draft_layout(draft, member->layout));
        places[i].is_const =
            draft->options.is_const != NULL && draft->options.is_const[i];
        if (member->name != NULL) {
            places[i].name = texts;
            texts = stpcpy(texts, member->name) + 1;
        }
    }
    fresh->kind = draft->kind;
    fresh->model = draft->model;
    fresh->depth = draft->depth;
    fresh->is_complete = true;
    fresh->is_packed = draft->options.packed;
    fresh->declared_alignment = draft->options.alignment;
    fresh->declared_pack = draft->options.pack;
    fresh->name_count = draft->name_count;
}

/* What the whole has from this member, which has its place. */
static void
draft_inherit(frt_layout *fresh, const frt_place *member)
{
    const frt_layout *layout = member->layout;

    if (layout->kind == FRT_KIND_BIT_FIELD) {
        fresh->has_bit_fields = true;
        return;
    }
    if (layout->strict_alignment > fresh->strict_alignment)
        fresh->strict_alignment = layout->strict_alignment;
    if (layout->has_unaligned || member->offset % layout->strict_alignment != 0)
        fresh->has_unaligned = true;
    if (layout->has_foreign_padding)
        fresh->has_foreign_padding = true;
    if (layout_is_flexible(layout) || layout->has_flexible)
        fresh->has_flexible = true;
}

/* `bare` is the same struct without its explicit padding: if something is
 * elsewhere in it, a C compiler would not have left that hole. */
static bool
draft_place(frt_layout *fresh, struct frti_packing *packing,
            struct frti_packing *bare)
{
    frt_place *places = (frt_place *)(fresh + 1);

    for (size_t i = 0; i < fresh->count; i++) {
        frt_place *member = &places[i];
        frt_place in_bare = *member;

        if (!frti_packing_add(packing, member))
            return false;
        draft_inherit(fresh, member);
        if (member->layout->kind == FRT_KIND_PADDING)
            continue;
        if (!frti_packing_add(bare, &in_bare))
            return false;
        if (in_bare.offset != member->offset ||
            in_bare.bit_offset != member->bit_offset)
            fresh->has_foreign_padding = true;
    }
    return true;
}

static bool
draft_fill(frt_layout *fresh)
{
    struct frti_packing packing = {.model = fresh->model,
                                   .is_union = fresh->kind == FRT_KIND_UNION,
                                   .is_packed = fresh->is_packed,
                                   .pack = fresh->declared_pack,
                                   .alignment = 1};
    struct frti_packing bare = packing;
    size_t bare_size;

    fresh->strict_alignment = 1;
    if (!draft_place(fresh, &packing, &bare))
        return false;
    fresh->natural_alignment = packing.alignment;
    fresh->alignment = packing.alignment;
    if (fresh->declared_alignment > fresh->alignment)
        fresh->alignment = fresh->declared_alignment;
    if (!frti_packing_size(&fresh->size, &packing, fresh->alignment) ||
        !frti_packing_size(&bare_size, &bare, fresh->alignment))
        return false;
    if (bare_size != fresh->size)
        fresh->has_foreign_padding = true;
    return true;
}

static void
draft_give_up(frt_layout *fresh)
{
    for (size_t i = 0; i < fresh->count; i++)
        frt_layout_drop(fresh->members[i].layout);
    frti_free(fresh, fresh->bytes, _Alignof(frt_layout));
}

static frt_status
draft_finish(const frt_layout **out, const struct draft *draft)
{
    frt_layout *fresh = frti_layout_new(draft->count, draft->text_size);
    struct draft_text whole;

    if (fresh == NULL)
        return frti_no_memory(draft->count * sizeof(frt_place), "a layout");
    draft_copy(fresh, draft);
    if (!draft_fill(fresh)) {
        draft_give_up(fresh);
        return frti_fail(FRT_OVERFLOW, "%s is larger than any memory",
                         draft_text(&whole, draft));
    }
    return frti_layout_intern_new(out, fresh);
}

static frt_status
aggregate_make(const frt_layout **out, struct draft *draft,
               const frt_aggregate_options *options)
{
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (draft->members == NULL && draft->count != 0)
        return frti_null_argument("members");
    status = frti_options_read(&draft->options, sizeof draft->options, options,
                               "frt_aggregate_options");
    if (status == FRT_OK)
        status = draft_check(draft);
    if (status == FRT_OK)
        status = draft_check_names(draft);
    if (status == FRT_OK)
        status = draft_finish(out, draft);
    return status;
}

frt_status
frt_layout_struct(const frt_layout **out, const frt_member *members,
                  size_t count, const frt_aggregate_options *options)
{
    struct draft draft = {
        .kind = FRT_KIND_STRUCT, .members = members, .count = count};

    return aggregate_make(out, &draft, options);
}

frt_status
frt_layout_union(const frt_layout **out, const frt_member *members,
                 size_t count, const frt_aggregate_options *options)
{
    struct draft draft = {
        .kind = FRT_KIND_UNION, .members = members, .count = count};

    return aggregate_make(out, &draft, options);
}
