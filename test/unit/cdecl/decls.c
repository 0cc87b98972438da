/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "test/unit/base/failing.h"
#include "test/unit/cdecl/check.h"

static frt_decls *
set_new(void)
{
    frt_decls *decls = NULL;

    cr_assert_eq(frt_decls_new(&decls, NULL), FRT_OK);
    return decls;
}

static void
add(frt_decls *decls, const char *text, const char *origin)
{
    cr_assert_eq(frt_decls_add(decls, text, origin), FRT_OK, "%s: %s", text,
                 frt_last_detail());
}

static void
add_refused(frt_decls *decls, const char *text, const char *origin,
            const char *line)
{
    cr_expect_eq(frt_decls_add(decls, text, origin), FRT_BAD_DECLARATION, "%s",
                 text);
    check_detail_line(text, line);
}

static frt_declaration
find(frt_decls *decls, const char *name)
{
    frt_declaration found = {.name = NULL};

    cr_assert_eq(frt_decls_find(&found, decls, name), FRT_OK, "%s: %s", name,
                 frt_last_detail());
    return found;
}

static void
check_function(frt_decls *decls, const char *name, const char *printed)
{
    const frt_prototype *function = NULL;
    char text[512];

    cr_assert_eq(frt_decls_function(&function, decls, name), FRT_OK, "%s",
                 frt_last_detail());
    frt_descriptor_print(text, sizeof text, frt_prototype_descriptor(function),
                         name);
    cr_expect_str_eq(text, printed);
}

Test(decls, several_texts)
{
    frt_decls *decls = set_new();
    frt_declaration found;

    add(decls, "typedef struct point { double x, y; } point;", "point.h");
    add(decls,
        "\nextern double norm(const point *p, int flags) asm(\"norm2\");\n"
        "enum { NEAR = 1, FAR = -2 };\nextern const int limit;",
        "norm.h");
    cr_expect_eq(frt_decls_count(decls), 6);

    found = find(decls, "struct point");
    cr_expect_eq(found.what, FRT_DECLARED_STRUCT);
    cr_expect_eq(frt_layout_size(found.layout), 16);
    cr_expect_eq(find(decls, "point").layout, found.layout);

    found = find(decls, "norm");
    cr_expect_eq(found.what, FRT_DECLARED_FUNCTION);
    cr_expect_str_eq(found.file, "norm.h");
    cr_expect_eq(found.line, 2);
    cr_expect_str_eq(found.symbol, "norm2");
    cr_expect_str_eq(frt_prototype_symbol(found.function), "norm2");
    cr_expect_str_eq(frt_prototype_parameter_name(found.function, 0), "p");
    check_function(decls, "norm", "double norm(const struct point *, int)");

    found = find(decls, "FAR");
    cr_expect_eq(found.what, FRT_DECLARED_CONSTANT);
    cr_expect_eq((int64_t)found.bits, -2);
    cr_expect_null(found.enumeration);
    cr_expect_eq(find(decls, "limit").what, FRT_DECLARED_VARIABLE);
    cr_expect_eq(frt_decls_find(&found, decls, "point3"), FRT_NOT_FOUND);
    cr_expect_str_eq(frt_last_detail(), "'point3' is not declared");
    frt_decls_free(decls);
}

Test(decls, what_a_layout_does_not_say)
{
    frt_decls *decls = set_new();

    add(decls,
        "enum colour { RED, BLUE = 4 }; typedef enum { ON } mode;\n"
        "extern const int limit; extern int count;\n"
        "extern const int primes[4]; extern const char *motto;\n"
        "extern char *const name; typedef const double fixed;",
        NULL);
    cr_expect_str_eq(find(decls, "RED").enumeration, "colour");
    cr_expect_str_eq(find(decls, "BLUE").enumeration, "colour");
    cr_expect_null(find(decls, "ON").enumeration);
    cr_expect_null(find(decls, "count").enumeration);
    cr_expect(find(decls, "limit").is_const);
    cr_expect(find(decls, "primes").is_const);
    cr_expect(find(decls, "name").is_const);
    cr_expect(find(decls, "fixed").is_const);
    cr_expect_not(find(decls, "count").is_const);
    cr_expect_not(find(decls, "motto").is_const);
    frt_decls_free(decls);
}

Test(decls, by_kind)
{
    frt_decls *decls = set_new();
    const frt_layout *layout = NULL;
    const frt_prototype *function = NULL;
    frt_declaration found;

    add(decls,
        "typedef int fn(int); int f(va_list); struct s; int g(struct s);"
        "int v;",
        "a.h");
    cr_expect_eq(frt_decls_type(&layout, decls, "v"), FRT_NOT_FOUND);
    cr_expect_str_eq(frt_last_detail(),
                     "'v' (a.h:1) is a variable, not a type");
    cr_expect_eq(frt_decls_type(&layout, decls, "fn"), FRT_UNSUPPORTED);
    cr_expect_eq(frt_decls_function(&function, decls, "f"), FRT_UNSUPPORTED);
    cr_expect_str_eq(frt_last_detail(), "'f' (a.h:1): a va_list cannot be "
                                        "passed, for only C code can make one");
    cr_expect_eq(frt_decls_function(&function, decls, "g"), FRT_UNSUPPORTED);
    cr_expect_null(find(decls, "g").function);
    cr_expect_eq(frt_decls_constant(&found, decls, "v"), FRT_NOT_FOUND);
    cr_expect_eq(frt_decls_variable(&found, decls, "v"), FRT_OK);
    cr_expect_eq(frt_decls_at(&found, decls, 99), FRT_OUT_OF_BOUNDS);
    add(decls, "struct s { int a; };", "b.h");
    check_function(decls, "g", "int g(struct s { int a; })");
    cr_expect_str_eq(find(decls, "struct s").file, "b.h");
    frt_decls_free(decls);
}

/* The order of the first mention; a tag that is completed stays there. */
Test(decls, order)
{
    static const char *const names[] = {"s", "p", "f", "x"};
    frt_decls *decls = set_new();
    frt_declaration found;

    add(decls, "typedef struct s *p;", NULL);
    add(decls, "struct s { int a; }; int f(p x); int x; int f(p);", NULL);
    cr_expect_eq(frt_decls_count(decls), 4);
    for
        EACH(i, names)
        {
            cr_assert_eq(frt_decls_at(&found, decls, i), FRT_OK);
            cr_expect_str_eq(found.name, names[i]);
        }
    cr_expect(
        frt_layout_is_complete(frt_layout_element(find(decls, "p").layout)));
    check_function(decls, "f", "int f(struct s *)");
    frt_decls_free(decls);
}

Test(decls, declared_again)
{
    frt_decls *decls = set_new();
    size_t count;

    add(decls,
        "struct s { int a; }; typedef int T;\nint f(struct s *, T); enum { A "
        "};\nextern int v[];",
        "one.h");
    count = frt_decls_count(decls);
    add(decls,
        "struct s { int a; }; typedef int T; int f(struct s *s, int); enum { A "
        "}; extern int v[3];",
        "two.h");
    cr_expect_eq(frt_decls_count(decls), count);
    cr_expect_eq(frt_layout_size(find(decls, "v").layout), 12);
    add_refused(decls, "int f(struct s *, long);", "two.h",
                "two.h:1:5: 'f' is declared as something else at one.h:2");
    add_refused(decls, "\ntypedef long T;", NULL,
                "2:14: 'T' is declared as something else at one.h:1");
    add_refused(decls, "struct s { long a; };", "two.h",
                "two.h:1:8: 'struct s' was defined otherwise at one.h:1");
    add_refused(decls, "union s;", "two.h",
                "two.h:1:7: 'union s' is a tag of another kind at one.h:1");
    add_refused(decls, "enum { A = 3 };", "two.h",
                "two.h:1:8: 'A' is declared as something else at one.h:2");
    add_refused(decls, "int A;", "two.h",
                "two.h:1:5: 'A' is declared as something else at one.h:2");
    add_refused(decls, "typedef int L[]; typedef int L[2];", NULL,
                "1:30: 'L' is declared as something else at 1:13");
    frt_decls_free(decls);
}

/* Which a type that is asked for may do. */
Test(decls, nothing_without_a_name)
{
    frt_decls *decls = set_new();

    add(decls, "struct s { int a; }", NULL);
    add_refused(decls, "int *", NULL, "1:6: a name is expected here");
    add_refused(decls, "int a, ;", NULL, "1:8: a name is expected here");
    add_refused(decls, "struct s, b", NULL, "1:9: a name is expected here");
    cr_expect_eq(frt_decls_count(decls), 1);
    frt_decls_free(decls);
}

/* What a later declaration adds is in what is found from then on. */
Test(decls, known_better_later)
{
    frt_decls *decls = set_new();

    add(decls, "int f(); int g(int x);", NULL);
    check_function(decls, "f", "int f(void)");
    cr_expect_str_eq(find(decls, "g").symbol, "g");
    add(decls, "int f(char *); int g() asm(\"h\");", NULL);
    check_function(decls, "f", "int f(char *)");
    check_function(decls, "g", "int g(int)");
    cr_expect_str_eq(find(decls, "g").symbol, "h");
    cr_expect_str_eq(frt_prototype_symbol(find(decls, "g").function), "h");
    add_refused(decls, "int g(int) asm(\"i\");", NULL,
                "1:5: 'g' is declared as something else at <text>:1");
    frt_decls_free(decls);
}

/* A text that fails leaves nothing of it behind. */
Test(decls, failure_changes_nothing)
{
    frt_decls *decls = set_new();
    frt_declaration found;

    add(decls, "struct s; struct c { int a; }; int f(); enum e;", NULL);
    add_refused(decls,
                "struct s { int a; }; typedef int T; int f(int); int g(T x);"
                "enum e { E1, E2 }; struct c { int a; }; oops",
                NULL, "1:100: unknown type name 'oops'");
    add_refused(decls, "struct c { int a; int", NULL,
                "1:22: a name is expected, not the end of the text");
    cr_expect_eq(frt_decls_count(decls), 4);
    cr_expect_not(frt_layout_is_complete(find(decls, "struct s").layout));
    cr_expect_eq(frt_decls_find(&found, decls, "T"), FRT_NOT_FOUND);
    cr_expect_eq(frt_decls_find(&found, decls, "E1"), FRT_NOT_FOUND);
    check_function(decls, "f", "int f(void)");
    add(decls, "struct c { int a; }; struct s { long b; }; typedef char T;",
        NULL);
    add(decls, "enum e { E1 = 7 };", NULL);
    cr_expect_eq(frt_layout_size(find(decls, "struct s").layout), 8);
    frt_decls_free(decls);
}

Test(decls, texts_that_only_use_it)
{
    frt_decls *decls = set_new();
    const frt_parse_options options = {.size = sizeof options, .decls = decls};
    const frt_parse_options other = {.size = sizeof other,
                                     .decls = decls,
                                     .model = model_of("aarch64-apple")};
    const frt_layout *layout = NULL;
    const frt_descriptor *descriptor = NULL;

    add(decls, "typedef struct { int a; } T; enum { N = 3 };", NULL);
    cr_assert_eq(frt_layout_parse(&layout, "T (*)[N]", &options), FRT_OK);
    cr_expect_eq(frt_layout_size(frt_layout_element(layout)), 12);
    frt_layout_drop(layout);
    cr_assert_eq(frt_layout_parse(&layout,
                                  "typedef struct mine { T t; } mine; mine",
                                  &options),
                 FRT_OK);
    frt_layout_drop(layout);
    cr_assert_eq(frt_descriptor_parse(&descriptor, "int f(T *, T)", &options),
                 FRT_OK);
    frt_descriptor_drop(descriptor);
    cr_expect_eq(frt_decls_count(decls), 2);
    cr_expect_eq(frt_layout_parse(&layout, "mine", &options),
                 FRT_BAD_DECLARATION);
    cr_expect_eq(frt_layout_parse(&layout, "T", &other), FRT_BAD_ARGUMENT);
    frt_decls_free(decls);
}

static void
define(frt_decls *decls, const char *name, const char *expression)
{
    cr_assert_eq(frt_decls_define(decls, name, expression), FRT_OK, "%s: %s",
                 expression, frt_last_detail());
}

static frt_declaration
constant(frt_decls *decls, const char *name)
{
    frt_declaration found = {.name = NULL};

    cr_assert_eq(frt_decls_constant(&found, decls, name), FRT_OK, "%s",
                 frt_last_detail());
    return found;
}

Test(decls, constants)
{
    frt_decls *decls = set_new();
    frt_declaration found;

    add(decls, "typedef uint64_t dur_t; enum { KNOWN = 4 };", NULL);
    define(decls, "NANO", "# 12 \"time.h\"\n((dur_t)1000000000ULL)");
    found = constant(decls, "NANO");
    cr_expect_eq(found.layout, FRT_U64);
    cr_expect_eq(found.bits, 1000000000);
    cr_expect_str_eq(found.file, "time.h");
    cr_expect_eq(found.line, 12);
    define(decls, "RATIO", "2.5f * KNOWN");
    cr_expect_eq(constant(decls, "RATIO").layout, FRT_F32);
    cr_expect_eq(constant(decls, "RATIO").number, 10);
    define(decls, "TWICE", "RATIO * 2");
    cr_expect_eq(constant(decls, "TWICE").number, 20);
    define(decls, "TEXT", "(\"1.2\" \"-b\")");
    cr_expect_str_eq(constant(decls, "TEXT").string, "1.2-b");
    define(decls, "FAILED", "((void *)-1)");
    cr_expect_eq(constant(decls, "FAILED").bits, UINT64_MAX);
    define(decls, "IOWR",
           "(3U << 30) | (('c') << 8) | (101) | (sizeof(int) << 16)");
    cr_expect_eq(constant(decls, "IOWR").bits, 0xc0046365);
    define(decls, "KNOWN", "KNOWN");
    cr_expect_eq(frt_decls_define(decls, "KNOWN", "5"), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "dur_t", "5"), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "RATIO", "1"), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "E", "(*f())"), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "E", "1 2"), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "E", ""), FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_define(decls, "int", "1"), FRT_BAD_ARGUMENT);
    cr_expect_eq(frt_decls_define(decls, "a b", "1"), FRT_BAD_ARGUMENT);
    frt_decls_free(decls);
}

/* As gcc and clang take them: of their own type, whatever the value's. */
Test(decls, static_constants)
{
    frt_decls *decls = set_new();
    frt_declaration found;
    const frt_layout *layout = NULL;

    add(decls,
        "static const int A = 5, B = sizeof(long[A]);"
        "static const unsigned char C = 300; static const float F = 0.1;"
        "const static double D = 1 / 4.; static const char S[] = \"ab\" \"c\";"
        "constexpr long L = 1L << 40; extern char array[B];",
        NULL);
    cr_expect_eq(constant(decls, "A").bits, 5);
    cr_expect_eq(constant(decls, "B").bits, 40);
    cr_expect_eq(constant(decls, "C").layout, FRT_UCHAR);
    cr_expect_eq(constant(decls, "C").bits, 44);
    cr_expect_eq(constant(decls, "F").number, 0.1f);
    cr_expect_eq(constant(decls, "D").number, 0.25);
    cr_expect_str_eq(constant(decls, "S").string, "abc");
    add(decls, "static void *const P = (void *)-1;", NULL);
    cr_expect_eq(constant(decls, "P").bits, UINT64_MAX);
    cr_expect_eq(frt_layout_kind(constant(decls, "P").layout),
                 FRT_KIND_POINTER);
    cr_expect_eq(constant(decls, "L").bits, (uint64_t)1 << 40);
    cr_assert_eq(frt_decls_variable(&found, decls, "array"), FRT_OK);
    cr_expect_eq(frt_layout_size(found.layout), 40);

    add(decls, "static const int A = 2 + 3;", NULL);
    cr_expect_eq(frt_decls_add(decls, "static const int A = 6;", NULL),
                 FRT_BAD_DECLARATION);
    cr_expect_eq(frt_decls_add(decls, "static int A = 5;", NULL),
                 FRT_BAD_DECLARATION);
    /* these are variables */
    add(decls,
        "static int a = 1; extern const int b; const int c = 3, d = 4;"
        "static const int e = f(1), g = ((struct p){.x = 1}).x, h =\n"
        "# 40 \"some.h\"\n"
        "(struct q { int i; }){1}.i; static const int *const i = &b;"
        "static const struct s { int i; } j = {1}; static const int k[] = {1};"
        "static const char o[] = {'a'}, p[] = 0 \"b\", q[] = L\"c\";"
        "static const int l = sizeof(struct t { int i; }) + m, n = 7;"
        "struct q { char c; }; struct t { char c; };",
        NULL);
    for (const char *name = "abcdeghijklopq"; *name != '\0'; name++) {
        char text[] = {*name, '\0'};

        cr_expect_eq(frt_decls_variable(&found, decls, text), FRT_OK, "%s",
                     text);
    }
    cr_expect_eq(constant(decls, "n").line, 41 - 1);
    cr_assert_eq(frt_decls_find(&found, decls, "a"), FRT_OK);
    cr_expect(found.is_static);
    cr_assert_eq(frt_decls_find(&found, decls, "c"), FRT_OK);
    cr_expect_not(found.is_static);
    cr_assert_eq(frt_decls_type(&layout, decls, "struct t"), FRT_OK);
    cr_expect_eq(frt_layout_size(layout), 1);
    frt_decls_free(decls);
}

Test(decls, raw_pointers)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .raw_pointers = true};
    frt_decls *decls = NULL;
    const frt_prototype *function = NULL;

    cr_assert_eq(frt_decls_new(&decls, &options), FRT_OK);
    add(decls, "int f(char *);", NULL);
    cr_assert_eq(frt_decls_function(&function, decls, "f"), FRT_OK);
    cr_expect_eq(frt_layout_kind(frt_descriptor_parameter(
                     frt_prototype_descriptor(function), 0)),
                 FRT_KIND_POINTER);
    frt_decls_free(decls);
}

static void
everything(frt_decls *decls, bool *is_right)
{
    static const char *const texts[] = {
        "struct s; typedef struct s *p; int f(p a, struct s **b);",
        "struct s { int a[3]; }; int g(struct s) asm(\"h\"); enum { A, B };"
        "static const double d = 2.5; static const int v = g(d);",
    };
    frt_declaration found;

    *is_right = true;
    for
        EACH(i, texts)
    if (frt_decls_add(decls, texts[i], "some.h") != FRT_OK)
        *is_right = false;
    if (frt_decls_define(decls, "X", "2.5 * 2") != FRT_OK)
        *is_right = false;
    for (size_t i = 0; i < frt_decls_count(decls); i++)
        if (frt_decls_at(&found, decls, i) != FRT_OK)
            *is_right = false;
}

Test(decls, no_memory)
{
    frt_decls *warm = set_new();
    bool is_right;
    size_t live;
    size_t failed = 0;

    everything(warm, &is_right);
    cr_assert(is_right);
    add_refused(warm, "oops x;", NULL, "1:1: unknown type name 'oops'");
    live = frti_allocator_live();
    for (size_t n = 1;; n++) {
        frt_decls *decls = NULL;
        bool is_whole;

        failing_begin(n);
        if (frt_decls_new(&decls, NULL) == FRT_OK)
            everything(decls, &is_right);
        else
            is_right = false;
        is_whole = !failing_end();
        cr_expect(!is_whole || is_right);
        if (!is_right) {
            cr_expect_not_null(strstr(frt_last_detail(), "memory"), "%s",
                               frt_last_detail());
            failed++;
            if (decls != NULL) { /* and it goes on, as if nothing had been */
                everything(decls, &is_right);
                cr_expect(is_right, "%zu: %s", n, frt_last_detail());
            }
        }
        frt_decls_free(decls);
        cr_expect_eq(frti_allocator_live(), live, "%zu: leaks", n);
        if (is_whole)
            break;
    }
    cr_expect_gt(failed, 4);
    frt_decls_free(warm);
}

/* ------------------------------------------------------------- threads --- */

#define THREADS 8
#define NAMES 300

static atomic_size_t added;
static atomic_size_t faults;

static void *
look(void *context)
{
    frt_decls *decls = context;
    char name[32];

    for (size_t n = 0; atomic_load(&added) < NAMES || n < NAMES; n++) {
        size_t limit = atomic_load(&added);
        size_t i = n % NAMES;
        const frt_prototype *function;
        const frt_parse_options options = {.size = sizeof options,
                                           .decls = decls};
        const frt_layout *layout;

        if (i >= limit)
            continue;
        snprintf(name, sizeof name, "f%zu", i);
        if (frt_decls_function(&function, decls, name) != FRT_OK ||
            frt_descriptor_count(frt_prototype_descriptor(function)) != 2)
            atomic_fetch_add(&faults, 1);
        snprintf(name, sizeof name, "struct s%zu *", i);
        if (frt_layout_parse(&layout, name, &options) != FRT_OK)
            atomic_fetch_add(&faults, 1);
        else
            frt_layout_drop(layout);
    }
    return NULL;
}

Test(decls, many_threads, .timeout = 120)
{
    frt_decls *decls = set_new();
    pthread_t threads[THREADS];
    char text[128];

    for
        EACH(i, threads)
    cr_assert_eq(pthread_create(&threads[i], NULL, look, decls), 0);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(text, sizeof text,
                 "struct s%zu { int a; }; int f%zu(struct s%zu *, int);", i, i,
                 i);
        add(decls, text, NULL);
        atomic_fetch_add(&added, 1);
    }
    for
        EACH(i, threads)
    cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_expect_eq(atomic_load(&faults), 0);
    frt_decls_free(decls);
}

/* ------------------------------------------------------------ many adds --- */

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The last tenth of the additions takes about as long as the first: a search
 * through what is there would make it many times as long. */
Test(decls, many_small_texts, .timeout = 600)
{
    size_t tenth = getenv("FRT_TEST_LONG") == NULL ? 2000 : 100000;
    frt_decls *decls = set_new();
    double start;
    double first = 0;
    double last = 0;
    char text[128];

    for (size_t part = 0; part < 10; part++) {
        start = seconds();
        for (size_t i = part * tenth; i < (part + 1) * tenth; i++) {
            snprintf(text, sizeof text,
                     "typedef struct s%zu { int a; } t%zu; int f%zu(t%zu *);",
                     i, i, i, i);
            add(decls, text, NULL);
        }
        last = seconds() - start;
        if (part == 0)
            first = last;
    }
    cr_expect_eq(frt_decls_count(decls), 30 * tenth);
    cr_expect_lt(last, first * 5 + 0.05, "%g s, then %g s", first, last);
    check_function(decls, "f19", "int f19(struct s19 *)");
    start = seconds();
    frt_decls_free(decls);
    cr_expect_lt(seconds() - start, first * 10 + 0.1);
}
