/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>
#include <wchar.h>

#include "test/unit/cdecl/check.h"

struct kind_case {
    const char *text;
    frt_kind kind;
};

/* C11 6.7.2: the words of a type may stand in any order. */
static const struct kind_case kinds[] = {
    {"void", FRT_KIND_VOID},
    {"_Bool", FRT_KIND_BOOL},
    {"bool", FRT_KIND_BOOL},
    {"char", FRT_KIND_CHAR},
    {"char unsigned", FRT_KIND_UCHAR},
    {"signed char", FRT_KIND_SCHAR},
    {"short", FRT_KIND_SHORT},
    {"int short signed", FRT_KIND_SHORT},
    {"short unsigned int", FRT_KIND_USHORT},
    {"int", FRT_KIND_INT},
    {"signed", FRT_KIND_INT},
    {"__signed__ int", FRT_KIND_INT},
    {"unsigned", FRT_KIND_UINT},
    {"int long", FRT_KIND_LONG},
    {"int const long signed", FRT_KIND_LONG},
    {"long unsigned int", FRT_KIND_ULONG},
    {"long unsigned int long", FRT_KIND_ULLONG},
    {"long long", FRT_KIND_LLONG},
    {"long const int volatile long", FRT_KIND_LLONG},
    {"__int128", FRT_KIND_INT128},
    {"unsigned __int128", FRT_KIND_UINT128},
    {"__int128_t", FRT_KIND_INT128},
    {"float", FRT_KIND_FLOAT},
    {"double", FRT_KIND_DOUBLE},
    {"long double const", FRT_KIND_LONG_DOUBLE},
    {"double long", FRT_KIND_LONG_DOUBLE},
    {"_Float16", FRT_KIND_FLOAT16},
    {"_Float32", FRT_KIND_FLOAT},
    {"_Float64", FRT_KIND_DOUBLE},
    {"_Float32x", FRT_KIND_DOUBLE},
    {"_Float64x", FRT_KIND_LONG_DOUBLE},
    {"_Float128", FRT_KIND_FLOAT128},
    {"__float128", FRT_KIND_FLOAT128},
    {"float _Complex", FRT_KIND_COMPLEX},
    {"_Complex long double", FRT_KIND_COMPLEX},
    {"__complex__ double", FRT_KIND_COMPLEX},
    {"_Complex", FRT_KIND_COMPLEX},
    {"_Atomic(int)", FRT_KIND_INT},
    {"_Atomic int", FRT_KIND_INT},
    {"int _Atomic volatile const", FRT_KIND_INT},
    {"typeof(long)", FRT_KIND_LONG},
    {"__typeof__(1 ? 2u : 3)", FRT_KIND_UINT},
    {"typeof((char)1 + (short)2)", FRT_KIND_INT},
    {"typeof_unqual(const unsigned long)", FRT_KIND_ULONG},
    {"__extension__ long long", FRT_KIND_LLONG},
    {"int8_t", FRT_KIND_SCHAR},
    {"uint64_t", FRT_KIND_ULONG},
};

Test(specifiers, words)
{
    for
        EACH(i, kinds)
        {
            const frt_layout *layout = parse_layout(kinds[i].text);

            cr_expect_eq(frt_layout_kind(layout), kinds[i].kind, "%s: kind %d",
                         kinds[i].text, (int)frt_layout_kind(layout));
            frt_layout_drop(layout);
        }
}

static const struct sized sizes[] = {
    SIZED(char),
    SIZED(long long unsigned),
    SIZED(long double),
    SIZED(long double _Complex),
    SIZED(float _Complex),
    SIZED(__int128),
    SIZED(_Bool),
    SIZED(_Atomic(long)),
    SIZED(_Atomic(struct { int a, b; })),
    SIZED(_Atomic(struct { char a[16]; })),
    SIZED(struct {
        _Atomic(int) a;
        _Alignas(int) _Atomic short b;
    }),
    SIZED(int_fast16_t),
    SIZED(uint_fast8_t),
    SIZED(int_least32_t),
    SIZED(intmax_t),
    SIZED(uintptr_t),
    SIZED(size_t),
    SIZED(ssize_t),
    SIZED(ptrdiff_t),
    SIZED(wchar_t),
    SIZED(wint_t),
    SIZED(off_t),
    SIZED(off64_t),
    SIZED(time_t),
    SIZED(clock_t),
    SIZED(clockid_t),
    SIZED(pid_t),
    SIZED(uid_t),
    SIZED(gid_t),
    SIZED(id_t),
    SIZED(key_t),
    SIZED(mode_t),
    SIZED(dev_t),
    SIZED(ino_t),
    SIZED(nlink_t),
    SIZED(blkcnt_t),
    SIZED(blksize_t),
    SIZED(fsblkcnt_t),
    SIZED(useconds_t),
    SIZED(suseconds_t),
    SIZED(u_char),
    SIZED(u_int32_t),
    SIZED(ushort),
    SIZED(max_align_t),
    SIZED(va_list),
    SIZED(__builtin_va_list),
};

Test(specifiers, sizes)
{
    check_sizes(sizes, FRTI_ARRAY_LENGTH(sizes));
    check_size("_Float16", 2, 2);
    /* as gcc; clang makes it 4 bytes */
    check_size("_Atomic(struct { char a[3]; })", 3, 1);
}

/* Signs differ where sizes do not. */
Test(specifiers, signs_of_names)
{
    const frt_model *x86_64 = model_of("x86_64");
    const frt_model *aarch64 = model_of("aarch64");
    const frt_model *apple = model_of("aarch64-apple");

    cr_expect(frt_layout_is_signed(parse_layout_in("char", x86_64)));
    cr_expect_not(frt_layout_is_signed(parse_layout_in("char", aarch64)));
    cr_expect(frt_layout_is_signed(parse_layout_in("wchar_t", x86_64)));
    cr_expect_not(frt_layout_is_signed(parse_layout_in("wchar_t", aarch64)));
    cr_expect(frt_layout_is_signed(parse_layout_in("wchar_t", apple)));
    cr_expect_eq(frt_layout_kind(parse_layout_in("int64_t", apple)),
                 FRT_KIND_LLONG);
    cr_expect_eq(frt_layout_size(parse_layout_in("nlink_t", aarch64)), 4);
    cr_expect_eq(frt_layout_size(parse_layout_in("long double", apple)), 8);
    cr_expect_eq(frt_layout_model(parse_layout_in("void *", aarch64)), aarch64);
}

Test(specifiers, storage_and_function_specifiers)
{
    check_prototype("extern int f(void)", "int f(void)");
    check_prototype("static inline int f(int x)", "int f(int)");
    check_prototype("int static __inline__ f(int x);", "int f(int)");
    check_prototype("_Noreturn void f(void)", "void f(void)");
    check_prototype("int f(register int a)", "int f(int)");
    check_prototype("extern _Thread_local int x; int f(void)", "int f(void)");
}

static const struct refused refused[] = {
    {"float unsigned", FRT_BAD_DECLARATION,
     "1:7: 'unsigned' does not go with 'float'"},
    {"unsigned long long int long", FRT_BAD_DECLARATION,
     "1:24: 'long' does not go with 'unsigned long long int'"},
    {"static auto x = 3; int", FRT_BAD_DECLARATION,
     "1:1: 'auto' without a type is not supported"},
    {"signed unsigned", FRT_BAD_DECLARATION,
     "1:8: 'unsigned' does not go with 'signed'"},
    {"char char", FRT_BAD_DECLARATION, "1:6: 'char' does not go with 'char'"},
    {"short double", FRT_BAD_DECLARATION,
     "1:7: 'double' does not go with 'short'"},
    {"long float", FRT_BAD_DECLARATION, "1:6: 'float' does not go with 'long'"},
    {"_Complex int", FRT_BAD_DECLARATION,
     "1:10: 'int' does not go with '_Complex'"},
    {"void void", FRT_BAD_DECLARATION, "1:6: 'void' does not go with 'void'"},
    {"struct { int a; } int", FRT_BAD_DECLARATION,
     "1:19: 'int' is a second type in one declaration"},
    {"int struct s", FRT_BAD_DECLARATION,
     "1:5: 'struct' is a second type in one declaration"},
    {"size_t int", FRT_BAD_DECLARATION,
     "1:8: 'int' is a second type in one declaration"},
    {"_BitInt(7)", FRT_BAD_DECLARATION,
     "1:1: the type '_BitInt' is not supported"},
    {"const _Decimal64", FRT_BAD_DECLARATION,
     "1:7: the type '_Decimal64' is not supported"},
    {"const", FRT_BAD_DECLARATION,
     "1:6: a type is expected, not the end of the text"},
    {"oid *", FRT_BAD_DECLARATION, "1:1: unknown type name 'oid'"},
    {"const static", FRT_BAD_DECLARATION,
     "1:13: a type is expected, not the end of the text"},
    {"typedef extern int", FRT_BAD_DECLARATION,
     "1:9: 'extern' does not go with the storage class before it"},
    {"_Atomic(int[3])", FRT_BAD_DECLARATION, "1:1: _Atomic of an array"},
};

Test(specifiers, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}

Test(specifiers, a_type_that_the_model_lacks)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .model = model_of("aarch64-apple")};
    const frt_layout *layout;

    cr_expect_eq(frt_layout_parse(&layout, "int (*)(__float128)", &options),
                 FRT_BAD_DECLARATION);
    check_detail_line("__float128",
                      "1:9: the model aarch64-apple has no such type");
}
