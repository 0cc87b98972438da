/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A database through descriptors alone: open, exec, query, close.
 *
 * SQLite's objects are opaque structs. We name them, so that a statement is not
 * taken for a database, and never need to know what is in them.
 */
#include "examples/check.h"

#include <string.h>

enum { OK = 0, ROW = 100, DONE = 101 };

/* The eight functions that we use. */
struct sqlite {
    frt_function *open, *exec, *prepare, *step, *column_int, *column_text,
        *finalize, *close;
};

static void
sqlite_declare(struct sqlite *out, frt_library library)
{
    const struct {
        frt_function **function;
        const char *prototype;
    } rows[] = {
        {&out->open, "int sqlite3_open(const char *, struct sqlite3 **)"},
        {&out->exec, "int sqlite3_exec(struct sqlite3 *, const char *, void *, "
                     "void *, char **)"},
        {&out->prepare,
         "int sqlite3_prepare_v2(struct sqlite3 *, const char *, int, "
         "struct sqlite3_stmt **, const char **)"},
        {&out->step, "int sqlite3_step(struct sqlite3_stmt *)"},
        {&out->column_int,
         "int sqlite3_column_int(struct sqlite3_stmt *, int)"},
        {&out->column_text,
         "const char *sqlite3_column_text(struct sqlite3_stmt *, int)"},
        {&out->finalize, "int sqlite3_finalize(struct sqlite3_stmt *)"},
        {&out->close, "int sqlite3_close(struct sqlite3 *)"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(frt_function_declare(rows[i].function, library, rows[i].prototype,
                                   NULL));
}

static void
sqlite_free(struct sqlite *sqlite)
{
    frt_function_free(sqlite->open);
    frt_function_free(sqlite->exec);
    frt_function_free(sqlite->prepare);
    frt_function_free(sqlite->step);
    frt_function_free(sqlite->column_int);
    frt_function_free(sqlite->column_text);
    frt_function_free(sqlite->finalize);
    frt_function_free(sqlite->close);
}

static void
expect(int wanted, int code)
{
    if (code == wanted)
        return;
    fprintf(stderr, "SQLite says %d, not %d\n", code, wanted);
    exit(EXIT_FAILURE);
}

static void
exec(const struct sqlite *sqlite, void *database, const char *statement)
{
    int code;

    check(FRT_CALL(sqlite->exec, &code, database, statement, NULL, NULL, NULL));
    expect(OK, code);
    printf("%s\n", statement);
}

static void
query(const struct sqlite *sqlite, void *database, const char *text)
{
    void *statement;
    int code, year;
    frt_segment name;

    check(
        FRT_CALL(sqlite->prepare, &code, database, text, -1, &statement, NULL));
    expect(OK, code);
    printf("%s\n", text);
    for (;;) {
        check(FRT_CALL(sqlite->step, &code, statement));
        if (code != ROW)
            break;
        check(FRT_CALL(sqlite->column_text, &name, statement, 0));
        check(FRT_CALL(sqlite->column_int, &year, statement, 1));
        printf("    %s, %d\n", (const char *)name.address, year);
    }
    expect(DONE, code);
    check(FRT_CALL(sqlite->finalize, &code, statement));
    expect(OK, code);
}

int
main(void)
{
    frt_arena arena;
    frt_library library;
    struct sqlite sqlite;
    void *database;
    int code;

    check(frt_arena_open_confined(&arena));
    check(frt_library_open(&library, arena, "libsqlite3.so.0", NULL));
    sqlite_declare(&sqlite, library);

    check(FRT_CALL(sqlite.open, &code, ":memory:", &database));
    expect(OK, code);
    exec(&sqlite, database, "create table language (name text, year int)");
    exec(&sqlite, database,
         "insert into language values ('C', 1972), ('Lua', 1993), "
         "('Fortran', 1957)");
    query(&sqlite, database, "select name, year from language order by year");
    check(FRT_CALL(sqlite.close, &code, database));
    expect(OK, code);

    sqlite_free(&sqlite);
    check(frt_arena_close(arena));
    return EXIT_SUCCESS;
}
