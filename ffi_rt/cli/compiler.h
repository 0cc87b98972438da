/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The installed C compiler: the words of the environment variable CC, or the
 * first of cc, gcc and clang. No shell is asked.
 */
#ifndef FRTI_CLI_COMPILER_H
#define FRTI_CLI_COMPILER_H

#include <stdbool.h>

/* Words of a command line, up to a NULL. */
#define FRTI_COMPILER_WORDS 128

struct frti_compiler {
    const char *words[FRTI_COMPILER_WORDS];
    int count;
    char *environment; /* a copy of CC, if it has one */
};

/* False: there is none, which has been said. */
bool frti_compiler_find(struct frti_compiler *out);
void frti_compiler_fini(struct frti_compiler *compiler);
/* One more word; those that do not fit are told when it runs. */
void frti_compiler_add(struct frti_compiler *compiler, const char *word);

/* Runs it with `input` to read. What it writes is in *output (malloc), its
 * messages go to standard error. False: it failed, which has been said. */
bool frti_compiler_run(char **output, const struct frti_compiler *compiler,
                       const char *input);

#endif
