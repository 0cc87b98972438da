/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Built once with libc's allocator and once with jemalloc: ALLOCATOR_NAME. */
#include "ffi_rt/base/allocator.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "test/unit/base/failing.h"

/* There under address sanitizer alone, to which an impossible size is an error
 * of the program. */
extern void __asan_init(void) __attribute__((weak));

Test(allocator, name)
{
    cr_assert_str_eq(frti_allocator_name(), ALLOCATOR_NAME);
}

static void
check_zeroed(const unsigned char *memory, size_t size)
{
    for (size_t i = 0; i < size; i++)
        cr_assert_eq(memory[i], 0, "byte %zu of %zu", i, size);
}

Test(allocator, zeroed_and_aligned)
{
    for (size_t alignment = 1; alignment <= 8192; alignment *= 2)
        for (size_t size = 1; size <= 100000; size = size * 3 + 1)
            for (int again = 0; again < 2; again++) { /* on used memory */
                unsigned char *memory = frti_allocate(size, alignment);

                cr_assert_not_null(memory);
                cr_assert_eq((uintptr_t)memory % alignment, 0);
                check_zeroed(memory, size);
                memset(memory, 0xa5, size);
                frti_free(memory, size, alignment);
            }
}

Test(allocator, size_0_is_memory)
{
    void *one = frti_allocate(0, 1);
    void *other = frti_allocate(0, 4096);

    cr_assert_not_null(one);
    cr_assert_not_null(other);
    cr_assert_neq(one, other);
    frti_free(one, 0, 1);
    frti_free(other, 0, 4096);
}

Test(allocator, free_of_null)
{
    size_t live = frti_allocator_live();

    frti_free(NULL, 100, 16);
    cr_assert_eq(frti_allocator_live(), live);
}

Test(allocator, counts)
{
    size_t live = frti_allocator_live();
    size_t made = frti_allocator_made();
    void *memory = frti_allocate(100, 16);

    cr_assert_eq(frti_allocator_live(), live + 1);
    cr_assert_eq(frti_allocator_made(), made + 1);
    frti_free(memory, 100, 16);
    cr_assert_eq(frti_allocator_live(), live);
    cr_assert_eq(frti_allocator_made(), made + 1);
}

static volatile size_t impossible = SIZE_MAX / 4;

Test(allocator, impossible_size)
{
    size_t live = frti_allocator_live();

    if (__asan_init != NULL)
        cr_skip_test("address sanitizer does not allow it");
    errno = 77;
    cr_assert_null(frti_allocate(impossible, 16));
    cr_assert_null(frti_allocate(impossible, 4096));
    cr_assert_eq(errno, 77);
    cr_assert_eq(frti_allocator_live(), live);
}

static size_t asked_size;

static int
refuse(size_t size)
{
    asked_size = size;
    return 0;
}

Test(allocator, gate)
{
    size_t live = frti_allocator_live();
    void *memory;

    cr_assert_null(frti_allocator_gate(refuse));
    cr_assert_null(frti_allocate(123, 1));
    cr_assert_eq(asked_size, 123);
    cr_assert_eq(frti_allocator_live(), live);
    cr_assert_eq(frti_allocator_gate(NULL), refuse);
    memory = frti_allocate(123, 1);
    cr_assert_not_null(memory);
    frti_free(memory, 123, 1);
}

Test(allocator, nth_fails)
{
    void *memory[3];

    failing_begin(2);
    for (int i = 0; i < 3; i++)
        memory[i] = frti_allocate(8, 8);
    cr_assert(failing_end());
    cr_assert_not_null(memory[0]);
    cr_assert_null(memory[1]);
    cr_assert_not_null(memory[2]);
    for (int i = 0; i < 3; i++)
        frti_free(memory[i], 8, 8);
    failing_begin(1);
    cr_assert(!failing_end());
}
