/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* `ffi-rt import`: the command line. */
#include "ffi_rt/cli/import.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/passage.h"

static const char import_usage[] =
    "usage: ffi-rt import [OPTION]... HEADER...\n"
    "\n"
    "Prints the declarations of C headers, which the installed compiler\n"
    "preprocesses: as clean C, as JSON with layouts and descriptors, or as a\n"
    "Lua module. Macros that are constants are among them.\n"
    "\n"
    "  -I DIR, -D NAME  as for the compiler\n"
    "  --only HEADER    what is declared in this file alone; may be given "
    "again\n"
    "  --filter GLOB    names that fit; may be given again\n"
    "  --json           one JSON object\n"
    "  --lua            a Lua module\n"
    "  --lib NAME       the library that the Lua module opens\n"
    "\n"
    "What the wanted declarations need is printed with them.\n";

void
frti_import_fail(void)
{
    fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
    exit(FRTI_EXIT_FAILED);
}

void *
frti_import_enlarge(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL) {
        fprintf(stderr, "ffi-rt: out of memory\n");
        exit(FRTI_EXIT_FAILED);
    }
    return memory;
}

void *
frti_import_allocate(size_t size)
{
    size = size == 0 ? 1 : size;
    return memset(frti_import_enlarge(NULL, size), 0, size);
}

/* ------------------------------------------------------------- wanted --- */

/* The end of the path, from a folder's name on. */
static bool
file_is(const char *file, size_t length, const char *wanted)
{
    size_t end = strlen(wanted);

    if (length < end || memcmp(file + length - end, wanted, end) != 0)
        return false;
    return length == end || wanted[0] == '/' || file[length - end - 1] == '/';
}

static bool
declaration_is_in(const frt_declaration *declaration, const char *wanted)
{
    return file_is(declaration->file, strlen(declaration->file), wanted);
}

bool
frti_import_wants(const struct frti_import *import,
                  const frt_declaration *declaration)
{
    bool fits = import->filter_count == 0;
    bool is_there = import->file_count == 0;

    for (size_t i = 0; i < import->filter_count && !fits; i++)
        fits = fnmatch(import->filters[i], declaration->name, 0) == 0;
    for (size_t i = 0; i < import->file_count && !is_there; i++)
        is_there = declaration_is_in(declaration, import->files[i]);
    return fits && is_there;
}

/* The names of files that were read; the compiler's own are in <>. */
static void
import_tell_files(const struct frti_lexemes *lexemes)
{
    size_t told = 0;
    size_t more = 0;

    for (size_t i = 0; i < lexemes->file_count; i++) {
        const struct frti_file *file = &lexemes->files[i];

        if (file->length == 0 || file->name[0] == '<')
            continue;
        if (told == 8) {
            more++;
            continue;
        }
        fprintf(stderr, "%s%.*s", told++ == 0 ? "" : ", ", (int)file->length,
                file->name);
    }
    if (more > 0)
        fprintf(stderr, " and %zu more", more);
    fprintf(stderr, "\n");
}

/* A file of --only that was not read can have nothing to print. */
static bool
import_check_files(const struct frti_import *import,
                   const struct frti_lexemes *lexemes)
{
    for (size_t i = 0; i < import->file_count; i++) {
        bool is_there = false;

        for (size_t j = 0; j < lexemes->file_count && !is_there; j++)
            is_there = file_is(lexemes->files[j].name, lexemes->files[j].length,
                               import->files[i]);
        if (is_there)
            continue;
        fprintf(stderr,
                "ffi-rt: '%.200s' is not among the files that were "
                "read: ",
                import->files[i]);
        import_tell_files(lexemes);
        return false;
    }
    return true;
}

/* Says what of the command line led to nothing. */
static void
import_tell_nothing(const struct frti_import *import)
{
    struct frti_import one = *import;
    size_t words = import->filter_count + import->file_count;

    for (size_t i = 0; i < words; i++) {
        bool is_filter = i < import->filter_count;
        bool is_found = false;
        bool is_static = false;

        one.filters = import->filters + i;
        one.filter_count = is_filter ? 1 : 0;
        one.files = is_filter ? import->files
                              : import->files + (i - import->filter_count);
        one.file_count = is_filter ? import->file_count : 1;
        for (size_t at = 0; at < frt_decls_count(import->decls) && !is_found;
             at++) {
            frt_declaration declaration;

            if (frt_decls_at(&declaration, import->decls, at) != FRT_OK ||
                !frti_import_wants(&one, &declaration))
                continue;
            is_static |= declaration.is_static;
            is_found =
                !declaration.is_static || import->form == FRTI_IMPORT_JSON;
        }
        if (!is_found && is_filter)
            fprintf(
                stderr, "ffi-rt: no name%s fits '%.200s'%s\n",
                import->file_count > 0 ? " in these files" : "", one.filters[0],
                is_static ? " but of what is static: no library has it" : "");
        else if (!is_found)
            fprintf(stderr, "ffi-rt: nothing is declared in '%.200s'\n",
                    one.files[0]);
    }
}

/* ------------------------------------------------------- command line --- */

static bool
import_value(const char **out, const char *name, int count, char **arguments,
             int *at)
{
    size_t length = strlen(name);
    const char *word = arguments[*at];

    if (strncmp(word, name, length) != 0)
        return false;
    if (word[length] == '=')
        *out = word + length + 1;
    else if (word[length] == '\0' && *at + 1 < count)
        *out = arguments[++*at];
    else
        return false;
    return true;
}

static bool
import_option(struct frti_import *import, int count, char **arguments, int *at)
{
    const char *value;

    if (frti_header_option(&import->headers, count, arguments, at, false))
        return true;
    if (import_value(&value, "--filter", count, arguments, at))
        import->filters[import->filter_count++] = value;
    else if (import_value(&value, "--only", count, arguments, at))
        import->files[import->file_count++] =
            strncmp(value, "./", 2) == 0 ? value + 2 : value;
    else if (import_value(&value, "--lib", count, arguments, at))
        import->library = value;
    else if (strcmp(arguments[*at], "--json") == 0)
        import->form = FRTI_IMPORT_JSON;
    else if (strcmp(arguments[*at], "--lua") == 0)
        import->form = FRTI_IMPORT_LUA;
    else
        return false;
    return true;
}

static int
import_refuse(const char *word)
{
    if (frti_header_wants_value(word, false) || strcmp(word, "--filter") == 0 ||
        strcmp(word, "--only") == 0 || strcmp(word, "--lib") == 0)
        return frti_usage_error("%s wants a value", word);
    return frti_usage_error(
        "import has no option '%.80s'; see 'ffi-rt import --help'", word);
}

/* DONE: what is to be read is known. */
static int
import_words(struct frti_import *import, int count, char **arguments)
{
    for (int at = 0; at < count; at++) {
        const char *word = arguments[at];

        if (word[0] != '-')
            import->headers.headers[import->headers.header_count++] = word;
        else if (!import_option(import, count, arguments, &at))
            return import_refuse(word);
    }
    if (import->headers.header_count == 0)
        return frti_usage_error("import wants a header");
    if (import->library != NULL && strpbrk(import->library, "\"\\\n") != NULL)
        return frti_usage_error("'%.80s' cannot be a library's name",
                                import->library);
    return FRTI_EXIT_DONE;
}

static int
import_print(const struct frti_import *import, const char *text)
{
    struct frti_passages passages;
    bool is_right;

    frti_passages_read(&passages, import->decls, text);
    is_right = import_check_files(import, &passages.lexemes);
    if (is_right) {
        import_tell_nothing(import);
        frti_passages_need(&passages, import);
        if (import->form == FRTI_IMPORT_JSON)
            frti_import_print_json(import);
        else if (import->form == FRTI_IMPORT_LUA)
            frti_import_print_lua(import, &passages);
        else
            frti_import_print_c(stdout, import, &passages);
    }
    frti_passages_free(&passages);
    return is_right ? frti_finish_output() : FRTI_EXIT_FAILED;
}

static int
import_run(struct frti_import *import)
{
    char *text;
    int status;

    if (!frti_header_read(&import->decls, &text, &import->headers))
        return FRTI_EXIT_FAILED;
    status = import_print(import, text);
    free(text);
    frt_decls_free(import->decls);
    return status;
}

int
frti_import_main(int count, char **arguments)
{
    struct frti_import import = {.headers.wants_constants = true};
    size_t words = (size_t)count + 1;
    int status = FRTI_EXIT_FAILED;

    if (frti_wants_help(count, arguments)) {
        fputs(import_usage, stdout);
        return frti_finish_output();
    }
    import.filters = frti_import_allocate(words * sizeof *import.filters);
    import.files = frti_import_allocate(words * sizeof *import.files);
    if (frti_header_begin(&import.headers, count)) {
        status = import_words(&import, count, arguments);
        if (status == FRTI_EXIT_DONE)
            status = import_run(&import);
    }
    frti_header_end(&import.headers);
    free(import.filters);
    free(import.files);
    return status;
}
