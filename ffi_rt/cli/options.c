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
    if (strcmp(word, "--target") == 0)
        return *at + 1 < count ? arguments[++*at] : "";
    return NULL;
}

static bool
look_option(struct frti_look *look, const char *command, int count,
            char **arguments, int *at)
{
    const char *target = look_target(count, arguments, at);

    if (target != NULL) {
        if (frt_model_find(&look->model, target) == FRT_OK)
            return true;
        frti_usage_error("%s", frt_last_detail());
        return false;
    }
    if (strcmp(arguments[*at], "--json") == 0)
        look->is_json = true;
    else if (strcmp(arguments[*at], "--help") == 0)
        look->is_help = true;
    else {
        frti_usage_error("%s has no option '%s'", command, arguments[*at]);
        return false;
    }
    return true;
}

bool
frti_look_read(struct frti_look *out, int *status, const char *command,
               int count, char **arguments)
{
    struct frti_look look = {.model = frt_model_native()};
    int at = 0;

    for (; at < count && arguments[at][0] == '-'; at++)
        if (!look_option(&look, command, count, arguments, &at)) {
            *status = FRTI_EXIT_USAGE;
            return false;
        }
    look.first = at;
    if (!look.is_help && at == count) {
        *status = frti_usage_error("%s wants a C declaration", command);
        return false;
    }
    *out = look;
    return true;
}
