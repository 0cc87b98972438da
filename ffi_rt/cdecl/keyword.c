/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The keywords in every spelling. `bool`, `true`, `false` and `nullptr` are
 * not among them: older texts declare them, so they are built-in names. */
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/lexer.h"

struct keyword {
    const char *word;
    int kind;
};

/* Sorted as strcmp does. */
static const struct keyword keyword_table[] = {
    {"_Alignas", FRTI_TOKEN_ALIGNAS},
    {"_Alignof", FRTI_TOKEN_ALIGNOF},
    {"_Atomic", FRTI_TOKEN_ATOMIC},
    {"_BitInt", FRTI_TOKEN_REFUSED_TYPE},
    {"_Bool", FRTI_TOKEN_BOOL},
    {"_Complex", FRTI_TOKEN_COMPLEX},
    {"_Decimal128", FRTI_TOKEN_REFUSED_TYPE},
    {"_Decimal32", FRTI_TOKEN_REFUSED_TYPE},
    {"_Decimal64", FRTI_TOKEN_REFUSED_TYPE},
    {"_ExtInt", FRTI_TOKEN_REFUSED_TYPE},
    {"_Float128", FRTI_TOKEN_FLOAT128},
    {"_Float16", FRTI_TOKEN_FLOAT16},
    {"_Float32", FRTI_TOKEN_FLOAT32},
    {"_Float32x", FRTI_TOKEN_FLOAT32X},
    {"_Float64", FRTI_TOKEN_FLOAT64},
    {"_Float64x", FRTI_TOKEN_FLOAT64X},
    {"_Generic", FRTI_TOKEN_GENERIC},
    {"_Imaginary", FRTI_TOKEN_REFUSED_TYPE},
    {"_Nonnull", FRTI_TOKEN_NULLABILITY},
    {"_Noreturn", FRTI_TOKEN_NORETURN},
    {"_Null_unspecified", FRTI_TOKEN_NULLABILITY},
    {"_Nullable", FRTI_TOKEN_NULLABILITY},
    {"_Pragma", FRTI_TOKEN_PRAGMA},
    {"_Static_assert", FRTI_TOKEN_STATIC_ASSERT},
    {"_Thread_local", FRTI_TOKEN_THREAD_LOCAL},
    {"__alignof", FRTI_TOKEN_ALIGNOF},
    {"__alignof__", FRTI_TOKEN_ALIGNOF},
    {"__asm", FRTI_TOKEN_ASM},
    {"__asm__", FRTI_TOKEN_ASM},
    {"__attribute", FRTI_TOKEN_ATTRIBUTE},
    {"__attribute__", FRTI_TOKEN_ATTRIBUTE},
    {"__auto_type", FRTI_TOKEN_REFUSED_TYPE},
    {"__bf16", FRTI_TOKEN_REFUSED_TYPE},
    {"__builtin_offsetof", FRTI_TOKEN_OFFSETOF},
    {"__complex", FRTI_TOKEN_COMPLEX},
    {"__complex__", FRTI_TOKEN_COMPLEX},
    {"__const", FRTI_TOKEN_CONST},
    {"__const__", FRTI_TOKEN_CONST},
    {"__extension__", FRTI_TOKEN_EXTENSION},
    {"__float128", FRTI_TOKEN_FLOAT128},
    {"__float80", FRTI_TOKEN_FLOAT64X},
    {"__inline", FRTI_TOKEN_INLINE},
    {"__inline__", FRTI_TOKEN_INLINE},
    {"__int128", FRTI_TOKEN_INT128},
    {"__restrict", FRTI_TOKEN_RESTRICT},
    {"__restrict__", FRTI_TOKEN_RESTRICT},
    {"__signed", FRTI_TOKEN_SIGNED},
    {"__signed__", FRTI_TOKEN_SIGNED},
    {"__thread", FRTI_TOKEN_THREAD_LOCAL},
    {"__typeof", FRTI_TOKEN_TYPEOF},
    {"__typeof__", FRTI_TOKEN_TYPEOF},
    {"__volatile", FRTI_TOKEN_VOLATILE},
    {"__volatile__", FRTI_TOKEN_VOLATILE},
    {"alignas", FRTI_TOKEN_ALIGNAS},
    {"alignof", FRTI_TOKEN_ALIGNOF},
    {"asm", FRTI_TOKEN_ASM},
    {"auto", FRTI_TOKEN_AUTO},
    {"break", FRTI_TOKEN_STATEMENT},
    {"case", FRTI_TOKEN_STATEMENT},
    {"char", FRTI_TOKEN_CHAR},
    {"const", FRTI_TOKEN_CONST},
    {"constexpr", FRTI_TOKEN_CONSTEXPR},
    {"continue", FRTI_TOKEN_STATEMENT},
    {"default", FRTI_TOKEN_STATEMENT},
    {"do", FRTI_TOKEN_STATEMENT},
    {"double", FRTI_TOKEN_DOUBLE},
    {"else", FRTI_TOKEN_STATEMENT},
    {"enum", FRTI_TOKEN_ENUM},
    {"extern", FRTI_TOKEN_EXTERN},
    {"float", FRTI_TOKEN_FLOAT},
    {"for", FRTI_TOKEN_STATEMENT},
    {"goto", FRTI_TOKEN_STATEMENT},
    {"if", FRTI_TOKEN_STATEMENT},
    {"inline", FRTI_TOKEN_INLINE},
    {"int", FRTI_TOKEN_INT},
    {"long", FRTI_TOKEN_LONG},
    {"offsetof", FRTI_TOKEN_OFFSETOF},
    {"register", FRTI_TOKEN_REGISTER},
    {"restrict", FRTI_TOKEN_RESTRICT},
    {"return", FRTI_TOKEN_STATEMENT},
    {"short", FRTI_TOKEN_SHORT},
    {"signed", FRTI_TOKEN_SIGNED},
    {"sizeof", FRTI_TOKEN_SIZEOF},
    {"static", FRTI_TOKEN_STATIC},
    {"static_assert", FRTI_TOKEN_STATIC_ASSERT},
    {"struct", FRTI_TOKEN_STRUCT},
    {"switch", FRTI_TOKEN_STATEMENT},
    {"thread_local", FRTI_TOKEN_THREAD_LOCAL},
    {"typedef", FRTI_TOKEN_TYPEDEF},
    {"typeof", FRTI_TOKEN_TYPEOF},
    {"typeof_unqual", FRTI_TOKEN_TYPEOF},
    {"union", FRTI_TOKEN_UNION},
    {"unsigned", FRTI_TOKEN_UNSIGNED},
    {"void", FRTI_TOKEN_VOID},
    {"volatile", FRTI_TOKEN_VOLATILE},
    {"while", FRTI_TOKEN_STATEMENT},
};

static int
keyword_compare(const char *word, size_t length, const char *other)
{
    int order = strncmp(word, other, length);

    return order != 0 ? order : -(other[length] != '\0');
}

int
frti_keyword(const char *word, size_t length)
{
    size_t low = 0;
    size_t high = FRTI_ARRAY_LENGTH(keyword_table);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = keyword_compare(word, length, keyword_table[middle].word);

        if (order == 0)
            return keyword_table[middle].kind;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return FRTI_TOKEN_NAME;
}
