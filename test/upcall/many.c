/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * many, as TAP: upcalls in numbers, and what is mapped meanwhile. With
 * `refused`, the process may not have executable memory any more (a seccomp
 * filter), or may not make memory executable (PR_SET_MDWE).
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"

enum { MANY_ALIVE = 100000, MANY_MADE = 1000000, MANY_FIRST = 4096 };

static int many_tests;
static int many_failures;
static const frt_descriptor *many_descriptor;

static void
many_tell(bool is_right, const char *what)
{
    printf("%sok %d - %s\n", is_right ? "" : "not ", ++many_tests, what);
    many_failures += !is_right;
}

static frt_status
many_add(void *context, void *result, void *const *arguments)
{
    *(int *)result = *(int *)arguments[0] + (int)(intptr_t)context;
    return FRT_OK;
}

static bool
many_open(frt_upcall *out, frt_arena arena, int context)
{
    return frt_upcall_open(out, arena, many_descriptor, many_add,
                           (void *)(intptr_t)context, NULL) == FRT_OK;
}

static bool
many_call(frt_upcall upcall, int context)
{
    int (*f)(int) = (int (*)(int))frt_upcall_address(upcall);

    return f != NULL && f(1) == 1 + context;
}

static long
many_resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long total = 0;
    long resident = 0;

    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &total, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident * sysconf(_SC_PAGESIZE);
}

/* A mapping is both; the library's own alone is asked for. */
static bool
many_has_writable_code(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    bool is_found = false;
    char permissions[8];
    char line[4352];

    if (file == NULL)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%*s %7s", permissions) == 1 &&
            permissions[1] == 'w' && permissions[2] == 'x')
            is_found = true;
    fclose(file);
    return is_found;
}

static void
many_alive(void)
{
    static frt_upcall upcalls[MANY_ALIVE];
    bool is_right = true;
    frt_arena arena;

    if (frt_arena_open_shared(&arena) != FRT_OK)
        is_right = false;
    for (int i = 0; is_right && i < MANY_ALIVE; i++)
        is_right = many_open(&upcalls[i], arena, i);
    for (int i = 0; is_right && i < MANY_ALIVE; i++)
        is_right = many_call(upcalls[i], i);
    many_tell(is_right, "100,000 alive at once");
    if (!is_right)
        printf("# %s\n", frt_last_detail());
    many_tell(!many_has_writable_code(),
              "no mapping is both writable and executable");
    many_tell(frt_arena_close(arena) == FRT_OK, "and closed with their arena");
}

static void
many_made_and_freed(int count)
{
    bool is_right = true;
    long before = 0;
    long after;

    for (int i = 0; is_right && i < count; i++) {
        frt_upcall upcall;

        is_right = many_open(&upcall, frt_arena_global(), i) &&
                   many_call(upcall, i) && frt_upcall_close(upcall) == FRT_OK;
        if (i == count / 10)
            before = many_resident();
    }
    after = many_resident();
    printf("# %d made and freed: %ld KiB, then %ld KiB\n", count, before / 1024,
           after / 1024);
    many_tell(is_right, "made, called and freed, one after the other");
    many_tell(after < before + before / 20 + 262144, "memory stays flat");
}

/* mmap and mprotect with PROT_EXEC fail with EPERM. */
static bool
many_refuse_executable(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0],
                                       .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int
many_under_refusal(void)
{
    static frt_upcall upcalls[MANY_FIRST];
    frt_upcall one_more;
    frt_status status;

    if (!many_refuse_executable())
        return 77;
    for (int i = 0; i < MANY_FIRST; i++)
        if (!many_open(&upcalls[i], frt_arena_global(), i) ||
            !many_call(upcalls[i], i))
            return 1;
    status = frt_upcall_open(&one_more, frt_arena_global(), many_descriptor,
                             many_add, NULL, NULL);
    printf("# %s: %s\n", frt_status_name(status), frt_last_detail());
    if (status != FRT_NO_CODE_MEMORY ||
        strstr(frt_last_detail(), "cannot be mapped again") == NULL)
        return 2;
    /* what is given back can be had again, though nothing waits long */
    if (frt_upcall_close(upcalls[5]) != FRT_OK ||
        !many_open(&one_more, frt_arena_global(), 9) || !many_call(one_more, 9))
        return 3;
    return 0;
}

/* E27 */
static int
many_under_guard(void)
{
    static frt_upcall upcalls[MANY_FIRST + 1];
    const int set_mdwe = 65; /* prctl(2): PR_SET_MDWE, since Linux 6.3 */

    if (prctl(set_mdwe, 1, 0, 0, 0) != 0)
        return 77;
    for (int i = 0; i < MANY_FIRST + 1; i++)
        if (!many_open(&upcalls[i], frt_arena_global(), i) ||
            !many_call(upcalls[i], i))
            return 1;
    return 0;
}

static void
many_in_child(int (*run)(void), const char *what)
{
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int code = run();

        fflush(stdout);
        _exit(code);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("ok %d - %s # SKIP the system does not have it\n", ++many_tests,
               what);
        return;
    }
    if (status != 0)
        printf("# status %x\n", status);
    many_tell(status == 0, what);
}

int
main(void)
{
    int made = getenv("FRT_TEST_LONG") != NULL ? MANY_MADE : MANY_MADE / 5;

    if (frt_descriptor_parse(&many_descriptor, "int f(int)", NULL) != FRT_OK)
        return EXIT_FAILURE;
    many_in_child(many_under_refusal,
                  "E27: 4,096 where executable memory is refused");
    many_in_child(many_under_guard, "E27: any number under PR_SET_MDWE");
    many_made_and_freed(made);
    many_alive();
    frt_descriptor_drop(many_descriptor);
    printf("1..%d\n", many_tests);
    return many_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
