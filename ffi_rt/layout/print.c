/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Layouts and descriptors as C text.
 *
 * A C declarator stands around its name: what comes before is printed from the
 * innermost type outwards, then the name, then what comes after in the other
 * direction. So each type has a `before` and an `after`.
 *
 * A struct with a tag has its body where it stands by value for the first
 * time, and is `struct tag` behind a pointer and from then on.
 */
#include "ffi_rt/layout/c_text.h"
#include "ffi_rt/layout/descriptor.h"
#include "ffi_rt/layout/layout.h"
#include "ffi_rt/layout/packing.h"

/* So many tags are known to have their body already. */
#define PRINT_TAGS 64

struct printer {
    struct frti_c_text text;
    unsigned by_pointer; /* pointers around this, within its struct */
    const frt_layout *with_body[PRINT_TAGS];
    size_t with_body_count;
};

static void print_before(struct printer *printer, const frt_layout *layout,
                         bool is_const);
static void print_after(struct printer *printer, const frt_layout *layout);

/* ---------------------------------------------------------- attributes --- */

/* `__attribute__((packed, aligned(n)))`, what of it is wanted. */
static void
print_attributes(struct printer *printer, bool is_packed, size_t alignment)
{
    if (!is_packed && alignment == 0)
        return;
    frti_c_text_put(&printer->text, "__attribute__((");
    if (is_packed)
        frti_c_text_put(&printer->text, alignment != 0 ? "packed, " : "packed");
    if (alignment != 0)
        frti_c_text_format(&printer->text, "aligned(%zu)", alignment);
    frti_c_text_put(&printer->text, "))");
    printer->text.wants_space = true;
}

/* An alignment within an array cannot be written there; on the whole it has
 * the same effect. */
static const frt_layout *
layout_without_align(const frt_layout *layout)
{
    while (layout->plain != NULL || layout->kind == FRT_KIND_ARRAY)
        layout = layout->plain != NULL ? layout->plain : layout->element;
    return layout;
}

/* #pragma pack cannot stand within a type. Instead the struct is packed, and
 * its members are aligned as they are. */
static bool
layout_prints_packed(const frt_layout *whole)
{
    return whole->is_packed || whole->declared_pack != 0;
}

/* What the member has, and what it would have without an attribute. */
struct alignments {
    size_t own;
    size_t given;
};

static struct alignments
member_alignments(const frt_layout *whole, const frt_layout *layout)
{
    struct alignments of;

    of.own =
        frti_packing_alignment(layout, whole->is_packed, whole->declared_pack);
    of.given = layout_prints_packed(whole)
                   ? 1
                   : layout_without_align(layout)->alignment;
    return of;
}

static void
print_member_attributes(struct printer *printer, const frt_layout *whole,
                        const frt_layout *layout)
{
    struct alignments of = member_alignments(whole, layout);

    printer->text.wants_space = true;
    if (of.own < of.given)
        print_attributes(printer, true, of.own == 1 ? 0 : of.own);
    else if (of.own > of.given || layout->plain != NULL)
        print_attributes(printer, false, of.own);
}

/* What follows an unnamed struct's brace belongs to its type. _Alignas cannot
 * lower; in a packed struct a bit-field of width 0 can do it. */
static void
print_unnamed_alignment(struct printer *printer, const frt_layout *whole,
                        const frt_layout *layout)
{
    static const char *const units[] = {
        [2] = "short", [4] = "int", [8] = "long", [16] = "__int128"};
    struct alignments of = member_alignments(whole, layout);

    if (of.own == of.given)
        return;
    if (of.own >= layout_without_align(layout)->alignment)
        frti_c_text_format(&printer->text, "_Alignas(%zu)", of.own);
    else if (of.own > of.given && of.own <= 16)
        frti_c_text_format(&printer->text, "%s : 0;", units[of.own]);
    printer->text.wants_space = true;
}

/* ------------------------------------------------- structs and unions --- */

static const frt_layout *
layout_plain(const frt_layout *layout)
{
    return layout->plain != NULL ? layout->plain : layout;
}

static bool
printer_wants_body(struct printer *printer, const frt_layout *layout)
{
    if (!layout->is_complete)
        return false;
    if (layout->tag == NULL)
        return true;
    if (printer->by_pointer != 0)
        return false;
    for (size_t i = 0; i < printer->with_body_count; i++)
        if (printer->with_body[i] == layout_plain(layout))
            return false;
    if (printer->with_body_count < PRINT_TAGS)
        printer->with_body[printer->with_body_count++] = layout_plain(layout);
    return true;
}

static void
print_padding(struct printer *printer, const frt_layout *whole,
              const frt_place *member)
{
    if (whole->has_foreign_padding)
        frti_c_text_format(&printer->text, "char _padding%zu[%zu];",
                           member->offset, member->layout->size);
    else
        frti_c_text_format(&printer->text, "/* %zu bytes of padding */",
                           member->layout->size);
    printer->text.wants_space = true;
}

/* gcc lowers a vector's alignment only before it has made a vector of it. */
static bool
member_begins_with_attributes(const frt_layout *whole, const frt_layout *layout)
{
    struct alignments of = member_alignments(whole, layout);

    return of.own < of.given &&
           layout_without_align(layout)->kind == FRT_KIND_VECTOR;
}

static void
print_named(struct printer *printer, const frt_place *member)
{
    print_before(printer, member->layout, member->is_const);
    if (member->name != NULL)
        frti_c_text_put(&printer->text, member->name);
    print_after(printer, member->layout);
}

/* A field that #pragma pack(1) leaves of its alignment just the byte begins
 * one: on a layout, aligned(1) would be packed. */
static void
print_field(struct printer *printer, const frt_layout *whole,
            const frt_place *member)
{
    const frt_layout *layout = member->layout;
    bool is_packed = layout->plain != NULL && layout->alignment == 1;
    size_t pack = whole->declared_pack;
    size_t alignment = 0;

    if (layout->plain != NULL && !is_packed)
        alignment = layout->alignment;
    if (pack != 0 && layout->count != 0 && alignment > pack)
        alignment = pack;
    if (alignment == 1)
        frti_c_text_put_word(&printer->text, "char : 0;");
    print_named(printer, member);
    printer->text.wants_space = true;
    print_attributes(printer, is_packed, alignment == 1 ? 0 : alignment);
}

static void
print_whole_member(struct printer *printer, const frt_layout *whole,
                   const frt_place *member)
{
    const frt_layout *layout = member->layout;
    bool is_nested = member->name == NULL && layout->members != NULL;
    bool is_first = member_begins_with_attributes(whole, layout);

    if (is_nested)
        print_unnamed_alignment(printer, whole, layout);
    else if (is_first)
        print_member_attributes(printer, whole, layout);
    print_named(printer, member);
    if (!is_nested && !is_first)
        print_member_attributes(printer, whole, layout);
}

static void
print_member(struct printer *printer, const frt_layout *whole,
             const frt_place *member)
{
    if (member->layout->kind == FRT_KIND_PADDING) {
        print_padding(printer, whole, member);
        return;
    }
    if (member->layout->kind == FRT_KIND_BIT_FIELD)
        print_field(printer, whole, member);
    else
        print_whole_member(printer, whole, member);
    frti_c_text_end(&printer->text, ";");
    printer->text.wants_space = true;
}

static void
print_body(struct printer *printer, const frt_layout *layout)
{
    unsigned by_pointer = printer->by_pointer;

    printer->by_pointer = 0;
    frti_c_text_put_word(&printer->text, "{");
    for (size_t i = 0;
         i < layout->count && !frti_c_text_is_full(&printer->text); i++)
        print_member(printer, layout, &layout->members[i]);
    frti_c_text_put_word(&printer->text, "}");
    printer->by_pointer = by_pointer;
}

static void
print_aggregate(struct printer *printer, const frt_layout *layout)
{
    bool with_body = printer_wants_body(printer, layout);
    size_t alignment = layout->declared_alignment;

    /* a packed struct's bit-fields ask for no alignment */
    if (layout->declared_pack != 0 && layout_plain(layout)->alignment != 1)
        alignment = layout_plain(layout)->alignment;
    frti_c_text_put_word(&printer->text,
                         layout->kind == FRT_KIND_STRUCT ? "struct" : "union");
    if (with_body)
        print_attributes(printer, layout_prints_packed(layout), alignment);
    if (layout->tag != NULL)
        frti_c_text_put_word(&printer->text, layout->tag);
    if (with_body)
        print_body(printer, layout);
}

/* --------------------------------------------------------------- types --- */

static const char *const value_names[] = {
    [FRT_KIND_VOID] = "void",
    [FRT_KIND_BOOL] = "_Bool",
    [FRT_KIND_CHAR] = "char",
    [FRT_KIND_SCHAR] = "signed char",
    [FRT_KIND_UCHAR] = "unsigned char",
    [FRT_KIND_SHORT] = "short",
    [FRT_KIND_USHORT] = "unsigned short",
    [FRT_KIND_INT] = "int",
    [FRT_KIND_UINT] = "unsigned int",
    [FRT_KIND_LONG] = "long",
    [FRT_KIND_ULONG] = "unsigned long",
    [FRT_KIND_LLONG] = "long long",
    [FRT_KIND_ULLONG] = "unsigned long long",
    [FRT_KIND_INT128] = "__int128",
    [FRT_KIND_UINT128] = "unsigned __int128",
    [FRT_KIND_FLOAT16] = "_Float16",
    [FRT_KIND_FLOAT] = "float",
    [FRT_KIND_DOUBLE] = "double",
    [FRT_KIND_LONG_DOUBLE] = "long double",
    [FRT_KIND_FLOAT128] = "_Float128",
};

/* gcc stores an enum as unsigned int unless something asks for another. */
static void
print_enum(struct printer *printer, const frt_layout *layout)
{
    frti_c_text_put_word(&printer->text, "enum");
    if (layout->tag != NULL)
        frti_c_text_put_word(&printer->text, layout->tag);
    if (layout->tag == NULL || layout->element->kind != FRT_KIND_UINT) {
        frti_c_text_put_word(&printer->text, ":");
        frti_c_text_put_word(&printer->text,
                             value_names[layout->element->kind]);
    }
}

static void
print_specifiers(struct printer *printer, const frt_layout *layout)
{
    switch (layout->kind) {
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        print_aggregate(printer, layout);
        break;
    case FRT_KIND_ENUM:
        print_enum(printer, layout);
        break;
    case FRT_KIND_COMPLEX:
        frti_c_text_put_word(&printer->text,
                             value_names[layout->element->kind]);
        frti_c_text_put_word(&printer->text, "_Complex");
        break;
    case FRT_KIND_VECTOR:
        frti_c_text_put_word(&printer->text,
                             value_names[layout->element->kind]);
        frti_c_text_format(&printer->text, "__attribute__((vector_size(%zu)))",
                           layout->size);
        printer->text.wants_space = true;
        break;
    case FRT_KIND_PADDING:
        frti_c_text_format(&printer->text, "/* %zu bytes of padding */",
                           layout->size);
        break;
    default:
        frti_c_text_put_word(&printer->text, value_names[layout->kind]);
    }
}

/* A pointer to one of these needs parentheses. */
static bool
layout_follows_name(const frt_layout *layout)
{
    return layout != NULL && (layout->kind == FRT_KIND_ARRAY ||
                              layout->kind == FRT_KIND_FUNCTION);
}

static void
print_pointee_before(struct printer *printer, const frt_layout *layout)
{
    const frt_layout *pointee = layout->element;

    printer->by_pointer++;
    if (pointee != NULL) {
        print_before(printer, pointee, layout->is_const);
        return;
    }
    if (layout->is_const)
        frti_c_text_put_word(&printer->text, "const");
    frti_c_text_put_word(&printer->text, "void");
}

static void
print_pointer_before(struct printer *printer, const frt_layout *layout,
                     bool is_const)
{
    print_pointee_before(printer, layout);
    frti_c_text_put(&printer->text,
                    layout_follows_name(layout->element) ? "(*" : "*");
    if (is_const)
        frti_c_text_put_word(&printer->text, "const");
    printer->by_pointer--;
}

static void
print_before(struct printer *printer, const frt_layout *layout, bool is_const)
{
    if (frti_c_text_is_full(&printer->text))
        return;
    switch (layout->kind) {
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        print_pointer_before(printer, layout, is_const);
        break;
    case FRT_KIND_ARRAY:
    case FRT_KIND_BIT_FIELD:
        print_before(printer, layout->element, is_const);
        break;
    case FRT_KIND_FUNCTION:
        print_before(printer, layout->descriptor->result, false);
        break;
    default:
        if (is_const)
            frti_c_text_put_word(&printer->text, "const");
        print_specifiers(printer, layout);
    }
}

/* `int [static 3]` is how C says that a pointer has so many pointees. */
static bool
layout_is_static_array(const frt_layout *layout)
{
    return layout->kind == FRT_KIND_SEGMENT && layout->count != 0 &&
           layout->element != NULL && layout->element->is_complete;
}

static void
print_parameter(struct printer *printer, const frt_layout *layout)
{
    if (!layout_is_static_array(layout)) {
        print_before(printer, layout, false);
        print_after(printer, layout);
        return;
    }
    print_pointee_before(printer, layout);
    frti_c_text_format(&printer->text, "[static %zu]", layout->count);
    print_after(printer, layout->element);
    printer->by_pointer--;
}

static void
print_parameters(struct printer *printer, const frt_descriptor *descriptor)
{
    frti_c_text_put(&printer->text, "(");
    for (size_t i = 0;
         i < descriptor->fixed && !frti_c_text_is_full(&printer->text); i++) {
        if (i != 0) {
            frti_c_text_end(&printer->text, ",");
            printer->text.wants_space = true;
        }
        print_parameter(printer, descriptor->parameters[i]);
    }
    if (descriptor->is_variadic)
        frti_c_text_end(&printer->text,
                        descriptor->fixed != 0 ? ", ..." : "...");
    else if (descriptor->count == 0)
        frti_c_text_put(&printer->text, "void");
    frti_c_text_end(&printer->text, ")");
}

static void
print_after(struct printer *printer, const frt_layout *layout)
{
    if (frti_c_text_is_full(&printer->text))
        return;
    switch (layout->kind) {
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        if (layout_follows_name(layout->element))
            frti_c_text_end(&printer->text, ")");
        printer->by_pointer++;
        if (layout->element != NULL)
            print_after(printer, layout->element);
        printer->by_pointer--;
        break;
    case FRT_KIND_ARRAY:
        if (layout->count == FRT_FLEXIBLE)
            frti_c_text_put(&printer->text, "[]");
        else
            frti_c_text_format(&printer->text, "[%zu]", layout->count);
        print_after(printer, layout->element);
        break;
    case FRT_KIND_FUNCTION:
        print_parameters(printer, layout->descriptor);
        print_after(printer, layout->descriptor->result);
        break;
    case FRT_KIND_BIT_FIELD:
        printer->text.wants_space = true;
        frti_c_text_format(&printer->text, ": %zu", layout->count);
        break;
    default:
        break;
    }
}

/* ---------------------------------------------------------------- API --- */

/* On its own; a member's come from what the struct makes of it. */
static bool
layout_has_own_attributes(const frt_layout *layout)
{
    return layout->plain != NULL ||
           (layout->kind == FRT_KIND_ARRAY &&
            layout->alignment != layout_without_align(layout)->alignment);
}

static void
print_own_attributes(struct printer *printer, const frt_layout *layout)
{
    printer->text.wants_space = printer->text.length > 0;
    if (layout->kind == FRT_KIND_BIT_FIELD && layout->alignment == 1)
        print_attributes(printer, true, 0);
    else
        print_attributes(printer, false, layout->alignment);
}

size_t
frt_layout_print(char *buffer, size_t capacity, const frt_layout *layout)
{
    struct printer printer = {
        .text = {buffer, buffer == NULL ? 0 : capacity, 0, false}};

    bool is_first;

    if (layout == NULL)
        return frti_c_text_finish(&printer.text);
    /* behind its brace, they would be those of the struct itself */
    is_first = layout_has_own_attributes(layout) && layout->members != NULL;
    if (is_first)
        print_own_attributes(&printer, layout);
    print_before(&printer, layout, false);
    print_after(&printer, layout);
    if (layout_has_own_attributes(layout) && !is_first)
        print_own_attributes(&printer, layout);
    return frti_c_text_finish(&printer.text);
}

size_t
frt_descriptor_print(char *buffer, size_t capacity,
                     const frt_descriptor *descriptor, const char *name)
{
    struct printer printer = {
        .text = {buffer, buffer == NULL ? 0 : capacity, 0, false}};

    if (descriptor == NULL)
        return frti_c_text_finish(&printer.text);
    print_before(&printer, descriptor->result, false);
    if (name != NULL)
        frti_c_text_put(&printer.text, name);
    print_parameters(&printer, descriptor);
    print_after(&printer, descriptor->result);
    return frti_c_text_finish(&printer.text);
}
