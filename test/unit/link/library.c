/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/failing.h"
#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

Test(library, by_path_file_name_and_bare_name)
{
    static const char *const names[] = {TEST_CALLEE, "libm.so.6", "m", "c"};

    for (size_t i = 0; i < 4; i++) {
        frt_arena arena;
        frt_library library;

        CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
        CHECK_STATUS(FRT_OK, frt_library_open(&library, arena, names[i], NULL));
        cr_assert_str_eq(frt_library_name(library), names[i]);
        CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    }
}

/* A folder with a script in it and, as liblocal.so.1, the callee. */
struct scripted {
    char folder[32];
    char script[64];
    char beside[64];
};

static void
scripted_begin(struct scripted *out)
{
    strcpy(out->folder, "/tmp/ffi_rt-script-XXXXXX");
    cr_assert_not_null(mkdtemp(out->folder));
    snprintf(out->script, sizeof out->script, "%s/liba: b.so", out->folder);
    snprintf(out->beside, sizeof out->beside, "%s/liblocal.so.1", out->folder);
    cr_assert_eq(symlink(TEST_CALLEE, out->beside), 0);
}

static void
scripted_write(const struct scripted *scripted, const char *text)
{
    FILE *file = fopen(scripted->script, "w");

    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void
scripted_end(const struct scripted *scripted)
{
    unlink(scripted->script);
    unlink(scripted->beside);
    rmdir(scripted->folder);
}

static void
check_has_callee(const char *name, const char *why)
{
    frt_arena arena;
    frt_library library;
    frt_symbol symbol;

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    cr_assert_eq(frt_library_open(&library, arena, name, NULL), FRT_OK,
                 "%s: %s", why, frt_last_detail());
    cr_assert_eq(frt_library_find(&symbol, library, "callee_add"), FRT_OK,
                 "%s: it is another library", why);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
}

Test(library, a_linker_script_is_followed)
{
    static const char *const texts[] = {
        "/* GNU ld script */\nGROUP ( " TEST_CALLEE
        " AS_NEEDED ( libnosuch.so ) )\n",
        "INPUT(libnosuch.a," TEST_CALLEE ")",
        "INPUT(\"" TEST_CALLEE "\");",
        "INPUT(=" TEST_CALLEE ")",
        "INPUT(liblocal.so.1)",
        "INPUT(\"\" = -l:liblocal.so.1)",
        "OUTPUT_FORMAT(elf64-little)\nGROUP(-lnosuch liblocal.so.1)",
        "/* not the GROUP ( libm.so.6 ) */ INPUT ( liblocal.so.1 )",
        "GROUP ( /* libm.so.6 */ liblocal.so.1 /* )",
    };
    struct scripted scripted;

    scripted_begin(&scripted);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scripted_write(&scripted, texts[i]);
        check_has_callee(scripted.script, texts[i]);
    }
    cr_assert_eq(chdir(scripted.folder), 0);
    check_has_callee("./liba: b.so", "a relative path");
    scripted_end(&scripted);
}

Test(library, a_linker_script_of_what_is_not_there)
{
    struct scripted scripted;
    frt_library library;
    char text[256];

    scripted_begin(&scripted);
    scripted_write(&scripted, "INPUT ( libnosuch.so.3 ) what else");
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_open(&library, frt_arena_global(),
                                                 scripted.script, NULL));
    check_detail("libnosuch.so.3: cannot open");
    snprintf(text, sizeof text, "INPUT ( \"%s\" \"%s\" )", scripted.script,
             scripted.script);
    for (size_t i = 0; i < 2; i++) {
        scripted_write(&scripted, i == 0 ? text : "INPUT ( )");
        CHECK_STATUS(FRT_NOT_FOUND,
                     frt_library_open(&library, frt_arena_global(),
                                      scripted.script, NULL));
        check_detail(scripted.script);
    }
    scripted_end(&scripted);
}

Test(library, what_cannot_be_opened)
{
    frt_library library;

    CHECK_STATUS(FRT_NOT_FOUND, frt_library_open(&library, frt_arena_global(),
                                                 "libnosuch.so.9", NULL));
    check_detail("libnosuch.so.9");
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_open(&library, frt_arena_global(),
                                                 "nosuch-at-all", NULL));
    CHECK_STATUS(FRT_NOT_FOUND,
                 frt_library_open(&library, frt_arena_global(), "", NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_library_open(&library, frt_arena_global(), NULL, NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_library_open(&library, (frt_arena){0}, "nosuch", NULL));
    check_detail("never opened");
}

Test(library, found_missing_and_data_are_told_apart)
{
    frt_library library = callee_library();
    frt_symbol symbol;

    CHECK_STATUS(FRT_OK, frt_library_find(&symbol, library, "callee_add"));
    cr_assert_eq(symbol.kind, FRT_SYMBOL_FUNCTION);
    CHECK_STATUS(FRT_OK, frt_library_find(&symbol, library, "callee_data"));
    cr_assert_eq(symbol.kind, FRT_SYMBOL_DATA);
    cr_assert_eq(*(int *)symbol.address, 42);
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_find(&symbol, library, "nosuch"));
    check_detail("'nosuch'");
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_find(&symbol, library, ""));
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_find(&symbol, library, "@V"));
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_find(&symbol, library, "f@"));
}

/* As templates of C++ have them. */
Test(library, a_symbol_with_a_long_name)
{
    frt_library library = callee_library();
    frt_symbol symbol;

    CHECK_STATUS(FRT_OK, frt_library_find(&symbol, library, CALLEE_LONG_NAME));
    cr_assert_eq(symbol.kind, FRT_SYMBOL_DATA);
    CHECK_STATUS(FRT_NOT_FOUND,
                 frt_library_find(&symbol, library, CALLEE_LONG_NAME "_"));
    check_detail("is not in");
}

Test(library, the_process_and_the_default_libraries)
{
    frt_symbol symbol;

    CHECK_STATUS(FRT_OK,
                 frt_library_find(&symbol, frt_library_process(), "strlen"));
    cr_assert_eq(symbol.kind, FRT_SYMBOL_FUNCTION);
    CHECK_STATUS(FRT_OK,
                 frt_library_find(&symbol, frt_library_default(), "tgamma"));
    CHECK_STATUS(FRT_NOT_FOUND,
                 frt_library_find(&symbol, frt_library_default(), "nosuch"));
    check_detail("libm.so.6");
}

Test(library, symbol_versions)
{
    frt_symbol plain;
    frt_symbol versioned;

    CHECK_STATUS(FRT_OK, frt_library_find(&plain, frt_library_process(),
                                          TEST_DEFAULT_VERSION));
    CHECK_STATUS(FRT_OK, frt_library_find(&versioned, frt_library_process(),
                                          "pthread_cond_wait"));
    cr_assert_eq(plain.address, versioned.address);
    CHECK_STATUS(FRT_NOT_FOUND, frt_library_find(&plain, frt_library_process(),
                                                 "pthread_cond_wait@NOSUCH_1"));
}

Test(library, closes_with_its_arena)
{
    frt_arena arena;
    frt_library library;
    frt_symbol symbol;

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    CHECK_STATUS(FRT_OK, frt_library_open(&library, arena, TEST_CALLEE, NULL));
    CHECK_STATUS(FRT_OK, frt_library_find(&symbol, library, "callee_add"));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    CHECK_STATUS(FRT_CLOSED, frt_library_find(&symbol, library, "callee_add"));
    CHECK_STATUS(FRT_CLOSED,
                 frt_library_open(&library, arena, TEST_CALLEE, NULL));
}

static atomic_bool stop_opening;

static void *
open_and_close(void *context)
{
    while (!atomic_load(&stop_opening)) {
        frt_arena arena;
        frt_library library;

        CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
        CHECK_STATUS(FRT_OK, frt_library_open(&library, arena, "m", NULL));
        CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    }
    return context;
}

/* A child that hangs in the loader is ended by its alarm. */
static int
open_in_child(void)
{
    frt_library library;

    alarm(20);
    return frt_library_open(&library, frt_arena_global(), TEST_CALLEE, NULL) ==
                   FRT_OK
               ? 0
               : 1;
}

Test(library, forked_children_can_open_while_threads_do)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, open_and_close, NULL), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        int status;

        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(open_in_child());
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0);
    }
    atomic_store(&stop_opening, true);
    pthread_join(thread, NULL);
}

Test(library, every_allocation_may_fail)
{
    frt_arena arena;
    frt_library library;
    size_t before;
    size_t failures = 0;
    frt_status status;

    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    before = warm_live();
    do {
        failing_begin(failures + 1);
        status = frt_library_open(&library, arena, TEST_CALLEE, NULL);
        failing_end();
        if (status == FRT_OK)
            break;
        cr_assert_eq(status, FRT_NO_MEMORY);
        cr_assert_eq(frti_allocator_live(), before);
    } while (++failures < 100);
    cr_assert_eq(status, FRT_OK);
    cr_assert_geq(failures, 2);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
}
