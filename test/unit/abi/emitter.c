/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/emitter.h"

#include <criterion/criterion.h>
#include <string.h>

#include "test/unit/base/failing.h"

Test(emitter, bytes_in_order)
{
    static const unsigned char expected[] = {
        0x01, 0x05, 0x04, 0x03, 0x02, 0x0d, 0x0c, 0x0b,
        0x0a, 0x09, 0x08, 0x07, 0x06, 0xaa, 0xbb,
    };
    static const unsigned char more[] = {0xaa, 0xbb};
    struct frti_emitter emitter = {0};

    frti_emit_8(&emitter, 0x01);
    frti_emit_32(&emitter, 0x02030405);
    frti_emit_64(&emitter, UINT64_C(0x060708090a0b0c0d));
    frti_emit_bytes(&emitter, more, sizeof more);
    cr_assert_eq(emitter.size, sizeof expected);
    cr_assert_eq(memcmp(emitter.bytes, expected, sizeof expected), 0);
    frti_emitter_free(&emitter);
    cr_assert_null(emitter.bytes);
    frti_emitter_free(&emitter);
}

Test(emitter, grows_and_gives_back)
{
    static unsigned char piece[5000];
    size_t live = frti_allocator_live();
    struct frti_emitter emitter = {0};
    size_t size = 0;

    for (size_t i = 1; i < sizeof piece; i = i * 3 / 2 + 1) {
        memset(piece, (int)i, i);
        frti_emit_bytes(&emitter, piece, i);
        cr_assert_eq(memcmp(emitter.bytes + size, piece, i), 0);
        size += i;
    }
    cr_assert_eq(emitter.size, size);
    cr_assert_not(emitter.is_full);
    cr_assert_eq(frti_allocator_live(), live + 1);
    frti_emitter_free(&emitter);
    cr_assert_eq(frti_allocator_live(), live);
}

/* What did not fit is not there, and nothing after it is. */
Test(emitter, no_memory)
{
    static const unsigned char piece[200];

    for (size_t n = 1; n <= 3; n++) {
        size_t live = frti_allocator_live();
        struct frti_emitter emitter = {0};

        failing_begin(n);
        for (size_t i = 0; i < 10; i++)
            frti_emit_bytes(&emitter, piece, sizeof piece);
        cr_assert(failing_end());
        cr_assert(emitter.is_full);
        cr_assert_eq(emitter.size % sizeof piece, 0);
        cr_assert_lt(emitter.size, 10 * sizeof piece);
        frti_emit_8(&emitter, 1);
        cr_assert(emitter.is_full);
        frti_emitter_free(&emitter);
        cr_assert_eq(frti_allocator_live(), live);
    }
}

Test(emitter, refuses_a_target_that_is_null)
{
    cr_assert_eq(frti_stub_refuse(), FRT_BAD_ARGUMENT);
    cr_assert_not_null(strstr(frt_last_detail(), "target"));
}
