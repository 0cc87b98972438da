/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/status.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "test/unit/base/failing.h"

Test(status, names_and_texts)
{
    cr_assert_str_eq(frt_status_name(FRT_OK), "FRT_OK");
    cr_assert_str_eq(frt_status_name(FRT_NOT_FOUND), "FRT_NOT_FOUND");
    cr_assert_str_eq(frt_status_text(FRT_NO_MEMORY), "out of memory");
#define CHECK(name, number, text)                                              \
    cr_assert_str_eq(frt_status_name((frt_status)(number)), "FRT_" #name);     \
    cr_assert_str_eq(frt_status_text((frt_status)(number)), text);
    FRT_STATUS_TABLE(CHECK)
#undef CHECK
}

Test(status, unknown)
{
    cr_assert_str_eq(frt_status_name((frt_status)999), "FRT_(unknown)");
    cr_assert_str_eq(frt_status_text((frt_status)999), "no such status");
    cr_assert_str_eq(frt_status_name((frt_status)-1), "FRT_(unknown)");
}

/* Bindings have the numbers compiled in. */
Test(status, numbers_stay)
{
    cr_assert_eq(FRT_OK, 0);
    cr_assert_eq(FRT_ALREADY_CLOSED, 1);
    cr_assert_eq(FRT_NO_MEMORY, 9);
    cr_assert_eq(FRT_WRONG_THREAD, 19);
}

Test(status, detail)
{
    cr_assert_str_eq(frt_last_detail(), "");
    cr_assert_eq(frti_fail(FRT_NOT_FOUND, "no %s in %d", "f", 3),
                 FRT_NOT_FOUND);
    cr_assert_str_eq(frt_last_detail(), "no f in 3");
    frti_fail(FRT_CLOSED, "second");
    cr_assert_str_eq(frt_last_detail(), "second");
}

Test(status, detail_of_the_last_detail)
{
    frti_fail(FRT_CLOSED, "the arena is closed");
    frti_fail(FRT_CLOSED, "argument 2: %s", frt_last_detail());
    cr_assert_str_eq(frt_last_detail(), "argument 2: the arena is closed");
}

Test(status, long_detail_is_cut)
{
    char text[3 * FRTI_DETAIL_SIZE];

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    frti_fail(FRT_CLOSED, "%s", text);
    cr_assert_eq(strlen(frt_last_detail()), FRTI_DETAIL_SIZE - 1);
}

Test(status, errno_stays)
{
    errno = 77;
    frti_fail(FRT_CLOSED, "%s", "a sentence");
    cr_assert_eq(errno, 77);
}

Test(status, common_ones)
{
    cr_assert_eq(frti_no_memory(24, "a ticket"), FRT_NO_MEMORY);
    cr_assert_str_eq(frt_last_detail(), "no memory for a ticket (24 bytes)");
    cr_assert_eq(frti_null_argument("out"), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "out is NULL");
}

static void *
fail_elsewhere(void *unused)
{
    cr_assert_str_eq(frt_last_detail(), "");
    frti_fail(FRT_CLOSED, "there");
    cr_assert_str_eq(frt_last_detail(), "there");
    return unused;
}

Test(status, each_thread_has_its_own)
{
    pthread_t thread;

    frti_fail(FRT_CLOSED, "here");
    cr_assert_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    cr_assert_str_eq(frt_last_detail(), "here");
}

Test(status, no_memory_for_the_sentence)
{
    failing_begin_always();
    cr_assert_eq(frti_fail(FRT_CLOSED, "lost"), FRT_CLOSED);
    cr_assert(failing_end());
    cr_assert_str_eq(frt_last_detail(), "");
    frti_fail(FRT_CLOSED, "kept");
    cr_assert_str_eq(frt_last_detail(), "kept");
}
