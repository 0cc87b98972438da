/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/options.h"

#include <criterion/criterion.h>
#include <string.h>

/* What the library knows; what an earlier and a later program know. */
struct known {
    size_t size;
    int one;
    const char *two;
};

struct earlier {
    size_t size;
    int one;
};

struct later {
    struct known known;
    long three;
};

static struct known out;

static frt_status
read_options(const void *given)
{
    out = (struct known){1, 2, "untouched"};
    return frti_options_read(&out, sizeof out, given, "some_options");
}

static void
is(int one, const char *two)
{
    cr_expect_eq(out.size, sizeof out);
    cr_expect_eq(out.one, one);
    cr_expect_eq(out.two, two);
}

static void
is_refused(const void *given, const char *sentence)
{
    cr_expect_eq(read_options(given), FRT_BAD_ARGUMENT);
    cr_expect_str_eq(frt_last_detail(), sentence);
    cr_expect_eq(out.size, 1);
    cr_expect_eq(out.one, 2);
    cr_expect_str_eq(out.two, "untouched");
}

Test(options, null_is_all_zero)
{
    cr_assert_eq(read_options(NULL), FRT_OK);
    is(0, NULL);
}

Test(options, same)
{
    struct known given = {sizeof given, 7, "text"};

    cr_assert_eq(read_options(&given), FRT_OK);
    is(7, given.two);
}

Test(options, shorter)
{
    struct earlier given = {sizeof given, 7};
    size_t alone = sizeof alone;

    cr_assert_eq(read_options(&given), FRT_OK);
    is(7, NULL);
    cr_assert_eq(read_options(&alone), FRT_OK);
    is(0, NULL);
}

Test(options, longer)
{
    struct later given = {{sizeof given, 7, "text"}, 0};

    cr_assert_eq(read_options(&given), FRT_OK);
    is(7, given.known.two);
    given.three = 1;
    is_refused(&given,
               "some_options: has options that this version does not know");
}

Test(options, no_size)
{
    struct known given = {0, 7, "text"};

    is_refused(&given, "some_options: its size says 0, not the struct's size");
    given.size = sizeof given.size - 1;
    is_refused(&given, "some_options: its size says 7, not the struct's size");
    given.size = SIZE_MAX;
    is_refused(&given, "some_options: its size says 18446744073709551615, "
                       "more than any such struct has");
}
