/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A Lua module: the declarations for `cdef`, and the library that has the
 * functions. Macros are values of Lua.
 */
#include <math.h>
#include <string.h>

#include "ffi_rt/cli/passage.h"

/* In decimal, of three digits: they end by themselves. */
static void
print_string(const char *text, size_t length)
{
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ' || c == 0x7f)
            printf("\\%03d", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void
print_integer(const frt_declaration *constant)
{
    if (!frt_layout_is_signed(constant->layout) && constant->bits > INT64_MAX)
        printf("0x%llx", (unsigned long long)constant->bits);
    else if ((int64_t)constant->bits == INT64_MIN)
        printf("-%lld - 1", (long long)INT64_MAX);
    else
        printf("%lld", (long long)constant->bits);
}

/* Lua has doubles: what is too large for one is infinite. */
static void
print_real(double number)
{
    char bytes[64];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    if (isnan(number))
        frti_text_say(&text, "0/0");
    else if (isinf(number))
        frti_text_say(&text, "%s1/0", number < 0 ? "-" : "");
    else
        frti_import_say_real(&text, number, FRT_KIND_DOUBLE);
    printf("%s", bytes);
}

static void
print_value(const frt_declaration *constant)
{
    const frt_layout *layout = constant->layout;

    if (frt_layout_is_integer(layout)) {
        print_integer(constant);
    } else if (frt_layout_is_floating(layout)) {
        print_real((double)constant->number);
    } else if (frt_layout_kind(layout) == FRT_KIND_ARRAY) {
        print_string(constant->string, frt_layout_size(layout) - 1);
    } else {
        printf("ffi.cast(\"void *\", 0x%llx)",
               (unsigned long long)constant->bits);
    }
}

static bool
name_is_keyword(const char *name)
{
    static const char *const keywords[] = {
        "and", "end", "elseif", "false",  "function", "in",   "local",
        "nil", "not", "or",     "repeat", "then",     "true", "until"};

    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(name, keywords[i]) == 0)
            return true;
    return false;
}

static void
print_constants(const struct frti_import *import,
                const struct frti_passages *passages)
{
    const frt_declaration *constant;
    size_t at = 0;

    printf("return setmetatable({\n");
    while (frti_import_next_macro(import, passages, &at, &constant)) {
        printf(name_is_keyword(constant->name) ? "    [\"%s\"] = "
                                               : "    %s = ",
               constant->name);
        print_value(constant);
        printf(",\n");
    }
    printf("}, {__index = library, __newindex = library})\n");
}

/* A long string whose brackets no declaration can close. */
void
frti_import_print_lua(const struct frti_import *import,
                      struct frti_passages *passages)
{
    printf("-- made by ffi-rt import\n"
           "local ffi = require \"ffi_rt\"\n"
           "ffi.cdef [====[\n");
    frti_import_print_passages(stdout, passages);
    printf("]====]\n");
    if (import->library == NULL)
        printf("local library = ffi.C\n");
    else
        printf("local library = ffi.load \"%s\"\n", import->library);
    print_constants(import, passages);
}
