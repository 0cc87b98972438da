/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call, step by step. Each step returns false when the call cannot go on;
 * then the exchange has the sentence.
 */
#include "ffi_rt/cli/call.h"
#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/picture.h"
#include "ffi_rt/cli/value.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct call {
    struct frti_exchange *exchange;
    const struct frti_call_request *request;
    frt_arena arena; /* for all that follows; it ends with the process */
    frt_library *libraries;
    const frt_prototype *prototype;
    const frt_descriptor *descriptor; /* with the arguments for its `...` */
    const char *symbol;               /* the function's name and version */
    frt_library library;              /* that has it */
    frt_function *function;
    void **arguments;
    struct frti_pointee *pointees; /* one an argument */
    void *result;
    frt_call_state state;
};

static bool __attribute__((format(printf, 2, 3)))
call_fail(struct call *call, const char *format, ...)
{
    char sentence[4096];
    va_list list;

    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    frti_text_cut(&call->exchange->text, 0);
    frti_text_say(&call->exchange->text, "%s", sentence);
    return false;
}

/* True if the status is OK. */
static bool
call_check(struct call *call, frt_status status)
{
    return status == FRT_OK || call_fail(call, "%s", frt_last_detail());
}

static void *
call_allocate(struct call *call, size_t count, size_t size)
{
    frt_segment segment;

    if (!call_check(call, frt_arena_allocate(&segment, call->arena,
                                             (count + 1) * size, 0)))
        return NULL;
    return segment.address;
}

/* --------------------------------------------------------- prototype --- */

static bool
version_has(char c)
{
    return isalnum((unsigned char)c) || strchr("_.@-", c) != NULL;
}

/* C has no versions of symbols: `int f@V1(int)` is parsed as `int f   (int)`,
 * so that columns stay, and `*version` becomes "@V1". */
static bool
call_split_version(struct call *call, char **text, char *version, size_t size)
{
    size_t length = 0, bytes = strlen(call->request->prototype) + 1;
    char *at;

    *text = call_allocate(call, bytes, 1);
    if (*text == NULL)
        return false;
    memcpy(*text, call->request->prototype, bytes);
    at = strchr(*text, '@');
    for (; at != NULL && *at != '\0' && version_has(*at); at++) {
        if (length < size - 1)
            version[length++] = *at;
        *at = ' ';
    }
    version[length] = '\0';
    return true;
}

/* A static function is a header's alone. */
static bool
call_check_static(struct call *call, const char *name)
{
    frt_declaration declaration;

    if (!call_check(call,
                    frt_decls_find(&declaration, call->request->decls, name)))
        return false;
    return !declaration.is_static ||
           call_fail(call, "'%.200s' (%.200s:%zu) is static: no library has it",
                     name, declaration.file, declaration.line);
}

/* The prototype, or the declaration that the headers have of a name. */
static bool
call_declare(struct call *call, char *text)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .decls = call->request->decls};
    frt_prototype *prototype;

    if (options.decls != NULL && strchr(text, '(') == NULL) {
        text[strcspn(text, " ")] = '\0'; /* where the version was */
        return call_check(call, frt_decls_function(&call->prototype,
                                                   options.decls, text)) &&
               call_check_static(call, text);
    }
    if (!call_check(call, frt_prototype_parse(&prototype, text, &options)))
        return false;
    call->prototype = prototype;
    return true;
}

static bool
call_parse(struct call *call)
{
    char version[256], *text, *symbol;
    const char *name;
    size_t size;

    if (!call_split_version(call, &text, version, sizeof version) ||
        !call_declare(call, text))
        return false;
    call->descriptor = frt_prototype_descriptor(call->prototype);
    name = frt_prototype_symbol(call->prototype);
    if (name == NULL)
        return call_fail(call, "the prototype has no function's name");
    size = strlen(name) + sizeof version;
    symbol = call_allocate(call, size, 1);
    if (symbol == NULL)
        return false;
    snprintf(symbol, size, "%s%s", name, version);
    call->symbol = symbol;
    return true;
}

/* ---------------------------------------------------------- function --- */

/* Their symbols serve those after them, as those of a linked program do. */
static bool
call_open_libraries(struct call *call)
{
    const struct frti_call_request *request = call->request;
    frt_library_options options = {.size = sizeof options, .global = true};
    size_t count = (size_t)request->library_count;

    call->libraries = call_allocate(call, count, sizeof *call->libraries);
    if (call->libraries == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        frti_exchange_subject(call->exchange, "opening %s",
                              request->libraries[i]);
        if (!call_check(call,
                        frt_library_open(&call->libraries[i], call->arena,
                                         request->libraries[i], &options)))
            return false;
    }
    call->libraries[count] = frt_library_default();
    return true;
}

static bool
call_fail_to_find(struct call *call)
{
    char where_bytes[2048];
    struct frti_text where = frti_text_in(where_bytes, sizeof where_bytes);
    int count = call->request->library_count;

    for (int i = 0; i < count; i++)
        frti_text_say(&where, "%s, ", call->request->libraries[i]);
    return call_fail(
        call,
        "there is no symbol %.200s in %s%s (the process, libc.so.6, "
        "libm.so.6)",
        call->symbol, where_bytes, frt_library_name(call->libraries[count]));
}

static bool
call_find(struct call *call)
{
    frt_status status = FRT_NOT_FOUND;
    frt_symbol symbol;

    frti_exchange_subject(call->exchange, "looking for %s", call->symbol);
    for (int i = 0;
         i <= call->request->library_count && status == FRT_NOT_FOUND; i++) {
        call->library = call->libraries[i];
        status = frt_library_find(&symbol, call->library, call->symbol);
    }
    if (status == FRT_NOT_FOUND)
        return call_fail_to_find(call);
    return call_check(call, status);
}

static bool
call_link(struct call *call)
{
    frt_link_options options = {.size = sizeof options,
                                .backend = call->request->backend};

    frti_exchange_subject(call->exchange, "linking %s", call->symbol);
    return call_check(call, frt_function_new(&call->function, call->library,
                                             call->symbol, call->descriptor,
                                             &options));
}

/* --------------------------------------------------------- arguments --- */

/* Names the first argument that is missing, and its type. */
static bool
call_fail_to_count(struct call *call, size_t given)
{
    const char *name = frt_prototype_parameter_name(call->prototype, given);
    char type[256];

    frti_picture_name(type, sizeof type,
                      frt_descriptor_parameter(call->descriptor, given));
    return call_fail(
        call,
        "too few arguments: %s wants %s%zu, not %zu; argument %zu is %s%s%s",
        call->symbol,
        frt_descriptor_is_variadic(call->descriptor) ? "at least " : "",
        frt_descriptor_fixed(call->descriptor), given, given + 1,
        name == NULL ? "" : name, name == NULL ? "" : ", ", type);
}

static bool
call_count_arguments(struct call *call)
{
    size_t wanted = frt_descriptor_fixed(call->descriptor);
    size_t given = call->request->argument_count;
    bool is_variadic = frt_descriptor_is_variadic(call->descriptor);

    if (given == wanted || (is_variadic && given > wanted))
        return true;
    if (given < wanted)
        return call_fail_to_count(call, given);
    return call_fail(call, "too many arguments: %s wants %zu, not %zu",
                     call->symbol, wanted, given);
}

/* Those for a `...` choose their own layouts. */
static bool
call_extend(struct call *call)
{
    const struct frti_call_request *request = call->request;
    size_t fixed = frt_descriptor_fixed(call->descriptor);
    size_t count = request->argument_count - fixed;
    const frt_layout **layouts = call_allocate(call, count, sizeof *layouts);

    if (layouts == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *argument = request->arguments[fixed + i];
        char bytes[128];
        struct frti_text word = frti_text_in(bytes, sizeof bytes);

        layouts[i] = frti_argument_guess(argument);
        if (layouts[i] != NULL)
            continue;
        frti_text_cite(&word, argument, strlen(argument));
        return call_fail(call,
                         "argument %zu of %s: %s is out of range: "
                         "-9223372036854775808 .. 18446744073709551615",
                         fixed + i + 1, call->symbol, bytes);
    }
    return count == 0 ||
           call_check(call,
                      frt_descriptor_extend(&call->descriptor, call->descriptor,
                                            layouts, count));
}

/* "argument 2 (y, double) of pow: 'pear' is not a number" */
static bool
call_fail_to_read(struct call *call, size_t index,
                  const struct frti_reader *reader)
{
    const frt_layout *layout =
        frt_descriptor_parameter(call->descriptor, index);
    const char *name =
        index < frt_descriptor_fixed(call->descriptor)
            ? frt_prototype_parameter_name(call->prototype, index)
            : NULL;
    char type[256];

    frti_picture_name(type, sizeof type, layout);
    return call_fail(call, "argument %zu (%s%s%s) of %s%s%s: %s", index + 1,
                     name == NULL ? "" : name, name == NULL ? "" : ", ", type,
                     call->symbol, reader->where.length == 0 ? "" : ", ",
                     reader->where_bytes, reader->reason_bytes);
}

static size_t
call_place_size(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_SEGMENT
               ? sizeof(frt_segment)
               : frt_layout_size(layout);
}

/* Zeroed memory for an argument or a result. */
static void *
call_place(struct call *call, const frt_layout *layout)
{
    frt_segment segment;
    size_t alignment = frt_layout_alignment(layout);

    if (!call_check(call, frt_arena_allocate(&segment, call->arena,
                                             call_place_size(layout),
                                             alignment < 16 ? 16 : alignment)))
        return NULL;
    return segment.address;
}

static bool
call_read_argument(struct call *call, size_t index)
{
    const frt_layout *layout =
        frt_descriptor_parameter(call->descriptor, index);
    void *place = call_place(call, layout);
    struct frti_reader reader;
    bool is_read;

    if (place == NULL)
        return false;
    frti_reader_begin(&reader, call->arena, call->request->arguments[index]);
    is_read = index < frt_descriptor_fixed(call->descriptor)
                  ? frti_argument_read(&reader, layout, place)
                  : frti_argument_read_variadic(&reader, layout, place);
    if (!is_read)
        return call_fail_to_read(call, index, &reader);
    call->arguments[index] = place;
    call->pointees[index] = reader.pointee;
    return true;
}

static bool
call_read_arguments(struct call *call)
{
    size_t count = call->request->argument_count;

    if (!call_count_arguments(call) || !call_extend(call))
        return false;
    call->arguments = call_allocate(call, count, sizeof *call->arguments);
    call->pointees = call_allocate(call, count, sizeof *call->pointees);
    if (call->arguments == NULL || call->pointees == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!call_read_argument(call, i))
            return false;
    return true;
}

/* ---------------------------------------------------------- the call --- */

static void
call_announce(struct call *call)
{
    struct frti_exchange *exchange = call->exchange;
    const char *name = frt_prototype_name(call->prototype);

    frti_exchange_subject(exchange, "%s", name);
    snprintf(exchange->name, sizeof exchange->name, "%s", name);
    exchange->function = (uintptr_t)frt_function_address(call->function);
    exchange->is_called = true;
}

static bool
call_run(struct call *call)
{
    frt_status status;

    call->result = call_place(call, frt_descriptor_result(call->descriptor));
    if (call->result == NULL)
        return false;
    call_announce(call);
    status = frt_call_captured(call->function, &call->state, call->result,
                               call->arguments, call->request->argument_count);
    frti_exchange_end_copy(call->exchange);
    call->exchange->is_called = false;
    frti_exchange_subject(call->exchange, "reading what %s returned",
                          call->symbol);
    if (status != FRT_OK)
        return call_fail(call, "%s was not called: %s", call->symbol,
                         frt_last_detail());
    errno = 0;
    if (fflush(stdout) != 0)
        return call_fail(call, "the output of %s cannot be written: %s",
                         call->symbol, strerror(errno));
    return true;
}

/* ------------------------------------------------------------ output --- */

static void
call_print_lines(struct call *call)
{
    struct frti_text *text = &call->exchange->text;
    const frt_layout *result = frt_descriptor_result(call->descriptor);

    frti_value_print(text, result, call->result, false);
    frti_text_say(text, frt_layout_kind(result) == FRT_KIND_VOID ? "" : "\n");
    for (size_t i = 0; i < call->request->argument_count; i++)
        if (call->pointees[i].layout != NULL) {
            frti_text_say(text, "#%zu = ", i + 1);
            frti_pointee_print(text, &call->pointees[i], false);
            frti_text_say(text, "\n");
        }
    if (call->request->wants_errno && call->state.error_number == 0)
        frti_text_say(text, "errno = 0\n");
    else if (call->request->wants_errno)
        frti_text_say(text, "errno = %d (%s)\n", call->state.error_number,
                      strerror(call->state.error_number));
}

static void
call_print_json_out(struct call *call)
{
    struct frti_text *text = &call->exchange->text;
    bool is_first = true;

    for (size_t i = 0; i < call->request->argument_count; i++) {
        if (call->pointees[i].layout == NULL)
            continue;
        frti_text_say(text, "%s\"%zu\": ", is_first ? ", \"out\": {" : ", ",
                      i + 1);
        frti_pointee_print(text, &call->pointees[i], true);
        is_first = false;
    }
    frti_text_say(text, is_first ? "" : "}");
}

static void
call_print_json(struct call *call)
{
    struct frti_text *text = &call->exchange->text;
    const char *error = strerror(call->state.error_number);

    frti_text_say(text, "{\"result\": ");
    frti_value_print(text, frt_descriptor_result(call->descriptor),
                     call->result, true);
    call_print_json_out(call);
    if (call->request->wants_errno) {
        frti_text_say(text, ", \"errno\": {\"number\": %d, \"text\": ",
                      call->state.error_number);
        frti_text_quote(text, error, strlen(error), true);
        frti_text_say(text, "}");
    }
    frti_text_say(text, "}\n");
}

int
frti_call_perform(struct frti_exchange *exchange, void *context)
{
    struct call call = {.exchange = exchange, .request = context};

    if (!call_check(&call, frt_arena_open_confined(&call.arena)) ||
        !call_parse(&call) || !call_open_libraries(&call) ||
        !call_find(&call) || !call_read_arguments(&call) || !call_link(&call) ||
        !call_run(&call))
        return FRTI_EXIT_FAILED;
    if (call.request->is_json)
        call_print_json(&call);
    else
        call_print_lines(&call);
    return FRTI_EXIT_DONE;
}
