/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* `ffi-rt import`: the command line, and the Lua module. */
#include "ffi_rt/cli/import.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/cli.h"

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

void *
frti_import_allocate(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);

    if (memory == NULL) {
        fprintf(stderr, "ffi-rt: out of memory\n");
        exit(FRTI_EXIT_FAILED);
    }
    return memory;
}

/* The end of the path, from a folder's name on. */
static bool
file_is(const char *file, const char *wanted)
{
    size_t length = strlen(file);
    size_t end = strlen(wanted);

    if (length < end || strcmp(file + length - end, wanted) != 0)
        return false;
    return length == end || wanted[0] == '/' || file[length - end - 1] == '/';
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
        is_there = file_is(declaration->file, import->files[i]);
    return fits && is_there;
}

/* A long string whose brackets the text cannot close. */
static void
import_print_lua(const struct frti_import *import)
{
    printf("-- made by ffi-rt import\n"
           "local ffi = require \"ffi_rt\"\n"
           "ffi.cdef [====[\n");
    frti_import_print_c(stdout, import);
    printf("]====]\n");
    if (import->library == NULL)
        printf("return ffi.C\n");
    else
        printf("return ffi.load \"%s\"\n", import->library);
}

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
        import->files[import->file_count++] = value;
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

/* DONE: what is to be read is known. */
static int
import_words(struct frti_import *import, int count, char **arguments)
{
    for (int at = 0; at < count; at++) {
        const char *word = arguments[at];

        if (word[0] != '-')
            import->headers.headers[import->headers.header_count++] = word;
        else if (!import_option(import, count, arguments, &at))
            return frti_usage_error(
                "import has no option '%s', or it wants a value; see 'ffi-rt "
                "import --help'",
                word);
    }
    if (import->headers.header_count == 0)
        return frti_usage_error("import wants a header");
    if (import->library != NULL && strpbrk(import->library, "\"\\\n") != NULL)
        return frti_usage_error("'%s' cannot be a library's name",
                                import->library);
    return FRTI_EXIT_DONE;
}

static int
import_run(struct frti_import *import)
{
    if (!frti_header_read(&import->decls, NULL, &import->headers))
        return FRTI_EXIT_FAILED;
    if (import->form == FRTI_IMPORT_JSON)
        frti_import_print_json(import);
    else if (import->form == FRTI_IMPORT_LUA)
        import_print_lua(import);
    else
        frti_import_print_c(stdout, import);
    frt_decls_free(import->decls);
    return frti_finish_output();
}

int
frti_import_main(int count, char **arguments)
{
    struct frti_import import = {.headers.wants_constants = true};
    size_t words = (size_t)count + 1;
    int status = FRTI_EXIT_FAILED;

    if (count > 0 && strcmp(arguments[0], "--help") == 0) {
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
