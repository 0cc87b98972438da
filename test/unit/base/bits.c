/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/bits.h"

#include <criterion/criterion.h>

Test(bits, power_of_two)
{
    cr_assert(!frti_is_power_of_two(0));
    for (unsigned i = 0; i < 64; i++) {
        size_t power = (size_t)1 << i;

        cr_assert(frti_is_power_of_two(power));
        cr_assert(i < 2 || !frti_is_power_of_two(power - 1));
        cr_assert(i < 1 || !frti_is_power_of_two(power + 1));
    }
}

Test(bits, add)
{
    size_t out = 7;

    cr_assert(frti_add(&out, SIZE_MAX - 1, 1));
    cr_assert_eq(out, SIZE_MAX);
    out = 7;
    cr_assert(!frti_add(&out, SIZE_MAX, 1));
    cr_assert(!frti_add(&out, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1));
    cr_assert_eq(out, 7);
}

Test(bits, multiply)
{
    size_t out = 7;

    cr_assert(frti_multiply(&out, SIZE_MAX / 3, 3));
    cr_assert_eq(out, SIZE_MAX);
    cr_assert(frti_multiply(&out, SIZE_MAX, 0));
    cr_assert_eq(out, 0);
    out = 7;
    cr_assert(!frti_multiply(&out, SIZE_MAX / 3 + 1, 3));
    cr_assert(!frti_multiply(&out, SIZE_MAX, SIZE_MAX));
    cr_assert_eq(out, 7);
}

Test(bits, align_up)
{
    size_t out = 7;

    for (size_t alignment = 1; alignment <= 64; alignment *= 2)
        for (size_t value = 0; value < 200; value++) {
            cr_assert(frti_align_up(&out, value, alignment));
            cr_assert(out >= value && out < value + alignment);
            cr_assert_eq(out % alignment, 0);
        }
    cr_assert(frti_align_up(&out, SIZE_MAX - 15, 16));
    cr_assert_eq(out, SIZE_MAX - 15);
    out = 7;
    cr_assert(!frti_align_up(&out, SIZE_MAX - 14, 16));
    cr_assert(!frti_align_up(&out, SIZE_MAX, 2));
    cr_assert_eq(out, 7);
}

Test(bits, aligned)
{
    cr_assert(frti_is_aligned((void *)48, 16));
    cr_assert(!frti_is_aligned((void *)40, 16));
    cr_assert(frti_is_aligned((void *)41, 1));
    cr_assert(frti_is_aligned(NULL, 4096));
}
