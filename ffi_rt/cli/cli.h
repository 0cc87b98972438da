/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The command ffi-rt: what its files share.
 *
 * It is a front end: of ours it knows the public header and nothing else. A
 * subcommand is a function in main.c's table.
 */
#ifndef FRTI_CLI_CLI_H
#define FRTI_CLI_CLI_H

#include <stdbool.h>

/* The exit statuses. */
enum { FRTI_EXIT_DONE, FRTI_EXIT_FAILED, FRTI_EXIT_USAGE };

/* `arguments` are those after the subcommand's name. */
int frti_call_main(int count, char **arguments);
int frti_doctor_main(int count, char **arguments);
int frti_explain_main(int count, char **arguments);
int frti_import_main(int count, char **arguments);
int frti_layout_main(int count, char **arguments);
int frti_lua_main(int count, char **arguments);

/* Writes out what stands in stdout's buffer. The exit status: FAILED, with a
 * sentence on standard error, if that cannot be written. */
int frti_finish_output(void);

/* One of the words is --help or -h. */
bool frti_wants_help(int count, char **arguments);

/* A sentence about the command line on standard error.   -> USAGE */
int frti_usage_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
