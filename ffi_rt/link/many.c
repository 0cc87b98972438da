/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* One function over many rows: held once, called for each. */
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/function.h"
#include "ffi_rt/memory/buffer_stack.h"
#include "ffi_rt/memory/session.h"

/* Arguments of up to so many need no frame. */
#define MANY_ARGUMENTS 16

struct many {
    const frt_function *function;
    size_t rows;
    size_t count;     /* of arguments */
    size_t *strides;  /* of the arguments, and then the result's */
    void **arguments; /* of the row at hand */
    char *result;
};

/* Of a value in an array of its kind. */
static size_t
many_stride(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_SEGMENT
               ? sizeof(frt_segment)
               : frt_layout_size(layout);
}

static void
many_set_strides(const struct many *many, const size_t *strides)
{
    const frt_descriptor *descriptor =
        frt_downcall_descriptor(many->function->downcall);

    if (strides != NULL) {
        memcpy(many->strides, strides, (many->count + 1) * sizeof *strides);
        return;
    }
    for (size_t i = 0; i < many->count; i++)
        many->strides[i] = many_stride(frt_descriptor_parameter(descriptor, i));
    many->strides[many->count] = many_stride(frt_descriptor_result(descriptor));
}

static inline void
many_go_on(struct many *many)
{
    for (size_t i = 0; i < many->count; i++)
        many->arguments[i] = (char *)many->arguments[i] + many->strides[i];
    if (many->result != NULL)
        many->result += many->strides[many->count];
}

static FRTI_COLD frt_status
many_refuse(frt_status status, size_t row)
{
    char why[FRTI_DETAIL_SIZE];

    snprintf(why, sizeof why, "%s", frt_last_detail());
    return frti_fail(status, "row %zu: %s", row, why);
}

static frt_status
many_rows(struct many *many)
{
    for (size_t row = 0; row < many->rows; row++) {
        frt_status status = frti_function_run_held(many->function, many->result,
                                                   many->arguments);

        if (FRTI_UNLIKELY(status != FRT_OK))
            return many_refuse(status, row);
        many_go_on(many);
    }
    return FRT_OK;
}

static frt_status
many_run(struct many *many)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status = frti_function_hold(&holding, many->function);

    return status == FRT_OK ? many_rows(many) : status;
}

static frt_status
many_start(struct many *many, void *const *arguments, const size_t *strides)
{
    if (many->count != 0)
        memcpy(many->arguments, arguments, many->count * sizeof *arguments);
    many_set_strides(many, strides);
    return many_run(many);
}

static frt_status
many_small(struct many *many, void *const *arguments, const size_t *strides)
{
    void *row[MANY_ARGUMENTS];
    size_t own[MANY_ARGUMENTS + 1];

    many->arguments = row;
    many->strides = own;
    return many_start(many, arguments, strides);
}

static frt_status
many_large(struct many *many, void *const *arguments, const size_t *strides)
{
    FRTI_CLEANUP(frti_frame_end) frt_frame frame = {0};
    frt_status status = frt_frame_push(
        &frame,
        many->count * sizeof(void *) + (many->count + 1) * sizeof(size_t), 16);

    if (status != FRT_OK)
        return status;
    many->arguments = frame.address;
    many->strides = (size_t *)(many->arguments + many->count);
    return many_start(many, arguments, strides);
}

frt_status
frt_call_many(const frt_function *function, size_t rows, void *results,
              void *const *arguments, const size_t *strides)
{
    struct many many = {.function = function, .rows = rows, .result = results};
    frt_status status;

    if (function == NULL)
        return frti_null_argument("function");
    many.count =
        frt_descriptor_count(frt_downcall_descriptor(function->downcall));
    status = frti_function_check(function, results, arguments, many.count);
    if (status != FRT_OK)
        return status;
    return many.count <= MANY_ARGUMENTS ? many_small(&many, arguments, strides)
                                        : many_large(&many, arguments, strides);
}
