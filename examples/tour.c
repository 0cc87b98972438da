/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The tour: real functions of real libraries, called by descriptor.
 *
 * Each step prints the prototype, the call and its result, and compares the
 * result with what the library's own documentation promises. The last line
 * counts. Exit status 1 if anything was not as expected.
 */
#include "examples/check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

struct tour {
    frt_arena arena;
    frt_library library; /* of the steps that follow */
    int libraries, calls, surprises;
};

/* ---------------------------------------------------------- its steps --- */

static void
tour_visit(struct tour *tour, const char *name, const char *what)
{
    check(frt_library_open(&tour->library, tour->arena, name, NULL));
    tour->libraries++;
    printf("\n%s: %s\n", name, what);
}

/* A function of the library that is visited; tour_free ends the step. */
static frt_function *
tour_declare(struct tour *tour, const char *prototype)
{
    frt_function *function;

    check(frt_function_declare(&function, tour->library, prototype, NULL));
    printf("\n  %s\n", prototype);
    return function;
}

/* A call was made, and `is_expected` is what became of it. */
static void __attribute__((format(printf, 3, 4)))
tour_show(struct tour *tour, bool is_expected, const char *format, ...)
{
    va_list list;

    tour->calls++;
    if (!is_expected)
        tour->surprises++;
    printf("      ");
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("%s\n", is_expected ? "" : "   <- this is not as expected");
}

static bool
is_text(const frt_segment *segment, const char *text)
{
    return segment->address != NULL &&
           strcmp((const char *)segment->address, text) == 0;
}

/* -------------------------------------------------------- libm, libc --- */

static void
visit_mathematics(struct tour *tour)
{
    frt_function *function;
    double result;
    float single;
    int exponent;

    tour_visit(tour, "libm.so.6", "numbers");

    function = tour_declare(tour, "double pow(double x, double y)");
    check(FRT_CALL(function, &result, 2, 10));
    tour_show(tour, result == 1024, "pow(2, 10) = %g", result);
    frt_function_free(function);

    function = tour_declare(tour, "float hypotf(float x, float y)");
    check(FRT_CALL(function, &single, 3, 4));
    tour_show(tour, single == 5, "hypotf(3, 4) = %g", (double)single);
    frt_function_free(function);

    function = tour_declare(tour, "double frexp(double x, int *exponent)");
    check(FRT_CALL(function, &result, 8, &exponent));
    tour_show(tour, result == 0.5 && exponent == 4,
              "frexp(8) = %g, exponent %d", result, exponent);
    frt_function_free(function);
}

static void
visit_long_double(struct tour *tour)
{
    frt_function *function =
        tour_declare(tour, "long double ldexpl(long double x, int exponent)");
    long double result;

    check(FRT_CALL(function, &result, 1.0L, 10000));
    tour_show(tour, result == ldexpl(1, 10000), "ldexpl(1, 10000) = %.6Lg",
              result);
    frt_function_free(function);
}

static void
visit_strings(struct tour *tour)
{
    frt_function *function;
    frt_segment text;
    size_t length;
    char buffer[32];
    int count;

    tour_visit(tour, "libc.so.6", "text, structs, errno, variadic functions");

    function = tour_declare(tour, "size_t strlen(const char *text)");
    check(FRT_CALL(function, &length, "hello"));
    tour_show(tour, length == 5, "strlen(\"hello\") = %zu", length);
    frt_function_free(function);

    function = tour_declare(tour, "char *strchr(const char *text, int c)");
    check(FRT_CALL(function, &text, "name=value", '='));
    tour_show(tour, is_text(&text, "=value"),
              "strchr(\"name=value\", '=') = \"%s\"", (char *)text.address);
    frt_function_free(function);

    function = tour_declare(
        tour, "int snprintf(char *out, size_t size, const char *format, ...)");
    check(FRT_CALL(function, &count, buffer, sizeof buffer, "%d %.2f %s", 42,
                   2.5, "ok"));
    tour_show(tour, count == 10 && strcmp(buffer, "42 2.50 ok") == 0,
              "snprintf(\"%%d %%.2f %%s\", 42, 2.5, \"ok\") = %d, \"%s\"",
              count, buffer);
    frt_function_free(function);
}

static void
visit_structs(struct tour *tour)
{
    struct {
        int quot, rem;
    } parts;
    struct {
        long quot, rem;
    } long_parts;
    frt_function *function;

    function = tour_declare(
        tour, "struct { int quot; int rem; } div(int numerator, int divisor)");
    check(FRT_CALL(function, &parts, 17, 5));
    tour_show(tour, parts.quot == 3 && parts.rem == 2,
              "div(17, 5) = {quot = %d, rem = %d}", parts.quot, parts.rem);
    frt_function_free(function);

    function =
        tour_declare(tour, "struct { long quot; long rem; } ldiv(long, long)");
    check(FRT_CALL(function, &long_parts, 1000000007, -10));
    tour_show(tour, long_parts.quot == -100000000 && long_parts.rem == 7,
              "ldiv(1000000007, -10) = {quot = %ld, rem = %ld}",
              long_parts.quot, long_parts.rem);
    frt_function_free(function);
}

static void
visit_errno(struct tour *tour)
{
    frt_function *function = tour_declare(tour, "int close(int file)");
    frt_call_state state = {.error_number = 0};
    int file = -1, result;
    void *arguments[] = {&file};

    check(frt_call_captured(function, &state, &result, arguments, 1));
    tour_show(tour, result == -1 && state.error_number == 9,
              "close(-1) = %d, errno = %d (%s)", result, state.error_number,
              strerror(state.error_number));
    frt_function_free(function);
}

/* -------------------------------------------------------------- zlib --- */

static void
visit_zlib(struct tour *tour)
{
    static const char text[] = "a text, a text, a text, a text, a text, a text";
    frt_function *function;
    unsigned char packed[128];
    char again[128];
    unsigned long sum, packed_size = sizeof packed, size = sizeof again;
    int result;

    tour_visit(tour, "libz.so.1", "a checksum, compression and back");

    function = tour_declare(
        tour, "unsigned long crc32(unsigned long, const char *, unsigned)");
    check(FRT_CALL(function, &sum, 0, "123456789", 9));
    tour_show(tour, sum == 0xcbf43926, "crc32(0, \"123456789\", 9) = %#lx",
              sum);
    frt_function_free(function);

    function =
        tour_declare(tour, "int compress2(unsigned char *, unsigned long *, "
                           "const char *, unsigned long, int)");
    check(FRT_CALL(function, &result, packed, &packed_size, text, sizeof text,
                   9));
    tour_show(tour, result == 0 && packed_size < sizeof text,
              "compress2(%zu bytes) = %d, %s", sizeof text, result,
              packed_size < sizeof text ? "less than half of it" : "not less");
    frt_function_free(function);

    function = tour_declare(tour, "int uncompress(char *, unsigned long *, "
                                  "const unsigned char *, unsigned long)");
    check(FRT_CALL(function, &result, again, &size, packed, packed_size));
    tour_show(tour, result == 0 && memcmp(again, text, sizeof text) == 0,
              "uncompress = %d, \"%.14s...\", %lu bytes", result, again, size);
    frt_function_free(function);
}

/* ------------------------------------------------------------ SQLite --- */

static void *
database_open(struct tour *tour)
{
    frt_function *function;
    void *database;
    int code;

    function = tour_declare(
        tour, "int sqlite3_open(const char *name, struct sqlite3 **out)");
    check(FRT_CALL(function, &code, ":memory:", &database));
    tour_show(tour, code == 0, "sqlite3_open(\":memory:\") = %d", code);
    frt_function_free(function);

    function = tour_declare(tour, "int sqlite3_exec(struct sqlite3 *, "
                                  "const char *, void *, void *, char **)");
    check(FRT_CALL(function, &code, database,
                   "create table planet (name text); insert into planet "
                   "values ('Mercury'), ('Venus'), ('Earth')",
                   NULL, NULL, NULL));
    tour_show(tour, code == 0,
              "sqlite3_exec(\"create table planet ...; insert ...\") = %d",
              code);
    frt_function_free(function);
    return database;
}

/* The statement, at its first row. */
static void *
database_query(struct tour *tour, void *database)
{
    frt_function *function;
    void *statement;
    int code;

    function = tour_declare(
        tour, "int sqlite3_prepare_v2(struct sqlite3 *, const char *, int, "
              "struct sqlite3_stmt **, const char **)");
    check(FRT_CALL(function, &code, database,
                   "select count(*), max(name) from planet", -1, &statement,
                   NULL));
    tour_show(tour, code == 0,
              "sqlite3_prepare_v2(\"select count(*), max(name) from planet\") "
              "= %d",
              code);
    frt_function_free(function);

    function = tour_declare(tour, "int sqlite3_step(struct sqlite3_stmt *)");
    check(FRT_CALL(function, &code, statement));
    tour_show(tour, code == 100, "sqlite3_step() = %d, a row", code);
    frt_function_free(function);
    return statement;
}

static void
database_read(struct tour *tour, void *statement)
{
    frt_function *function;
    frt_segment text;
    int number;

    function = tour_declare(
        tour, "int sqlite3_column_int(struct sqlite3_stmt *, int column)");
    check(FRT_CALL(function, &number, statement, 0));
    tour_show(tour, number == 3, "sqlite3_column_int(0) = %d", number);
    frt_function_free(function);

    function = tour_declare(tour, "const char *sqlite3_column_text("
                                  "struct sqlite3_stmt *, int column)");
    check(FRT_CALL(function, &text, statement, 1));
    tour_show(tour, is_text(&text, "Venus"), "sqlite3_column_text(1) = \"%s\"",
              (const char *)text.address);
    frt_function_free(function);
}

static void
database_close(struct tour *tour, void *database, void *statement)
{
    frt_function *function;
    int code;

    function =
        tour_declare(tour, "int sqlite3_finalize(struct sqlite3_stmt *)");
    check(FRT_CALL(function, &code, statement));
    tour_show(tour, code == 0, "sqlite3_finalize() = %d", code);
    frt_function_free(function);

    function = tour_declare(tour, "int sqlite3_close(struct sqlite3 *)");
    check(FRT_CALL(function, &code, database));
    tour_show(tour, code == 0, "sqlite3_close() = %d", code);
    frt_function_free(function);
}

static void
visit_sqlite(struct tour *tour)
{
    void *database, *statement;

    tour_visit(tour, "libsqlite3.so.0", "open, exec, query, close");
    database = database_open(tour);
    statement = database_query(tour, database);
    database_read(tour, statement);
    database_close(tour, database, statement);
}

/* --------------------------------------------------------------- GSL --- */

#define COMPLEX "struct gsl_complex { double dat[2]; }"

static void
visit_gsl(struct tour *tour)
{
    struct {
        double dat[2];
    } a = {{1, 2}}, b = {{3, -1}}, product;
    frt_function *function;
    double first, second, value;
    int count;

    tour_visit(tour, "gsl",
               "complex numbers by value, special "
               "functions");

    function = tour_declare(tour, COMPLEX " gsl_complex_mul(" COMPLEX
                                          ", " COMPLEX ")");
    check(FRT_CALL(function, &product, FRT_BY_VALUE(a), FRT_BY_VALUE(b)));
    tour_show(tour, product.dat[0] == 5 && product.dat[1] == 5,
              "gsl_complex_mul(1 + 2i, 3 - i) = %g + %gi", product.dat[0],
              product.dat[1]);
    frt_function_free(function);

    function = tour_declare(tour, "int gsl_poly_solve_quadratic(double, "
                                  "double, double, double *, double *)");
    check(FRT_CALL(function, &count, 1, -3, 2, &first, &second));
    tour_show(tour, count == 2 && first == 1 && second == 2,
              "gsl_poly_solve_quadratic(1, -3, 2) = %d, roots %g and %g", count,
              first, second);
    frt_function_free(function);

    function = tour_declare(tour, "double gsl_sf_bessel_J0(double x)");
    check(FRT_CALL(function, &value, 5));
    tour_show(tour, fabs(value - -0.17759677131433830435) < 1e-15,
              "gsl_sf_bessel_J0(5) = %.12f", value);
    frt_function_free(function);
}

static void
visit_blas(struct tour *tour)
{
    static const double x[] = {1, 2, 3}, y[] = {4, 5, 6};
    frt_function *function;
    double product;

    tour_visit(tour, "gslcblas", "arrays");
    function = tour_declare(tour, "double cblas_ddot(int, const double *, int, "
                                  "const double *, int)");
    check(FRT_CALL(function, &product, 3, x, 1, y, 1));
    tour_show(tour, product == 32, "cblas_ddot({1, 2, 3}, {4, 5, 6}) = %g",
              product);
    frt_function_free(function);
}

int
main(void)
{
    struct tour tour = {.calls = 0};

    check(frt_arena_open_confined(&tour.arena));
    visit_mathematics(&tour);
    visit_long_double(&tour);
    visit_strings(&tour);
    visit_structs(&tour);
    visit_errno(&tour);
    visit_zlib(&tour);
    visit_sqlite(&tour);
    visit_gsl(&tour);
    visit_blas(&tour);
    check(frt_arena_close(tour.arena));

    printf("\n%d calls on %d libraries: ", tour.calls, tour.libraries);
    if (tour.surprises == 0)
        printf("all as expected\n");
    else
        printf("%d not as expected\n", tour.surprises);
    return tour.surprises == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
