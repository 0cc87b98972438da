/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Texts that are cut, garbled and joined: whatever comes out is accepted or
 * refused with a place in it, and nothing leaks. */
#include <stdint.h>
#include <stdlib.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/cdecl/parser.h"
#include "test/unit/cdecl/check.h"

#define MUTATIONS 20000
#define LONGEST 4096

static const char *const texts[] = {
    "struct p { double x, y; }; typedef struct p p; double f(p, p *)",
    "void (*signal(int sig, void (*func)(int)))(int);",
    "enum e : short { A = 1 << 3, B = sizeof(int[A]) | 0x1fuL, C = 'c' }; enum "
    "e f(char a[static B], long double _Complex *const restrict *b, ...)",
    "#pragma pack(push, 2)\nstruct { unsigned long long a : 3, : 0; union { "
    "int b[2]; float c; }; char d[] __attribute__((aligned(4))); } *f(void)",
    "typedef int T; T f(T T, struct s { T T; } (*)[sizeof(T)]) "
    "__asm__(\"la\\x62\" \"el\") [[gnu::pure]]",
    "int f(int n, int a[n][n ? 3 : n / 2], __typeof__(a) *b, _Atomic(int) c)",
    "/* comment */ int // more\n f\\\n(float __attribute__((vector_size(16))) "
    "v, _Alignas(8) char c, int <:2:>)",
    "_Static_assert(offsetof(struct { int a; short b[3]; }, b[1]) == 6, "
    "\"u\"); static inline int f(int x) { return x ? (x) : 'a'; }",
    "int f(wchar_t, FILE *, max_align_t, uint8_t, nullptr_t, int (*)(va_list))",
};

static uint64_t state = 1;

/* xorshift64 */
static size_t
random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

static void
check_detail(const char *text)
{
    const char *detail = frt_last_detail();
    char *end;
    unsigned long line = strtoul(detail, &end, 10);
    unsigned long column = *end == ':' ? strtoul(end + 1, &end, 10) : 0;

    cr_assert(line >= 1 && column >= 1 && *end == ':', "%s\n%s", text, detail);
    cr_assert_not_null(strchr(detail, '^'), "%s\n%s", text, detail);
    cr_assert_lt(strlen(detail), FRTI_DETAIL_SIZE - 1);
}

static void
try_text(const char *text)
{
    frt_prototype *prototype = NULL;
    const frt_layout *layout = NULL;
    frt_status status = frt_prototype_parse(&prototype, text, NULL);

    if (status != FRT_OK)
        check_detail(text);
    frt_prototype_free(prototype);
    status = frt_layout_parse(&layout, text, NULL);
    if (status != FRT_OK)
        check_detail(text);
    frt_layout_drop(layout);
}

Test(mutation, cut_anywhere)
{
    char text[LONGEST];
    size_t live;

    try_text("int f(oid *)");
    live = frti_allocator_live();
    for
        EACH(i, texts)
    for (size_t length = strlen(texts[i]); length > 0; length--) {
        memcpy(text, texts[i], length);
        text[length] = '\0';
        try_text(text);
        try_text(texts[i] + length);
    }
    cr_expect_eq(frti_allocator_live(), live);
}

/* Replaces, removes or inserts a byte, or goes on with another text. */
static void
mutate(char *text)
{
    static const char bytes[] = "(){}[]*;,:=#'\"\\/<%>.0123 \n\t\xff\xc3"
                                "ax_";
    size_t length = strlen(text);
    size_t at = random_below(length + 1);
    char byte = bytes[random_below(sizeof bytes - 1)];
    const char *other = texts[random_below(FRTI_ARRAY_LENGTH(texts))];

    if (length > LONGEST / 2)
        return;
    switch (random_below(4)) {
    case 0:
        text[at] = at < length ? byte : '\0';
        break;
    case 1:
        memmove(text + at, text + at + (at < length), length - at + 1);
        break;
    case 2:
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = byte;
        break;
    default:
        strcpy(text + at, other + random_below(strlen(other)));
    }
}

Test(mutation, garbled, .timeout = 120)
{
    char text[LONGEST];
    size_t live;

    try_text("int f(oid *)");
    live = frti_allocator_live();
    for (size_t i = 0; i < MUTATIONS; i++) {
        strcpy(text, texts[i % FRTI_ARRAY_LENGTH(texts)]);
        for (size_t n = 1 + random_below(6); n > 0; n--)
            mutate(text);
        try_text(text);
    }
    cr_expect_eq(frti_allocator_live(), live);
}
