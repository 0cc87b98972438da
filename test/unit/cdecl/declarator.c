/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

struct printed {
    const char *text;
    const char *printed; /* NULL: as the text */
};

static const struct printed layouts[] = {
    {"int *", NULL},
    {"int *const *volatile", "int *const *"},
    {"const int *", NULL},
    {"int const *const", "const int *"},
    {"char [3]", NULL},
    {"char[2][3]", "char [2][3]"},
    {"int *[4]", NULL},
    {"int (*)[3]", NULL},
    {"const char *const (*)[3]", NULL},
    {"int (*)(void)", NULL},
    {"int (*)()", "int (*)(void)"},
    {"int *(*(*)(void))[2]", NULL},
    {"int (*(*)(int))(long)", NULL},
    {"int (*[3])(int)", NULL},
    {"int (*(*[3])(void))[2]", NULL},
    {"void (*)(int, ...)", NULL},
    {"void (*)(int (*)(int (*)(int)))", NULL},
    {"int (*)(int (int), char [3])", "int (*)(int (*)(int), char *)"},
    {"void *__restrict", "void *"},
    {"int (((*)))", "int *"},
    {"char *[2][3]", NULL},
    {"double (*(*)[2])[3]", NULL},
};

Test(declarator, abstract)
{
    for
        EACH(i, layouts)
    check_layout(layouts[i].text, layouts[i].printed != NULL
                                      ? layouts[i].printed
                                      : layouts[i].text);
}

static const struct printed prototypes[] = {
    {"void (*signal(int, void (*)(int)))(int)", NULL},
    {"void (*signal(int sig, void (*func)(int)))(int);",
     "void (*signal(int, void (*)(int)))(int)"},
    {"int (f)(int)", "int f(int)"},
    {"int *(*(*f(void))[2])(int *)", NULL},
    {"int (*f(int (*a)[3]))[4]", "int (*f(int (*)[3]))[4]"},
    {"void f(int *const [4])", "void f(int *const *)"},
    {"void f(char *const argv[restrict])", "void f(char *const *)"},
    {"void f(int a[static 3])", "void f(int [static 3])"},
    {"void f(const int a[const static 3])", "void f(const int [static 3])"},
    {"void f(int a[static const 3])", "void f(int [static 3])"},
    {"void f(int a[const *])", "void f(int *)"},
    {"void f(int a[3])", "void f(int *)"},
    {"void f(int a[][4])", "void f(int (*)[4])"},
    {"void f(int n, int a[n])", "void f(int, int *)"},
    {"void f(int n, int a[n * 2 + 1][n])", "void f(int, int (*)[])"},
    {"void f(int n, double a[n][n][n])", "void f(int, double (*)[])"},
    {"int r(const char *restrict s, unsigned long n, int pm[restrict n], int)",
     "int r(const char *, unsigned long, int *, int)"},
    {"void f(int g(int), int h())", "void f(int (*)(int), int (*)(void))"},
    {"void f(int n; int a[n], int n)", "void f(int *, int)"},
    {"int f()", "int f(void)"},
    {"int f(void)", NULL},
    {"int f(...)", NULL},
    {"int f(const char *, ...)", NULL},
    {"unsigned char *f(void), (*g)(void); int *h(void)", "int *h(void)"},
    {"int f(int (x), int (*y))", "int f(int, int *)"},
    {"int f(size_t (size_t))", "int f(unsigned long (*)(unsigned long))"},
    {"int f(int x) { return (x) ? 1 : sizeof(int[3]); }", "int f(int)"},
    {"const void *f(const volatile void *)", "const void *f(const void *)"},
};

Test(declarator, prototypes)
{
    for
        EACH(i, prototypes)
    check_prototype(prototypes[i].text, prototypes[i].printed != NULL
                                            ? prototypes[i].printed
                                            : prototypes[i].text);
}

Test(declarator, several_of_one_declaration)
{
    check_layout("struct { unsigned char **a, *b, c, d[2], (*e)(void); }",
                 "struct { unsigned char **a; unsigned char *b; unsigned char "
                 "c; unsigned char d[2]; unsigned char (*e)(void); }");
}

static const struct refused refused[] = {
    {"int f(int)[3]", FRT_BAD_DECLARATION,
     "1:6: a function cannot return an array"},
    {"int f(int)(int)", FRT_BAD_DECLARATION,
     "1:6: a function cannot return a function"},
    {"int f[3](int)", FRT_BAD_DECLARATION,
     "1:6: an array cannot hold functions"},
    {"int f(void, int)", FRT_BAD_DECLARATION,
     "1:7: a parameter cannot be void"},
    {"int f(int, void)", FRT_BAD_DECLARATION,
     "1:12: a parameter cannot be void"},
    {"int f(void x)", FRT_BAD_DECLARATION, "1:12: a parameter cannot be void"},
    {"int f(int a[static])", FRT_BAD_DECLARATION,
     "1:19: a length is expected, not ']'"},
    {"int a[*]", FRT_BAD_DECLARATION, "1:7: '[*]' is for parameters"},
    {"int , a; int", FRT_BAD_DECLARATION, "1:5: a name is expected here"},
    {"int a, ; int", FRT_BAD_DECLARATION, "1:8: a name is expected here"},
    {"struct s *; int", FRT_BAD_DECLARATION, "1:11: a name is expected here"},
    {"_Alignas(8) int f(int)", FRT_BAD_DECLARATION,
     "1:10: _Alignas is for variables and members"},
    {"typedef _Alignas(8) int T; T", FRT_BAD_DECLARATION,
     "1:18: _Alignas is for variables and members"},
    {"struct { _Alignas(8) int a : 3; }", FRT_BAD_DECLARATION,
     "1:26: the member 'a' is a bit-field, which has no _Alignas"},
    {"int f(int", FRT_BAD_DECLARATION,
     "1:10: ',' or ')' is expected, not the end of the text"},
    {"int f(int a int b)", FRT_BAD_DECLARATION,
     "1:13: ',' or ')' is expected, not 'int'"},
    {"int f(int, ..., int)", FRT_BAD_DECLARATION,
     "1:15: ')' is expected, not ','"},
    {"int f(int,)", FRT_BAD_DECLARATION, "1:11: a type is expected, not ')'"},
    {"int f(oid *)", FRT_BAD_DECLARATION, "1:7: unknown type name 'oid'"},
    {"struct tm; int f(tm *)", FRT_BAD_DECLARATION,
     "1:18: unknown type name 'tm'; there is a struct of that name"},
    {"enum e { A }; e f(void)", FRT_BAD_DECLARATION,
     "1:15: unknown type name 'e'; there is an enum of that name"},
    {"int f(int a, int a)", FRT_BAD_DECLARATION,
     "1:18: two parameters have the name 'a'"},
    {"int f(typedef int x)", FRT_BAD_DECLARATION,
     "1:7: a parameter cannot be a typedef"},
    {"int f(struct s x)", FRT_BAD_DECLARATION,
     "1:16: a parameter is of the incomplete type 'struct s'"},
    {"int f(int a[][])", FRT_BAD_DECLARATION,
     "1:12: an array of 'int []', which is not a complete type"},
    {"int x[static 3]; int f(void)", FRT_BAD_DECLARATION,
     "1:7: 'static' and qualifiers in '[]' are for parameters"},
    {"int x[n]; int f(void)", FRT_BAD_DECLARATION, "1:7: 'n' is not declared"},
    {"int n; int x[n]; int f(void)", FRT_BAD_DECLARATION,
     "1:14: what a variable holds is no constant"},
    {"int x[-1]; int f(void)", FRT_BAD_DECLARATION,
     "1:7: an array's length cannot be -1"},
    {"int x[18446744073709551615u]; int f(void)", FRT_BAD_DECLARATION,
     "1:7: the array is too long"},
    {"int x[3; int f(void)", FRT_BAD_DECLARATION,
     "1:8: ']' is expected, not ';'"},
    {"int (f(int)", FRT_BAD_DECLARATION,
     "1:12: ')' is expected, not the end of the text"},
    {"int *; int f(void)", FRT_BAD_DECLARATION, "1:6: a name is expected here"},
    {"int f(int) { (]) }", FRT_BAD_DECLARATION,
     "1:15: ']' does not close the '(' before it"},
    {"int f(int) { (", FRT_BAD_DECLARATION, "1:12: '{' has no partner"},
};

Test(declarator, refused)
{
    check_refused_prototypes(refused, FRTI_ARRAY_LENGTH(refused));
}

/* Code has no bounds: a pointer to it is raw, known in full or not. */
Test(declarator, pointers_to_functions_are_raw)
{
    frt_prototype *prototype =
        parse_prototype("void (*f(int g(int), void (*h)(struct s)))(void)");
    const frt_descriptor *descriptor = frt_prototype_descriptor(prototype);
    const frt_layout *first = frt_descriptor_parameter(descriptor, 0);
    const frt_layout *second = frt_descriptor_parameter(descriptor, 1);

    cr_expect_eq(frt_layout_kind(frt_descriptor_result(descriptor)),
                 FRT_KIND_POINTER);
    cr_expect_eq(frt_layout_kind(first), FRT_KIND_POINTER);
    cr_expect_eq(frt_layout_kind(frt_layout_element(first)), FRT_KIND_FUNCTION);
    cr_expect_eq(second, FRT_POINTER);
    frt_prototype_free(prototype);
}

Test(declarator, a_floor_below_refuses)
{
    const struct refused table[] = {
        {"int[0x7fffffffffffffff]", FRT_OVERFLOW,
         "1:4: an array of 9223372036854775807 times 'int' is larger than any "
         "memory"},
        {"void[3]", FRT_BAD_LAYOUT,
         "1:5: an array of 'void', which is not a complete type"},
        {"struct s[3]", FRT_BAD_LAYOUT,
         "1:9: an array of 'struct s', which is not a complete type"},
    };

    check_refused_layouts(table, FRTI_ARRAY_LENGTH(table));
}
