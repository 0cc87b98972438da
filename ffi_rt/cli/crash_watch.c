/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * In the process that crashes: async-signal-safe functions alone, on a stack
 * of their own.
 */
#include "ffi_rt/cli/context.h"
#include "ffi_rt/cli/crash.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* A fault this near to the stack pointer is the stack's. */
#define WATCH_NEAR_STACK 65536

static struct frti_crash *watch_crash;
static uintptr_t watch_main_stack; /* an address in the first thread's */
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

/* What is mapped at the places that tell about a crash. */
struct watch_places {
    uintptr_t stack_begin; /* of this thread's own stack; 0: not seen */
    bool has_stack;        /* something can be written at the stack pointer */
    bool has_address;      /* and at the address of the fault */
};

/* An address in the stack that this thread began with: the C library puts a
 * thread's descriptor at the end of it. */
static uintptr_t
watch_stack_end(void)
{
    return gettid() == getpid() ? watch_main_stack : (uintptr_t)pthread_self();
}

static void
watch_look(struct watch_places *out, struct frti_crash *crash,
           struct frti_context context)
{
    static struct watch_maps maps;
    static struct watch_map map;
    uintptr_t end = watch_stack_end();

    maps.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps.file < 0)
        return;
    while (maps_next(&maps, &map)) {
        out->has_stack |= map.is_writable && map_has(&map, context.stack);
        out->has_address |= map.is_writable && map_has(&map, crash->address);
        if (map_has(&map, end))
            out->stack_begin = map.begin;
        if (map_has(&map, crash->instruction)) {
            crash->file_offset = crash->instruction - map.begin + map.offset;
            memcpy(crash->path, map.path, sizeof crash->path);
        }
    }
    close(maps.file);
}

/* The stack pointer has left the stack, or is about to: the fault is near it,
 * where nothing may be written. Or it has left it by so much that it came out
 * in other memory: the fault is between the two. */
static bool
watch_is_overflow(const struct watch_places *places,
                  const struct frti_crash *crash, uintptr_t stack)
{
    uintptr_t above = crash->address - stack + WATCH_NEAR_STACK;

    if (crash->signal != SIGSEGV || crash->code <= 0)
        return false;
    if (!places->has_stack)
        return true;
    if (places->has_address || crash->code == SI_KERNEL)
        return false;
    return above < 2 * WATCH_NEAR_STACK ||
           (stack < places->stack_begin && crash->address > stack &&
            crash->address < places->stack_begin);
}

static void
watch_note(struct frti_crash *crash, int number, const siginfo_t *info,
           struct frti_context context)
{
    struct watch_places places = {0};

    crash->signal = number;
    crash->code = info->si_code;
    crash->address = (uintptr_t)info->si_addr;
    crash->has_instruction = context.is_known;
    crash->instruction = context.instruction;
    watch_look(&places, crash, context);
    crash->is_overflow =
        context.is_known && watch_is_overflow(&places, crash, context.stack);
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
    watch_main_stack = (uintptr_t)&stack;
    sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}
