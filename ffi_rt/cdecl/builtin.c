/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Names that a text may use without declaring them: types of <stdint.h>,
 * <stddef.h>, <sys/types.h> and their like, a column a target, and the
 * constants of C23. A declaration of the same name goes before.
 */
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/parser.h"
#include "ffi_rt/layout/layout.h"

enum builtin_target { BUILTIN_X86_64, BUILTIN_AARCH64, BUILTIN_APPLE };

struct builtin_type {
    const char *name;
    frt_kind kinds[3];
};

#define BUILTIN_SAME(kind)                                                     \
    {                                                                          \
        FRT_KIND_##kind, FRT_KIND_##kind, FRT_KIND_##kind                      \
    }
#define BUILTIN_EACH(x86_64, aarch64, apple)                                   \
    {                                                                          \
        FRT_KIND_##x86_64, FRT_KIND_##aarch64, FRT_KIND_##apple                \
    }

/* Sorted as strcmp does. The Linux columns are glibc's, Apple's its SDK's. */
static const struct builtin_type builtin_types[] = {
    {"__int128_t", BUILTIN_SAME(INT128)},
    {"__uint128_t", BUILTIN_SAME(UINT128)},
    {"blkcnt_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"blksize_t", BUILTIN_EACH(LONG, INT, INT)},
    {"bool", BUILTIN_SAME(BOOL)},
    {"char16_t", BUILTIN_SAME(USHORT)},
    {"char32_t", BUILTIN_SAME(UINT)},
    {"char8_t", BUILTIN_SAME(UCHAR)},
    {"clock_t", BUILTIN_EACH(LONG, LONG, ULONG)},
    {"clockid_t", BUILTIN_EACH(INT, INT, UINT)},
    {"dev_t", BUILTIN_EACH(ULONG, ULONG, INT)},
    {"fsblkcnt_t", BUILTIN_EACH(ULONG, ULONG, UINT)},
    {"fsfilcnt_t", BUILTIN_EACH(ULONG, ULONG, UINT)},
    {"gid_t", BUILTIN_SAME(UINT)},
    {"id_t", BUILTIN_SAME(UINT)},
    {"in_addr_t", BUILTIN_SAME(UINT)},
    {"in_port_t", BUILTIN_SAME(USHORT)},
    {"ino64_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"ino_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"int16_t", BUILTIN_SAME(SHORT)},
    {"int32_t", BUILTIN_SAME(INT)},
    {"int64_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"int8_t", BUILTIN_SAME(SCHAR)},
    {"int_fast16_t", BUILTIN_EACH(LONG, LONG, SHORT)},
    {"int_fast32_t", BUILTIN_EACH(LONG, LONG, INT)},
    {"int_fast64_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"int_fast8_t", BUILTIN_SAME(SCHAR)},
    {"int_least16_t", BUILTIN_SAME(SHORT)},
    {"int_least32_t", BUILTIN_SAME(INT)},
    {"int_least64_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"int_least8_t", BUILTIN_SAME(SCHAR)},
    {"intmax_t", BUILTIN_SAME(LONG)},
    {"intptr_t", BUILTIN_SAME(LONG)},
    {"key_t", BUILTIN_SAME(INT)},
    {"loff_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"mode_t", BUILTIN_EACH(UINT, UINT, USHORT)},
    {"nlink_t", BUILTIN_EACH(ULONG, UINT, USHORT)},
    {"off64_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"off_t", BUILTIN_EACH(LONG, LONG, LLONG)},
    {"pid_t", BUILTIN_SAME(INT)},
    {"ptrdiff_t", BUILTIN_SAME(LONG)},
    {"rlim_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"sa_family_t", BUILTIN_EACH(USHORT, USHORT, UCHAR)},
    {"size_t", BUILTIN_SAME(ULONG)},
    {"socklen_t", BUILTIN_SAME(UINT)},
    {"ssize_t", BUILTIN_SAME(LONG)},
    {"suseconds_t", BUILTIN_EACH(LONG, LONG, INT)},
    {"time_t", BUILTIN_SAME(LONG)},
    {"u_char", BUILTIN_SAME(UCHAR)},
    {"u_int", BUILTIN_SAME(UINT)},
    {"u_int16_t", BUILTIN_SAME(USHORT)},
    {"u_int32_t", BUILTIN_SAME(UINT)},
    {"u_int64_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"u_int8_t", BUILTIN_SAME(UCHAR)},
    {"u_long", BUILTIN_SAME(ULONG)},
    {"u_short", BUILTIN_SAME(USHORT)},
    {"uid_t", BUILTIN_SAME(UINT)},
    {"uint", BUILTIN_SAME(UINT)},
    {"uint16_t", BUILTIN_SAME(USHORT)},
    {"uint32_t", BUILTIN_SAME(UINT)},
    {"uint64_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"uint8_t", BUILTIN_SAME(UCHAR)},
    {"uint_fast16_t", BUILTIN_EACH(ULONG, ULONG, USHORT)},
    {"uint_fast32_t", BUILTIN_EACH(ULONG, ULONG, UINT)},
    {"uint_fast64_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"uint_fast8_t", BUILTIN_SAME(UCHAR)},
    {"uint_least16_t", BUILTIN_SAME(USHORT)},
    {"uint_least32_t", BUILTIN_SAME(UINT)},
    {"uint_least64_t", BUILTIN_EACH(ULONG, ULONG, ULLONG)},
    {"uint_least8_t", BUILTIN_SAME(UCHAR)},
    {"uintmax_t", BUILTIN_SAME(ULONG)},
    {"uintptr_t", BUILTIN_SAME(ULONG)},
    {"ulong", BUILTIN_SAME(ULONG)},
    {"useconds_t", BUILTIN_SAME(UINT)},
    {"ushort", BUILTIN_SAME(USHORT)},
    {"wchar_t", BUILTIN_EACH(INT, UINT, INT)},
    {"wint_t", BUILTIN_EACH(UINT, UINT, INT)},
};

static enum builtin_target
builtin_target_of(const struct frti_parser *parser)
{
    const char *name = frt_model_name(parser->model);

    if (strcmp(name, "aarch64") == 0)
        return BUILTIN_AARCH64;
    return strcmp(name, "aarch64-apple") == 0 ? BUILTIN_APPLE : BUILTIN_X86_64;
}

static const struct builtin_type *
builtin_find(const char *name)
{
    size_t low = 0;
    size_t high = FRTI_ARRAY_LENGTH(builtin_types);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, builtin_types[middle].name);

        if (order == 0)
            return &builtin_types[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

frt_kind
frti_builtin_character(const struct frti_parser *parser, char prefix)
{
    const char *name = prefix == 'L'   ? "wchar_t"
                       : prefix == 'u' ? "char16_t"
                                       : "char32_t";

    return builtin_find(name)->kinds[builtin_target_of(parser)];
}

static bool
builtin_struct(struct frti_parser *parser, struct frti_type *out,
               const char *tag, const frt_member *members, size_t count,
               size_t position)
{
    const frt_aggregate_options options = {
        .size = sizeof options, .tag = tag, .model = parser->model};
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_struct(&layout, members, count, &options);

    *out = (struct frti_type){.layout = layout};
    return frti_take(parser, position, status, layout);
}

/* <stddef.h> of gcc and clang: their max_align_t has two members. */
static bool
builtin_max_align(struct frti_parser *parser, struct frti_type *out,
                  size_t position)
{
    const frt_model *model = parser->model;
    const frt_member members[] = {
        {"__max_align_ll", frt_layout_value(FRT_KIND_LLONG, model)},
        {"__max_align_ld", frt_layout_value(FRT_KIND_LONG_DOUBLE, model)},
    };

    return builtin_struct(parser, out, NULL, members,
                          FRTI_ARRAY_LENGTH(members), position);
}

/* System V ABI, AMD64 supplement 1.0, 3.5.7; Procedure Call Standard for
 * AArch64, 2023Q3, 10.1.5; a plain pointer on Apple's. */
static bool
builtin_va_list(struct frti_parser *parser, struct frti_type *out,
                size_t position)
{
    const frt_model *model = parser->model;
    const frt_layout *address = frt_layout_address(FRT_KIND_POINTER, model);
    const frt_layout *number = frt_layout_value(FRT_KIND_INT, model);
    const frt_layout *offset = frt_layout_value(FRT_KIND_UINT, model);
    const frt_member x86_64[] = {{"gp_offset", offset},
                                 {"fp_offset", offset},
                                 {"overflow_arg_area", address},
                                 {"reg_save_area", address}};
    const frt_member aarch64[] = {{"__stack", address},
                                  {"__gr_top", address},
                                  {"__vr_top", address},
                                  {"__gr_offs", number},
                                  {"__vr_offs", number}};
    bool is_made = true;

    if (builtin_target_of(parser) == BUILTIN_APPLE)
        *out = (struct frti_type){.layout = address};
    else if (builtin_target_of(parser) == BUILTIN_AARCH64)
        is_made = builtin_struct(parser, out, "__va_list", aarch64,
                                 FRTI_ARRAY_LENGTH(aarch64), position);
    else
        is_made = builtin_struct(parser, out, "__va_list_tag", x86_64,
                                 FRTI_ARRAY_LENGTH(x86_64), position) &&
                  frti_type_array(parser, out, out, 1, position);
    out->is_va_list = true;
    return is_made;
}

/* Opaque structs are known by their tag alone. */
static bool
builtin_opaque(struct frti_parser *parser, struct frti_type *out,
               const char *tag, size_t position)
{
    const frt_layout *layout = NULL;
    frt_status status =
        frti_layout_incomplete_in(&layout, FRT_KIND_STRUCT, tag, parser->model);

    *out = (struct frti_type){.layout = layout};
    return frti_take(parser, position, status, layout);
}

static bool
builtin_is_va_list(const char *name)
{
    return strcmp(name, "va_list") == 0 ||
           strcmp(name, "__builtin_va_list") == 0 ||
           strcmp(name, "__gnuc_va_list") == 0;
}

bool
frti_builtin_is_type(const struct frti_name *name)
{
    return builtin_find(name->text) != NULL || builtin_is_va_list(name->text) ||
           strcmp(name->text, "FILE") == 0 || strcmp(name->text, "DIR") == 0 ||
           strcmp(name->text, "nullptr_t") == 0 ||
           strcmp(name->text, "max_align_t") == 0;
}

bool
frti_builtin_type(struct frti_parser *parser, struct frti_type *out,
                  const struct frti_token *token)
{
    const char *name = token->name->text;
    const struct builtin_type *found = builtin_find(name);

    if (found != NULL)
        return frti_type_value(parser, out,
                               found->kinds[builtin_target_of(parser)],
                               token->position);
    if (strcmp(name, "FILE") == 0)
        return builtin_opaque(
            parser, out,
            builtin_target_of(parser) == BUILTIN_APPLE ? "__sFILE" : "_IO_FILE",
            token->position);
    if (strcmp(name, "DIR") == 0)
        return builtin_opaque(parser, out, "__dirstream", token->position);
    if (strcmp(name, "max_align_t") == 0)
        return builtin_max_align(parser, out, token->position);
    if (builtin_is_va_list(name))
        return builtin_va_list(parser, out, token->position);
    *out = (struct frti_type){
        /* nullptr_t */
        .layout = frt_layout_address(FRT_KIND_POINTER, parser->model)};
    return true;
}

bool
frti_builtin_constant(struct frti_parser *parser, struct frti_literal *out,
                      const struct frti_name *name)
{
    bool is_true = strcmp(name->text, "true") == 0;
    frt_kind kind = FRT_KIND_BOOL;

    if (strcmp(name->text, "nullptr") == 0)
        kind = FRT_KIND_POINTER;
    else if (!is_true && strcmp(name->text, "false") != 0)
        return false;
    *out = (struct frti_literal){
        .layout = kind == FRT_KIND_POINTER
                      ? frt_layout_address(kind, parser->model)
                      : frt_layout_value(kind, parser->model),
        .bits = is_true};
    return true;
}
