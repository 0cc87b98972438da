/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/source.h"

#include <stdlib.h>

#include "test/unit/cdecl/check.h"

struct drawn {
    const char *text;
    const char *detail;
};

static const struct drawn drawings[] = {
    {"int f(oid *)", "1:7: unknown type name 'oid'\n"
                     "    int f(oid *)\n"
                     "          ^"},
    {"", "1:1: the text declares nothing\n"
         "    \n"
         "    ^"},
    {"int f(int\n\n", "1:10: ',' or ')' is expected, not the end of the text\n"
                      "    int f(int\n"
                      "             ^"},
    {"int f(int x,\r\n\tzork y,\r\n int z)", "2:2: unknown type name 'zork'\n"
                                             "    \tzork y,\n"
                                             "    \t^"},
    /* the line is the one of the text as it was given */
    {"int f(int x,\\\n  zork y)", "2:3: unknown type name 'zork'\n"
                                  "      zork y)\n"
                                  "      ^"},
    {"in\\\nt f(zo\\\nrk y)", "2:5: unknown type name 'zork'\n"
                              "    t f(zo\\\n"
                              "        ^"},
    /* a column is a character, not a byte */
    {"int \xc3\xa9t\xc3\xa9(int, \xc3\xa0_t x)",
     "1:14: unknown type name '\xc3\xa0_t'\n"
     "    int \xc3\xa9t\xc3\xa9(int, \xc3\xa0_t x)\n"
     "                 ^"},
    /* what a terminal cannot show is not sent to it */
    {"/* \x1b[2J\xff */ oid", "1:13: unknown type name 'oid'\n"
                              "    /* ?[2J? */ oid\n"
                              "                ^"},
    {"int "
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa("
     "foo x, int bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)",
     "1:76: unknown type name 'foo'\n"
     "    ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(foo x, int "
     "bbbbbbbbbbbbbbbbbbbbb...\n"
     "                                               ^"},
};

Test(source, drawings)
{
    for
        EACH(i, drawings)
        {
            frt_prototype *prototype;

            cr_expect_eq(
                frt_prototype_parse(&prototype, drawings[i].text, NULL),
                FRT_BAD_DECLARATION);
            cr_expect_str_eq(frt_last_detail(), drawings[i].detail, "%s\n%s",
                             drawings[i].text, frt_last_detail());
        }
}

/* However long the name, the line and its characters, all of it fits. */
Test(source, long_lines_fit)
{
    static char text[40000];
    frt_prototype *prototype;
    size_t length = 0;

    while (length < 20000)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "\xf0\x9f\x98\x80");
    length += (size_t)snprintf(text + length, sizeof text - length, "(");
    for (size_t i = 0; i < 100; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "\xf0\x9f\x98\x80");
    cr_expect_eq(frt_prototype_parse(&prototype, text, NULL),
                 FRT_BAD_DECLARATION);
    cr_expect_lt(strlen(frt_last_detail()), FRTI_DETAIL_SIZE - 1);
    cr_expect_eq(strcmp(strrchr(frt_last_detail(), '\n') + 1, "    ^"), 0);
    cr_expect_not_null(strstr(frt_last_detail(), "...'\n"));
}

Test(source, places)
{
    struct frti_source source;
    struct frti_line_column place;

    cr_assert(frti_source_init(&source, "a\\\nb\\\nc\nd", NULL));
    cr_expect_str_eq(source.text, "abc\nd");
    place = frti_source_place(&source, 0);
    cr_expect(place.line == 1 && place.column == 1);
    place = frti_source_place(&source, 1);
    cr_expect(place.line == 2 && place.column == 1);
    place = frti_source_place(&source, 2);
    cr_expect(place.line == 3 && place.column == 1);
    place = frti_source_place(&source, 4);
    cr_expect(place.line == 4 && place.column == 1);
    frti_source_fini(&source);
}

Test(source, utf8)
{
    static const struct {
        const char *text;
        size_t length;
        uint32_t code;
    } cases[] = {
        {"a", 1, 'a'},
        {"", 1, 0},
        {"\xc3\xa9", 2, 0xe9},
        {"\xe2\x82\xac", 3, 0x20ac},
        {"\xf0\x9f\x98\x80", 4, 0x1f600},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
        {"\x80", 0, 0},
        {"\xc3", 0, 0},
        {"\xc0\x80", 0, 0},
        {"\xe0\x80\x80", 0, 0},
        {"\xed\xa0\x80", 0, 0},
        {"\xf4\x90\x80\x80", 0, 0},
        {"\xf8\x88\x80\x80\x80", 0, 0},
        {"\xff", 0, 0},
    };

    for
        EACH(i, cases)
        {
            uint32_t code = 0;

            cr_expect_eq(frti_utf8(&code, cases[i].text), cases[i].length);
            cr_expect_eq(code, cases[i].code);
        }
}

Test(source, the_longest_text)
{
    char *text = malloc(FRTI_SOURCE_LIMIT + 2);
    const frt_layout *layout;

    memset(text, ' ', FRTI_SOURCE_LIMIT + 1);
    memcpy(text, "int", 3);
    text[FRTI_SOURCE_LIMIT] = '\0';
    cr_assert_eq(frt_layout_parse(&layout, text, NULL), FRT_OK);
    text[FRTI_SOURCE_LIMIT] = ' ';
    text[FRTI_SOURCE_LIMIT + 1] = '\0';
    cr_expect_eq(frt_layout_parse(&layout, text, NULL), FRT_BAD_DECLARATION);
    cr_expect_str_eq(frt_last_detail(), "the text is longer than 64 MiB");
    free(text);
}
