/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * SQLite calls back: a row callback, which ends a select by its failure, and a
 * SQL function of ours.
 */
#include "examples/upcall.h"

#include <string.h>

enum { UTF8 = 1, TEXT_IS_COPIED = -1, MOST_ROWS = 6 };

struct sqlite {
    frt_arena arena;
    frt_function *open, *exec, *create_function, *close;
    frt_function *value_text, *result_text; /* used in the SQL function */
};

static frt_function *
declare(frt_library library, const char *prototype)
{
    frt_function *function;

    check(frt_function_declare(&function, library, prototype, NULL));
    return function;
}

/* int row(void *context, int columns, char **values, char **names) */
static frt_status
print_row(void *context, void *result, void *const *arguments)
{
    int columns = *(int *)arguments[1];
    char **values = *(char ***)arguments[2];
    char **names = *(char ***)arguments[3];

    if (++*(int *)context > MOST_ROWS)
        return frt_fail(FRT_OUT_OF_BOUNDS, "that is enough rows");
    for (int i = 0; i < columns; i++)
        printf("%s%s = %s", i == 0 ? "" : ", ", names[i], values[i]);
    printf("\n");
    *(int *)result = 0;
    return FRT_OK;
}

/* void reverse(sqlite3_context *, int count, sqlite3_value **values): calls
 * SQLite again, from inside. */
static frt_status
reverse(void *context, void *result, void *const *arguments)
{
    struct sqlite *sqlite = context;
    void *where = *(void **)arguments[0];
    void **values = *(void ***)arguments[2];
    frt_segment text;
    char copy[64] = "";
    size_t length;

    (void)result;
    check(FRT_CALL(sqlite->value_text, &text, values[0]));
    length = text.address == NULL ? 0 : strlen(text.address);
    if (length >= sizeof copy)
        return frt_fail(FRT_OVERFLOW, "the text is too long to be reversed");
    for (size_t i = 0; i < length; i++)
        copy[i] = ((char *)text.address)[length - 1 - i];
    return FRT_CALL(sqlite->result_text, (void *)NULL, where, copy, -1,
                    TEXT_IS_COPIED);
}

static void
sqlite_declare(struct sqlite *out, frt_library library)
{
    out->open =
        declare(library, "int sqlite3_open(const char *, struct sqlite3 **)");
    out->exec =
        declare(library, "int sqlite3_exec(struct sqlite3 *, const char *, "
                         "int (*)(void *, int, char **, char **), void *, "
                         "char **)");
    out->create_function = declare(
        library, "int sqlite3_create_function(struct sqlite3 *, const char *, "
                 "int, int, void *, void (*)(void), void (*)(void), "
                 "void (*)(void))");
    out->close = declare(library, "int sqlite3_close(struct sqlite3 *)");
    out->value_text = declare(
        library, "const char *sqlite3_value_text(struct sqlite3_value *)");
    out->result_text =
        declare(library, "void sqlite3_result_text(struct sqlite3_context *, "
                         "const char *, int, intptr_t)");
}

static void
sqlite_free(struct sqlite *sqlite)
{
    frt_function_free(sqlite->open);
    frt_function_free(sqlite->exec);
    frt_function_free(sqlite->create_function);
    frt_function_free(sqlite->close);
    frt_function_free(sqlite->value_text);
    frt_function_free(sqlite->result_text);
}

/* Pointers to opaque structs, as SQLite's callbacks have them. SQLite gets
 * `*failed` of a handler that fails. */
static frt_upcall
open_raw(frt_arena arena, const char *name, const char *prototype,
         frt_upcall_fn function, void *context, const int *failed)
{
    const frt_parse_options raw = {.size = sizeof raw, .raw_pointers = true};
    const frt_upcall_options options = {
        .size = sizeof options, .name = name, .default_result = failed};
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    check(frt_descriptor_parse(&descriptor, prototype, &raw));
    check(frt_upcall_open(&upcall, arena, descriptor, function, context,
                          &options));
    frt_descriptor_drop(descriptor);
    return upcall;
}

static void
run(struct sqlite *sqlite, void *database, const char *sql, void *row)
{
    int code = 0;
    frt_status status = FRT_CALL(sqlite->exec, &code, database, sql, row,
                                 (void *)NULL, (void *)NULL);

    if (status != FRT_OK)
        printf("%s: %s\n", frt_status_name(status), frt_last_detail());
    if (code != 0)
        printf("SQLite says %d\n", code);
}

int
main(void)
{
    struct sqlite sqlite;
    frt_library library;
    frt_upcall row;
    frt_upcall function;
    void *database = NULL;
    const int stop = 1; /* a row's answer; by 0 SQLite goes on */
    int rows = 0;
    int code;

    check(frt_arena_open_shared(&sqlite.arena));
    check(frt_library_open(&library, sqlite.arena, "sqlite3", NULL));
    sqlite_declare(&sqlite, library);
    row = open_raw(sqlite.arena, "row", "int (void *, int, char **, char **)",
                   print_row, &rows, &stop);
    function = open_raw(sqlite.arena, "reverse", "void (void *, int, void **)",
                        reverse, &sqlite, NULL);

    check(FRT_CALL(sqlite.open, &code, ":memory:", &database));
    check(FRT_CALL(sqlite.create_function, &code, database, "reverse", 1, UTF8,
                   (void *)NULL, frt_upcall_address(function), (void *)NULL,
                   (void *)NULL));
    run(&sqlite, database,
        "create table word(w text);"
        "insert into word values ('drawer'), ('stressed'), ('level');",
        NULL);
    run(&sqlite, database, "select w, reverse(w) as r from word",
        frt_upcall_address(row));
    printf("%d rows\n", rows);
    run(&sqlite, database, "select reverse(hex(zeroblob(100))) as r",
        frt_upcall_address(row));
    run(&sqlite, database,
        "with recursive n(i) as (select 1 union all select i + 1 from n) "
        "select i from n",
        frt_upcall_address(row));
    check(FRT_CALL(sqlite.close, &code, database));
    sqlite_free(&sqlite);
    check(frt_arena_close(sqlite.arena));
    return 0;
}
