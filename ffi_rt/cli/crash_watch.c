/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * In the process that crashes: async-signal-safe functions alone, on a stack
 * of their own.
 */
#include "ffi_rt/cli/context.h"
#include "ffi_rt/cli/crash.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A fault this near to the stack pointer is the stack's. */
#define WATCH_NEAR_STACK 65536

static struct frti_crash *watch_crash;
static char watch_stack[65536] __attribute__((aligned(64)));

/* ---------------------------------------------- /proc/self/maps --- */

struct watch_maps {
    int file;
    size_t length, at;
    char bytes[4096];
};

struct watch_map {
    uintptr_t begin, end, offset;
    bool is_writable;
    char path[512];
};

static int
maps_byte(struct watch_maps *maps)
{
    if (maps->at == maps->length) {
        ssize_t count = read(maps->file, maps->bytes, sizeof maps->bytes);

        if (count <= 0)
            return '\n';
        maps->length = (size_t)count;
        maps->at = 0;
    }
    return (unsigned char)maps->bytes[maps->at++];
}

/* A hexadecimal number and the byte behind it. */
static uintptr_t
maps_number(struct watch_maps *maps)
{
    uintptr_t value = 0;

    for (;;) {
        int c = maps_byte(maps);

        if (c >= '0' && c <= '9')
            value = value << 4 | (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uintptr_t)(c - 'a' + 10);
        else
            return value;
    }
}

static void
maps_skip_field(struct watch_maps *maps)
{
    int c;

    do
        c = maps_byte(maps);
    while (c != ' ' && c != '\n');
}

/* `begin-end perms offset device inode      path` */
static bool
maps_next(struct watch_maps *maps, struct watch_map *out)
{
    size_t length = 0;
    int c;

    out->begin = maps_number(maps);
    out->end = maps_number(maps);
    if (out->end == 0)
        return false;
    (void)maps_byte(maps);
    out->is_writable = maps_byte(maps) == 'w';
    maps_skip_field(maps);
    out->offset = maps_number(maps);
    maps_skip_field(maps);
    do
        c = maps_byte(maps);
    while (c >= '0' && c <= '9');
    while (c == ' ')
        c = maps_byte(maps);
    for (; c != '\n'; c = maps_byte(maps))
        if (length < sizeof out->path - 1)
            out->path[length++] = (char)c;
    out->path[length] = '\0';
    return true;
}

/* ----------------------------------------------------- the handler --- */

static bool
map_has(const struct watch_map *map, uintptr_t address)
{
    return address >= map->begin && address < map->end;
}

/* What is mapped where it crashed. An overflow has left the stack, or has just
 * tried to: then the fault is near the stack pointer, where nothing may be
 * written. */
static void
watch_note_maps(struct frti_crash *crash, struct frti_context context)
{
    static struct watch_maps maps;
    static struct watch_map map;
    bool has_stack = false, has_address = false;
    uintptr_t above = crash->address - context.stack + WATCH_NEAR_STACK;

    maps.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps.file < 0)
        return;
    while (maps_next(&maps, &map)) {
        has_stack |= map.is_writable && map_has(&map, context.stack);
        has_address |= map.is_writable && map_has(&map, crash->address);
        if (map_has(&map, crash->instruction)) {
            crash->file_offset = crash->instruction - map.begin + map.offset;
            memcpy(crash->path, map.path, sizeof crash->path);
        }
    }
    close(maps.file);
    crash->is_overflow =
        crash->signal == SIGSEGV && crash->code > 0 && context.stack != 0 &&
        (!has_stack || (!has_address && crash->code != SI_KERNEL &&
                        above < 2 * WATCH_NEAR_STACK));
}

static void
watch_note(struct frti_crash *crash, int number, const siginfo_t *info,
           struct frti_context context)
{
    crash->signal = number;
    crash->code = info->si_code;
    crash->address = (uintptr_t)info->si_addr;
    crash->instruction = context.instruction;
    watch_note_maps(crash, context);
}

/* The signal waits until the handler returns, and then ends the process where
 * it crashed, for the sake of a core file. */
static void
watch_handle(int number, siginfo_t *info, void *context)
{
    signal(number, SIG_DFL);
    if (!watch_crash->is_known) {
        watch_note(watch_crash, number, info, frti_context_of(context));
        watch_crash->is_known = 1;
    }
    raise(number);
}

void
frti_crash_watch(struct frti_crash *crash)
{
    static const int numbers[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGABRT, SIGTRAP, SIGSYS};
    stack_t stack = {.ss_sp = watch_stack, .ss_size = sizeof watch_stack};
    struct sigaction action = {.sa_sigaction = watch_handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};

    watch_crash = crash;
    sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}
