/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* However deep a text nests, a parse needs little stack. */
#include "ffi_rt/cdecl/parser.h"

#include <pthread.h>

#include "ffi_rt/base/sanitizer.h"
#include "test/unit/cdecl/check.h"

/* Sanitizers take several times as much. */
#define STACK_SIZE ((size_t)256 << (FRTI_ADDRESS_SANITIZER ? 13 : 10))

static const struct {
    const char *head;
    const char *open;
    const char *middle;
    const char *close;
    const char *tail;
} nests[] = {
    {"char[", "(", "1", ")", "]"},
    {"char[", "-", "1", "", "* -1]"},
    {"char[", "1||1&&1|1^1&1==1<1<<1+1*(", "1", ")", "]"},
    {"char[", "1?1:", "1", "", "]"},
    {"char[", "1?", "1", ":1", "]"},
    {"char[", "sizeof(char[", "1", "])", "]"},
    {"char[", "sizeof(struct {char a[", "1", "];})", "]"},
    {"char[", "(int)", "1", "", "]"},
    {"", "struct {", "int a;", "} b;", ""},
    {"", "union {", "int a;", "};", ""},
    {"struct {", "struct { int a[sizeof(", "int", ")]; } b;", "}"},
    {"", "typeof(", "int", ")", ""},
    {"", "_Atomic(", "int", ")", ""},
    {"int ", "(*", "", ")", ""},
    {"int ", "(*", "", ")(void)", ""},
    {"int ", "*", "", "", ""},
    {"int ", "[1]", "", "", ""},
    {"int ", "(*)(int ", "", ")", ""},
    {"int (*)(int ", "(int ", "", ")", ")"},
    {"int ", "__attribute__((aligned(sizeof(int ", "", "))))", ""},
    {"int ", "__attribute__((x(", "", ")))", ""},
    {"int __attribute__((x", "(", "", ")", "))"},
    {"", "_Alignas(", "8", ") int", ""},
    {"enum { A = ", "sizeof(enum { B = ", "1", "})", "}"},
    {"struct { enum { A = ", "(", "1", ")", "} b; }"},
    {"", "extern \"C\" {", "int f(void);", "}", "int"},
};

static char text[400000];

static char *
repeat(char *to, const char *part, size_t count)
{
    size_t length = strlen(part);

    for (size_t i = 0; i < count; i++, to += length)
        memcpy(to, part, length);
    return to;
}

static frt_status
parse_nest(size_t i, size_t depth)
{
    const frt_layout *layout = NULL;
    frt_status status;
    char *to = repeat(text, nests[i].head, 1);

    to = repeat(to, nests[i].open, depth);
    to = repeat(to, nests[i].middle, 1);
    to = repeat(to, nests[i].close, depth);
    to = repeat(to, nests[i].tail, 1);
    *to = '\0';
    status = frt_layout_parse(&layout, text, NULL);
    frt_layout_drop(layout);
    return status;
}

static void *
parse_nests(void *unused)
{
    (void)unused;
    for
        EACH(i, nests)
    for (size_t depth = 1; depth <= 10000; depth += depth < 300 ? 1 : depth * 5)
        (void)parse_nest(i, depth);
    return NULL;
}

Test(parser, little_stack, .timeout = 120)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, STACK_SIZE), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, parse_nests, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* What people write is far from the limits. */
Test(parser, twenty_levels_are_fine)
{
    for
        EACH(i, nests)
    cr_expect(parse_nest(i, 20) != FRT_BAD_DECLARATION ||
                  strstr(frt_last_detail(), "deep") == NULL,
              "%s\n%s", text, frt_last_detail());
}

Test(parser, too_deep_is_said)
{
    cr_expect_eq(parse_nest(0, 1000), FRT_BAD_DECLARATION);
    cr_expect_not_null(strstr(frt_last_detail(), "levels deep"));
    cr_expect_eq(parse_nest(15, 1000), FRT_BAD_DECLARATION);
    cr_expect_not_null(strstr(frt_last_detail(), "over 200 '*'"), "%s",
                       frt_last_detail());
    cr_expect_eq(parse_nest(21, 1000), FRT_BAD_DECLARATION);
    cr_expect_not_null(strstr(frt_last_detail(), "too deeply"));
}

/* Each typedef adds a level that no bracket shows. */
Test(parser, levels_by_typedefs)
{
    const frt_layout *layout;
    char *to = repeat(text, "typedef int t0;", 1);

    for (size_t i = 1; i < 5000; i++)
        to += sprintf(to, "typedef t%zu *t%zu;", i - 1, i);
    sprintf(to, "t4999");
    cr_expect_eq(frt_layout_parse(&layout, text, NULL), FRT_BAD_LAYOUT);
    cr_expect_not_null(strstr(frt_last_detail(), "levels deep"), "%s",
                       frt_last_detail());
}
