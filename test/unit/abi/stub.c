/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ffi_rt/base/code_memory.h"
#include "test/unit/abi/stub_callees.h"
#include "test/unit/abi/stubs.h"
#include "test/unit/base/child.h"
#include "test/unit/base/failing.h"

/* Live allocations, once this thread has its record, which a failure makes. */
static size_t
warm_live(void)
{
    frti_stub_refuse();
    return frti_allocator_live();
}

static void
check_add(const struct frti_call *call, int a, int b)
{
    void *arguments[] = {&a, &b};
    int sum = 0;

    cr_assert_eq(entry_of(call)((void *)callee_add, &sum, arguments, NULL),
                 FRT_OK);
    cr_assert_eq(sum, a + b);
}

/* ----------------------------------------------------------- sharing --- */

Test(stub, equal_code_is_shared)
{
    struct frti_call *one = stub_of("void *f(void *)");
    struct frti_call *same = stub_of("long f(long)");
    struct frti_call *other = stub_of("int f(int)");

    cr_assert_eq(entry_of(one), entry_of(same));
    cr_assert_neq(entry_of(one), entry_of(other));
    discard(one);
    discard(other);
    cr_assert_eq(frti_code_blocks(), 1);
    discard(same);
    cr_assert_eq(frti_code_blocks(), 0);
    discard(NULL);
}

Test(stub, runs_without_scratch)
{
    struct frti_call *call = stub_of("int f(int, int)");
    int a = 3;
    int b = 4;
    int sum = 0;
    void *arguments[] = {&a, &b};

    cr_assert_eq(frti_backend_stub.scratch(call), 0);
    frti_backend_stub.run(call, (void *)callee_add, &sum, arguments, NULL);
    cr_assert_eq(sum, 7);
    discard(call);
}

Test(stub, a_null_target)
{
    struct frti_call *call = stub_of("int f(int, int)");
    int sum = 11;

    cr_assert_eq(entry_of(call)(NULL, &sum, NULL, NULL), FRT_BAD_ARGUMENT);
    cr_assert_not_null(strstr(frt_last_detail(), "target"));
    cr_assert_eq(sum, 11);
    discard(call);
}

/* ------------------------------------------- exact reads and writes ---- */

#define PAGE 4096

/* A page between two that cannot be touched. */
static unsigned char *
guarded_page(void)
{
    unsigned char *pages =
        mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
    return pages + PAGE;
}

static void
check_untouched(const unsigned char *page, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        cr_assert_eq(page[i], 0x5a, "byte %zu was written", i);
}

/* Argument and result at one end of a page each, their bytes reversed. */
static void
check_reverse(size_t size, void *target, bool at_end)
{
    unsigned char *from = guarded_page();
    unsigned char *to = guarded_page();
    size_t place = at_end ? PAGE - size : 0;
    void *arguments[] = {from + place};
    char prototype[128];

    memset(to, 0x5a, PAGE);
    for (size_t i = 0; i < size; i++)
        from[place + i] = (unsigned char)(0x81 + i);
    snprintf(prototype, sizeof prototype,
             "struct { char c[%zu]; } f(struct { char c[%zu]; } a)", size,
             size);
    call_once(prototype, target, to + place, arguments);
    for (size_t i = 0; i < size; i++)
        cr_assert_eq(to[place + i], 0x81 + size - 1 - i, "byte %zu of %zu", i,
                     size);
    check_untouched(to, 0, place);
    check_untouched(to, place + size, PAGE);
    munmap(from - PAGE, 3 * PAGE);
    munmap(to - PAGE, 3 * PAGE);
}

#define CHECK_REVERSE(n)                                                       \
    check_reverse(n, (void *)callee_reverse_##n, true);                        \
    check_reverse(n, (void *)callee_reverse_##n, false);

Test(stub, aggregates_of_every_size){CALLEE_BYTES(CHECK_REVERSE)}

Test(stub, halves_in_a_vector_register)
{
    static const size_t counts[] = {1, 2, 3, 4};

    for (size_t k = 0; k < 4; k++) {
        size_t size = counts[k] * 2;
        unsigned char *page = guarded_page();
        unsigned char *place = page + PAGE - size;
        void *arguments[] = {place};
        uint64_t bits = 0;
        char prototype[128];

        memset(page, 0x5a, PAGE);
        for (size_t i = 0; i < size; i++)
            place[i] = (unsigned char)(i + 1);
        snprintf(prototype, sizeof prototype,
                 "long f(struct { _Float16 h[%zu]; } a)", counts[k]);
        /* of an HFA the first element alone is in the first register */
        call_once(prototype, (void *)callee_low_bits, &bits, arguments);
        cr_assert_eq(bits & 0xffff, 0x0201);
        snprintf(prototype, sizeof prototype, "_Float16 f(long)");
        bits = UINT64_C(0xffffffffffff1234);
        arguments[0] = &bits;
        place = page + PAGE - 2;
        call_once(prototype, (void *)callee_vector_of, place, arguments);
        cr_assert_eq(place[0], 0x34);
        cr_assert_eq(place[1], 0x12);
        check_untouched(page, 0, PAGE - size);
        munmap(page - PAGE, 3 * PAGE);
    }
}

Test(stub, packed)
{
    struct packed a = {1, 1.5};
    struct packed result[2] = {{9, 9}, {9, 9}};
    void *arguments[] = {&a};

    call_once("struct { char c; double d; } __attribute__((packed)) "
              "f(struct { char c; double d; } __attribute__((packed)) a)",
              (void *)callee_packed, &result[0], arguments);
    cr_assert_eq(result[0].c, 2);
    cr_assert_eq(result[0].d, 3.0);
    cr_assert_eq(result[1].c, 9);
}

/* ------------------------------------------------------------ shapes --- */

Test(stub, long_double)
{
    long double a = 3.25L;
    long double result[2] = {0, 77};
    void *arguments[] = {&a};

    call_once("long double f(long double)", (void *)callee_halve, result,
              arguments);
    cr_assert(result[0] == 1.625L);
    cr_assert(result[1] == 77);
}

Test(stub, complex_long_double)
{
    long double _Complex a = 1.5L - 2.5L * I;
    long double _Complex result = 0;
    void *arguments[] = {&a};

    call_once("_Complex long double f(_Complex long double)",
              (void *)callee_swap, &result, arguments);
    cr_assert(creall(result) == -2.5L);
    cr_assert(cimagl(result) == 1.5L);
}

Test(stub, aligned_stack)
{
    struct aligned_32 b = {{1, 2, 3, 4}};
    struct aligned_32 i = {{10, 20, 30, 40}};
    int n = 1000;
    long sum = 0;
    void *arguments[] = {&n, &b, &n, &n, &n, &n, &n, &n, &i};

    call_once("long f(int, struct { long a[4]; } __attribute__((aligned(32))) "
              "b, int, int, int, int, int, int, "
              "struct { long a[4]; } __attribute__((aligned(32))) i)",
              (void *)callee_aligned, &sum, arguments);
    cr_assert_eq(sum, 7 * 1000 + 10 + 100);
}

static struct frti_call *
variadic_stub(const char *prototype, const frt_layout *layout, size_t count)
{
    const frt_descriptor *fixed = parse_for(prototype, NULL);
    const frt_layout **layouts = calloc(count, sizeof *layouts);
    const frt_descriptor *descriptor;
    struct frti_call *call;

    for (size_t i = 0; i < count; i++)
        layouts[i] = layout;
    cr_assert_eq(frt_descriptor_extend(&descriptor, fixed, layouts, count),
                 FRT_OK);
    call = stub_of_descriptor(descriptor);
    frt_descriptor_drop(descriptor);
    frt_descriptor_drop(fixed);
    free(layouts);
    return call;
}

/* The callee looks at al before it saves the vector registers. */
Test(stub, variadic_floats)
{
    for (int count = 0; count <= 12; count++) {
        struct frti_call *call =
            variadic_stub("double f(int, ...)", FRT_F32, (size_t)count);
        float values[12];
        void *arguments[13] = {&count};
        double expected = 0;
        double sum = -1;

        for (int i = 0; i < count; i++) {
            values[i] = (float)i + 0.5f;
            expected += values[i];
            arguments[1 + i] = &values[i];
        }
        cr_assert_eq(
            entry_of(call)((void *)callee_sum_doubles, &sum, arguments, NULL),
            FRT_OK);
        cr_assert_eq(sum, expected);
        discard(call);
    }
}

Test(stub, thousands_of_arguments)
{
    int count = 5000;
    struct frti_call *call =
        variadic_stub("int f(int, ...)", FRT_SHORT, (size_t)count);
    short *values = calloc((size_t)count, sizeof *values);
    void **arguments = calloc((size_t)count + 1, sizeof *arguments);
    int expected = 0;
    int sum = 0;

    arguments[0] = &count;
    for (int i = 0; i < count; i++) {
        values[i] = (short)(i % 2 == 0 ? i : -3 * i);
        expected += values[i];
        arguments[1 + i] = &values[i];
    }
    cr_assert_eq(entry_of(call)((void *)callee_sum_ints, &sum, arguments, NULL),
                 FRT_OK);
    cr_assert_eq(sum, expected);
    discard(call);
    free(values);
    free(arguments);
}

Test(stub, too_large_for_a_stack)
{
    const frt_descriptor *descriptor =
        parse_for("void f(struct { char c[5000000]; } a)", NULL);
    size_t live = warm_live();
    struct frti_call *call = NULL;

    cr_assert_eq(frti_backend_stub.prepare(&call, descriptor), FRT_UNSUPPORTED);
    cr_assert_not_null(strstr(frt_last_detail(), "bytes of stack"));
    cr_assert_null(call);
    cr_assert_eq(frti_allocator_live(), live);
    frt_descriptor_drop(descriptor);
}

/* ------------------------------------------------------------- stack --- */

#define LARGE                                                                  \
    "unsigned f(struct { unsigned char c[1048576]; } a, unsigned long)"

Test(stub, a_megabyte_by_value)
{
    struct large *a = malloc(sizeof *a);
    size_t count = sizeof a->c;
    unsigned sum = 0;
    void *arguments[] = {a, &count};

    for (size_t i = 0; i < count; i++)
        a->c[i] = (unsigned char)(i % 3);
    call_once(LARGE, (void *)callee_sum_large, &sum, arguments);
    cr_assert_eq(sum, 1048575);
    free(a);
}

#define SMALL_STACK ((size_t)256 << 10)

static unsigned char *small_stack; /* above one page that guards it */

static void
on_overflow(int number, siginfo_t *information, void *context)
{
    const unsigned char *at = information->si_addr;

    (void)number;
    (void)context;
    end_child(at >= small_stack - PAGE && at < small_stack);
}

static void *
overflow(void *call)
{
    static char memory[64 << 10];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    const struct sigaction action = {.sa_sigaction = on_overflow,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK};
    static struct large a;
    size_t count = 1;
    unsigned sum = 0;
    void *arguments[] = {&a, &count};

    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    (void)entry_of(call)((void *)callee_sum_large, &sum, arguments, NULL);
    return NULL;
}

/* The page that guards the stack is met, not jumped over. */
Test(stub, a_stack_that_is_too_small)
{
    struct frti_call *call = stub_of(LARGE);
    unsigned char *memory =
        mmap(NULL, 8 * sizeof(struct large), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    pid_t child;

    small_stack = memory + 4 * sizeof(struct large);
    cr_assert_eq(mprotect(small_stack - PAGE, PAGE, PROT_NONE), 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, small_stack, SMALL_STACK);
    child = fork();
    if (child == 0) {
        pthread_create(&thread, &attributes, overflow, call);
        pthread_join(thread, NULL);
        end_child(false);
    }
    wait_for_child(child);
    pthread_attr_destroy(&attributes);
    munmap(memory, 8 * sizeof(struct large));
    discard(call);
}

/* ---------------------------------------------------------- failures --- */

Test(stub, each_allocation_may_fail)
{
    const frt_descriptor *descriptor = parse_for(
        "struct { char c[3]; } f(struct { double d[3]; } a, int)", NULL);
    struct frti_call *other = stub_of("void f(void)");
    size_t live = warm_live();
    size_t failures = 0;
    struct frti_call *call = NULL;

    for (;; failures++) {
        frt_status status;

        failing_begin(failures + 1);
        status = frti_backend_stub.prepare(&call, descriptor);
        if (!failing_end())
            break;
        /* without room for a larger table a pool stays as it is */
        if (status == FRT_OK)
            discard(call);
        else
            cr_assert_eq(status, FRT_NO_MEMORY);
        cr_assert_eq(frti_allocator_live(), live);
    }
    cr_assert_geq(failures, 4);
    discard(call);
    discard(other);
    cr_assert_eq(frti_code_blocks(), 0);
    frt_descriptor_drop(descriptor);
}

/* With no block to start from, its own allocation is one of them. */
Test(stub, each_allocation_of_the_first_may_fail)
{
    const frt_descriptor *descriptor = parse_for("int f(int, int)", NULL);
    size_t live = warm_live();
    size_t failures = 0;
    struct frti_call *call = NULL;

    for (;; failures++) {
        failing_begin(failures + 1);
        if (frti_backend_stub.prepare(&call, descriptor) == FRT_OK)
            break;
        cr_assert(failing_end());
        cr_assert_eq(frti_allocator_live(), live);
        cr_assert_eq(frti_code_blocks(), 0);
    }
    cr_assert_not(failing_end());
    cr_assert_geq(failures, 5);
    check_add(call, 1, 2);
    discard(call);
    cr_assert_eq(frti_allocator_live(), live);
    frt_descriptor_drop(descriptor);
}

/* ------------------------------------------------- threads and forks --- */

#define THREADS 8
#define ROUNDS 200

/* Some of what each makes is the others', some its own. */
static void *
make_and_call(void *number)
{
    char own[64];

    snprintf(own, sizeof own, "struct { char c[%u]; } f(void)",
             100 + *(unsigned *)number);
    for (int i = 0; i < ROUNDS; i++) {
        struct frti_call *shared = stub_of("int f(int, int)");
        struct frti_call *mine = stub_of(own);

        check_add(shared, i, 1);
        discard(mine);
        check_add(shared, i, 2);
        discard(shared);
    }
    return NULL;
}

Test(stub, many_threads)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    size_t live;

    discard(stub_of("int f(int, int)"));
    live = frti_allocator_live();
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        cr_assert_eq(
            pthread_create(&threads[i], NULL, make_and_call, &numbers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(frti_code_blocks(), 0);
    cr_assert_eq(frti_allocator_live(), live);
}

static void
make_many(struct frti_call **calls, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++) {
        char prototype[64];

        snprintf(prototype, sizeof prototype,
                 "int f(int, int, struct { char c[%zu]; } a)", first + i);
        calls[i] = stub_of(prototype);
    }
}

static bool
adds_right(struct frti_call *const *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        static char bytes[2000];
        int a = (int)i;
        int b = 5;
        int sum = 0;
        void *arguments[] = {&a, &b, bytes};

        if (entry_of(calls[i])((void *)callee_add, &sum, arguments, NULL) !=
                FRT_OK ||
            sum != a + b)
            return false;
    }
    return true;
}

#define FORKED 100

/* Each side makes stubs of its own while the other does. */
Test(stub, fork)
{
    struct frti_call *before[FORKED];
    struct frti_call *after[FORKED];
    pid_t child;

    make_many(before, FORKED, 1);
    child = fork();
    make_many(after, FORKED, child == 0 ? 300 : 600);
    if (child == 0)
        end_child(adds_right(before, FORKED) && adds_right(after, FORKED));
    wait_for_child(child);
    cr_assert(adds_right(before, FORKED));
    cr_assert(adds_right(after, FORKED));
    for (size_t i = 0; i < FORKED; i++) {
        discard(before[i]);
        discard(after[i]);
    }
    cr_assert_eq(frti_code_blocks(), 0);
}

/* In a child that no handler ran in, too. */
Test(stub, bare_fork)
{
    struct frti_call *before[FORKED];
    struct frti_call *after[FORKED];
    pid_t child;

    make_many(before, FORKED, 1);
    child = _Fork();
    make_many(after, FORKED, child == 0 ? 300 : 600);
    if (child == 0)
        end_child(adds_right(before, FORKED) && adds_right(after, FORKED));
    wait_for_child(child);
    cr_assert(adds_right(before, FORKED));
    cr_assert(adds_right(after, FORKED));
    for (size_t i = 0; i < FORKED; i++) {
        discard(before[i]);
        discard(after[i]);
    }
}

/* A child may drop what it got, and make more. */
Test(stub, drop_in_a_child)
{
    struct frti_call *call = stub_of("int f(int, int)");
    pid_t child = fork();

    if (child == 0) {
        discard(call);
        call = stub_of("int f(int, int)");
        check_add(call, 1, 1);
        discard(call);
        end_child(true);
    }
    wait_for_child(child);
    check_add(call, 2, 2);
    discard(call);
}

/* --------------------------------------------------------- unwinding --- */

Test(stub, backtrace_walks_through)
{
    struct frti_call *call = stub_of("int f(void *)");
    void *wanted = (void *)entry_of(call);
    void *arguments[] = {&wanted};
    int count = 0;

    cr_assert_eq(
        entry_of(call)((void *)callee_backtrace, &count, arguments, NULL),
        FRT_OK);
    /* the callee, the stub, this function, and what called it */
    cr_assert_geq(count, 4);
    discard(call);
}
