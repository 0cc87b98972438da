/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/trial.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "test/abi/guard.h"
#include "test/abi/trial_upcall.h"
#include "test/abi/values.h"

const char *
trial_backend_word(frt_backend backend)
{
    static const char *const words[] = {[FRT_BACKEND_AUTO] = "auto",
                                        [FRT_BACKEND_LIBFFI] = "libffi",
                                        [FRT_BACKEND_STUB] = "stub",
                                        [TRIAL_UPCALL] = "upcall"};

    return words[backend];
}

bool
trial_backend_of(frt_backend *out, const char *word)
{
    for (unsigned i = FRT_BACKEND_AUTO; i <= TRIAL_UPCALL; i++)
        if (strcmp(trial_backend_word(i), word) == 0) {
            *out = (frt_backend)i;
            return true;
        }
    return false;
}

static sigjmp_buf trial_back;
static volatile sig_atomic_t trial_is_calling;

static void
trial_on_signal(int number)
{
    if (!trial_is_calling) {
        signal(number, SIG_DFL);
        raise(number);
    }
    siglongjmp(trial_back, number);
}

void
trial_set_up(void)
{
    static char memory[64 * 1024];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = {.sa_handler = trial_on_signal,
                               .sa_flags = SA_ONSTACK | SA_NODEFER};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ----------------------------------------------------------- sentences --- */

bool
trial_state_is_wrong(char *sentence, const struct trial *trial,
                     const struct callee_state *state, const char *who)
{
    char *where;
    size_t size;
    FILE *file;

    if (state->is_misaligned != 0) {
        snprintf(sentence, TRIAL_SENTENCE, "%s: the stack is not 16-aligned",
                 who);
        return true;
    }
    if (state->mismatches == 0)
        return false;
    file = open_memstream(&where, &size);
    text_leaf(file, trial->signature, state->leaf);
    fclose(file);
    snprintf(sentence, TRIAL_SENTENCE,
             "%s: %s: wanted %016" PRIx64 "%016" PRIx64 ", got %016" PRIx64
             "%016" PRIx64 " (and %" PRIu32 " more leaves)",
             who, where, state->wanted[1], state->wanted[0], state->got[1],
             state->got[0], state->mismatches - 1);
    free(where);
    return true;
}

uint64_t
trial_key(const struct trial *trial, unsigned call)
{
    return value_mix(value_mix(trial->seed) + trial->signature->number * 8 +
                     call);
}

void
trial_reset(const struct trial *trial, uint64_t key)
{
    *trial->callee_state = (struct callee_state){.key = key};
    *trial->control_state = (struct callee_state){.key = key};
}

/* ------------------------------------------------------------- control --- */

bool
trial_control_returns(char *sentence, const struct trial *trial, void *target)
{
    int number = sigsetjmp(trial_back, 1);

    if (number != 0) {
        trial_is_calling = 0;
        snprintf(sentence, TRIAL_SENTENCE, "the compiler's call: %s",
                 strsignal(number));
        return false;
    }
    trial_is_calling = 1;
    trial->control(target);
    trial_is_calling = 0;
    return true;
}

enum verdict
trial_control(char *sentence, const struct trial *trial)
{
    trial_reset(trial, trial_key(trial, TRIAL_CALLS));
    if (!trial_control_returns(sentence, trial, trial->callee))
        return VERDICT_CRASHED;
    if (trial_state_is_wrong(sentence, trial, trial->callee_state,
                             "the compiler's call") ||
        trial_state_is_wrong(sentence, trial, trial->control_state,
                             "the compiler's call"))
        return VERDICT_COMPILERS;
    return VERDICT_RIGHT;
}

/* ------------------------------------------------------------ our call --- */

struct call {
    const struct trial *trial;
    const frt_downcall *downcall;
    unsigned number; /* of this call: 0 or 1 */
    uint64_t key;
    void **arguments;
    void *result;
    size_t result_size;
    uint32_t result_leaf; /* the first of the result */
};

/* Each value is at the end of a page in one of the two calls. */
static bool
call_is_at_page_end(const struct call *call, size_t index)
{
    uint64_t random = value_mix(trial_key(call->trial, 0) + index);

    return (random ^ call->number) & 1;
}

static void
call_place(struct call *call)
{
    const struct signature *signature = call->trial->signature;
    const frt_descriptor *descriptor = frt_downcall_descriptor(call->downcall);
    const frt_layout *result = frt_descriptor_result(descriptor);

    guard_begin(call->key);
    call->arguments =
        guard_place(signature->count * sizeof(void *), sizeof(void *), false);
    for (size_t i = 0; i < signature->count; i++) {
        const frt_layout *layout = frt_descriptor_parameter(descriptor, i);

        call->arguments[i] =
            guard_place(frt_layout_size(layout), frt_layout_alignment(layout),
                        call_is_at_page_end(call, i));
        leaves_put(call->arguments[i], signature->parameters[i], layout,
                   call->key, call->result_leaf);
        call->result_leaf += shape_leaves(signature->parameters[i]);
    }
    call->result_size = frt_layout_size(result);
    if (signature->result != NULL)
        call->result =
            guard_place(call->result_size, frt_layout_alignment(result),
                        call_is_at_page_end(call, signature->count));
    guard_seal(call->result, call->result_size);
}

static bool
call_returns(char *sentence, const struct call *call)
{
    int number = sigsetjmp(trial_back, 1);
    int status;

    if (number != 0) {
        trial_is_calling = 0;
        snprintf(sentence, TRIAL_SENTENCE, "%s", strsignal(number));
        return false;
    }
    trial_is_calling = 1;
    status = shake_call(call->downcall->entry, call->trial->callee,
                        call->result, call->arguments, call->downcall);
    trial_is_calling = 0;
    if (status == FRT_OK)
        return true;
    snprintf(sentence, TRIAL_SENTENCE, "the call gives %d: %s", status,
             status >= SHAKE_LOST ? "a register is lost" : frt_last_detail());
    return false;
}

static bool
call_is_right(char *sentence, const struct call *call)
{
    const struct trial *trial = call->trial;
    const struct signature *signature = trial->signature;
    struct callee_state state = {.mismatches = 1};

    if (trial->callee_state->calls != 1 ||
        trial->callee_state->entered != signature->number) {
        snprintf(sentence, TRIAL_SENTENCE, "the callee was not entered once");
        return false;
    }
    if (trial_state_is_wrong(sentence, trial, trial->callee_state, "our call"))
        return false;
    if (!guard_is_intact()) {
        snprintf(sentence, TRIAL_SENTENCE,
                 "our call: memory that it must not write has changed");
        return false;
    }
    if (signature->result == NULL ||
        leaves_match(
            &state.leaf, call->result, signature->result,
            frt_descriptor_result(frt_downcall_descriptor(call->downcall)),
            call->key, call->result_leaf))
        return true;
    memcpy(state.got, call->result,
           call->result_size < 16 ? call->result_size : 16);
    trial_state_is_wrong(sentence, trial, &state, "our call");
    return false;
}

static enum verdict
trial_call(char *sentence, const struct trial *trial,
           const frt_downcall *downcall)
{
    for (unsigned i = 0; i < TRIAL_CALLS; i++) {
        struct call call = {.trial = trial,
                            .downcall = downcall,
                            .number = i,
                            .key = trial_key(trial, i)};

        call_place(&call);
        trial_reset(trial, call.key);
        if (!call_returns(sentence, &call) || !call_is_right(sentence, &call))
            return VERDICT_WRONG;
    }
    return VERDICT_RIGHT;
}

static enum verdict
trial_downcall(char *sentence, const struct trial *trial,
               const frt_descriptor *descriptor)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = trial->backend};
    const frt_downcall *downcall;
    frt_status status = frt_downcall_link(&downcall, descriptor, &options);
    enum verdict verdict;

    if (status != FRT_OK) {
        snprintf(sentence, TRIAL_SENTENCE, "%s: %s", frt_status_name(status),
                 frt_last_detail());
        return status == FRT_UNSUPPORTED ? VERDICT_REFUSED : VERDICT_WRONG;
    }
    verdict = trial_control(sentence, trial);
    if (verdict == VERDICT_RIGHT)
        verdict = trial_call(sentence, trial, downcall);
    frt_downcall_drop(downcall);
    return verdict;
}

enum verdict
trial_run(char sentence[static TRIAL_SENTENCE], const struct trial *trial)
{
    const frt_descriptor *descriptor;
    frt_status status = signature_descriptor(&descriptor, trial->signature);
    enum verdict verdict;

    if (status != FRT_OK) {
        snprintf(sentence, TRIAL_SENTENCE, "%s: %s", frt_status_name(status),
                 frt_last_detail());
        return status == FRT_UNSUPPORTED ? VERDICT_REFUSED : VERDICT_WRONG;
    }
    verdict = trial->backend == TRIAL_UPCALL
                  ? trial_upcall(sentence, trial, descriptor)
                  : trial_downcall(sentence, trial, descriptor);
    frt_descriptor_drop(descriptor);
    return verdict;
}
