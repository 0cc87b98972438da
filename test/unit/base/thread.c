/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/thread.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>

#include "test/unit/base/failing.h"

#define THREADS 64

static void *
take_number(void *out)
{
    uint64_t *number = out;

    *number = frti_thread_number();
    cr_assert_eq(frti_thread_number(), *number);
    cr_assert_eq(frti_here.thread, *number);
    return NULL;
}

Test(thread, numbers_are_never_used_twice)
{
    pthread_t threads[THREADS];
    uint64_t numbers[THREADS + 1];

    numbers[THREADS] = frti_thread_number();
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(
            pthread_create(&threads[i], NULL, take_number, &numbers[i]), 0);
        if (i % 2 == 0) /* some live at once, some one after the other */
            pthread_join(threads[i], NULL);
    }
    for (int i = 1; i < THREADS; i += 2)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= THREADS; i++) {
        cr_assert_neq(numbers[i], 0);
        for (int j = 0; j < i; j++)
            cr_assert_neq(numbers[i], numbers[j]);
    }
}

Test(thread, record_is_made_when_needed)
{
    struct frti_thread *record;

    cr_assert_null(frti_thread_known());
    record = frti_thread_record();
    cr_assert_not_null(record);
    cr_assert_eq(frti_thread_known(), record);
    cr_assert_eq(frti_thread_record(), record);
}

Test(thread, no_memory_for_the_record)
{
    size_t live = frti_allocator_live();

    failing_begin(1);
    cr_assert_null(frti_thread_record());
    cr_assert(failing_end());
    cr_assert_null(frti_thread_known());
    cr_assert_eq(frti_allocator_live(), live);
    cr_assert_not_null(frti_thread_record());
}

static char order[FRTI_THREAD_END_COUNT + 1];
static size_t order_length;

static void
note_holds(void)
{
    order[order_length++] = 'h';
}

static void
note_buffer_stack(void)
{
    order[order_length++] = 'b';
}

static void *
set_both(void *unused)
{
    struct frti_thread *record = frti_thread_record();

    record->at_end[FRTI_THREAD_END_BUFFER_STACK] = note_buffer_stack;
    record->at_end[FRTI_THREAD_END_HOLDS] = note_holds;
    return unused;
}

Test(thread, what_is_to_be_done_at_the_end)
{
    size_t live = frti_allocator_live();
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, set_both, NULL), 0);
    pthread_join(thread, NULL);
    cr_assert_str_eq(order, "hb");
    cr_assert_eq(frti_allocator_live(), live, "the record is freed");
}

static pthread_key_t late_key;
static int late_runs;

/* Its second round is after the library's destructor. */
static void
run_late(void *value)
{
    if (late_runs++ == 0) {
        pthread_setspecific(late_key, value);
        return;
    }
    cr_assert_null(frti_thread_known());
    cr_assert_null(frti_thread_record());
    cr_assert_eq(frti_thread_number(), *(uint64_t *)value);
    cr_assert_eq(frti_fail(FRT_CLOSED, "nobody keeps this"), FRT_CLOSED);
    cr_assert_str_eq(frt_last_detail(), "");
}

static void *
end_late(void *out)
{
    frti_fail(FRT_CLOSED, "before");
    take_number(out);
    pthread_setspecific(late_key, out);
    return NULL;
}

Test(thread, after_its_end)
{
    size_t live = frti_allocator_live();
    pthread_t thread;
    uint64_t number;

    pthread_key_create(&late_key, run_late);
    cr_assert_eq(pthread_create(&thread, NULL, end_late, &number), 0);
    pthread_join(thread, NULL);
    cr_assert_eq(late_runs, 2);
    cr_assert_eq(frti_allocator_live(), live);
}
