/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The stub backend: machine code generated for a plan.
 *
 * Descriptors whose plans make the same code share a stub.
 */
#include <string.h>

#include "abi/abi.h"
#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/code_memory.h"
#include "ffi_rt/base/pool.h"
#include "ffi_rt/base/status.h"

/* A call may not take more of the stack than this. */
#define STUB_STACK_MOST ((size_t)4 << 20)

struct stub {
    struct frti_shared shared;
    const unsigned char *bytes; /* of the code, to be compared */
    size_t size;
    struct frti_code code; /* entry NULL: not published */
};

struct frti_call {
    struct stub *stub;
};

static bool
stub_equal(const void *one, const void *other)
{
    const struct stub *a = one;
    const struct stub *b = other;

    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void
stub_destroy(void *thing)
{
    struct stub *stub = thing;

    if (stub->code.entry != NULL)
        frti_code_drop(&stub->code);
    frti_free(stub, sizeof *stub, _Alignof(struct stub));
}

static struct frti_pool stub_pool = FRTI_POOL(stub_equal, stub_destroy);

static frt_status
stub_publish(struct stub **out, const struct stub *like)
{
    struct stub *stub = frti_allocate(sizeof *stub, _Alignof(struct stub));
    frt_status status;

    if (stub == NULL)
        return frti_no_memory(sizeof *stub, "a stub");
    stub->shared.hash = like->shared.hash;
    stub->size = like->size;
    status = frti_code_publish(&stub->code, like->bytes, like->size);
    if (status != FRT_OK) {
        stub_destroy(stub);
        return status;
    }
    stub->bytes = stub->code.entry;
    *out = frti_pool_intern(&stub_pool, stub);
    return *out != NULL ? FRT_OK
                        : frti_no_memory(sizeof *stub, "the table of stubs");
}

/* The stub for code that was emitted: an equal one, or a new one. */
static frt_status
stub_of_code(struct stub **out, const struct frti_emitter *emitter)
{
    struct stub like = {.bytes = emitter->bytes, .size = emitter->size};

    if (emitter->is_full)
        return frti_no_memory(emitter->capacity, "a stub's code");
    like.shared.hash =
        frti_hash(FRTI_HASH_START, emitter->bytes, emitter->size);
    *out = frti_pool_find(&stub_pool, &like);
    return *out != NULL ? FRT_OK : stub_publish(out, &like);
}

static frt_status
stub_of_plan(struct stub **out, const struct frti_plan *plan)
{
    struct frti_emitter emitter = {0};
    frt_status status;

    plan->convention->emit(&emitter, plan);
    if (emitter.refusal != NULL)
        status = frti_fail(FRT_UNSUPPORTED, "%s", emitter.refusal);
    else
        status = stub_of_code(out, &emitter);
    frti_emitter_free(&emitter);
    return status;
}

static size_t
stub_stack(const struct frti_plan *plan)
{
    size_t size = plan->stack_size;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->arguments[i].way == FRT_WAY_REFERENCE)
            size += frt_layout_size(plan->arguments[i].layout);
    return size;
}

static frt_status
stub_of_descriptor(struct stub **out, const frt_descriptor *descriptor)
{
    const struct frti_convention *convention =
        frti_convention_of(frt_descriptor_model(descriptor));
    struct frti_plan *plan;
    frt_status status;

    if (convention == NULL || convention->emit == NULL)
        return frti_fail(FRT_UNSUPPORTED,
                         "there are no stubs for this CPU's convention");
    status = frti_plan_new(&plan, convention, descriptor);
    if (status != FRT_OK)
        return status;
    if (stub_stack(plan) > STUB_STACK_MOST)
        status = frti_fail(FRT_UNSUPPORTED,
                           "the arguments take %zu bytes of stack, over %zu",
                           stub_stack(plan), STUB_STACK_MOST);
    else
        status = stub_of_plan(out, plan);
    frti_plan_free(plan);
    return status;
}

/* Where code memory is refused, that is known before any work is done. */
static frt_status
stub_prepare(struct frti_call **out, const frt_descriptor *descriptor)
{
    frt_status status = frti_code_try();
    struct frti_call *call;

    if (status != FRT_OK)
        return status;
    call = frti_allocate(sizeof *call, _Alignof(struct frti_call));
    if (call == NULL)
        return frti_no_memory(sizeof *call, "a stub call");
    status = stub_of_descriptor(&call->stub, descriptor);
    if (status != FRT_OK) {
        frti_free(call, sizeof *call, _Alignof(struct frti_call));
        return status;
    }
    *out = call;
    return FRT_OK;
}

static void
stub_discard(struct frti_call *call)
{
    if (call == NULL)
        return;
    frti_pool_drop(&stub_pool, call->stub);
    frti_free(call, sizeof *call, _Alignof(struct frti_call));
}

static size_t
stub_scratch(const struct frti_call *call)
{
    (void)call;
    return 0;
}

static frt_entry *
stub_entry(const struct frti_call *call)
{
    char *code = call->stub->code.entry;

    return (frt_entry *)(void *)(code + FRTI_STUB_ENTRY);
}

static void
stub_run(const struct frti_call *call, void *target, void *result,
         void *const *arguments, void *scratch)
{
    (void)scratch;
    (void)stub_entry(call)(target, result, arguments, NULL);
}

const struct frti_backend frti_backend_stub = {
    .name = "stub",
    .prepare = stub_prepare,
    .discard = stub_discard,
    .scratch = stub_scratch,
    .run = stub_run,
    .entry = stub_entry,
};
