/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/call_libffi.h"

#include <dlfcn.h>
#include <stddef.h>

static ffi_type *
type_of_value(frt_kind kind)
{
    switch (kind) {
    case FRT_KIND_INT:
        return &ffi_type_sint;
    case FRT_KIND_LONG:
        return &ffi_type_slong;
    case FRT_KIND_DOUBLE:
        return &ffi_type_double;
    case FRT_KIND_POINTER:
        return &ffi_type_pointer;
    case FRT_KIND_VOID:
        return &ffi_type_void;
    default:
        return NULL;
    }
}

/* Adds the values that `layout` is made of. */
static bool
type_flatten(struct call_type *type, size_t *used, const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);
    size_t count = frt_layout_count(layout);
    frt_place member;

    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_ARRAY) {
        if (*used + 1 == CALL_ELEMENTS)
            return false;
        type->elements[(*used)++] = type_of_value(kind);
        return type->elements[*used - 1] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const frt_layout *inner = frt_layout_element(layout);

        if (kind == FRT_KIND_STRUCT) {
            if (frt_layout_member(&member, layout, i) != FRT_OK)
                return false;
            inner = member.layout;
        }
        if (!type_flatten(type, used, inner))
            return false;
    }
    return true;
}

static ffi_type *
type_of(struct call_type *type, const frt_layout *layout)
{
    size_t used = 0;

    if (frt_layout_kind(layout) != FRT_KIND_STRUCT)
        return type_of_value(frt_layout_kind(layout));
    if (!type_flatten(type, &used, layout))
        return NULL;
    type->type.type = FFI_TYPE_STRUCT;
    type->type.elements = type->elements;
    return &type->type;
}

bool
call_libffi_prepare(struct call_libffi *out, const frt_descriptor *descriptor)
{
    unsigned count = (unsigned)frt_descriptor_count(descriptor);
    ffi_type *result =
        type_of(&out->types[CALL_ARGUMENTS], frt_descriptor_result(descriptor));

    if (result == NULL || count > CALL_ARGUMENTS)
        return false;
    for (unsigned i = 0; i < count; i++) {
        out->parameters[i] =
            type_of(&out->types[i], frt_descriptor_parameter(descriptor, i));
        if (out->parameters[i] == NULL)
            return false;
    }
    if (frt_descriptor_is_variadic(descriptor))
        return ffi_prep_cif_var(&out->cif, FFI_DEFAULT_ABI,
                                (unsigned)frt_descriptor_fixed(descriptor),
                                count, result, out->parameters) == FFI_OK;
    return ffi_prep_cif(&out->cif, FFI_DEFAULT_ABI, count, result,
                        out->parameters) == FFI_OK;
}

/* ISO C has no conversion from a data pointer to one to a function; POSIX says
 * that dlsym's result has it. */
struct call_plans
call_libffi_plans(void)
{
    struct call_plans plans;

    *(void **)&plans.alloc = dlsym(RTLD_DEFAULT, "ffi_call_plan_alloc");
    *(void **)&plans.invoke = dlsym(RTLD_DEFAULT, "ffi_call_plan_invoke");
    *(void **)&plans.free = dlsym(RTLD_DEFAULT, "ffi_call_plan_free");
    if (plans.alloc == NULL || plans.invoke == NULL || plans.free == NULL)
        return (struct call_plans){0};
    return plans;
}
