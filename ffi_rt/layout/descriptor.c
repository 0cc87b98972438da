/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/layout/descriptor.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/layout/layout.h"

/* What a descriptor is to be made of; `more` follows upon `first`. */
struct outline {
    const frt_layout *result;
    const frt_layout *const *first;
    size_t first_count;
    const frt_layout *const *more;
    size_t more_count;
    size_t fixed;
    bool is_variadic;
};

static bool descriptors_are_equal(const void *one, const void *other);
static void descriptor_destroy(void *thing);

struct frti_pool frti_descriptors =
    FRTI_POOL(descriptors_are_equal, descriptor_destroy);

static bool
descriptors_are_equal(const void *one, const void *other)
{
    const frt_descriptor *a = one;
    const frt_descriptor *b = other;

    return a->result == b->result && a->count == b->count &&
           a->fixed == b->fixed && a->is_variadic == b->is_variadic &&
           a->model == b->model &&
           memcmp(a->parameters, b->parameters,
                  a->count * sizeof *a->parameters) == 0;
}

static uint64_t
descriptor_hash(const frt_descriptor *descriptor)
{
    uint64_t hash = FRTI_HASH_START;

    hash = frti_hash(hash, &descriptor->result, sizeof descriptor->result);
    hash = frti_hash(hash, &descriptor->fixed, sizeof descriptor->fixed);
    hash = frti_hash(hash, &descriptor->is_variadic,
                     sizeof descriptor->is_variadic);
    return frti_hash(hash, descriptor->parameters,
                     descriptor->count * sizeof *descriptor->parameters);
}

/* False: so many do not fit into memory. */
static bool
descriptor_bytes(size_t *bytes, size_t count)
{
    return frti_multiply(bytes, count, sizeof(const frt_layout *)) &&
           frti_add(bytes, *bytes, sizeof(frt_descriptor));
}

static void
descriptor_destroy(void *thing)
{
    frt_descriptor *descriptor = thing;
    size_t bytes = 0;

    frt_layout_drop(descriptor->result);
    for (size_t i = 0; i < descriptor->count; i++)
        frt_layout_drop(descriptor->parameters[i]);
    descriptor_bytes(&bytes, descriptor->count);
    frti_free(descriptor, bytes, _Alignof(frt_descriptor));
}

/* -------------------------------------------------------------- checks --- */

/* NULL: it can be a parameter, and a result; else why not. */
static const char *
value_fault(const frt_layout *layout, bool is_result)
{
    switch (layout->kind) {
    case FRT_KIND_VOID:
        return is_result ? NULL : "void is no parameter";
    case FRT_KIND_ARRAY:
        return is_result ? "a function returns no array"
                         : "C passes a pointer instead of an array";
    case FRT_KIND_FUNCTION:
        return is_result ? "a function returns no function"
                         : "C passes a pointer instead of a function";
    case FRT_KIND_BIT_FIELD:
    case FRT_KIND_PADDING:
        return "it is a member only";
    default:
        return layout->is_complete ? NULL : "its size is not known";
    }
}

/* `index` counts from 1, as in what people read; 0: the result. */
static frt_status
outline_fault(const frt_layout *layout, size_t index, const char *fault)
{
    struct frti_layout_text text;

    frti_layout_text(&text, layout);
    if (index == 0)
        return frti_fail(FRT_BAD_LAYOUT, "the result is '%s': %s", text.text,
                         fault);
    return frti_fail(FRT_BAD_LAYOUT, "parameter %zu is '%s': %s", index,
                     text.text, fault);
}

/* `model` and `depth` take in this layout's. */
static frt_status
outline_check_value(frt_descriptor *into, const frt_layout *layout,
                    size_t index)
{
    const char *fault;

    if (layout == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "parameter %zu is NULL", index);
    fault = value_fault(layout, index == 0);
    if (fault == NULL && into->model != NULL && layout->model != into->model)
        fault = "it is of another model than the others";
    if (fault != NULL)
        return outline_fault(layout, index, fault);
    into->model = layout->model;
    return frti_layout_deepen(&into->depth, layout->depth);
}

static const frt_layout *
outline_parameter(const struct outline *outline, size_t index)
{
    return index < outline->first_count
               ? outline->first[index]
               : outline->more[index - outline->first_count];
}

/* A result that was left out is void in the parameters' model, and so is a void
 * of any model. */
static frt_status
outline_check(frt_descriptor *into, const struct outline *outline)
{
    frt_status status = FRT_OK;

    into->result = outline->result;
    if (into->result != NULL && into->result->kind != FRT_KIND_VOID)
        status = outline_check_value(into, into->result, 0);
    for (size_t i = 0; status == FRT_OK && i < into->count; i++) {
        into->parameters[i] = outline_parameter(outline, i);
        status = outline_check_value(into, into->parameters[i], i + 1);
    }
    if (status != FRT_OK)
        return status;
    if (into->model == NULL)
        into->model =
            into->result != NULL ? into->result->model : frt_model_native();
    if (into->result == NULL || into->result->kind == FRT_KIND_VOID)
        into->result = frt_layout_value(FRT_KIND_VOID, into->model);
    return FRT_OK;
}

/* ---------------------------------------------------------------- life --- */

static frt_status
descriptor_intern(const frt_descriptor **out, frt_descriptor *fresh)
{
    const frt_descriptor *interned;

    frt_layout_keep(fresh->result);
    for (size_t i = 0; i < fresh->count; i++)
        frt_layout_keep(fresh->parameters[i]);
    fresh->shared.hash = descriptor_hash(fresh);
    interned = frti_pool_intern(&frti_descriptors, fresh);
    if (interned == NULL)
        return frti_no_memory(sizeof(void *), "the table of descriptors");
    *out = interned;
    return FRT_OK;
}

static frt_status
descriptor_make(const frt_descriptor **out, const struct outline *outline)
{
    size_t bytes = SIZE_MAX;
    frt_descriptor *fresh = NULL;
    frt_status status;
    size_t count;

    if (frti_add(&count, outline->first_count, outline->more_count) &&
        descriptor_bytes(&bytes, count))
        fresh = frti_allocate(bytes, _Alignof(frt_descriptor));
    if (fresh == NULL)
        return frti_no_memory(bytes, "a descriptor");
    fresh->count = count;
    fresh->is_variadic = outline->is_variadic;
    fresh->fixed = outline->is_variadic ? outline->fixed : count;
    status = outline_check(fresh, outline);
    if (status != FRT_OK) {
        frti_free(fresh, bytes, _Alignof(frt_descriptor));
        return status;
    }
    return descriptor_intern(out, fresh);
}

static frt_status
outline_check_array(const frt_layout *const *parameters, size_t count)
{
    return parameters == NULL && count != 0 ? frti_null_argument("parameters")
                                            : FRT_OK;
}

frt_status
frt_descriptor_of(const frt_descriptor **out, const frt_layout *result,
                  const frt_layout *const *parameters, size_t count)
{
    struct outline outline = {
        .result = result, .first = parameters, .first_count = count};

    if (out == NULL)
        return frti_null_argument("out");
    if (outline_check_array(parameters, count) != FRT_OK)
        return FRT_BAD_ARGUMENT;
    return descriptor_make(out, &outline);
}

frt_status
frt_descriptor_of_variadic(const frt_descriptor **out, const frt_layout *result,
                           const frt_layout *const *parameters, size_t count,
                           size_t fixed)
{
    struct outline outline = {.result = result,
                              .first = parameters,
                              .first_count = count,
                              .fixed = fixed,
                              .is_variadic = true};

    if (out == NULL)
        return frti_null_argument("out");
    if (outline_check_array(parameters, count) != FRT_OK)
        return FRT_BAD_ARGUMENT;
    if (fixed > count)
        return frti_fail(FRT_BAD_ARGUMENT, "%zu fixed parameters of %zu in all",
                         fixed, count);
    return descriptor_make(out, &outline);
}

frt_status
frt_descriptor_extend(const frt_descriptor **out,
                      const frt_descriptor *descriptor,
                      const frt_layout *const *parameters, size_t count)
{
    struct outline outline = {
        .more = parameters, .more_count = count, .is_variadic = true};

    if (out == NULL)
        return frti_null_argument("out");
    if (descriptor == NULL)
        return frti_null_argument("descriptor");
    if (outline_check_array(parameters, count) != FRT_OK)
        return FRT_BAD_ARGUMENT;
    if (!descriptor->is_variadic)
        return frti_fail(FRT_BAD_LAYOUT,
                         "%zu more parameters for a descriptor without '...'",
                         count);
    outline.result = descriptor->result;
    outline.first = descriptor->parameters;
    outline.first_count = descriptor->count;
    outline.fixed = descriptor->fixed;
    return descriptor_make(out, &outline);
}

const frt_descriptor *
frt_descriptor_keep(const frt_descriptor *descriptor)
{
    if (descriptor != NULL)
        frti_shared_keep(descriptor);
    return descriptor;
}

void
frt_descriptor_drop(const frt_descriptor *descriptor)
{
    if (descriptor != NULL)
        frti_pool_drop(&frti_descriptors, descriptor);
}

/* ----------------------------------------------------------- accessors --- */

const frt_layout *
frt_descriptor_result(const frt_descriptor *descriptor)
{
    return descriptor->result;
}

size_t
frt_descriptor_count(const frt_descriptor *descriptor)
{
    return descriptor->count;
}

const frt_layout *
frt_descriptor_parameter(const frt_descriptor *descriptor, size_t index)
{
    return index < descriptor->count ? descriptor->parameters[index] : NULL;
}

bool
frt_descriptor_is_variadic(const frt_descriptor *descriptor)
{
    return descriptor->is_variadic;
}

size_t
frt_descriptor_fixed(const frt_descriptor *descriptor)
{
    return descriptor->fixed;
}

const frt_model *
frt_descriptor_model(const frt_descriptor *descriptor)
{
    return descriptor->model;
}
