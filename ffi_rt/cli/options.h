/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What subcommands that look at declarations have in common on their command
 * lines. */
#ifndef FRTI_CLI_OPTIONS_H
#define FRTI_CLI_OPTIONS_H

#include <stdbool.h>

#include "ffi_rt/cli/header.h"

struct frti_look {
    const frt_model *model; /* --target */
    frt_decls *decls;       /* of --header; NULL: none */
    bool is_json;           /* --json */
    bool is_help;
    int first; /* the first operand */
};

/* Reads `--target NAME`, `--header NAME`, `-I` and `-D`, `--json` and `--help`,
 * up to the first operand, and the headers. False: *status is the exit status,
 * and why has been said. */
bool frti_look_read(struct frti_look *out, int *status, const char *command,
                    int count, char **arguments);
void frti_look_end(struct frti_look *look);

#endif
