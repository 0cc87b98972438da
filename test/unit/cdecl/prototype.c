/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

#include <pthread.h>

#include "ffi_rt/base/allocator.h"

Test(prototype, names)
{
    frt_prototype *prototype =
        parse_prototype("double pow(double x, double, const char *name)");

    cr_expect_str_eq(frt_prototype_name(prototype), "pow");
    cr_expect_str_eq(frt_prototype_symbol(prototype), "pow");
    cr_expect_str_eq(frt_prototype_parameter_name(prototype, 0), "x");
    cr_expect_null(frt_prototype_parameter_name(prototype, 1));
    cr_expect_str_eq(frt_prototype_parameter_name(prototype, 2), "name");
    cr_expect_null(frt_prototype_parameter_name(prototype, 3));
    frt_prototype_free(prototype);
    frt_prototype_free(NULL);
}

Test(prototype, symbols)
{
    frt_prototype *prototype =
        parse_prototype("int f(int) __asm__(\"\" \"real_\" \"\\156ame\")");

    cr_expect_str_eq(frt_prototype_name(prototype), "f");
    cr_expect_str_eq(frt_prototype_symbol(prototype), "real_name");
    frt_prototype_free(prototype);
}

static frt_kind
kind_of(const char *text, bool is_raw, bool of_result)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .raw_pointers = is_raw};
    const frt_descriptor *descriptor = NULL;
    frt_kind kind;

    cr_assert_eq(frt_descriptor_parse(&descriptor, text, &options), FRT_OK,
                 "%s", frt_last_detail());
    kind = frt_layout_kind(of_result ? frt_descriptor_result(descriptor)
                                     : frt_descriptor_parameter(descriptor, 0));
    frt_descriptor_drop(descriptor);
    return kind;
}

/* Parameters and the result are segments; what they point to is raw. */
Test(prototype, segments)
{
    const frt_descriptor *descriptor = NULL;
    const frt_layout *layout;

    cr_expect_eq(kind_of("void f(int *)", false, false), FRT_KIND_SEGMENT);
    cr_expect_eq(kind_of("void f(int *)", true, false), FRT_KIND_POINTER);
    cr_expect_eq(kind_of("char *f(void)", false, true), FRT_KIND_SEGMENT);
    cr_expect_eq(kind_of("char *f(void)", true, true), FRT_KIND_POINTER);
    cr_expect_eq(kind_of("void f(int (*)(void))", false, false),
                 FRT_KIND_POINTER);
    cr_expect_eq(kind_of("typedef int *ip; void f(ip)", false, false),
                 FRT_KIND_SEGMENT);
    cr_assert_eq(frt_descriptor_parse(
                     &descriptor, "int (const int **, int [static 5])", NULL),
                 FRT_OK);
    layout = frt_descriptor_parameter(descriptor, 0);
    cr_expect_not(frt_layout_is_const(layout));
    cr_expect_eq(frt_layout_count(layout), 0);
    cr_expect_eq(frt_layout_kind(frt_layout_element(layout)), FRT_KIND_POINTER);
    cr_expect(frt_layout_is_const(frt_layout_element(layout)));
    cr_expect_eq(frt_layout_count(frt_descriptor_parameter(descriptor, 1)), 5);
    frt_descriptor_drop(descriptor);
    cr_assert_eq(frt_layout_parse(&layout, "int *", NULL), FRT_OK);
    cr_expect_eq(frt_layout_kind(layout), FRT_KIND_POINTER);
    frt_layout_drop(layout);
}

/* The constructors and the parser make the same things. */
Test(prototype, interned_with_constructors)
{
    const frt_layout *segment;
    const frt_descriptor *made;
    const frt_descriptor *parsed;

    cr_assert_eq(frt_layout_segment(&segment, FRT_CHAR, true, 0), FRT_OK);
    cr_assert_eq(frt_descriptor_of(&made, FRT_SIZE, &segment, 1), FRT_OK);
    cr_assert_eq(
        frt_descriptor_parse(&parsed, "size_t strlen(const char *)", NULL),
        FRT_OK);
    cr_expect_eq(made, parsed);
    cr_assert_eq(frt_layout_parse(&segment, "void *", NULL), FRT_OK);
    cr_expect_eq(segment, FRT_POINTER);
}

Test(prototype, several_declarations)
{
    check_prototype("struct p { double x, y; }; typedef struct p p; double "
                    "f(p, p*);",
                    "double f(struct p { double x; double y; }, struct p *)");
    check_prototype("extern \"C\" { int f(int); }", "int f(int)");
    check_prototype("extern \"C\" int f(int);;", "int f(int)");
    check_prototype("asm(\"nop\"); int x = {1, (2), \"}\"}, y; ; int f(int)",
                    "int f(int)");
    check_prototype("int g(void) { return (1); } int f(int)", "int f(int)");
    check_prototype("typedef int F(int, char *s); F f", "int f(int, char *)");
    check_prototype("int g(int); typeof(g) f", "int f(int)");
    check_layout("typedef struct { int x; } p;", "struct { int x; }");
}

static const struct refused refused[] = {
    {"", FRT_BAD_DECLARATION, "1:1: the text declares nothing"},
    {" ; ; ", FRT_BAD_DECLARATION, "1:5: the text declares nothing"},
    {"int", FRT_BAD_DECLARATION,
     "1:4: a function is expected, not a type alone"},
    {"int x", FRT_BAD_DECLARATION, "1:5: 'x' is not declared as a function"},
    {"int (*f)(int)", FRT_BAD_DECLARATION,
     "1:7: 'f' is not declared as a function"},
    {"int (int)", FRT_BAD_DECLARATION, "1:5: the function has no name"},
    {"typedef int f(int)", FRT_BAD_DECLARATION,
     "1:13: 'f' is a type, not a function"},
    {"int f(void), g(void)", FRT_BAD_DECLARATION,
     "1:14: one function is expected here, not several"},
    {"int f(void) g", FRT_BAD_DECLARATION,
     "1:13: ';' or the end of the text is expected, not 'g'"},
    {"int f(void))", FRT_BAD_DECLARATION,
     "1:12: ';' or the end of the text is expected, not ')'"},
    {"}", FRT_BAD_DECLARATION, "1:1: a type is expected, not '}'"},
    {"extern \"C\" { int f(void);", FRT_BAD_DECLARATION,
     "1:26: '}' is expected, not the end of the text"},
    {"int f(void) = 3", FRT_BAD_DECLARATION,
     "1:13: only a variable has a value"},
    {"int f(void) asm(\"\")", FRT_BAD_DECLARATION,
     "1:5: the asm name of 'f' is empty"},
    {"int f(void) asm(3)", FRT_BAD_DECLARATION,
     "1:17: a string is expected, not '3'"},
    {"int vprintf(const char *, va_list)", FRT_BAD_DECLARATION,
     "1:27: a va_list cannot be passed, for only C code can make one: use a "
     "function with '...'"},
    {"typedef __builtin_va_list v; typedef v w; int f(int, w ap)",
     FRT_BAD_DECLARATION,
     "1:56: a va_list cannot be passed, for only C code can make one: use a "
     "function with '...'"},
    {"int; int f(void)", FRT_BAD_DECLARATION, "1:4: a name is expected here"},
};

Test(prototype, refused)
{
    check_refused_prototypes(refused, FRTI_ARRAY_LENGTH(refused));
}

static const struct refused refused_layouts[] = {
    {"unsigned lnog", FRT_BAD_DECLARATION,
     "1:10: a type is expected, without the name 'lnog'"},
    {"int (int)", FRT_BAD_DECLARATION,
     "1:5: a function has no layout, a pointer to one has"},
    {"int *, int", FRT_BAD_DECLARATION,
     "1:8: ';' or the end of the text is expected, not 'int'"},
    {"int *, *", FRT_BAD_DECLARATION,
     "1:9: one type is expected here, not several"},
};

/* What does not have to be passed does no harm. */
Test(prototype, va_list_elsewhere)
{
    frt_prototype_free(parse_prototype(
        "int g(va_list); int f(void (*)(const char *, va_list))"));
    frt_layout_drop(parse_layout("struct { va_list ap; }"));
}

Test(prototype, refused_as_layouts)
{
    check_refused_layouts(refused_layouts, FRTI_ARRAY_LENGTH(refused_layouts));
}

Test(prototype, arguments)
{
    const frt_layout *layout = NULL;
    const frt_descriptor *descriptor = NULL;
    frt_prototype *prototype = NULL;
    struct {
        frt_parse_options options;
        int more;
    } newer = {.options = {.size = sizeof newer}, .more = 1};
    frt_parse_options older = {.size =
                                   offsetof(frt_parse_options, raw_pointers),
                               .raw_pointers = true};

    cr_expect_eq(frt_layout_parse(NULL, "int", NULL), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_layout_parse(&layout, NULL, NULL), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_descriptor_parse(NULL, "int", NULL), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_descriptor_parse(&descriptor, NULL, NULL),
                 FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_prototype_parse(NULL, "int", NULL), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_prototype_parse(&prototype, NULL, NULL), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_layout_parse(&layout, "int", &newer.options),
                 FRT_BAD_ARGUMENT);
    cr_expect_null(layout);
    /* a shorter one has the defaults for what it lacks */
    cr_assert_eq(frt_descriptor_parse(&descriptor, "void f(int *)", &older),
                 FRT_OK);
    cr_expect_eq(frt_layout_kind(frt_descriptor_parameter(descriptor, 0)),
                 FRT_KIND_SEGMENT);
    frt_descriptor_drop(descriptor);
}

/* ------------------------------------------------------------- threads --- */

#define THREADS 16
#define ROUNDS 50

static pthread_barrier_t barrier;

static void *
parse_often(void *unused)
{
    const frt_layout *layout = NULL;

    (void)unused;
    for (size_t i = 0; i < ROUNDS; i++) {
        frt_layout_drop(layout);
        pthread_barrier_wait(&barrier);
        if (frt_layout_parse(&layout,
                             "struct first { struct first *next; struct { int "
                             "a[3]; double b; } c; int (*d)(int, char *); }",
                             NULL) != FRT_OK)
            return NULL;
    }
    return (void *)layout;
}

/* Whoever is first: there is one layout. */
Test(prototype, many_threads_make_one_layout)
{
    pthread_t threads[THREADS];
    void *layouts[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for
        EACH(i, threads)
    pthread_create(&threads[i], NULL, parse_often, NULL);
    for
        EACH(i, threads)
    pthread_join(threads[i], &layouts[i]);
    for
        EACH(i, threads)
        {
            cr_assert_not_null(layouts[i]);
            cr_expect_eq(layouts[i], layouts[0]);
        }
    for
        EACH(i, threads)
    frt_layout_drop(layouts[i]);
    pthread_barrier_destroy(&barrier);
}

Test(prototype, nothing_is_left)
{
    size_t live;

    parse_layout("struct warm { int a; }");
    live = frti_allocator_live();
    for (size_t i = 0; i < 1000; i++) {
        frt_prototype *prototype =
            parse_prototype("struct s { int a[3]; }; struct s *f(struct s, "
                            "struct s *, int (*)(struct s))");

        frt_prototype_free(prototype);
    }
    cr_expect_eq(frti_allocator_live(), live);
}
