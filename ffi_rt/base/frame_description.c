/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/frame_description.h"

#include <stdint.h>
#include <string.h>

/* The registers by their DWARF numbers: System V psABI AMD64 1.0, figure 3.36;
 * DWARF for the Arm 64-bit Architecture 2023Q3, section 4.1. */
#if defined(__x86_64__)
#define FRAME_POINTER 6
#define FRAME_RETURN 16
#define FRAME_IS_DESCRIBED 1
#elif defined(__aarch64__)
#define FRAME_POINTER 29
#define FRAME_RETURN 30
#define FRAME_IS_DESCRIBED 1
#else
#define FRAME_POINTER 0
#define FRAME_RETURN 0
#define FRAME_IS_DESCRIBED 0
#endif

/* DWARF 5, section 7.24. */
#define FRAME_DEF_CFA 0x0c
#define FRAME_OFFSET 0x80

/* libgcc's and libunwind's; not in a public header. */
extern void __register_frame(const void *frames);
extern void __deregister_frame(const void *frames);

/* CFA = frame pointer + 16; return address at CFA - 8, frame pointer at
 * CFA - 16: what `push rbp; mov rbp, rsp` makes of a call. On Arm, where
 * `stp x29, x30, [sp, -16]!` does, the same two words are there. */
static const unsigned char frame_common[] = {
    /* length, id: filled */
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,    /* version */
    0,    /* no augmentation */
    1,    /* code alignment */
    0x78, /* data alignment: -8 */
    FRAME_RETURN,
    FRAME_DEF_CFA,
    FRAME_POINTER,
    16,
    FRAME_OFFSET | FRAME_RETURN,
    1,
    FRAME_OFFSET | FRAME_POINTER,
    2,
    0,
    0,
    0,
    0, /* no operation */
};

void
frti_frames_register(struct frti_frame_description *out, const void *code,
                     size_t size)
{
    uint32_t common = sizeof frame_common - 4;
    uint32_t length = 4 + 2 * sizeof(uint64_t) + 8; /* no operation */
    uint32_t back = sizeof frame_common + 4;
    uint64_t start = (uint64_t)(uintptr_t)code;
    uint64_t range = size;
    unsigned char *frame = out->bytes + sizeof frame_common;

    memset(out, 0, sizeof *out);
    memcpy(out->bytes, frame_common, sizeof frame_common);
    memcpy(out->bytes, &common, sizeof common);
    memcpy(frame, &length, sizeof length);
    memcpy(frame + 4, &back, sizeof back);
    memcpy(frame + 8, &start, sizeof start);
    memcpy(frame + 16, &range, sizeof range);
    if (FRAME_IS_DESCRIBED)
        __register_frame(out->bytes);
}

void
frti_frames_forget(struct frti_frame_description *description)
{
    if (FRAME_IS_DESCRIBED)
        __deregister_frame(description->bytes);
}
