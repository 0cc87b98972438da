/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Each allocation of each parse fails once: a clear status, nothing leaked,
 * nothing changed. */
#include "test/unit/base/failing.h"
#include "test/unit/cdecl/check.h"

static const char *const layouts[] = {
    "int *",
    "struct node { struct node *next; int (*f)(int, struct node *); }",
    "struct { struct { int a : 3; double b[4]; }; union { float c; } d[2]; }",
    "enum e { A = 1, B = sizeof(int[3]) }; struct { enum e x : 2; } *",
    "float _Complex (*(*)(double __attribute__((vector_size(32))) *))[3]",
    ("typedef struct s s; typedef s *sp; struct s { _Alignas(32) char a; sp b; "
     "}; struct { char c; s d __attribute__((packed)); }"),
    "int \\\n * \\\n *",
    "max_align_t[3]",
    "struct { FILE *f; _Atomic(struct { char a[8]; }) b; }",
};

static const char *const prototypes[] = {
    "double pow(double x, double y)",
    ("struct p { double x, y; }; struct p f(const struct p *a, int b[static "
     "3], "
     "...) asm(\"label\" \"ed\")"),
    "void (*signal(int sig, void (*handler)(int)))(int)",
};

/* A pool that cannot grow goes on with the table that it has, so that a parse
 * may succeed although an allocation failed. */
static void
check_status(const char *text, size_t n, frt_status status)
{
    cr_expect(status == FRT_NO_MEMORY || status == FRT_OK, "%s, %zu: %s: %s",
              text, n, frt_status_name(status), frt_last_detail());
    if (status == FRT_NO_MEMORY)
        cr_expect_not_null(strstr(frt_last_detail(), "memory"), "%s, %zu: %s",
                           text, n, frt_last_detail());
}

/* One that keeps the pools' tables, and the thread's record, from being made
 * and given back within a case. */
static const frt_layout *
warm_up(void)
{
    const frt_layout *kept =
        parse_layout("struct kept { int a; } (*(*)[2])(int *)");

    cr_assert_eq(frt_layout_parse(&kept, "oid", NULL), FRT_BAD_DECLARATION);
    return kept;
}

Test(failure, layouts)
{
    const frt_layout *kept = warm_up();

    for
        EACH(i, layouts)
        {
            const frt_layout *whole = parse_layout(layouts[i]);
            size_t live;
            size_t failed = 0;

            frt_layout_drop(whole);
            live = frti_allocator_live();
            for (size_t n = 1;; n++) {
                const frt_layout *layout = kept;
                frt_status status;

                failing_begin(n);
                status = frt_layout_parse(&layout, layouts[i], NULL);
                if (!failing_end()) {
                    frt_layout_drop(layout);
                    break;
                }
                check_status(layouts[i], n, status);
                if (status == FRT_OK)
                    frt_layout_drop(layout);
                else
                    cr_expect_eq(layout, kept);
                failed += status == FRT_NO_MEMORY;
                cr_expect_eq(frti_allocator_live(), live, "%s, %zu: leaks",
                             layouts[i], n);
            }
            cr_expect_gt(failed, 1, "%s", layouts[i]);
        }
    frt_layout_drop(kept);
}

Test(failure, prototypes)
{
    const frt_layout *kept = warm_up();

    for
        EACH(i, prototypes)
        {
            size_t live;
            size_t failed = 0;

            frt_prototype_free(parse_prototype(prototypes[i]));
            live = frti_allocator_live();
            for (size_t n = 1;; n++) {
                frt_prototype *prototype = NULL;
                frt_status status;

                failing_begin(n);
                status = frt_prototype_parse(&prototype, prototypes[i], NULL);
                if (!failing_end()) {
                    frt_prototype_free(prototype);
                    break;
                }
                check_status(prototypes[i], n, status);
                cr_expect_eq(prototype == NULL, status != FRT_OK);
                frt_prototype_free(prototype);
                failed += status == FRT_NO_MEMORY;
                cr_expect_eq(frti_allocator_live(), live, "%s, %zu: leaks",
                             prototypes[i], n);
            }
            cr_expect_gt(failed, 2, "%s", prototypes[i]);
        }
    frt_layout_drop(kept);
}
