/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Executable memory, refused by the system: each case in a child of its own,
 * whose console must stay silent.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"
#include "test/stub/tap.h"

/* What a child ends with, beside 0 and 1. */
#define REFUSE_CANNOT 77

/* As old headers have no names for them: prctl(2), Linux 6.3. */
#define REFUSE_SET_MDWE 65
#define REFUSE_EXEC_GAIN 1

#define LOAD(field)                                                            \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define JUMP_EQUAL(value, yes, no)                                             \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))

/* mmap, mprotect and pkey_mprotect with PROT_EXEC give EPERM. */
static bool
forbid_executable_memory(void)
{
    struct sock_filter filter[] = {
        LOAD(nr),
        JUMP_EQUAL(SYS_mmap, 2, 0),
        JUMP_EQUAL(SYS_mprotect, 1, 0),
        JUMP_EQUAL(SYS_pkey_mprotect, 0, 3),
        LOAD(args[2]), /* its lower half, on these machines */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0],
                                       .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ------------------------------------------------------------ calls ---- */

static int
add(int a, int b)
{
    return a + b;
}

static bool
adds(const frt_downcall *downcall)
{
    int a = 3;
    int b = 4;
    int sum = 0;
    void *arguments[] = {&a, &b, &b};

    return frt_invoke(downcall, (void *)add, &sum, arguments) == FRT_OK &&
           sum == 7;
}

static frt_status
link_by(const frt_downcall **out, frt_backend backend, const char *prototype)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = backend};
    const frt_descriptor *descriptor;
    frt_status status = frt_descriptor_parse(&descriptor, prototype, NULL);

    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(out, descriptor, &options);
    frt_descriptor_drop(descriptor);
    return status;
}

/* An AUTO link gives this backend, and the call is right. */
static bool
auto_is(frt_backend backend, const char *prototype)
{
    const frt_downcall *downcall;
    bool is_right;

    if (link_by(&downcall, FRT_BACKEND_AUTO, prototype) != FRT_OK)
        return false;
    is_right = frt_downcall_backend(downcall) == backend && adds(downcall);
    frt_downcall_drop(downcall);
    return is_right;
}

static bool
stub_is_refused(const char *prototype)
{
    const frt_downcall *downcall = NULL;
    frt_status status = link_by(&downcall, FRT_BACKEND_STUB, prototype);

    return status == FRT_NO_CODE_MEMORY && downcall == NULL &&
           strstr(frt_last_detail(), "refuses executable memory (mmap: ") !=
               NULL;
}

static bool
version_has(const char *line)
{
    return strstr(frt_version_text(), line) != NULL;
}

/* ------------------------------------------------------------ cases ---- */

static int
refused_from_the_start(void)
{
    if (!forbid_executable_memory())
        return REFUSE_CANNOT;
    return !(auto_is(FRT_BACKEND_LIBFFI, "int f(int, int)") &&
             stub_is_refused("int f(int, int)") &&
             version_has("\nbackend: libffi\n") &&
             version_has("\ncode memory: the system refuses executable memory"
                         " (mmap: Operation not permitted)\n"));
}

/* Once refused, the system is not asked again: it would now refuse more. */
static int
refused_once(void)
{
    const struct rlimit no_files = {0, 0};

    if (!forbid_executable_memory())
        return REFUSE_CANNOT;
    return !(stub_is_refused("int f(int, int)") &&
             setrlimit(RLIMIT_NOFILE, &no_files) == 0 &&
             stub_is_refused("int f(int, int, int)") &&
             auto_is(FRT_BACKEND_LIBFFI, "int f(int, int, int)"));
}

/* What there is goes on; what is new falls back. */
static int
refused_later(void)
{
    const frt_downcall *before;

    if (link_by(&before, FRT_BACKEND_AUTO, "int f(int, int)") != FRT_OK ||
        frt_downcall_backend(before) != FRT_BACKEND_STUB)
        return 1;
    /* the rest of its block needs no executable mapping: another does */
    if (!forbid_executable_memory())
        return REFUSE_CANNOT;
    if (!adds(before) || !auto_is(FRT_BACKEND_STUB, "int f(int, int, int)"))
        return 1;
    frt_downcall_drop(before);
    return !(auto_is(FRT_BACKEND_LIBFFI, "int f(int, int)") &&
             stub_is_refused("int f(int, int)"));
}

/* A want of files passes. */
static int
no_files_for_a_while(void)
{
    struct rlimit files;
    struct rlimit none;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return REFUSE_CANNOT;
    none = files;
    none.rlim_cur = 0;
    return !(setrlimit(RLIMIT_NOFILE, &none) == 0 &&
             auto_is(FRT_BACKEND_LIBFFI, "int f(int, int)") &&
             setrlimit(RLIMIT_NOFILE, &files) == 0 &&
             auto_is(FRT_BACKEND_STUB, "int f(int, int, int)"));
}

static int
guarded(void)
{
    if (prctl(REFUSE_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) != 0)
        return REFUSE_CANNOT;
    return !(auto_is(FRT_BACKEND_STUB, "int f(int, int)") &&
             version_has("\ncode memory: given; PR_SET_MDWE is on\n"));
}

static int
not_guarded(void)
{
    return !(auto_is(FRT_BACKEND_STUB, "int f(int, int)") &&
             version_has("\nbackend: stub\n") &&
             version_has("\ncode memory: given\n"));
}

/* -------------------------------------------------------------- run ---- */

/* In a child whose console is a pipe; nothing may come out of it. */
static void
run(const char *what, int (*one)(void))
{
    int console[2];
    char said[64];
    int ending = 0;
    ssize_t length;
    pid_t child;

    if (pipe(console) != 0)
        abort();
    child = fork();
    if (child == 0) {
        dup2(console[1], STDOUT_FILENO);
        dup2(console[1], STDERR_FILENO);
        _exit(one());
    }
    close(console[1]);
    length = read(console[0], said, sizeof said);
    close(console[0]);
    waitpid(child, &ending, 0);
    if (WIFEXITED(ending) && WEXITSTATUS(ending) == REFUSE_CANNOT)
        tap_skip(what, "this system does not do it");
    else
        tap_check(ending == 0 && length == 0, "%s", what);
}

int
main(void)
{
    unsetenv("FRT_BACKEND");
    run("given, and said to be", not_guarded);
    run("refused: auto is libffi, stub says why", refused_from_the_start);
    run("refused: the system is asked once", refused_once);
    run("refused later: what there is goes on", refused_later);
    run("no files: for a while", no_files_for_a_while);
    run("PR_SET_MDWE: stubs, and said so", guarded);
    return tap_end();
}
