/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/names.h"

#include "ffi_rt/cdecl/lexer.h"
#include "test/unit/cdecl/check.h"

struct scene {
    struct frti_source source;
    struct frti_store store;
    struct frti_names names;
};

static void
scene_init(struct scene *scene)
{
    scene->store = (struct frti_store){0};
    cr_assert(frti_source_init(&scene->source, "", NULL));
    frti_names_init(&scene->names, &scene->source, &scene->store);
}

static void
scene_fini(struct scene *scene)
{
    frti_names_fini(&scene->names);
    frti_store_fini(&scene->store);
    frti_source_fini(&scene->source);
}

Test(names, one_spelling_is_one_name)
{
    struct scene scene;
    struct frti_name *seen[1000];
    char text[16];

    scene_init(&scene);
    for
        EACH(i, seen)
        {
            size_t length = (size_t)snprintf(text, sizeof text, "name_%zu", i);

            seen[i] = frti_name_of(&scene.names, text, length);
            cr_assert_str_eq(seen[i]->text, text);
        }
    for
        EACH(i, seen)
    cr_expect_eq(seen[i],
                 frti_name_of(&scene.names, seen[i]->text, seen[i]->length));
    cr_expect_eq(frti_name_of(&scene.names, "int", 3)->keyword, FRTI_TOKEN_INT);
    scene_fini(&scene);
}

/* An inner binding hides an outer one of its name space until its scope ends.
 */
Test(names, scopes)
{
    struct scene scene;
    struct frti_name *name;
    const struct frti_binding type = {.kind = FRTI_BINDING_TYPEDEF};
    const struct frti_binding object = {.kind = FRTI_BINDING_OBJECT};
    const struct frti_binding tag = {.kind = FRTI_BINDING_STRUCT};

    scene_init(&scene);
    name = frti_name_of(&scene.names, "T", 1);
    frti_bind(&scene.names, name, &type);
    frti_scope_enter(&scene.names);
    frti_bind(&scene.names, name, &object);
    frti_bind(&scene.names, name, &tag);
    cr_expect_eq(name->ordinary->kind, FRTI_BINDING_OBJECT);
    cr_expect_eq(name->tag->kind, FRTI_BINDING_STRUCT);
    frti_scope_enter(&scene.names);
    frti_scope_leave(&scene.names);
    cr_expect_eq(name->ordinary->kind, FRTI_BINDING_OBJECT);
    frti_scope_leave(&scene.names);
    cr_expect_eq(name->ordinary->kind, FRTI_BINDING_TYPEDEF);
    cr_expect_null(name->tag);
    scene_fini(&scene);
}

/* C11 6.2.1 and 6.2.3, in texts. */
Test(names, typedef_names_reused)
{
    check_prototype("typedef int T; void f(int T)", "void f(int)");
    check_prototype("typedef int T; void f(T T)", "void f(int)");
    check_prototype("typedef int T; void f(T (T))", "void f(int (*)(int))");
    check_prototype("typedef int T; void f(int T, int a[sizeof T]), g(T);"
                    "T h(T)",
                    "int h(int)");
    check_layout("typedef int T; struct s { T T; }", "struct s { int T; }");
    check_layout("typedef int T; struct s { T a : 3; T : 4; }; struct s",
                 "struct s { int a : 3; int : 4; }");
    check_layout("typedef int T; struct T { T T; }; struct T",
                 "struct T { int T; }");
    check_layout("typedef unsigned char bool; bool", "unsigned char");
    check_layout("typedef long size_t; size_t", "long");
    check_layout("typedef _Bool bool; bool", "_Bool");
    check_prototype("typedef int T; enum { E = sizeof(T) }; int f(int E)",
                    "int f(int)");
    check_prototype("int f(struct s { int a; } x, struct s y)",
                    "int f(struct s { int a; }, struct s)");
}

static const struct refused refused[] = {
    {"typedef int t; typedef long t; t", FRT_BAD_DECLARATION,
     "1:29: 't' is declared as something else at 1:13"},
    {"int t;\ntypedef int t; t", FRT_BAD_DECLARATION,
     "2:13: 't' is declared as something else at 1:5"},
    {"enum { t }; int t; int", FRT_BAD_DECLARATION,
     "1:17: 't' is declared as something else at 1:8"},
    {"void f(int T); T", FRT_BAD_DECLARATION, "1:16: unknown type name 'T'"},
    {"typedef int T; void f(int T, T x)", FRT_BAD_DECLARATION,
     "1:30: unknown type name 'T'"},
};

Test(names, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}
