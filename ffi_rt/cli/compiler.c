/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/compiler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------- finding --- */

static bool
compiler_is_in(const char *folder, size_t length, const char *name)
{
    char path[4096];

    if (length == 0)
        return false;
    snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
    return access(path, X_OK) == 0;
}

static bool
compiler_exists(const char *name)
{
    const char *folder = getenv("PATH");

    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0;
    while (folder != NULL && *folder != '\0') {
        size_t length = strcspn(folder, ":");

        if (compiler_is_in(folder, length, name))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

void
frti_compiler_add(struct frti_compiler *compiler, const char *word)
{
    if (compiler->count < FRTI_COMPILER_WORDS - 1)
        compiler->words[compiler->count] = word;
    compiler->count++;
}

static void
compiler_split(struct frti_compiler *out)
{
    char *rest = out->environment;
    char *word;

    while ((word = strtok_r(rest, " \t\n", &rest)) != NULL)
        frti_compiler_add(out, word);
}

bool
frti_compiler_find(struct frti_compiler *out)
{
    static const char *const names[] = {"cc", "gcc", "clang"};
    const char *environment = getenv("CC");

    *out = (struct frti_compiler){.count = 0};
    if (environment != NULL)
        out->environment = strdup(environment);
    if (out->environment != NULL)
        compiler_split(out);
    for (size_t i = 0; out->count == 0 && i < sizeof names / sizeof *names; i++)
        if (compiler_exists(names[i]))
            frti_compiler_add(out, names[i]);
    if (out->count > 0 && compiler_exists(out->words[0]))
        return true;
    fprintf(stderr,
            "ffi-rt: a header needs a C compiler to be read, and %s%s\n",
            out->count > 0 ? "there is no "
                           : "neither cc nor gcc nor clang is "
                             "there",
            out->count > 0 ? out->words[0] : "");
    frti_compiler_fini(out);
    return false;
}

void
frti_compiler_fini(struct frti_compiler *compiler)
{
    free(compiler->environment);
    compiler->environment = NULL;
}

/* ------------------------------------------------------------- running --- */

struct stream {
    int input; /* to the compiler; -1: closed */
    int output;
    const char *rest; /* of what it is to read */
    size_t left;
    char *text;
    size_t length;
    size_t capacity;
};

static bool
stream_read(struct stream *stream)
{
    ssize_t count;

    if (stream->capacity - stream->length < 65536) {
        size_t capacity = stream->capacity * 2 + 131072;
        char *text = realloc(stream->text, capacity);

        if (text == NULL)
            return false;
        stream->text = text;
        stream->capacity = capacity;
    }
    count = read(stream->output, stream->text + stream->length,
                 stream->capacity - stream->length - 1);
    if (count < 0)
        return errno == EINTR;
    stream->length += (size_t)count;
    stream->text[stream->length] = '\0';
    return count > 0;
}

static void
stream_write(struct stream *stream)
{
    ssize_t count = write(stream->input, stream->rest, stream->left);

    if (count < 0 && errno == EINTR)
        return;
    if (count > 0) {
        stream->rest += count;
        stream->left -= (size_t)count;
    }
    if (count <= 0 || stream->left == 0) {
        close(stream->input);
        stream->input = -1;
    }
}

/* Both ways at once, for either side may wait for the other. */
static void
stream_run(struct stream *stream)
{
    for (;;) {
        struct pollfd files[2] = {{.fd = stream->output, .events = POLLIN},
                                  {.fd = stream->input, .events = POLLOUT}};

        if (poll(files, 2, -1) < 0 && errno != EINTR)
            return;
        if (files[1].revents != 0 && stream->input >= 0)
            stream_write(stream);
        if (files[0].revents != 0 && !stream_read(stream))
            return;
    }
}

static _Noreturn void
compiler_become(const struct frti_compiler *compiler, int input, int output)
{
    signal(SIGPIPE, SIG_DFL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execvp(compiler->words[0], (char *const *)compiler->words);
    fprintf(stderr, "ffi-rt: %s cannot be started: %s\n", compiler->words[0],
            strerror(errno));
    _exit(127);
}

static pid_t
compiler_start(const struct frti_compiler *compiler, struct stream *stream)
{
    int to[2];
    int from[2];
    pid_t process;

    if (pipe(to) != 0)
        return -1;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    process = fork();
    if (process == 0) {
        close(to[1]);
        close(from[0]);
        compiler_become(compiler, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    stream->input = to[1];
    stream->output = from[0];
    return process;
}

static bool
compiler_wait(const struct frti_compiler *compiler, pid_t process)
{
    int status;

    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    fprintf(stderr, "ffi-rt: %s failed; its messages are above\n",
            compiler->words[0]);
    return false;
}

bool
frti_compiler_run(char **output, const struct frti_compiler *compiler,
                  const char *input)
{
    struct stream stream = {.rest = input, .left = strlen(input)};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    pid_t process;
    bool is_right;

    if (compiler->count > FRTI_COMPILER_WORDS - 1) {
        fprintf(stderr, "ffi-rt: too many options for the compiler\n");
        return false;
    }
    process = compiler_start(compiler, &stream);
    if (process < 0) {
        fprintf(stderr, "ffi-rt: no process for the compiler: %s\n",
                strerror(errno));
        return false;
    }
    sigaction(SIGPIPE, &ignore, &before);
    stream_run(&stream);
    sigaction(SIGPIPE, &before, NULL);
    if (stream.input >= 0)
        close(stream.input);
    close(stream.output);
    is_right = compiler_wait(compiler, process);
    if (!is_right || stream.text == NULL) {
        free(stream.text);
        stream.text = is_right ? calloc(1, 1) : NULL;
    }
    *output = stream.text;
    return stream.text != NULL;
}
