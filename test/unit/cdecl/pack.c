/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/pack.h"

#include <stdint.h>

#include "test/unit/cdecl/check.h"

static const char *
change(struct frti_pack *pack, const char *arguments)
{
    return frti_pack_change(pack, arguments, arguments + strlen(arguments));
}

Test(pack, push_and_pop)
{
    static struct frti_pack pack;

    cr_expect_null(change(&pack, "4"));
    cr_expect_eq(pack.limit, 4);
    cr_expect_null(change(&pack, " push , 1 "));
    cr_expect_eq(pack.limit, 1);
    cr_expect_null(change(&pack, "push"));
    cr_expect_eq(pack.limit, 1);
    cr_expect_null(change(&pack, "push, mark, 2"));
    cr_expect_null(change(&pack, "push, 8"));
    cr_expect_eq(pack.limit, 8);
    cr_expect_null(change(&pack, "pop, mark"));
    cr_expect_eq(pack.limit, 1);
    cr_expect_null(change(&pack, "pop"));
    cr_expect_eq(pack.limit, 1);
    cr_expect_null(change(&pack, "pop"));
    cr_expect_eq(pack.limit, 4);
    cr_expect_null(change(&pack, ""));
    cr_expect_eq(pack.limit, 0);
}

Test(pack, refused_and_unchanged)
{
    static struct frti_pack pack;
    static const char *const wrong[] = {"3",     "32",         "1 2",  "push 1",
                                        "push,", "push, 1, ?", "pop",  "pop, x",
                                        "x",     "?",          "pop ?"};

    cr_expect_null(change(&pack, "2"));
    for
        EACH(i, wrong)
        {
            cr_expect_not_null(change(&pack, wrong[i]), "%s", wrong[i]);
            cr_expect_eq(pack.limit, 2);
            cr_expect_eq(pack.depth, 0);
        }
}

Test(pack, too_many_pushes)
{
    static struct frti_pack pack;
    size_t done = 0;

    for (size_t i = 0; i < 1000; i++)
        done += change(&pack, "push, 1") == NULL;
    cr_expect_eq(done, FRTI_PACK_DEPTH);
}

// clang-format off
#pragma pack(push, 1)
BOTH(one, struct { int a : 11; unsigned b : 12; unsigned c : 23; });
BOTH(small, struct { uint8_t a : 1, b : 1, c : 6; uint16_t d : 16; uint8_t e : 8; });
BOTH(plain, struct { char a; long b; int c __attribute__((aligned(8))); });
#pragma pack(pop)
#pragma pack(2)
BOTH(two, struct { int a; int b : 1; });
BOTH(two_plain, struct { char a; long b; });
#pragma pack()
// clang-format on

static void
check_packed(const char *pragma, const char *text, size_t size,
             size_t alignment)
{
    char whole[512];

    snprintf(whole, sizeof whole, "#pragma pack(%s)\n%s", pragma, text);
    check_size(whole, size, alignment);
}

Test(pack, layouts)
{
    check_packed("1", one_text, sizeof(one), _Alignof(one));
    check_packed("push, 1", small_text, sizeof(small), _Alignof(small));
    check_packed("1", plain_text, sizeof(plain), _Alignof(plain));
    check_packed("2", two_text, sizeof(two), _Alignof(two));
    check_packed("2", two_plain_text, sizeof(two_plain), _Alignof(two_plain));
}

Test(pack, in_a_text)
{
    const frt_layout *layout;

    check_size("#pragma pack(push, 1)\n"
               "#pragma pack(push, 8)\n"
               "#pragma pack(push, 8)\n"
               "#pragma pack(pop)\n"
               "struct { uint64_t a; uint8_t b; }",
               16, 8);
    check_size("_Pragma(\"pack(1)\") struct { char a; int b; }", 5, 1);
    check_size("struct a { char a; int b; } _Pragma(\"pack(1)\"); struct a", 8,
               4);
    cr_expect_eq(frt_layout_parse(&layout, "int\n#pragma pack(3)\n*", NULL),
                 FRT_BAD_DECLARATION);
    check_detail_line("pack(3)", "2:13: '#pragma pack' takes 1, 2, 4, 8 or 16");
    cr_expect_eq(frt_layout_parse(&layout, "#pragma pack 1\nint", NULL),
                 FRT_BAD_DECLARATION);
    check_detail_line("pack 1", "1:8: '#pragma pack' lacks parentheses");
}
