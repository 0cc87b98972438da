/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The table of subcommands, and what does not belong to one of them.
 */
#include "ffi_rt/cli/cli.h"
#include "ffi_rt/ffi_rt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct main_command {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *summary;
};

static int main_version(int count, char **arguments);

static const struct main_command main_commands[] = {
    {"call", frti_call_main, "call a function of a native library"},
    {"doctor", frti_doctor_main, "hold layouts against the C compiler"},
    {"explain", frti_explain_main, "show where each value of a call travels"},
    {"import", frti_import_main, "print the declarations of C headers"},
    {"layout", frti_layout_main, "show what a C type is in memory"},
    {"lua", frti_lua_main, "run a Lua script with the module inside"},
    {"version", main_version, "print version, backends and allocator"},
};
#define MAIN_COMMANDS (sizeof main_commands / sizeof *main_commands)

int
frti_finish_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return FRTI_EXIT_DONE;
    fprintf(stderr, "ffi-rt: the output cannot be written%s%s\n",
            errno == 0 ? "" : ": ", errno == 0 ? "" : strerror(errno));
    return FRTI_EXIT_FAILED;
}

bool
frti_wants_help(int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--help") == 0 ||
            strcmp(arguments[i], "-h") == 0)
            return true;
    return false;
}

int
frti_usage_error(const char *format, ...)
{
    va_list list;

    fprintf(stderr, "ffi-rt: ");
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
    return FRTI_EXIT_USAGE;
}

static void
main_usage(FILE *file)
{
    fprintf(file, "usage: ffi-rt COMMAND [ARGUMENT]...\n\n");
    for (size_t i = 0; i < MAIN_COMMANDS; i++)
        fprintf(file, "  %-10s %s\n", main_commands[i].name,
                main_commands[i].summary);
    fprintf(file, "\n'ffi-rt COMMAND --help' says more.\n");
}

static int
main_version(int count, char **arguments)
{
    if (count > 0 && strcmp(arguments[0], "--help") != 0)
        return frti_usage_error("version takes no argument, not '%.80s'",
                                arguments[0]);
    if (count > 0)
        printf("usage: ffi-rt version\n");
    else
        printf("%s", frt_version_text());
    return frti_finish_output();
}

static bool
main_is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
           strcmp(word, "help") == 0;
}

/* What is opened later must not take the place of a standard stream that is
 * closed. One that is held here cannot be read or written, as if it were. */
static void
main_hold_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int
main(int argc, char **argv)
{
    main_hold_streams();
    if (argc < 2) {
        main_usage(stderr);
        return FRTI_EXIT_USAGE;
    }
    if (main_is_help(argv[1])) {
        main_usage(stdout);
        return frti_finish_output();
    }
    if (strcmp(argv[1], "--version") == 0)
        return main_version(0, NULL);
    for (size_t i = 0; i < MAIN_COMMANDS; i++)
        if (strcmp(argv[1], main_commands[i].name) == 0)
            return main_commands[i].run(argc - 2, argv + 2);
    return frti_usage_error("there is no command '%.80s'; see 'ffi-rt --help'",
                            argv[1]);
}
