/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* One signature on trial: the compiler's own call of it, then ours. */
#ifndef TEST_ABI_TRIAL_H
#define TEST_ABI_TRIAL_H

#include "test/abi/callee_state.h"
#include "test/abi/shape.h"

struct trial {
    const struct signature *signature;
    uint64_t seed;
    frt_backend backend;
    void *callee;
    struct callee_state *callee_state;
    void (*control)(void *target);
    struct callee_state *control_state;
};

enum verdict {
    VERDICT_RIGHT,
    VERDICT_REFUSED,   /* by the library; the sentence says why */
    VERDICT_WRONG,     /* our call */
    VERDICT_COMPILERS, /* the two disagree: nobody to be judged by */
    VERDICT_CRASHED    /* compiled code, which compiled code had called */
};

enum { TRIAL_SENTENCE = 512, TRIAL_CALLS = 2 };

/* Instead of a backend: the compiler calls an upcall of ours. */
#define TRIAL_UPCALL ((frt_backend)(FRT_BACKEND_STUB + 1))

/* auto, libffi, stub or upcall; false: another word. */
bool trial_backend_of(frt_backend *out, const char *word);
const char *trial_backend_word(frt_backend backend);

/* Once for the process: a crash of a callee becomes a verdict. */
void trial_set_up(void);
enum verdict trial_run(char sentence[static TRIAL_SENTENCE],
                       const struct trial *trial);

/* In assembly: calls an entry with junk in all registers that are not its
 * arguments, and in the stack below. 256 is added to the status that it
 * returns if it has not kept a register that it must keep. */
int shake_call(frt_entry *entry, void *target, void *result,
               void *const *arguments, const frt_downcall *downcall);
enum { SHAKE_LOST = 256 };

#endif
