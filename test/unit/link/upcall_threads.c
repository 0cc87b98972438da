/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/link/upcall_thread.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---------------------------------------------------------- any thread --- */

static frt_status
see_thread(void *context, void *result, void *const *arguments)
{
    *(pthread_t *)context = pthread_self();
    RESULT(void *) = ARGUMENT(void *, 0);
    return FRT_OK;
}

/* pthread_create calls it itself: a thread that the library never saw. */
Test(upcall_threads, e10_a_thread_of_c)
{
    pthread_t seen;
    pthread_t thread;
    frt_arena arena;
    frt_upcall upcall;

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    upcall = upcall_of_pointers(arena, see_thread, &seen, NULL);
    thread = start(frt_upcall_address(upcall), &seen);
    cr_assert_eq(join(thread), &seen);
    cr_assert(pthread_equal(seen, thread));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
}

static atomic_long counted;

static frt_status
count_payload(void *context, void *result, void *const *arguments)
{
    atomic_fetch_add(&counted, *ARGUMENT(int *, 0));
    return FRT_OK;
}

#define PAYLOADS 100000

static void *
call_with_payloads(void *code)
{
    void *(*f)(void *) = code;

    for (int i = 0; i < PAYLOADS; i++) {
        int *payload = malloc(sizeof *payload);

        *payload = 3;
        f(payload);
        *payload = -1000000;
        free(payload);
    }
    return NULL;
}

Test(upcall_threads, e11_eight_threads_with_payloads)
{
    frt_upcall upcall =
        upcall_of_pointers(frt_arena_global(), count_payload, NULL, NULL);
    pthread_t threads[8];

    for (int i = 0; i < 8; i++)
        threads[i] = start(call_with_payloads, frt_upcall_address(upcall));
    for (int i = 0; i < 8; i++)
        join(threads[i]);
    cr_assert_eq(counted, 8L * 3 * PAYLOADS);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
}

struct late_caller {
    void *(*registered)(void *);
    atomic_int step;
    void *got;
};

static void *
call_when_told(void *context)
{
    struct late_caller *caller = context;

    while (atomic_load(&caller->step) == 0)
        usleep(100);
    caller->got = caller->registered(caller);
    return NULL;
}

/* The call that registered it has returned long ago. */
Test(upcall_threads, e14_called_from_another_thread_later)
{
    pthread_t seen;
    struct late_caller caller = {0};
    pthread_t thread = start(call_when_told, &caller);

    caller.registered = frt_upcall_address(
        upcall_of_pointers(frt_arena_global(), see_thread, &seen, NULL));
    atomic_store(&caller.step, 1);
    join(thread);
    cr_assert_eq(caller.got, &caller);
    cr_assert(pthread_equal(seen, thread));
}

struct staying {
    atomic_int step;
    frt_upcall upcall;
    void *(*code)(void *);
};

static frt_status
stay(void *context, void *result, void *const *arguments)
{
    struct staying *staying = context;

    atomic_store(&staying->step, 1);
    while (atomic_load(&staying->step) == 1)
        usleep(100);
    RESULT(void *) = ARGUMENT(void *, 0);
    return FRT_OK;
}

static void *
go_in(void *context)
{
    struct staying *staying = context;

    return staying->code(context);
}

Test(upcall_threads, not_closed_while_another_thread_is_inside)
{
    struct staying staying = {0};
    frt_upcall_options options = {.size = sizeof options, .name = "stay"};
    frt_arena arena;
    frt_upcall upcall;
    pthread_t thread;

    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
    upcall = upcall_of_pointers(arena, stay, &staying, &options);
    staying.code = frt_upcall_address(upcall);
    thread = start(go_in, &staying);
    while (atomic_load(&staying.step) == 0)
        usleep(100);
    CHECK_STATUS(FRT_STILL_HELD, frt_upcall_close(upcall));
    check_detail("another thread is inside the upcall 'stay'");
    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close(arena));
    cr_assert(frt_upcall_is_open(upcall));
    atomic_store(&staying.step, 2);
    cr_assert_eq(join(thread), &staying);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
}

/* ------------------------------------------------------------- owners --- */

static void *fallback = &fallback;

static frt_status
never(void *context, void *result, void *const *arguments)
{
    cr_assert_fail("it must not be called here");
    return FRT_OK;
}

static void
check_owner(frt_arena arena, frt_upcall_thread thread)
{
    frt_upcall_options options = {.size = sizeof options,
                                  .name = "mine",
                                  .default_result = &fallback,
                                  .thread = thread};
    struct seen_report seen = {0};
    struct other_thread other = {0};

    frt_upcall_on_report(see_report, &seen);
    other.code =
        frt_upcall_address(upcall_of_pointers(arena, never, NULL, &options));
    cr_assert_eq(join(start(call_and_raise, &other)), fallback);
    cr_assert_eq(seen.count, 1);
    cr_assert_eq(seen.status, FRT_WRONG_THREAD);
    cr_assert_str_eq(seen.type, "void *mine(void *)");
    cr_assert_not_null(strstr(seen.sentence, "its owner, thread"));
    cr_assert_eq(other.raised, FRT_UPCALL_FAILED);
    cr_assert_not_null(strstr(other.detail, "its owner, thread"));
    frt_upcall_on_report(NULL, NULL);
}

Test(upcall_threads, e10_an_owner_refuses_others)
{
    frt_arena arena;

    check_owner(frt_arena_global(), FRT_UPCALL_THREAD_OWNER);
    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    check_owner(arena, FRT_UPCALL_THREAD_ANY);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    setenv("FRT_UPCALL_THREAD", "owner", 1);
    check_owner(frt_arena_global(), FRT_UPCALL_THREAD_AUTO);
}

Test(upcall_threads, the_environment_is_checked)
{
    frt_upcall upcall;
    const frt_descriptor *descriptor;

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, "int f(int)", NULL));
    setenv("FRT_UPCALL_THREAD", "mine", 1);
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_upcall_open(&upcall, frt_arena_global(), descriptor, never,
                                 NULL, NULL));
    check_detail("FRT_UPCALL_THREAD is 'mine', not any or owner");
    frt_descriptor_drop(descriptor);
}

/* The other thread's call is refused, but holds the upcall meanwhile: a close
 * by its owner is refused, too, and leaves the owner's own call in order. */
static void
report_and_stay(void *context, const frt_upcall_report *report)
{
    struct staying *staying = context;

    atomic_store(&staying->step, 1);
    while (atomic_load(&staying->step) == 1)
        usleep(100);
}

static frt_status
close_while_refused(void *context, void *result, void *const *arguments)
{
    struct staying *staying = context;
    pthread_t thread = start(go_in, staying);

    while (atomic_load(&staying->step) == 0)
        usleep(100);
    CHECK_STATUS(FRT_STILL_HELD, frt_upcall_close(staying->upcall));
    atomic_store(&staying->step, 2);
    join(thread);
    return FRT_OK;
}

Test(upcall_threads, a_refused_close_inside_its_own_call)
{
    struct staying staying = {0};
    frt_arena arena;

    frt_upcall_on_report(report_and_stay, &staying);
    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    staying.upcall =
        upcall_of_pointers(arena, close_while_refused, &staying, NULL);
    staying.code = frt_upcall_address(staying.upcall);
    staying.code(NULL);
    CHECK_STATUS(FRT_OK, frt_upcall_close(staying.upcall));
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
}

/* --------------------------------------------------------------- hooks --- */

struct language {
    atomic_int attached;
    atomic_int detached;
    frt_status answer;
};

static frt_status
attach(void *context)
{
    struct language *language = context;

    atomic_fetch_add(&language->attached, 1);
    return language->answer;
}

static void
detach(void *context)
{
    struct language *language = context;

    atomic_fetch_add(&language->detached, 1);
}

static frt_status
check_attached(void *context, void *result, void *const *arguments)
{
    struct language *language = context;

    cr_assert_eq(language->attached, 1);
    cr_assert_eq(language->detached, 0);
    RESULT(int) = ARGUMENT(int, 0) + 5;
    return FRT_OK;
}

static void *
call_twice(void *code)
{
    int (*f)(int) = code;

    f(1);
    return (void *)(intptr_t)f(2);
}

Test(upcall_threads, languages_attach_to_threads)
{
    struct language language = {0};
    frt_thread_hooks hooks = {attach, detach, &language};
    frt_upcall_options options = {.size = sizeof options, .hooks = &hooks};
    void *code = frt_upcall_address(upcall_of(
        frt_arena_global(), "int f(int)", check_attached, &language, &options));

    cr_assert_eq((intptr_t)join(start(call_twice, code)), 7);
    cr_assert_eq(language.attached, 1);
    cr_assert_eq(language.detached, 1);
    language.answer = FRT_NO_MEMORY;
    cr_assert_eq((intptr_t)join(start(call_twice, code)), 0);
    cr_assert_eq(language.attached, 3);
    cr_assert_eq(language.detached, 1);
}

static pthread_key_t late_key;

static void
call_at_the_end(void *code)
{
    static __thread int rounds;
    int (*f)(int) = code;

    /* after all other destructors, ours among them */
    if (++rounds < 3) {
        pthread_setspecific(late_key, code);
        return;
    }
    cr_assert_eq(f(1), 6);
}

static void *
end_late(void *code)
{
    pthread_setspecific(late_key, code);
    (void)frt_fail(FRT_NOT_FOUND, "this thread has its record");
    return NULL;
}

static frt_status
add_five(void *context, void *result, void *const *arguments)
{
    RESULT(int) = ARGUMENT(int, 0) + 5;
    return FRT_OK;
}

Test(upcall_threads, after_the_threads_destructors)
{
    struct language language = {0};
    frt_thread_hooks hooks = {attach, detach, &language};
    frt_upcall_options options = {.size = sizeof options, .hooks = &hooks};
    void *code = frt_upcall_address(
        upcall_of(frt_arena_global(), "int f(int)", add_five, NULL, &options));

    cr_assert_eq(pthread_key_create(&late_key, call_at_the_end), 0);
    join(start(end_late, code));
    cr_assert_eq(language.attached, 1);
    cr_assert_eq(language.detached, 1);
}

/* ------------------------------------------------------ exit and fork --- */

static const frt_upcall_options queued = {
    .size = sizeof(frt_upcall_options),
    .name = "queued",
    .thread = FRT_UPCALL_THREAD_QUEUE,
};

static int (*at_exit_code)(int);

static void
call_at_exit(void)
{
    _exit(at_exit_code(37) == 42 ? 42 : 1);
}

Test(upcall_threads, during_exit, .exit_code = 42)
{
    at_exit_code = frt_upcall_address(
        upcall_of(frt_arena_global(), "int f(int)", add_five, NULL, NULL));
    atexit(call_at_exit);
    exit(1);
}

static int
child_uses_upcalls(void *context)
{
    frt_upcall *before = context;
    int zero = 0;
    size_t ran = 1;
    frt_upcall posts;
    frt_upcall_options options = queued;
    int (*f)(int) = frt_upcall_address(before[0]);

    (void)zero;
    if (f(1) != 6 || frt_upcall_close(before[0]) != FRT_OK)
        return 1;
    /* what was posted is the parent's */
    if (frt_upcall_poll(&ran, 0) != FRT_OK || ran != 0)
        return 2;
    options.post = true;
    posts =
        upcall_of(frt_arena_global(), "void f(int)", add_five, NULL, &options);
    if (frt_upcall_address(posts) == NULL)
        return 3;
    f = frt_upcall_address(
        upcall_of(frt_arena_global(), "int f(int)", add_five, NULL, NULL));
    return f(1) == 6 ? 0 : 4;
}

static void *
post_ints(void *code)
{
    void (*f)(int) = code;

    f(1);
    f(2);
    return NULL;
}

static frt_status
count_ints(void *context, void *result, void *const *arguments)
{
    *(int *)context += ARGUMENT(int, 0);
    return FRT_OK;
}

Test(upcall_threads, f06_in_a_forked_child)
{
    int count = 0;
    frt_upcall_options options = queued;
    frt_upcall upcalls[2];
    size_t ran = 0;
    pid_t child;
    int status;

    options.post = true;
    upcalls[0] =
        upcall_of(frt_arena_global(), "int f(int)", add_five, NULL, NULL);
    upcalls[1] = upcall_of(frt_arena_global(), "void f(int)", count_ints,
                           &count, &options);
    join(start(post_ints, frt_upcall_address(upcalls[1])));
    child = fork();
    if (child == 0)
        _exit(child_uses_upcalls(upcalls));
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, 0));
    cr_assert_eq(ran, 2);
    cr_assert_eq(count, 3);
    cr_assert(frt_upcall_is_open(upcalls[0]));
}

/* -------------------------------------------------- refused code memory --- */

static void *
make_and_call(void *context)
{
    const frt_descriptor *descriptor = context;

    for (int i = 0; i < 500; i++) {
        frt_upcall upcall;
        int (*f)(int);

        CHECK_STATUS(FRT_OK, frt_upcall_open(&upcall, frt_arena_global(),
                                             descriptor, add_five, NULL, NULL));
        f = frt_upcall_address(upcall);
        cr_assert_eq(f(i), i + 5);
        CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    }
    return NULL;
}

/* And F02: each with descriptors of its own. */
static void *
parse_make_and_call(void *context)
{
    for (int i = 0; i < 50; i++) {
        const frt_descriptor *descriptor;

        CHECK_STATUS(FRT_OK,
                     frt_descriptor_parse(&descriptor, "int f(int)", NULL));
        make_and_call((void *)descriptor);
        frt_descriptor_drop(descriptor);
    }
    return context;
}

Test(upcall_threads, f01_f02_twenty_threads)
{
    pthread_t threads[20];

    for (int i = 0; i < 20; i++)
        threads[i] = start(parse_make_and_call, NULL);
    for (int i = 0; i < 20; i++)
        join(threads[i]);
}

/* --------------------------------------------------- at the first time --- */

#define FIRST_THREADS 16

struct first {
    pthread_barrier_t *together;
    const frt_layout *layout;
    frt_function *function;
    int result;
};

static void *
parse_first(void *context)
{
    struct first *first = context;

    pthread_barrier_wait(first->together);
    CHECK_STATUS(FRT_OK,
                 frt_layout_parse(&first->layout,
                                  "struct first_seen { int a; struct { double "
                                  "d[3]; } b; }",
                                  NULL));
    return NULL;
}

Test(upcall_threads, f03_one_type_for_all_threads)
{
    pthread_barrier_t together;
    pthread_t threads[FIRST_THREADS];
    struct first firsts[FIRST_THREADS];

    pthread_barrier_init(&together, NULL, FIRST_THREADS);
    for (int i = 0; i < FIRST_THREADS; i++) {
        firsts[i].together = &together;
        threads[i] = start(parse_first, &firsts[i]);
    }
    for (int i = 0; i < FIRST_THREADS; i++)
        join(threads[i]);
    cr_assert_eq(frt_layout_size(firsts[0].layout), 32);
    for (int i = 0; i < FIRST_THREADS; i++) {
        cr_assert_eq(firsts[i].layout, firsts[0].layout);
        if (i > 0)
            frt_layout_drop(firsts[i].layout);
    }
    frt_layout_drop(firsts[0].layout);
}

static void *
call_first(void *context)
{
    struct first *first = context;
    int b = 2;

    pthread_barrier_wait(first->together);
    CHECK_STATUS(FRT_OK, frt_call(first->function, &first->result,
                                  (void *[]){&first->result, &b}, 2));
    return NULL;
}

Test(upcall_threads, f04_the_first_call_of_a_function)
{
    pthread_barrier_t together;
    pthread_t threads[FIRST_THREADS];
    struct first firsts[FIRST_THREADS];
    frt_function *add = declare("int callee_add(int a, int b)");

    pthread_barrier_init(&together, NULL, FIRST_THREADS);
    for (int i = 0; i < FIRST_THREADS; i++) {
        firsts[i] =
            (struct first){.together = &together, .function = add, .result = i};
        threads[i] = start(call_first, &firsts[i]);
    }
    for (int i = 0; i < FIRST_THREADS; i++) {
        join(threads[i]);
        cr_assert_eq(firsts[i].result, i + 2);
    }
    frt_function_free(add);
}
