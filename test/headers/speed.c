/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * speed FILE COMPILER: the file's declarations added to a set, and checked by
 * the compiler, each in a process of its own: time of the CPU and largest
 * resident memory, as the system counts them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"

static char *
read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        text = malloc(*size + 1);
        if (text != NULL && fread(text, 1, *size, file) == *size)
            text[*size] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static int
parse(const char *path)
{
    size_t size = 0;
    char *text = read_file(path, &size);
    frt_decls *decls;

    if (text != NULL && frt_decls_new(&decls, NULL) == FRT_OK &&
        frt_decls_add(decls, text, NULL) == FRT_OK)
        return 0;
    fprintf(stderr, "%s\n", text == NULL ? path : frt_last_detail());
    return 1;
}

/* The child does the work. */
static double
measure(const char *name, const char *path, const char *compiler, size_t size)
{
    struct rusage usage;
    double seconds;
    int status = 1;
    pid_t child = fork();

    if (child == 0) {
        if (compiler == NULL)
            _exit(parse(path));
        execlp(compiler, compiler, "-fsyntax-only", "-w", "-x", "cpp-output",
               path, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "%s failed\n", name);
        exit(1);
    }
    seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
              (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("%-8s %6.3f s, %4.1f x the text in memory\n", name, seconds,
           (double)usage.ru_maxrss * 1024 / (double)size);
    return seconds;
}

int
main(int argc, char **argv)
{
    size_t size = 0;
    double ours;
    double theirs;

    if (argc != 3 || (free(read_file(argv[1], &size)), size == 0)) {
        fprintf(stderr, "usage: speed FILE COMPILER\n");
        return 2;
    }
    printf("%s: %.1f MB\n", argv[1], (double)size / 1e6);
    ours = measure("ffi_rt", argv[1], NULL, size);
    theirs = measure(argv[2], argv[1], argv[2], size);
    printf("ffi_rt takes %.2f of the time\n", ours / theirs);
    return 0;
}
