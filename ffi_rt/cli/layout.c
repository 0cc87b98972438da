/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `ffi-rt layout`: what a C type is in memory.
 */
#include <stdio.h>

#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/options.h"
#include "ffi_rt/cli/picture.h"

static const char layout_usage[] =
    "usage: ffi-rt layout [OPTION]... 'TYPE'...\n"
    "\n"
    "Shows size, alignment, members and holes of C types, as the target's C\n"
    "compiler lays them out.\n"
    "\n"
    "  --target NAME   x86_64, aarch64 or aarch64-apple; this machine's\n"
    "  --header NAME   the header's types are known; -I and -D as for a "
    "compiler\n"
    "  --json          one JSON object a type\n";

static int
layout_show(const struct frti_look *look, const char *text)
{
    frt_parse_options options = {
        .size = sizeof options, .model = look->model, .decls = look->decls};
    const frt_layout *layout;

    if (frt_layout_parse(&layout, text, &options) != FRT_OK) {
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
        return FRTI_EXIT_FAILED;
    }
    if (look->is_json) {
        frti_picture_print_json(layout);
        printf("\n");
    } else {
        frti_picture_print(layout);
    }
    frt_layout_drop(layout);
    return FRTI_EXIT_DONE;
}

int
frti_layout_main(int count, char **arguments)
{
    struct frti_look look;
    int status = FRTI_EXIT_DONE;

    if (!frti_look_read(&look, &status, "layout", count, arguments))
        return status;
    if (look.is_help)
        printf("%s", layout_usage);
    else
        for (int i = look.first; i < count && status == FRTI_EXIT_DONE; i++)
            status = layout_show(&look, arguments[i]);
    frti_look_end(&look);
    return status == FRTI_EXIT_DONE ? frti_finish_output() : status;
}
