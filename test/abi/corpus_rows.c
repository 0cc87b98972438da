/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/corpus.h"

#define ROW(...)                                                               \
    {                                                                          \
        __VA_ARGS__, NULL, false, false                                        \
    }
#define VARIADIC_ROW(id, prototype, more)                                      \
    {                                                                          \
        id, prototype, more, false, false                                      \
    }
#define GCC_ROW(...)                                                           \
    {                                                                          \
        __VA_ARGS__, NULL, true, false                                         \
    }
#define WIDE_ROW(...)                                                          \
    {                                                                          \
        __VA_ARGS__, NULL, false, true                                         \
    }

#define LONGS_3 "struct { long a, b, c; }"
#define FLOATS_16                                                              \
    "float, float, float, float, float, float, float, float, float, float, "   \
    "float, float, float, float, float, float"

/* clang-format off */
const struct corpus_row corpus_rows[] = {
    ROW("A01", "void f(char, char, char, char, char, float,"
               " struct { char c; double d; })"),
    ROW("A02", "int f(unsigned char)"),
    ROW("A02", "int f(short, int, float, struct { char c[3]; })"),
    ROW("A04", "struct { float a; struct { float b, c; } s; }"
               " f(struct { float a; struct { float b, c; } s; })"),
    ROW("A05", "union { int i; double d; } f(union { int i; double d; })"),
    ROW("A05", "void f(union { float f; struct { float g; int i; } s; })"),
    ROW("A05", "void f(struct { float f; union { float g; int i; } u; })"),
    ROW("A05", "void f(struct { union { double d; long l; } u; float f; })"),
    ROW("A06", "union { float f; } f(union { float f; })"),
    ROW("A06", "union { double d; } f(union { double d; })"),
    ROW("A06", "union { float f; double d; } f(union { float f; double d; })"),
    ROW("A07", "void f(struct { float f; union { float g; int i; } u; },"
               " struct { int i; union { float f, g; } u; },"
               " struct { float f; union { float g, h; } u; })"),
    ROW("A09", "int f(int, int, union { int i; double d; int j; }, int, int)"),
    ROW("A11", "int f(struct { int a, b, c; }, int)"),
    ROW("A11", "int f(struct { int a, b; float c, d; }, int)"),
    ROW("A12", "double f(struct { double d; int i; }, struct { double d; int i; },"
               " struct { double d; int i; }, struct { double d; int i; })"),
    ROW("A12", "double f(struct { short a; long b; float c; },"
               " struct { short a; long b; float c; },"
               " struct { short a; long b; float c; },"
               " struct { short a; long b; float c; })"),
    ROW("A14", "void f(void *, struct { void *p; int i; },"
               " struct { void *p; int i; }, struct { void *p; int i; })"),
    ROW("A15", "struct { unsigned char a[16]; }"
               " f(struct { unsigned char a[16]; })"),
    ROW("A15", "struct { double a[2]; } f(struct { double a[2]; })"),
    ROW("A15", "struct { float a[2], b[2]; } f(struct { float a[2], b[2]; })"),
    ROW("A15", "struct { char a[3], b[5]; } f(struct { char a[3], b[5]; })"),
    ROW("A16", "struct { double a[3]; } f(void)"),
    ROW("A16", "struct { double a[4]; } f(void)"),
    ROW("A16", "struct { float a[4]; } f(void)"),
    ROW("A17", "struct { double a[1]; } f(void)"),
    ROW("A17", "struct { double a[2]; } f(void)"),
    ROW("A17", "struct { double a[5]; } f(void)"),
    ROW("A17", "struct { double a[6]; } f(void)"),
    ROW("A17", "struct { double a[7]; } f(void)"),
    ROW("A17", "struct { double a[8]; } f(void)"),
    ROW("A19", "struct { char a[3]; } f(struct { char a[3]; })"),
    ROW("A19", "struct { char a[4096]; } f(struct { char a[4096]; })"),
    ROW("A21", "struct { float f; } f(struct { float f; }, float, double)"),
    ROW("A21", "struct { double d; } f(float, struct { double d; }, double)"),
    ROW("A22", "float f(" FLOATS_16 ")"),
    ROW("A22", "float f(" FLOATS_16 ", float, float, float, float, float, float,"
               " float, float)"),
    ROW("A22", "float f(" FLOATS_16 ", float, int, int, int, " LONGS_3 ")"),
    ROW("A26", "void f(long, long, long, long, long, long, long,"
               " struct __attribute__((aligned(16))) { long a, b; }, long)"),
    ROW("A26", "void f(int, int, int, int, int, int, int, int, int,"
               " enum e_int { A = -1 }, float, short)"),
    ROW("A26", "struct { float a[2][2]; } f(struct { float a[2][2]; })"),
    ROW("A26", "struct { int : 0; float f; } f(struct { int : 0; float f; })"),
    ROW("A27", "void f(float, float, float, float, float, float, float, float,"
               " float, struct { int a, b, c; })"),
    ROW("A27", "void f(float, float, float, float, float, float, float, float,"
               " float, float, struct { unsigned char a, b, c, d; })"),
    ROW("A31", "void f(struct { char a[40]; }, struct { char a[40]; },"
               " struct { char a[40]; }, struct { char a[40]; },"
               " struct { char a[40]; }, struct { char a[40]; },"
               " struct { char a[40]; }, struct { char a[40]; },"
               " struct { char a[40]; }, struct { char a[40]; },"
               " struct { char a[40]; }, struct { char a[40]; }, int)"),
    ROW("A32", "void f(" LONGS_3 ")"),
    ROW("A33", "struct { long double l; } f(double)"),
    ROW("A33", "struct { long double l; int i; } f(double)"),
    ROW("A34", "int f(struct __attribute__((packed)) { char c; short s; }, int)"),
    ROW("A35", "double f(struct __attribute__((packed)) { int i; double d; },"
               " int)"),
    WIDE_ROW("A36", "void f(long, long, long, long, long, long, long,"
                    " struct __attribute__((aligned(32))) { long a, b; },"
                    " long)"),
    ROW("A37", "int f(int, struct { }, int)"),
    ROW("A37", "struct { } f(int)"),
    ROW("A37", "int f(int, struct { int a[0]; }, int)"),
    ROW("A39", "union { float a[4]; struct { float x, y; } s; }"
               " f(union { float a[4]; struct { float x, y; } s; })"),
    ROW("A39", "union { double d; double a[2]; }"
               " f(union { double d; double a[2]; })"),
    ROW("A41", "struct { int a, b, c, d, e; } f(void)"),
    GCC_ROW("A42", "struct { float f; int : 32; }"
                   " f(struct { float f; int : 32; },"
                   " struct { int : 32; float f; })"),
    GCC_ROW("A42", "struct { long : 64, : 64, : 64; } f(long,"
                   " struct { long : 64, : 64, : 64; })"),
    ROW("A44", "struct { enum __attribute__((packed)) e_schar { B = -1 } e;"
               " union { long i; double d; void *p; } u; }"
               " f(struct { enum __attribute__((packed)) e_schar { C = -1 } e;"
               " union { long i; double d; void *p; } u; })"),
    ROW("B02", "unsigned f(void)"),
    ROW("B04", "int f(signed char, signed char, signed char, signed char,"
               " signed char, signed char, signed char, signed char)"),
    VARIADIC_ROW("B07", "double f(int, ...)", "float, double"),
    VARIADIC_ROW("B10", "int f(int, ...)",
                 "signed char, short, unsigned char, _Bool, unsigned short"),
    VARIADIC_ROW("B12", LONGS_3 " f(int, ...)", "long, " LONGS_3 ", double"),
    VARIADIC_ROW("B14", "double f(int, ...)",
                 "struct { char c; double d; }, struct { char c; double d; }"),
    VARIADIC_ROW("B14", "int f(int, ...)",
                 "struct { _Alignas(16) long a; long b; },"
                 " struct { _Alignas(16) char c; }, long, long,"
                 " struct { _Alignas(16) long a; long b; }"),
    ROW("B15", "float _Complex f(float _Complex)"),
    ROW("B15", "double _Complex f(double _Complex)"),
    ROW("B15", "long double _Complex f(long double _Complex)"),
    ROW("B16", "void f(float _Complex, int, float _Complex, double)"),
    ROW("B17", "void f(__int128)"),
    ROW("B17", "void f(int, __int128)"),
    GCC_ROW("B17", "void f(int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, int, int, int, int, __int128)"),
    GCC_ROW("B17", "void f(int, int, int, int, int, int, int, int, int,"
                   " __int128)"),
    GCC_ROW("B22", "_Float16 f(_Float16, _Float16)"),
    GCC_ROW("B22", "struct { _Float16 a, b; } f(struct { _Float16 a, b; })"),
    GCC_ROW("B22", "struct { _Float16 a; float b; }"
                   " f(struct { _Float16 a; float b; })"),
    ROW("B24", "double f(void)"),
    ROW("B24", "float f(void)"),
};
const size_t corpus_row_count = sizeof corpus_rows / sizeof *corpus_rows;

const struct corpus_layout corpus_layouts[] = {
    {"G01", "struct { unsigned char a : 1; unsigned short b : 16; }",
     4, 2, 0, NULL, 0, 0, 0},
    {"G01", "struct { unsigned long long a : 1; unsigned b : 32; }",
     8, 8, 0, NULL, 0, 0, 0},
    {"G01", "struct { unsigned a; unsigned b : 20; unsigned long long c : 24; }",
     16, 8, 0, NULL, 0, 0, 0},
    {"G02", "struct { unsigned char a : 4, b : 4; unsigned short c : 10, d : 10;"
            " unsigned char e : 1, f : 1, g : 1; }",
     6, 2, 0, NULL, 0, 0, 0},
    {"G04", "struct { int a : 11; unsigned b : 12; unsigned c : 23; }",
     6, 1, 1, NULL, 0, 0, 0},
    {"G06", "struct { unsigned a : 18; unsigned char b; }", 4, 4, 0, "b", 3, 0, 0},
    {"G07", "struct __attribute__((packed)) { unsigned a : 6, b : 32; }",
     5, 1, 0, NULL, 0, 0, 0},
    {"G09", "struct { int a : 2; long b : 62; }", 8, 8, 0, NULL, 0, 0, 0},
    {"G11", "struct { unsigned char a : 1, b : 1, c : 6; unsigned short d : 16;"
            " unsigned char e : 8; }",
     4, 1, 1, NULL, 0, 0, 0},
    {"G12", "struct __attribute__((packed, aligned(8))) { char c; int i; }",
     8, 8, 0, "i", 1, 0, 0},
    {"G15", "struct __attribute__((packed)) { unsigned events;"
            " union { void *p; int i; unsigned long u; } data; }",
     12, 1, 0, "data", 4, 0, 0},
    {"G16", "struct __attribute__((aligned(32))) { char a[8]; }",
     32, 32, 0, NULL, 0, 0, 0},
    {"G16", "struct { char a[8]; } __attribute__((aligned(32)))",
     32, 32, 0, NULL, 0, 0, 0},
    {"G17", "struct { _Alignas(16) int i; }", 16, 16, 0, NULL, 0, 0, 0},
    {"G17", "struct { int a; _Alignas(64) int b[1024]; }",
     4160, 64, 0, "b", 64, 0, 0},
    {"G19", "struct { char a; int : 0; char b; }",
     5, 1, 0, "b", 4, 8, 4},
    {"G19", "struct { char a; int : 5; char b; }",
     3, 1, 0, "b", 2, 4, 4},
};
const size_t corpus_layout_count =
    sizeof corpus_layouts / sizeof *corpus_layouts;
