/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Names of types, as LuaJIT writes them: `int (*)[3]`, `struct point &`. A
 * declarator grows from its middle, so the text does as well.
 */
#include "ffi_rt/lua/ctype.h"
#include "ffi_rt/lua/tag.h"

#include <stdio.h>
#include <string.h>

struct name {
    char bytes[512];
    size_t begin, end;      /* the text lies between */
    bool needs_parenthesis; /* a star, or the & of a reference, stands first */
};

/* What does not fit is left out: it is a name for people. */
static void
name_before(struct name *name, const char *text)
{
    size_t length = strlen(text);

    if (length > name->begin)
        return;
    name->begin -= length;
    memcpy(name->bytes + name->begin, text, length);
}

static void
name_behind(struct name *name, const char *text)
{
    size_t length = strlen(text);

    if (length > sizeof name->bytes - name->end)
        return;
    memcpy(name->bytes + name->end, text, length);
    name->end += length;
}

/* A word before what is there. */
static void
name_word(struct name *name, const char *word)
{
    char first = name->begin < name->end ? name->bytes[name->begin] : 0;

    if (first != 0)
        name_before(name, " ");
    name_before(name, word);
}

static void
name_parenthesise(struct name *name)
{
    if (name->needs_parenthesis) {
        name_before(name, "(");
        name_behind(name, ")");
    }
    name->needs_parenthesis = false;
}

static const char *
name_integer(const frt_layout *layout)
{
    static const char *const names[][2] = {
        {"unsigned char", "char"},         {"unsigned short", "short"},
        {"unsigned int", "int"},           {"uint64_t", "int64_t"},
        {"unsigned __int128", "__int128"},
    };
    size_t size = frt_layout_size(layout), row = 0;

    while (size > 1) {
        size /= 2;
        row++;
    }
    return names[row][frt_layout_is_signed(layout)];
}

static const char *
name_floating(frt_kind kind)
{
    switch (kind) {
    case FRT_KIND_FLOAT16:
        return "_Float16";
    case FRT_KIND_FLOAT:
        return "float";
    case FRT_KIND_DOUBLE:
        return "double";
    case FRT_KIND_LONG_DOUBLE:
        return "long double";
    default:
        return "__float128";
    }
}

/* `struct tag`, or its address in place of a tag that the user gave. */
static void
name_tagged(struct name *name, const char *word, const frt_layout *layout)
{
    const char *tag = frt_layout_tag(layout);
    char number[24];

    if (tag == NULL || strncmp(tag, FRTI_TAG, strlen(FRTI_TAG)) == 0) {
        snprintf(number, sizeof number, "%llu",
                 (unsigned long long)((uintptr_t)layout >> 4 & 0xffffff));
        tag = number;
    }
    name_word(name, tag);
    name_word(name, word);
}

static void
name_simple(struct name *name, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    if (kind == FRT_KIND_STRUCT)
        name_tagged(name, "struct", layout);
    else if (kind == FRT_KIND_UNION)
        name_tagged(name, "union", layout);
    else if (kind == FRT_KIND_ENUM)
        name_tagged(name, "enum", layout);
    else if (kind == FRT_KIND_BOOL)
        name_word(name, "bool");
    else if (kind == FRT_KIND_SCHAR)
        name_word(name, frt_layout_is_signed(frt_layout_value(
                            FRT_KIND_CHAR, frt_layout_model(layout)))
                            ? "char"
                            : "signed char");
    else if (kind == FRT_KIND_CHAR)
        name_word(name, "char");
    else if (kind == FRT_KIND_VOID)
        name_word(name, "void");
    else if (frt_layout_is_integer(layout))
        name_word(name, name_integer(layout));
    else
        name_word(name, name_floating(kind));
}

static void
name_array(struct name *name, const frt_layout *layout)
{
    char count[32];

    if (frt_layout_count(layout) == FRT_FLEXIBLE)
        snprintf(count, sizeof count, "[?]");
    else
        snprintf(count, sizeof count, "[%zu]", frt_layout_count(layout));
    name_parenthesise(name);
    name_behind(name, count);
}

static void
name_complex(struct name *name, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(frt_layout_element(layout));

    if (kind != FRT_KIND_DOUBLE)
        name_word(name, name_floating(kind));
    name_word(name, "complex");
}

static void
name_vector(struct name *name, const frt_layout *layout)
{
    char text[64];

    snprintf(text, sizeof text, "__attribute__((vector_size(%zu)))",
             frt_layout_size(layout));
    name_word(name, text);
}

/* One derivation; returns what it is derived from, NULL at the end. */
static const frt_layout *
name_step(struct name *name, const frt_layout *layout)
{
    switch (frt_layout_kind(layout)) {
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        name_before(name, "*");
        name->needs_parenthesis = true;
        return frt_layout_element(layout) == NULL ? FRT_VOID
                                                  : frt_layout_element(layout);
    case FRT_KIND_ARRAY:
        name_array(name, layout);
        return frt_layout_element(layout);
    case FRT_KIND_FUNCTION:
        name_parenthesise(name);
        name_behind(name, "()");
        return frt_descriptor_result(frt_layout_descriptor(layout));
    case FRT_KIND_COMPLEX:
        name_complex(name, layout);
        return NULL;
    case FRT_KIND_VECTOR:
        name_vector(name, layout);
        return frt_layout_element(layout);
    default:
        name_simple(name, layout);
        return NULL;
    }
}

/* The pointee of a pointer to const says so, unless it is a pointer itself. */
static const frt_layout *
name_pointee(struct name *name, const frt_layout *pointer,
             const frt_layout *pointee)
{
    frt_kind kind = frt_layout_kind(pointee);

    if (!frt_layout_is_const(pointer))
        return pointee;
    if (kind == FRT_KIND_POINTER || kind == FRT_KIND_ARRAY) {
        name_before(name, kind == FRT_KIND_POINTER ? "const " : "");
        return pointee;
    }
    while ((pointee = name_step(name, pointee)) != NULL)
        continue;
    name_before(name, "const ");
    return NULL;
}

const char *
frti_ctype_name_with(lua_State *L, const struct frti_ctype *type,
                     const char *suffix)
{
    const frt_layout *layout = type->layout, *next;
    struct name name = {.begin = 256, .end = 256};

    name_behind(&name, suffix);
    name.needs_parenthesis = *suffix != '\0';
    if (type->plain != NULL && type->form == FRTI_POINTER)
        name_before(&name, "const");
    while (layout != NULL) {
        frt_kind kind = frt_layout_kind(layout);

        next = name_step(&name, layout);
        if (next != NULL && kind == FRT_KIND_POINTER)
            next = name_pointee(&name, layout, next);
        layout = next;
    }
    if (type->plain != NULL && type->form != FRTI_POINTER)
        name_before(&name, "const ");
    return lua_pushlstring(L, name.bytes + name.begin, name.end - name.begin);
}

const char *
frti_ctype_name(lua_State *L, const struct frti_ctype *type)
{
    return frti_ctype_name_with(L, type, "");
}
