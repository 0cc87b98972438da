/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What a generated shared object and the program say to each other. */
#ifndef TEST_ABI_CALLEE_STATE_H
#define TEST_ABI_CALLEE_STATE_H

#include <stdint.h>

struct callee_state {
    uint64_t key;           /* of the values of this call */
    uint32_t entered;       /* the number of the function that was entered */
    uint32_t calls;         /* of any */
    uint32_t mismatches;    /* leaves that differ */
    uint32_t is_misaligned; /* the stack was, at an entry */
    uint32_t leaf;          /* the first that differs, as up to 128 bits */
    uint64_t wanted[2];
    uint64_t got[2];
};

#endif
