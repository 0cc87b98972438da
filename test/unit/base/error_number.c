/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/error_number.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>

static void *
is_errno(void *context)
{
    *(bool *)context = frti_error_number() == &errno;
    return NULL;
}

Test(error_number, is_errno_on_every_thread)
{
    bool is_right = false;

    is_errno(&is_right);
    cr_assert(is_right);
    for (int i = 0; i < 20; i++) {
        pthread_t thread;

        is_right = false;
        cr_assert_eq(pthread_create(&thread, NULL, is_errno, &is_right), 0);
        pthread_join(thread, NULL);
        cr_assert(is_right);
    }
}

Test(error_number, reads_and_writes)
{
    errno = ERANGE;
    cr_assert_eq(*frti_error_number(), ERANGE);
    *frti_error_number() = EDOM;
    cr_assert_eq(errno, EDOM);
}
