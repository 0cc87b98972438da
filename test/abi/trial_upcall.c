/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The other way round: the compiler's own code calls an upcall of ours. Its
 * handler checks the arguments and makes the result; the caller checks that. */
#include <string.h>

#include "test/abi/trial_upcall.h"
#include "test/abi/values.h"

struct receiving {
    const struct trial *trial;
    const frt_descriptor *descriptor;
    uint64_t key;
    unsigned entered;
    bool is_misplaced;         /* an argument is not aligned as its type asks */
    struct callee_state state; /* what the handler says */
};

/* A leaf that differs, with the first bytes of its argument. */
static void
receiving_differs(struct receiving *receiving, uint32_t leaf,
                  const void *argument, size_t size)
{
    if (receiving->state.mismatches++ != 0)
        return;
    receiving->state.leaf = leaf;
    memcpy(receiving->state.got, argument, size < 16 ? size : 16);
}

static void
receiving_check(struct receiving *receiving, size_t index, void *argument,
                uint32_t first)
{
    const struct signature *signature = receiving->trial->signature;
    const frt_layout *layout =
        frt_descriptor_parameter(receiving->descriptor, index);
    uint32_t wrong;

    receiving->is_misplaced |=
        (uintptr_t)argument % frt_layout_alignment(layout) != 0;
    if (!leaves_match(&wrong, argument, signature->parameters[index], layout,
                      receiving->key, first))
        receiving_differs(receiving, wrong, argument, frt_layout_size(layout));
    if (signature->is_scribbling)
        memset(argument, 0xee, frt_layout_size(layout));
}

static frt_status
receiving_handle(void *context, void *result, void *const *arguments)
{
    struct receiving *receiving = context;
    const struct signature *signature = receiving->trial->signature;
    uint32_t leaf = 0;

    receiving->entered++;
    if ((uintptr_t)__builtin_frame_address(0) % 16 != 0)
        receiving->state.is_misaligned = 1;
    for (size_t i = 0; i < signature->count; i++) {
        receiving_check(receiving, i, arguments[i], leaf);
        leaf += shape_leaves(signature->parameters[i]);
    }
    if (signature->result != NULL)
        leaves_put(result, signature->result,
                   frt_descriptor_result(receiving->descriptor), receiving->key,
                   leaf);
    return FRT_OK;
}

static bool
receiving_is_right(char *sentence, const struct receiving *receiving)
{
    const struct trial *trial = receiving->trial;

    if (receiving->entered != 1) {
        snprintf(sentence, TRIAL_SENTENCE, "the handler was entered %u times",
                 receiving->entered);
        return false;
    }
    if (receiving->is_misplaced) {
        snprintf(sentence, TRIAL_SENTENCE,
                 "the upcall's handler: an argument is not aligned");
        return false;
    }
    return !trial_state_is_wrong(sentence, trial, &receiving->state,
                                 "the upcall's handler") &&
           !trial_state_is_wrong(sentence, trial, trial->control_state,
                                 "the upcall's caller");
}

static enum verdict
upcall_verdict(char *sentence, struct receiving *receiving, void *code)
{
    const struct trial *trial = receiving->trial;

    for (unsigned i = 0; i < TRIAL_CALLS; i++) {
        receiving->key = trial_key(trial, i);
        receiving->entered = 0;
        receiving->state = (struct callee_state){0};
        trial_reset(trial, receiving->key);
        if (!trial_control_returns(sentence, trial, code) ||
            !receiving_is_right(sentence, receiving))
            return VERDICT_WRONG;
    }
    return VERDICT_RIGHT;
}

enum verdict
trial_upcall(char *sentence, const struct trial *trial,
             const frt_descriptor *descriptor)
{
    struct receiving receiving = {.trial = trial, .descriptor = descriptor};
    enum verdict verdict;
    frt_upcall upcall;
    frt_status status = frt_upcall_open(&upcall, frt_arena_global(), descriptor,
                                        receiving_handle, &receiving, NULL);

    if (status != FRT_OK) {
        snprintf(sentence, TRIAL_SENTENCE, "%s: %s", frt_status_name(status),
                 frt_last_detail());
        return status == FRT_UNSUPPORTED ? VERDICT_REFUSED : VERDICT_WRONG;
    }
    verdict = trial_control(sentence, trial);
    if (verdict == VERDICT_RIGHT)
        verdict =
            upcall_verdict(sentence, &receiving, frt_upcall_address(upcall));
    (void)frt_upcall_close(upcall);
    return verdict;
}
