/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/frame_description.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

struct dwarf_eh_bases {
    void *text;
    void *data;
    void *function;
};

/* libgcc's: the frame entry that has `address`, or NULL. */
extern const void *_Unwind_Find_FDE(const void *address,
                                    struct dwarf_eh_bases *bases);

#define CODE 4096

static char room[CODE + 2];
static char *const code = room + 1;

static bool
is_described(const void *address)
{
    struct dwarf_eh_bases bases = {0};
    const void *frame = _Unwind_Find_FDE(address, &bases);

    return frame != NULL && bases.function == code;
}

Test(frame_description, covers_the_code_and_no_more)
{
    struct frti_frame_description description;

    cr_assert_not(is_described(code + 100));
    frti_frames_register(&description, code, CODE);
    cr_assert(is_described(code));
    cr_assert(is_described(code + CODE / 2));
    cr_assert(is_described(code + CODE - 1));
    cr_assert_not(is_described(code + CODE));
    cr_assert_not(is_described(code - 1));
    frti_frames_forget(&description);
    cr_assert_not(is_described(code + 100));
}

/* A common entry, a frame entry that points back to it, the end. */
Test(frame_description, its_form)
{
    struct frti_frame_description description;
    uint32_t common;
    uint32_t length;
    uint32_t back;
    uint32_t end;
    uint64_t start;

    frti_frames_register(&description, code, CODE);
    memcpy(&common, description.bytes, sizeof common);
    memcpy(&length, description.bytes + common + 4, sizeof length);
    memcpy(&back, description.bytes + common + 8, sizeof back);
    memcpy(&start, description.bytes + common + 12, sizeof start);
    memcpy(&end, description.bytes + common + 4 + length + 4, sizeof end);
    cr_assert_eq((common + 4) % 8, 0);
    cr_assert_eq((length + 4) % 8, 0);
    cr_assert_eq(back, common + 8);
    cr_assert_eq(start, (uintptr_t)code);
    cr_assert_eq(end, 0);
    cr_assert_leq(common + 4 + length + 4 + 4, sizeof description.bytes);
    frti_frames_forget(&description);
}
