/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `ffi-rt call`: the command line.
 */
#include "ffi_rt/cli/call.h"
#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/header.h"

#include <stdio.h>
#include <string.h>

static const char call_usage[] =
    "usage: ffi-rt call [OPTION]... [LIBRARY] 'PROTOTYPE' [ARGUMENT]...\n"
    "       ffi-rt call --header NAME [OPTION]... FUNCTION [ARGUMENT]...\n"
    "\n"
    "Calls the function that the C prototype names, and prints its result.\n"
    "LIBRARY is a path, a file name (libz.so.1) or a bare name (z). Without "
    "it\n"
    "the function is one of the C or mathematics library. The name may have a\n"
    "version: 'int f@V1(int)'. Options end at the first operand.\n"
    "\n"
    "  --lib NAME       look in this library first; may be given again\n"
    "  --header NAME    the function, or types of its prototype, are declared "
    "there;\n"
    "                   -I and -D as for a compiler\n"
    "  --backend NAME   auto, stub or libffi\n"
    "  --json           print one JSON object: result, out, errno\n"
    "  --errno          set errno to 0 before the call, print it after\n"
    "  --no-isolate     call in this process: a crash ends it without a "
    "report\n"
    "\n"
    "Arguments, by the type of their parameter:\n"
    "  integers     42 -1 0x2a 0o52 0b101010 'c'     _Bool        true false\n"
    "  floating     2.5 1e9 0x1p-3 inf nan           complex      1+2i\n"
    "  char *       text, or \"text\\n\" with escapes   aggregates   {1, 2.5}\n"
    "  pointers     null 0xADDRESS                   by name      {x = 1}\n"
    "  pointee      @ (zero), @VALUE, @[16] (16 of it), @[]{1, 2, 3}\n"
    "               it is shown after the call as #2 = ...\n"
    "  for a ...    an integer is an int (long long if it has to be), a "
    "number\n"
    "               with a point or exponent a double, null a pointer, and\n"
    "               anything else a string\n"
    "\n"
    "Exit status: 0 called, 1 not called or crashed, 2 wrong usage.\n";

/* What follows an option that takes a value: `--lib NAME` or `--lib=NAME`.
 * NULL: it is another option, or (*is_missing) nothing follows. */
static const char *
option_value(const char *name, int count, char **arguments, int *at,
             bool *is_missing)
{
    size_t length = strlen(name);
    const char *word = arguments[*at];

    if (strncmp(word, name, length) != 0)
        return NULL;
    if (word[length] == '=')
        return word + length + 1;
    if (word[length] != '\0')
        return NULL;
    if (*at + 1 == count) {
        *is_missing = true;
        return NULL;
    }
    return arguments[++*at];
}

static bool
option_backend(frt_backend *out, const char *name)
{
    static const struct {
        const char *name;
        frt_backend backend;
    } backends[] = {
        {"auto", FRT_BACKEND_AUTO},
        {"stub", FRT_BACKEND_STUB},
        {"libffi", FRT_BACKEND_LIBFFI},
    };

    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(name, backends[i].name) == 0) {
            *out = backends[i].backend;
            return true;
        }
    return false;
}

static bool
option_flag(struct frti_call_request *request, const char *word)
{
    if (strcmp(word, "--json") == 0)
        request->is_json = true;
    else if (strcmp(word, "--errno") == 0)
        request->wants_errno = true;
    else if (strcmp(word, "--no-isolate") == 0)
        request->is_isolated = false;
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        request->wants_help = true;
    else
        return false;
    return true;
}

/* The option at *at and its value. False: it was wrong, and that was said. */
static bool
option_read(struct frti_call_request *request,
            struct frti_header_request *headers, int count, char **arguments,
            int *at)
{
    const char *word = arguments[*at], *value;
    bool is_missing = frti_header_wants_value(word, true);

    if (option_flag(request, word) ||
        frti_header_option(headers, count, arguments, at, true))
        return true;
    value = option_value("--lib", count, arguments, at, &is_missing);
    if (value != NULL) {
        request->libraries[request->library_count++] = (char *)value;
        return true;
    }
    value = option_value("--backend", count, arguments, at, &is_missing);
    if (value != NULL && option_backend(&request->backend, value))
        return true;
    if (value != NULL)
        frti_usage_error("there is no backend '%.80s': auto, stub or libffi",
                         value);
    else if (is_missing)
        frti_usage_error("%s wants a value", word);
    else
        frti_usage_error("there is no option '%.80s'; see 'ffi-rt call --help'",
                         word);
    return false;
}

/* The function: with headers its name will do. */
static bool
request_function(struct frti_call_request *request, bool has_headers, int count,
                 char **arguments, int *at)
{
    if (has_headers && *at < count &&
        (strchr(arguments[*at], '(') != NULL ||
         strchr(arguments[*at], ' ') == NULL))
        return true; /* a name alone, too */
    if (*at < count && strchr(arguments[*at], '(') == NULL &&
        strchr(arguments[*at], ' ') == NULL) /* `int abs` is no library */
        request->libraries[request->library_count++] = arguments[(*at)++];
    if (*at < count && strchr(arguments[*at], '(') != NULL)
        return true;
    if (has_headers && *at == count) {
        frti_usage_error("no function: a name that the header declares is "
                         "wanted, or a C prototype");
        return false;
    }
    frti_usage_error("%s%.80s%s: a C prototype is wanted, such as "
                     "'double pow(double, double)'",
                     *at == count ? "no prototype" : "'",
                     *at == count ? "" : arguments[*at],
                     *at == count ? "" : "' has no '('");
    return false;
}

/* The libraries' names take the places of words that were read before. */
static bool
request_read(struct frti_call_request *request,
             struct frti_header_request *headers, int count, char **arguments)
{
    int at = 0;

    request->libraries = arguments;
    for (; at < count && arguments[at][0] == '-'; at++) {
        if (strcmp(arguments[at], "--") == 0) {
            at++;
            break;
        }
        if (!option_read(request, headers, count, arguments, &at))
            return false;
    }
    if (request->wants_help)
        return true;
    if (!request_function(request, headers->header_count > 0, count, arguments,
                          &at))
        return false;
    request->prototype = arguments[at++];
    request->arguments = arguments + at;
    request->argument_count = (size_t)(count - at);
    return true;
}

int
frti_call_main(int count, char **arguments)
{
    struct frti_call_request request = {.is_isolated = true};
    struct frti_header_request headers = {.model = NULL};
    int status = FRTI_EXIT_FAILED;

    if (!frti_header_begin(&headers, count))
        return status;
    if (!request_read(&request, &headers, count, arguments)) {
        status = FRTI_EXIT_USAGE;
    } else if (request.wants_help) {
        fputs(call_usage, stdout);
        status = frti_finish_output();
    } else if (headers.header_count == 0 ||
               frti_header_read(&request.decls, NULL, &headers)) {
        status = frti_isolate(frti_call_perform, &request, request.is_isolated);
        frt_decls_free(request.decls);
    }
    frti_header_end(&headers);
    return status;
}
