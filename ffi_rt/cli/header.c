/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/header.h"

#include "ffi_rt/cli/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------- request --- */

bool
frti_header_begin(struct frti_header_request *request, int count)
{
    request->headers = calloc((size_t)count + 1, sizeof *request->headers);
    request->options = calloc(2 * (size_t)count + 1, sizeof *request->options);
    if (request->headers != NULL && request->options != NULL)
        return true;
    frti_header_end(request);
    fprintf(stderr, "ffi-rt: out of memory\n");
    return false;
}

void
frti_header_end(struct frti_header_request *request)
{
    free(request->headers);
    free(request->options);
    request->headers = NULL;
    request->options = NULL;
}

bool
frti_header_option(struct frti_header_request *request, int count,
                   char **arguments, int *at, bool takes_header)
{
    const char *word = arguments[*at];

    if (takes_header && strncmp(word, "--header=", 9) == 0) {
        request->headers[request->header_count++] = word + 9;
        return true;
    }
    if (takes_header && strcmp(word, "--header") == 0 && *at + 1 < count) {
        request->headers[request->header_count++] = arguments[++*at];
        return true;
    }
    if (strncmp(word, "-I", 2) != 0 && strncmp(word, "-D", 2) != 0)
        return false;
    if (word[2] == '\0' && *at + 1 == count)
        return false;
    request->options[request->option_count++] = word;
    if (word[2] == '\0')
        request->options[request->option_count++] = arguments[++*at];
    return true;
}

bool
frti_header_wants_value(const char *word, bool takes_header)
{
    return strcmp(word, "-I") == 0 || strcmp(word, "-D") == 0 ||
           (takes_header && strcmp(word, "--header") == 0);
}

/* ------------------------------------------------------------- growing --- */

/* A text that grows; `bytes` NULL: there was no memory. */
struct growing {
    char *bytes;
    size_t length;
    size_t capacity;
};

static void
growing_add(struct growing *text, const char *bytes, size_t length)
{
    if (text->bytes == NULL)
        return;
    if (text->capacity - text->length <= length) {
        size_t capacity = (text->length + length) * 2 + 1024;
        char *larger = realloc(text->bytes, capacity);

        if (larger == NULL) {
            free(text->bytes);
            text->bytes = NULL;
            return;
        }
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void
growing_say(struct growing *text, const char *word)
{
    growing_add(text, word, strlen(word));
}

/* What would end the name in an `#include` line, and go on as C. */
static bool
header_check_name(const char *name, const char *ends)
{
    char bytes[256];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    if (*name != '\0' && strpbrk(name, ends) == NULL)
        return true;
    frti_text_quote(&text, name, strlen(name), false);
    fprintf(stderr, "ffi-rt: %s cannot be a header's name\n", bytes);
    return false;
}

/* Where the text of a request begins. */
#define HEADER_TEXT_MARKER "# 1 \"declarations\""

/* `#include` lines, and the text. A file that is there is meant itself,
 * wherever the compiler would look first. False: a name is none, which has been
 * said. */
static bool
header_includes(struct growing *text, const struct frti_header_request *request)
{
    bool is_right = true;

    *text = (struct growing){.bytes = calloc(1, 1), .capacity = 1};
    for (size_t i = 0; i < request->header_count && is_right; i++) {
        const char *name = request->headers[i];
        char *path = access(name, R_OK) == 0 ? realpath(name, NULL) : NULL;

        is_right = header_check_name(path != NULL ? path : name,
                                     path != NULL ? "\"\n\r" : ">\n\r");
        growing_say(text, path != NULL ? "#include \"" : "#include <");
        growing_say(text, path != NULL ? path : name);
        growing_say(text, path != NULL ? "\"\n" : ">\n");
        free(path);
    }
    if (request->text != NULL) {
        growing_say(text, HEADER_TEXT_MARKER "\n");
        growing_say(text, request->text);
        growing_say(text, "\n");
    }
    return is_right;
}

static bool
header_preprocess(char **out, const struct frti_header_request *request,
                  const char *option, bool is_first, const char *input)
{
    struct frti_compiler compiler;
    bool is_right;

    if (!frti_compiler_find(&compiler))
        return false;
    frti_compiler_add(&compiler, "-E");
    if (option != NULL)
        frti_compiler_add(&compiler, option);
    if (!is_first) /* its warnings have been seen */
        frti_compiler_add(&compiler, "-w");
    for (size_t i = 0; i < request->option_count; i++)
        frti_compiler_add(&compiler, request->options[i]);
    frti_compiler_add(&compiler, "-x");
    frti_compiler_add(&compiler, "c");
    frti_compiler_add(&compiler, "-");
    is_right = input != NULL && frti_compiler_run(out, &compiler, input);
    frti_compiler_fini(&compiler);
    return is_right;
}

/* -------------------------------------------------------------- macros --- */

/* Where the lines of a preprocessed text are from. */
struct origin {
    const char *file; /* in the text, up to its quote */
    size_t file_length;
    unsigned long line;
};

static void
origin_read(struct origin *origin, const char *line)
{
    char *end;
    unsigned long number = strtoul(line + 2, &end, 10);

    if (*end++ != ' ' || *end != '"')
        return;
    origin->line = number - 1;
    origin->file = end + 1;
    origin->file_length = strcspn(origin->file, "\"\n");
}

/* The length of the name of an object-like macro with a value; 0: it is none.
 * `line` is after the `#define `. */
static size_t
macro_name(const char *line)
{
    size_t length = 0;

    while (isalnum((unsigned char)line[length]) || line[length] == '_')
        length++;
    return line[length] == ' ' && line[length + 1] != '\n' ? length : 0;
}

/* Of the header that gcc includes by itself. */
static bool
origin_is_predefined(const struct origin *origin)
{
    static const char name[] = "/stdc-predef.h";
    size_t length = sizeof name - 1;

    return origin->file_length > length &&
           strncmp(origin->file + origin->file_length - length, name, length) ==
               0;
}

/* `_STDIO_H`: that a header was read is no constant of it. */
static bool
macro_is_guard(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] == '_')
        length--;
    return length > 2 && strncmp(name + length - 2, "_H", 2) == 0;
}

/* For one macro a line that the preprocessor expands. The marker before it is
 * kept, as a string, for what is found in the value. */
static void
macro_ask(struct growing *probe, const struct origin *origin, const char *name,
          size_t length)
{
    char number[32];

    if (origin->file == NULL || origin->file[0] == '<' ||
        macro_is_guard(name, length) || origin_is_predefined(origin))
        return;
    snprintf(number, sizeof number, "%lu", origin->line);
    growing_say(probe, "frt_macro \"");
    growing_add(probe, name, length);
    growing_say(probe, "\" \"");
    growing_say(probe, number);
    growing_say(probe, "\" \"");
    growing_add(probe, origin->file, origin->file_length);
    growing_say(probe, "\" ");
    growing_add(probe, name, length);
    growing_say(probe, "\n");
}

/* Blanks `#define` and `#undef` out of the text, and asks for the values. */
static void
macros_take(char *text, struct growing *probe)
{
    struct origin origin = {.file = NULL};
    char *next;

    for (char *line = text; *line != '\0'; line = next) {
        size_t length = strcspn(line, "\n");

        next = line + length + (line[length] == '\n');
        origin.line++;
        if (line[0] != '#')
            continue;
        if (line[1] == ' ' && isdigit((unsigned char)line[2])) {
            origin_read(&origin, line);
        } else if (strncmp(line, "#define ", 8) == 0) {
            size_t name = macro_name(line + 8);

            if (name != 0)
                macro_ask(probe, &origin, line + 8, name);
            memset(line, ' ', length);
        } else if (strncmp(line, "#undef ", 7) == 0) {
            memset(line, ' ', length);
        }
    }
}

/* The text between the next two quotes, which become its end; NULL: none. */
static char *
macro_word(char **at)
{
    char *start = strchr(*at, '"');
    char *end = start == NULL ? NULL : strchr(start + 1, '"');

    if (end == NULL)
        return NULL;
    *end = '\0';
    *at = end + 1;
    return start + 1;
}

/* A macro that is no constant is none of ours: nothing is said. */
static void
macro_define(frt_decls *decls, char *line)
{
    char *name = macro_word(&line);
    char *number = name == NULL ? NULL : macro_word(&line);
    char *file = number == NULL ? NULL : macro_word(&line);
    struct growing text = {.bytes = calloc(1, 1), .capacity = 1};
    frt_status ignored = FRT_OK;

    if (file != NULL) {
        growing_say(&text, "# ");
        growing_say(&text, number);
        growing_say(&text, " \"");
        growing_say(&text, file);
        growing_say(&text, "\"\n");
        growing_say(&text, line);
        if (text.bytes != NULL)
            ignored = frt_decls_define(decls, name, text.bytes);
    }
    (void)ignored;
    free(text.bytes);
}

static bool
macros_define(frt_decls *decls, const struct frti_header_request *request,
              const char *probe)
{
    char *text;
    char *next;

    if (!header_preprocess(&text, request, "-P", false, probe))
        return false;
    for (char *line = text; *line != '\0'; line = next) {
        size_t length = strcspn(line, "\n");

        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        if (strncmp(line, "frt_macro \"", 11) == 0)
            macro_define(decls, line + 10);
    }
    free(text);
    return true;
}

/* ---------------------------------------------------------------- read --- */

static bool
header_parse(frt_decls **out, const struct frti_header_request *request,
             const char *text)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .model = request->model};

    if (request->is_text_alone)
        text = strstr(text, HEADER_TEXT_MARKER);
    *out = NULL;
    if (frt_decls_new(out, &options) == FRT_OK &&
        frt_decls_add(*out, text, NULL) == FRT_OK)
        return true;
    fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
    frt_decls_free(*out);
    return false;
}

bool
frti_header_read(frt_decls **out, char **text,
                 const struct frti_header_request *request)
{
    struct growing probe;
    frt_decls *decls = NULL;
    char *read = NULL;
    bool is_right = header_includes(&probe, request) &&
                    header_preprocess(&read, request,
                                      request->wants_constants ? "-dD" : NULL,
                                      true, probe.bytes);

    if (is_right && request->wants_constants)
        macros_take(read, &probe);
    if (is_right)
        is_right = header_parse(&decls, request, read);
    if (is_right && request->wants_constants && probe.bytes != NULL &&
        !macros_define(decls, request, probe.bytes)) {
        frt_decls_free(decls);
        is_right = false;
    }
    free(probe.bytes);
    if (is_right && text != NULL)
        *text = read;
    else
        free(read);
    if (is_right)
        *out = decls;
    return is_right;
}
