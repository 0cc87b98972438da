/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the two kinds of trial share. */
#ifndef TEST_ABI_TRIAL_UPCALL_H
#define TEST_ABI_TRIAL_UPCALL_H

#include "test/abi/trial.h"

uint64_t trial_key(const struct trial *trial, unsigned call);
void trial_reset(const struct trial *trial, uint64_t key);
/* What a side that checks says about what it got; false: nothing is wrong. */
bool trial_state_is_wrong(char *sentence, const struct trial *trial,
                          const struct callee_state *state, const char *who);
/* The compiler's call of `target`; false: it crashed. */
bool trial_control_returns(char *sentence, const struct trial *trial,
                           void *target);
/* And of the compiler's callee, checked. */
enum verdict trial_control(char *sentence, const struct trial *trial);

/* By upcall, as trial_run. */
enum verdict trial_upcall(char *sentence, const struct trial *trial,
                          const frt_descriptor *descriptor);

#endif
