/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/lexer.h"

#include "ffi_rt/cdecl/store.h"
#include "test/unit/cdecl/check.h"

/* The kinds of a text's tokens, at most `most`; -1 last: a failure. */
static size_t
lex(int *kinds, size_t most, const char *text)
{
    struct frti_source source;
    struct frti_store store = {0};
    struct frti_names names;
    struct frti_lexer lexer;
    struct frti_token token = {.kind = 0};
    size_t count = 0;

    cr_assert(frti_source_init(&source, text, NULL));
    frti_names_init(&names, &source, &store);
    frti_lexer_init(&lexer, &source, &names);
    while (count < most && token.kind != FRTI_TOKEN_END) {
        bool is_right = frti_lexer_next(&lexer, &token);

        kinds[count++] = is_right ? token.kind : -1;
        if (!is_right)
            break;
    }
    frti_names_fini(&names);
    frti_store_fini(&store);
    frti_source_fini(&source);
    return count;
}

static void
check_tokens(const char *text, const int *wanted, size_t count)
{
    int kinds[64];
    size_t seen = lex(kinds, FRTI_ARRAY_LENGTH(kinds), text);

    cr_expect_eq(seen, count, "%s: %zu tokens", text, seen);
    for (size_t i = 0; i < count && i < seen; i++)
        cr_expect_eq(kinds[i], wanted[i], "%s: token %zu is %d, not %d", text,
                     i, kinds[i], wanted[i]);
}

#define CHECK_TOKENS(text, ...)                                                \
    check_tokens(text, (const int[]){__VA_ARGS__, FRTI_TOKEN_END},             \
                 sizeof((const int[]){__VA_ARGS__, 0}) / sizeof(int))

Test(lexer, signs)
{
    CHECK_TOKENS("... -> :: << >> <= >= == != && ||", FRTI_TOKEN_ELLIPSIS,
                 FRTI_TOKEN_ARROW, FRTI_TOKEN_SCOPE, FRTI_TOKEN_SHIFT_LEFT,
                 FRTI_TOKEN_SHIFT_RIGHT, FRTI_TOKEN_LESS_EQUAL,
                 FRTI_TOKEN_GREATER_EQUAL, FRTI_TOKEN_EQUAL,
                 FRTI_TOKEN_NOT_EQUAL, FRTI_TOKEN_AND, FRTI_TOKEN_OR);
    CHECK_TOKENS("<:<%%>:>", '[', '{', '}', ']');
    CHECK_TOKENS("a<b", FRTI_TOKEN_NAME, '<', FRTI_TOKEN_NAME);
    CHECK_TOKENS("1..2", FRTI_TOKEN_NUMBER);
    CHECK_TOKENS(".5.a", FRTI_TOKEN_NUMBER);
    CHECK_TOKENS("a.b", FRTI_TOKEN_NAME, '.', FRTI_TOKEN_NAME);
}

Test(lexer, words)
{
    CHECK_TOKENS("const __const __const__", FRTI_TOKEN_CONST, FRTI_TOKEN_CONST,
                 FRTI_TOKEN_CONST);
    CHECK_TOKENS("constant _ $a a1 \xc3\xa9t\xc3\xa9", FRTI_TOKEN_NAME,
                 FRTI_TOKEN_NAME, FRTI_TOKEN_NAME, FRTI_TOKEN_NAME,
                 FRTI_TOKEN_NAME);
    CHECK_TOKENS("L 'a' L'a' u8\"x\" U\"x\" x\"y\"", FRTI_TOKEN_NAME,
                 FRTI_TOKEN_CHARACTER, FRTI_TOKEN_CHARACTER, FRTI_TOKEN_STRING,
                 FRTI_TOKEN_STRING, FRTI_TOKEN_NAME, FRTI_TOKEN_STRING);
    CHECK_TOKENS("0x1e+2 1e+2 1'0", FRTI_TOKEN_NUMBER, FRTI_TOKEN_NUMBER,
                 FRTI_TOKEN_NUMBER);
}

/* Each keyword of the table is found, and none is out of order. */
Test(lexer, keywords)
{
    static const char *const words[] = {
        "_Alignas", "_Atomic",   "_Thread_local", "__alignof",
        "__asm__",  "__thread",  "__volatile__",  "alignas",
        "asm",      "constexpr", "int",           "static_assert",
        "struct",   "typeof",    "typeof_unqual", "while"};

    for
        EACH(i, words)
    cr_expect_neq(frti_keyword(words[i], strlen(words[i])), FRTI_TOKEN_NAME,
                  "%s", words[i]);
    cr_expect_eq(frti_keyword("in", 2), FRTI_TOKEN_NAME);
    cr_expect_eq(frti_keyword("inty", 4), FRTI_TOKEN_NAME);
    cr_expect_eq(frti_keyword("bool", 4), FRTI_TOKEN_NAME);
}

Test(lexer, comments_and_splices)
{
    check_layout("int/* a */ /* b ** / */*// c\n", "int *");
    check_layout("/\\\n* a *\\\n/ in\\\nt", "int");
    check_layout("int // a \\\n long\n", "int");
    check_layout("un\\  \nsig\\\r\nned", "unsigned int");
    check_layout("\xef\xbb\xbf"
                 "int",
                 "int");
    check_layout("\t\v\f\r\n int \r\n", "int");
    check_layout("char['a' + sizeof \"/* no comment\" > 0]", "char [1]");
    /* a trigraph is none */
    cr_expect_eq(parse_constant("sizeof \"?\?=\""), 4);
}

/* What a preprocessor leaves behind. */
Test(lexer, lines_of_the_preprocessor)
{
    check_layout("# 1 \"a.h\" 1 3\n#line 7\n  #pragma GCC poison x\n"
                 "#pragma once /* a\n b */\nint\n# 2 \"b.h\"",
                 "int");
    check_size("%:pragma pack(1)\nstruct { char a; int b; }", 5, 1);
    check_layout("_Pragma(\"once\") int _Pragma(\"GCC x\")", "int");
}

static const struct refused refused[] = {
    {"int /* a", FRT_BAD_DECLARATION, "1:5: the comment has no end"},
    {"int a[\"b]", FRT_BAD_DECLARATION, "1:7: the string has no end"},
    {"int a['b\n']", FRT_BAD_DECLARATION, "1:7: the character has no end"},
    {"int @", FRT_BAD_DECLARATION, "1:5: '@' has no place here"},
    {"int \\ x", FRT_BAD_DECLARATION, "1:5: '\\' has no place here"},
    {"int # x", FRT_BAD_DECLARATION, "1:5: '#' has no place here"},
    {"int \x01", FRT_BAD_DECLARATION, "1:5: the byte 0x01 has no place here"},
    {"int \xff", FRT_BAD_DECLARATION, "1:5: the byte 0xff is not UTF-8"},
    {"int \xc0\x80", FRT_BAD_DECLARATION, "1:5: the byte 0xc0 is not UTF-8"},
    {"int \xed\xa0\x80", FRT_BAD_DECLARATION,
     "1:5: the byte 0xed is not UTF-8"},
    {"int \xe2\x82", FRT_BAD_DECLARATION, "1:5: the byte 0xe2 is not UTF-8"},
    {"#include <a.h>\nint", FRT_BAD_DECLARATION,
     "1:1: '#include' is for the preprocessor, which has not run"},
    {"int\n #define A", FRT_BAD_DECLARATION,
     "2:2: '#define' is for the preprocessor, which has not run"},
    {"_Pragma(1) int", FRT_BAD_DECLARATION, "1:9: '_Pragma' lacks its string"},
    {"_Pragma int", FRT_BAD_DECLARATION, "1:9: '_Pragma' lacks its '('"},
    {"_Pragma(\"x\" int", FRT_BAD_DECLARATION, "1:13: '_Pragma' lacks its ')'"},
};

Test(lexer, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}
