/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/options.h"

#include <stdio.h>
#include <string.h>

#include "ffi_rt/cli/cli.h"

/* The word of `--target WORD` or `--target=WORD`; NULL: it is none. */
static const char *
look_target(int count, char **arguments, int *at)
{
    const char *word = arguments[*at];

    if (strncmp(word, "--target=", 9) == 0)
        return word + 9;
    if (strcmp(word, "--target") == 0 && *at + 1 < count)
        return arguments[++*at];
    return NULL;
}

static bool
look_option(struct frti_look *look, struct frti_header_request *headers,
            const char *command, int count, char **arguments, int *at)
{
    const char *target;

    if (frti_header_option(headers, count, arguments, at, true))
        return true;
    target = look_target(count, arguments, at);
    if (target != NULL) {
        if (frt_model_find(&look->model, target) == FRT_OK)
            return true;
        frti_usage_error("%s", frt_last_detail());
        return false;
    }
    if (strcmp(arguments[*at], "--json") == 0)
        look->is_json = true;
    else if (frti_wants_help(1, arguments + *at))
        look->is_help = true;
    else {
        const char *word = arguments[*at];

        if (frti_header_wants_value(word, true) ||
            strcmp(word, "--target") == 0)
            frti_usage_error("%s wants a value", word);
        else
            frti_usage_error("%s has no option '%.80s'", command, word);
        return false;
    }
    return true;
}

/* The exit status; DONE: all options were read. */
static int
look_options(struct frti_look *look, struct frti_header_request *headers,
             const char *command, int count, char **arguments)
{
    int at = 0;

    for (; at < count && arguments[at][0] == '-'; at++)
        if (!look_option(look, headers, command, count, arguments, &at))
            return FRTI_EXIT_USAGE;
    look->first = at;
    if (!look->is_help && at == count)
        return frti_usage_error("%s wants a C declaration", command);
    headers->model = look->model;
    if (!look->is_help && headers->header_count > 0 &&
        !frti_header_read(&look->decls, NULL, headers))
        return FRTI_EXIT_FAILED;
    return FRTI_EXIT_DONE;
}

bool
frti_look_read(struct frti_look *out, int *status, const char *command,
               int count, char **arguments)
{
    struct frti_look look = {.model = frt_model_native()};
    struct frti_header_request headers = {.model = NULL};

    if (!frti_header_begin(&headers, count)) {
        *status = FRTI_EXIT_FAILED;
        return false;
    }
    *status = look_options(&look, &headers, command, count, arguments);
    frti_header_end(&headers);
    if (*status != FRTI_EXIT_DONE)
        return false;
    *out = look;
    return true;
}

void
frti_look_end(struct frti_look *look)
{
    frt_decls_free(look->decls);
}
