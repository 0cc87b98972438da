/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/downcall.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"

static bool
downcall_equal(const void *one, const void *other)
{
    const struct frti_downcall *a = one;
    const struct frti_downcall *b = other;

    return a->descriptor == b->descriptor && a->asked == b->asked &&
           a->is_blocking == b->is_blocking;
}

static size_t
downcall_bytes(size_t rules)
{
    return sizeof(struct frti_downcall) +
           rules * sizeof(struct frti_segment_rule);
}

static void
downcall_destroy(void *thing)
{
    struct frti_downcall *downcall = thing;

    if (downcall->call != NULL)
        downcall->backend->discard(downcall->call);
    frt_descriptor_drop(downcall->descriptor);
    frti_free(downcall, downcall_bytes(downcall->rule_count),
              _Alignof(struct frti_downcall));
}

static struct frti_pool downcall_pool =
    FRTI_POOL(downcall_equal, downcall_destroy);

static uint64_t
downcall_hash(const frt_descriptor *descriptor, frt_backend asked,
              bool is_blocking)
{
    uint64_t hash = frti_hash(FRTI_HASH_START, &descriptor, sizeof descriptor);
    unsigned char rest[] = {(unsigned char)asked, is_blocking};

    return frti_hash(hash, rest, sizeof rest);
}

/* ------------------------------------------------------------- rules --- */

static struct frti_segment_rule
rule_of(const frt_layout *layout, size_t index)
{
    bool is_required = layout->count > 0;

    return (struct frti_segment_rule){
        .index = index,
        .size = layout->asked_size,
        .least =
            is_required && layout->asked_size == 0 ? 1 : layout->asked_size,
        .mask = layout->asked_alignment - 1,
        .forbidden = layout->is_const ? 0 : FRT_SEGMENT_READ_ONLY,
        .is_required = is_required};
}

static size_t
rules_count(const frt_descriptor *descriptor)
{
    size_t count = 0;

    for (size_t i = 0; i < frt_descriptor_count(descriptor); i++)
        count += frt_layout_kind(frt_descriptor_parameter(descriptor, i)) ==
                 FRT_KIND_SEGMENT;
    return count;
}

static void
rules_fill(struct frti_downcall *downcall)
{
    const frt_descriptor *descriptor = downcall->descriptor;
    size_t filled = 0;

    for (size_t i = 0; i < frt_descriptor_count(descriptor); i++) {
        const frt_layout *layout = frt_descriptor_parameter(descriptor, i);

        if (frt_layout_kind(layout) == FRT_KIND_SEGMENT)
            downcall->rules[filled++] = rule_of(layout, i);
    }
}

static void
result_fill(struct frti_downcall *downcall)
{
    const frt_layout *result = frt_descriptor_result(downcall->descriptor);

    if (frt_layout_kind(result) != FRT_KIND_SEGMENT)
        return;
    downcall->gives_segment = true;
    downcall->pointee = result->asked_size;
    downcall->is_const = result->is_const;
}

/* -------------------------------------------------------------- link --- */

static frt_status
prepare_by(struct frti_downcall *downcall, frt_backend kind)
{
    downcall->backend = frti_backend_of(kind);
    return downcall->backend->prepare(&downcall->call, downcall->descriptor);
}

/* AUTO: where no stub can be had, libffi does it. */
static frt_status
downcall_prepare(struct frti_downcall *downcall)
{
    frt_status status;

    if (downcall->asked != FRT_BACKEND_AUTO)
        return prepare_by(downcall, downcall->asked);
    status = prepare_by(downcall, FRT_BACKEND_STUB);
    if (status == FRT_UNSUPPORTED || status == FRT_NO_CODE_MEMORY)
        status = prepare_by(downcall, FRT_BACKEND_LIBFFI);
    return status;
}

static frt_status
downcall_build(struct frti_downcall **out, const frt_descriptor *descriptor,
               frt_backend asked, bool is_blocking)
{
    size_t rules = rules_count(descriptor);
    struct frti_downcall *downcall =
        frti_allocate(downcall_bytes(rules), _Alignof(struct frti_downcall));
    frt_status status;

    if (downcall == NULL)
        return frti_no_memory(downcall_bytes(rules), "a downcall");
    downcall->shared.hash = downcall_hash(descriptor, asked, is_blocking);
    downcall->descriptor = frt_descriptor_keep(descriptor);
    downcall->asked = asked;
    downcall->is_blocking = is_blocking;
    downcall->rule_count = rules;
    rules_fill(downcall);
    status = downcall_prepare(downcall);
    if (status != FRT_OK) {
        downcall_destroy(downcall);
        return status;
    }
    downcall->scratch = downcall->backend->scratch(downcall->call);
    result_fill(downcall);
    frti_downcall_set_entries(downcall);
    *out = downcall;
    return FRT_OK;
}

static frt_status
downcall_link(const frt_downcall **out, const frt_descriptor *descriptor,
              frt_backend asked, bool is_blocking)
{
    struct frti_downcall like = {
        .descriptor = descriptor, .asked = asked, .is_blocking = is_blocking};
    struct frti_downcall *downcall;
    frt_status status;

    like.shared.hash = downcall_hash(descriptor, asked, is_blocking);
    downcall = frti_pool_find(&downcall_pool, &like);
    if (downcall == NULL) {
        status = downcall_build(&downcall, descriptor, asked, is_blocking);
        if (status != FRT_OK)
            return status;
        downcall = frti_pool_intern(&downcall_pool, downcall);
        if (downcall == NULL)
            return frti_no_memory(sizeof like, "the table of downcalls");
    }
    *out = &downcall->head;
    return FRT_OK;
}

frt_status
frt_downcall_link(const frt_downcall **out, const frt_descriptor *descriptor,
                  const frt_link_options *options)
{
    frt_link_options read;
    frt_backend asked;
    frt_status status =
        frti_options_read(&read, sizeof read, options, "frt_link_options");

    if (status != FRT_OK)
        return status;
    if (out == NULL || descriptor == NULL)
        return frti_null_argument(out == NULL ? "out" : "descriptor");
    if (frt_descriptor_model(descriptor) != frt_model_native())
        return frti_fail(FRT_BAD_LAYOUT,
                         "the descriptor is for %s, not for this machine",
                         frt_model_name(frt_descriptor_model(descriptor)));
    status = frti_backend_choose(&asked, read.backend);
    if (status != FRT_OK)
        return status;
    return downcall_link(out, descriptor, asked, read.blocking);
}

const frt_downcall *
frt_downcall_keep(const frt_downcall *downcall)
{
    if (downcall != NULL)
        frti_shared_keep(frti_downcall_of(downcall));
    return downcall;
}

void
frt_downcall_drop(const frt_downcall *downcall)
{
    if (downcall != NULL)
        frti_pool_drop(&downcall_pool, frti_downcall_of(downcall));
}

const frt_descriptor *
frt_downcall_descriptor(const frt_downcall *downcall)
{
    return frti_downcall_of(downcall)->descriptor;
}

frt_backend
frt_downcall_backend(const frt_downcall *downcall)
{
    return frti_downcall_of(downcall)->backend == &frti_backend_stub
               ? FRT_BACKEND_STUB
               : FRT_BACKEND_LIBFFI;
}

bool
frt_downcall_is_blocking(const frt_downcall *downcall)
{
    return frti_downcall_of(downcall)->is_blocking;
}
