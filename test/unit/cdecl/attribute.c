/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

/* Wherever C compilers take one. */
static const char *const places[] = {
    "__attribute__((unused)) int f(int a)",
    "int __attribute__((unused)) f(int a)",
    "int f(int a) __attribute__((unused))",
    "int f(int a) __attribute__((nonnull(1), format(printf, 1, 2)))",
    "int f(int a) __attribute__((deprecated(\"a = b, (c\")))",
    "int f(int a) __attribute__((alloc_size(1))) __attribute__((cold))",
    "int f(int __attribute__((unused)) a)",
    "int f(int a __attribute__((unused)))",
    "int f(__attribute__((unused)) int a)",
    "int f(int (__attribute__((unused)) a))",
    "int f(int) __attribute((__const__, , __pure__, ))",
    "int f(int) __attribute__(())",
    "[[nodiscard]] int f(int)",
    "[[nodiscard(\"why\"), deprecated]] int f([[maybe_unused]] int a)",
    "int f [[gnu::pure]] (int)",
    "int f(int) [[gnu::pure]]",
    "int f(int) [[other::thing(1, [2], {3})]]",
    "int f(int) __asm__(\"f\") __attribute__((nothrow))",
    "int f(int) __attribute__((nothrow)) __asm__(\"f\")",
    "extern __inline __attribute__((__gnu_inline__)) int f(int)",
    "enum { A __attribute__((deprecated)) = 3, B [[deprecated]] }; int f(int)",
    "int x __attribute__((cdecl)) = 3, __attribute__((unused)) y; int f(int)",
    "__extension__ __attribute__((sysv_abi)) int f(int)",
};

Test(attribute, places)
{
    for
        EACH(i, places)
    check_prototype(places[i], "int f(int)");
}

Test(attribute, around_pointers)
{
    check_layout("int *__attribute__((unused)) *", "int **");
    check_layout("int (__attribute__((cdecl)) *)(int)", "int (*)(int)");
    check_prototype("int (__attribute__((cdecl)) *g(void))(int)",
                    "int (*g(void))(int)");
    check_layout("int *_Nonnull const __attribute__((x)) volatile", "int *");
}

// clang-format off
static const struct sized sizes[] = {
    SIZED(struct { int a __attribute__((mode(QI))); }),
    SIZED(struct { int a __attribute__((__mode__(__HI__))); }),
    SIZED(struct { unsigned a __attribute__((mode(DI))); }),
    SIZED(struct { int a __attribute__((mode(word))); }),
    SIZED(struct { int a __attribute__((mode(TI))); }),
    SIZED(struct { float a __attribute__((mode(DF))); }),
    SIZED(struct { float a __attribute__((mode(TF))); }),
    SIZED(struct { _Complex float a __attribute__((mode(SC))); }),
    SIZED(struct { _Complex float a __attribute__((mode(DC))); }),
    SIZED(struct { _Complex float a __attribute__((mode(XC))); }),
    SIZED(struct { _Complex float a __attribute__((mode(TC))); }),
    SIZED(float __attribute__((vector_size(16)))),
    SIZED(unsigned char __attribute__((vector_size(8)))),
};
// clang-format on

Test(attribute, modes_and_vectors)
{
    check_sizes(sizes, FRTI_ARRAY_LENGTH(sizes));
    /* gcc lays it out so, but its _Alignof stops at 16 */
    check_size("struct { char a; double b __attribute__((vector_size(32))); }",
               64, 32);
    check_layout("unsigned __attribute__((mode(DI)))", "unsigned long");
    check_layout("typedef struct { int a; } T __attribute__((aligned(64))); T",
                 "__attribute__((aligned(64))) struct { int a; }");
    check_layout("typedef union u { int a; } T __attribute__((aligned(2))); T",
                 "__attribute__((aligned(2))) union u { int a; }");
    check_layout("typedef long T[2] __attribute__((aligned(4))); T",
                 "long [2] __attribute__((aligned(4)))");
    check_size("typedef struct { long a; } T __attribute__((aligned(4))); T[2]",
               16, 4);
    check_layout("int __attribute__((vector_size(16))) *",
                 "int __attribute__((vector_size(16))) *");
    check_layout("struct { int *p __attribute__((vector_size(8))); }",
                 "struct { int __attribute__((vector_size(8))) *p; }");
    check_layout("float __attribute__((ext_vector_type(4)))",
                 "float __attribute__((vector_size(16)))");
    check_layout("[[gnu::vector_size(16)]] float",
                 "float __attribute__((vector_size(16)))");
}

/* On a typedef an alignment is exact, and the size stays. */
Test(attribute, aligned_typedefs)
{
    check_size("typedef int t __attribute__((aligned(16))); t", 4, 16);
    check_size("typedef int t __attribute__((aligned(1))); struct { char a; t "
               "b; }",
               5, 1);
    check_size("typedef __attribute__((aligned(32))) struct { char a[8]; } T; "
               "T",
               8, 32);
    check_size("__attribute__((aligned(32))) struct { char a[8]; }", 8, 32);
    check_size("typedef long t __attribute__((aligned(16))); struct "
               "__attribute__((packed)) { char a; t b; }",
               9, 1);
    check_size("struct s { char a[8]; }; typedef struct s "
               "__attribute__((aligned(16))) t; t",
               8, 16);
    check_size("int __attribute__((aligned(2), aligned(8)))", 4, 8);
    check_size("int __attribute__((aligned(sizeof(long))))", 4, 8);
    check_size("int __attribute__((aligned))", 4, 16);
    check_size("int __attribute__((aligned()))", 4, 16);
}

static const struct refused refused[] = {
    {"int __attribute__((ms_abi))", FRT_BAD_DECLARATION,
     "1:20: the attribute 'ms_abi' is not supported"},
    {"struct { int a; } __attribute__((ms_struct))", FRT_BAD_DECLARATION,
     "1:34: the attribute 'ms_struct' is not supported"},
    {"struct { int a; } __attribute__((__scalar_storage_order__(\"big\")))",
     FRT_BAD_DECLARATION,
     "1:34: the attribute 'scalar_storage_order' is not supported"},
    {"int __attribute__((aligned(3)))", FRT_BAD_ALIGNMENT,
     "1:28: the alignment is no power of two"},
    {"int __attribute__((aligned(0)))", FRT_BAD_ALIGNMENT,
     "1:28: the alignment is no power of two"},
    {"int __attribute__((aligned(-8)))", FRT_BAD_DECLARATION,
     "1:28: an alignment cannot be -8"},
    {"int __attribute__((aligned(1ul << 40)))", FRT_BAD_ALIGNMENT,
     "1:20: an alignment of 1099511627776: it is a power of two, at most "
     "268435456"},
    {"int __attribute__((vector_size(0)))", FRT_BAD_DECLARATION,
     "1:31: a vector has at least one element"},
    {"int __attribute__((vector_size(6)))", FRT_BAD_DECLARATION,
     "1:20: a vector of 6 bytes does not hold whole elements of 4"},
    {"int __attribute__((vector_size(12)))", FRT_BAD_LAYOUT,
     "1:20: a vector of 3 times 'int' has 12 bytes, which is no power of two"},
    {"struct { int a; } __attribute__((vector_size(16)))", FRT_BAD_DECLARATION,
     "1:34: a struct or union has no mode and is no vector"},
    {"int __attribute__((mode(SF)))", FRT_BAD_DECLARATION,
     "1:20: the mode 'SF' does not fit the type"},
    {"float __attribute__((mode(SC)))", FRT_BAD_DECLARATION,
     "1:22: the mode 'SC' does not fit the type"},
    {"_Complex float __attribute__((mode(DF)))", FRT_BAD_DECLARATION,
     "1:31: the mode 'DF' does not fit the type"},
    {"int __attribute__((mode(V4SI)))", FRT_BAD_DECLARATION,
     "1:25: the mode 'V4SI' is not supported"},
    {"int __attribute__((mode(3)))", FRT_BAD_DECLARATION,
     "1:25: a mode is expected, not '3'"},
    {"int __attribute__(unused)", FRT_BAD_DECLARATION,
     "1:19: '((' of an attribute is expected, not 'unused'"},
    {"int __attribute__((unused)", FRT_BAD_DECLARATION,
     "1:27: '))' of an attribute is expected, not the end of the text"},
    {"int __attribute__((a b))", FRT_BAD_DECLARATION,
     "1:22: ',' or ')' is expected, not 'b'"},
    {"int __attribute__((3))", FRT_BAD_DECLARATION,
     "1:20: an attribute's name is expected, not '3'"},
    {"int __attribute__((a(]))", FRT_BAD_DECLARATION,
     "1:22: ']' does not close the '(' before it"},
};

Test(attribute, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}
