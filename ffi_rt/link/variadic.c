/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/variadic.h"

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/status.h"

/* As many as FRT_CALL takes. */
#define VARIADIC_MOST 20

struct frti_variadic {
    struct frti_variadic *next;
    const frt_downcall *downcall; /* kept */
    size_t count;
    frt_kind kinds[VARIADIC_MOST];
};

/* The type that C gives a value of the kind in `...`; NULL: none. */
static const frt_layout *
variadic_layout(frt_kind kind)
{
    switch (kind) {
    case FRT_KIND_INT:
    case FRT_KIND_UINT:
    case FRT_KIND_LLONG:
    case FRT_KIND_ULLONG:
    case FRT_KIND_DOUBLE:
    case FRT_KIND_LONG_DOUBLE:
        return frt_layout_value(kind, NULL);
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        return frt_layout_address(kind, NULL);
    default:
        return NULL;
    }
}

static bool
variadic_is(const struct frti_variadic *variadic, const frt_value *values,
            size_t count)
{
    if (variadic->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (variadic->kinds[i] != values[i].kind)
            return false;
    return true;
}

static frt_status
variadic_link(struct frti_variadic *variadic, const frt_downcall *base,
              const frt_link_options *options)
{
    const frt_layout *layouts[VARIADIC_MOST];
    const frt_descriptor *descriptor;
    frt_status status;

    for (size_t i = 0; i < variadic->count; i++) {
        layouts[i] = variadic_layout(variadic->kinds[i]);
        if (layouts[i] == NULL)
            return frti_fail(FRT_UNSUPPORTED,
                             "value %zu of the `...` has a type of its own; "
                             "declare it with frt_descriptor_of_variadic",
                             i + 1);
    }
    status = frt_descriptor_extend(&descriptor, frt_downcall_descriptor(base),
                                   layouts, variadic->count);
    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(&variadic->downcall, descriptor, options);
    frt_descriptor_drop(descriptor);
    return status;
}

static void
variadic_free(struct frti_variadic *variadic)
{
    frt_downcall_drop(variadic->downcall);
    frti_free(variadic, sizeof *variadic, _Alignof(struct frti_variadic));
}

static frt_status
variadic_new(struct frti_variadic **out, const frt_downcall *base,
             const frt_link_options *options, const frt_value *values,
             size_t count)
{
    struct frti_variadic *variadic =
        frti_allocate(sizeof *variadic, _Alignof(struct frti_variadic));
    frt_status status;

    if (variadic == NULL)
        return frti_no_memory(sizeof *variadic, "a variadic downcall");
    variadic->count = count;
    for (size_t i = 0; i < count; i++)
        variadic->kinds[i] = values[i].kind;
    status = variadic_link(variadic, base, options);
    if (status != FRT_OK) {
        variadic_free(variadic);
        return status;
    }
    *out = variadic;
    return FRT_OK;
}

frt_status
frti_variadics_find(const frt_downcall **out, struct frti_variadics *variadics,
                    const frt_downcall *base, const frt_link_options *options,
                    const frt_value *values, size_t count)
{
    /* acquire: pairs with the release of the push below */
    struct frti_variadic *variadic =
        atomic_load_explicit(&variadics->first, memory_order_acquire);
    frt_status status;

    for (; variadic != NULL; variadic = variadic->next)
        if (variadic_is(variadic, values, count)) {
            *out = variadic->downcall;
            return FRT_OK;
        }
    if (count > VARIADIC_MOST)
        return frti_fail(FRT_UNSUPPORTED, "a `...` takes %d values at most",
                         VARIADIC_MOST);
    status = variadic_new(&variadic, base, options, values, count);
    if (status != FRT_OK)
        return status;
    *out = variadic->downcall;
    variadic->next =
        atomic_load_explicit(&variadics->first, memory_order_relaxed);
    /* release: pairs with the acquire above; relaxed: the value is tried again
     * and not looked into */
    while (!atomic_compare_exchange_weak_explicit(
        &variadics->first, &variadic->next, variadic, memory_order_release,
        memory_order_relaxed))
        ;
    return FRT_OK;
}

/* Nobody else uses the function any more. */
void
frti_variadics_free(struct frti_variadics *variadics)
{
    /* acquire: as in frti_variadics_find */
    struct frti_variadic *variadic =
        atomic_load_explicit(&variadics->first, memory_order_acquire);

    while (variadic != NULL) {
        struct frti_variadic *next = variadic->next;

        variadic_free(variadic);
        variadic = next;
    }
}
