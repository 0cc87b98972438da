/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/type.h"

#include <stdio.h>

#include "ffi_rt/cdecl/parser.h"
#include "ffi_rt/layout/layout.h"

bool
frti_type_value(struct frti_parser *parser, struct frti_type *out,
                frt_kind kind, size_t position)
{
    const frt_layout *layout = frt_layout_value(kind, parser->model);

    if (layout == NULL)
        return frti_refuse(parser, position, "the model %s has no such type",
                           frt_model_name(parser->model));
    *out = (struct frti_type){.layout = layout};
    return true;
}

/* In C a function may be declared with types that are not complete yet, and
 * in `struct x { void (*f)(struct x); }` they cannot be. */
static bool
function_is_complete(const struct frti_function *function)
{
    if (!frti_type_is_complete(&function->result) &&
        frt_layout_kind(function->result.layout) != FRT_KIND_VOID)
        return false;
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next)
        if (!frti_type_is_complete(&parameter->type))
            return false;
    return true;
}

static bool
type_function_layout(struct frti_parser *parser, const frt_layout **out,
                     const struct frti_function *function, size_t position)
{
    const frt_descriptor *descriptor;
    const frt_layout *layout = NULL;
    frt_status status;

    if (!frti_function_descriptor(parser, &descriptor, function, true,
                                  position))
        return false;
    status = frt_layout_function(&layout, descriptor);
    frt_descriptor_drop(descriptor);
    if (!frti_take(parser, position, status, layout))
        return false;
    *out = layout;
    return true;
}

bool
frti_type_pointer(struct frti_parser *parser, struct frti_type *out,
                  const struct frti_type *pointee, size_t position)
{
    const frt_layout *element = pointee->layout;
    const frt_layout *layout = NULL;
    bool is_code =
        pointee->function != NULL && !function_is_complete(pointee->function);
    frt_status status;

    if (is_code)
        element = frt_layout_value(FRT_KIND_VOID, parser->model);
    else if (pointee->function != NULL &&
             !type_function_layout(parser, &element, pointee->function,
                                   position))
        return false;
    status = frt_layout_pointer(&layout, element, pointee->is_const);
    if (!frti_take(parser, position, status, layout))
        return false;
    *out = (struct frti_type){
        .layout = layout, .tag = pointee->tag, .is_code = is_code};
    if (frt_layout_kind(element) == FRT_KIND_POINTER)
        out->tag = NULL; /* a tag is remembered through one pointer */
    return true;
}

bool
frti_type_array(struct frti_parser *parser, struct frti_type *out,
                const struct frti_type *element, size_t count, size_t position)
{
    const frt_layout *layout = NULL;
    frt_status status;

    if (element->function != NULL)
        return frti_refuse(parser, position, "an array cannot hold functions");
    status = frt_layout_array(&layout, element->layout, count);
    if (!frti_take(parser, position, status, layout))
        return false;
    *out = (struct frti_type){.layout = layout, .is_const = element->is_const};
    return true;
}

bool
frti_type_function(struct frti_parser *parser, struct frti_type *out,
                   struct frti_function *function,
                   const struct frti_type *result, size_t position)
{
    if (result->function != NULL)
        return frti_refuse(parser, position,
                           "a function cannot return a function");
    if (frt_layout_kind(result->layout) == FRT_KIND_ARRAY)
        return frti_refuse(parser, position,
                           "a function cannot return an array");
    function->result = *result;
    *out = (struct frti_type){.function = function};
    return true;
}

bool
frti_type_adjust(struct frti_parser *parser, struct frti_type *type,
                 size_t position)
{
    struct frti_type element = *type;
    bool is_va_list = type->is_va_list;

    if (type->function == NULL) {
        if (frt_layout_kind(type->layout) != FRT_KIND_ARRAY)
            return true;
        element.layout = frt_layout_element(type->layout);
    }
    if (!frti_type_pointer(parser, type, &element, position))
        return false;
    type->is_va_list = is_va_list;
    return true;
}

bool
frti_type_align(struct frti_parser *parser, struct frti_type *type,
                size_t alignment, size_t position)
{
    const frt_layout *layout = NULL;
    frt_status status;

    if (type->function != NULL || frt_layout_alignment(type->layout) == 0)
        return true; /* functions and void have none to change */
    status = frt_layout_align_to(&layout, type->layout, alignment);
    if (!frti_take(parser, position, status, layout))
        return false;
    type->layout = layout;
    return true;
}

bool
frti_type_atomic(struct frti_parser *parser, struct frti_type *type,
                 size_t position)
{
    size_t size;

    if (type->function != NULL ||
        frt_layout_kind(type->layout) == FRT_KIND_ARRAY)
        return frti_refuse(parser, position, "_Atomic of %s",
                           type->function != NULL ? "a function" : "an array");
    /* gcc and clang: what is as large as a machine's atomic access is aligned
     * for it */
    size = frt_layout_size(type->layout);
    if (size > 16 || (size & (size - 1)) != 0 ||
        frt_layout_alignment(type->layout) >= size)
        return true;
    return frti_type_align(parser, type, size, position);
}

bool
frti_type_complex(struct frti_parser *parser, struct frti_type *type,
                  size_t position)
{
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_complex(&layout, type->layout);

    *type = (struct frti_type){.layout = layout};
    return frti_take(parser, position, status, layout);
}

bool
frti_type_vector(struct frti_parser *parser, struct frti_type *type,
                 size_t bytes, size_t position)
{
    const frt_layout *layout = NULL;
    size_t element;
    frt_status status;

    if (type->function != NULL || !frt_layout_is_complete(type->layout) ||
        frt_layout_size(type->layout) == 0)
        return frti_refuse(parser, position,
                           "a vector holds integers or floats");
    element = frt_layout_size(type->layout);
    if (bytes % element != 0)
        return frti_refuse(parser, position,
                           "a vector of %zu bytes does not hold whole elements "
                           "of %zu",
                           bytes, element);
    status = frt_layout_vector(&layout, type->layout, bytes / element);
    if (!frti_take(parser, position, status, layout))
        return false;
    type->layout = layout;
    return true;
}

bool
frti_type_refresh(struct frti_parser *parser, struct frti_type *type,
                  size_t position)
{
    struct frti_type now;

    if (type->tag == NULL)
        return true;
    now = type->tag->type;
    if (frt_layout_kind(type->layout) != FRT_KIND_POINTER) {
        if (!frt_layout_is_complete(type->layout))
            type->layout = now.layout;
        return true;
    }
    if (frt_layout_is_complete(frt_layout_element(type->layout)))
        return true;
    now.is_const = frt_layout_is_const(type->layout);
    now.tag = type->tag;
    if (!frti_type_pointer(parser, &now, &now, position))
        return false;
    now.is_const = type->is_const;
    *type = now;
    return true;
}

bool
frti_type_last(struct frti_parser *parser, struct frti_type *type)
{
    const struct frti_function *function = type->function;
    struct frti_function *copy;
    struct frti_parameter *to;

    if (function == NULL)
        return true;
    copy =
        frti_make_lasting(parser, sizeof *copy + function->count * sizeof *to);
    if (copy == NULL)
        return false;
    *copy = *function;
    copy->prototype = NULL;
    to = (struct frti_parameter *)(copy + 1);
    copy->parameters = function->count == 0 ? NULL : to;
    for (const struct frti_parameter *from = function->parameters; from != NULL;
         from = from->next, to++) {
        *to = *from;
        if (from->next != NULL)
            to->next = to + 1;
    }
    type->function = copy;
    return true;
}

void
frti_type_forget_prototype(struct frti_type *type)
{
    if (type->function != NULL) /* a copy of its own, by frti_type_last */
        ((struct frti_function *)type->function)->prototype = NULL;
}

bool
frti_type_is_complete(const struct frti_type *type)
{
    return type->function == NULL && frt_layout_is_complete(type->layout);
}

const char *
frti_type_text(char *buffer, size_t size, const struct frti_type *type)
{
    if (type->function != NULL) {
        snprintf(buffer, size, "a function");
        return buffer;
    }
    if (frt_layout_print(buffer, size, type->layout) >= size && size > 3)
        snprintf(buffer + size - 4, 4, "...");
    return buffer;
}

static bool
function_parameter(struct frti_parser *parser, const frt_layout **out,
                   const struct frti_type *type, bool is_raw, size_t position)
{
    const frt_layout *pointee;
    const frt_layout *layout = NULL;
    frt_status status;

    *out = type->layout;
    if (is_raw || type->is_code ||
        frt_layout_kind(type->layout) != FRT_KIND_POINTER)
        return true;
    pointee = frt_layout_element(type->layout);
    if (pointee == NULL)
        pointee = frt_layout_value(FRT_KIND_VOID, parser->model);
    if (frt_layout_kind(pointee) == FRT_KIND_FUNCTION)
        return true; /* a code address has no bounds to check */
    status = frt_layout_segment(&layout, pointee,
                                frt_layout_is_const(type->layout), type->least);
    if (!frti_take(parser, position, status, layout))
        return false;
    *out = layout;
    return true;
}

/* The layouts of all parameters, which must be complete by now. */
static bool
function_parameters(struct frti_parser *parser, const frt_layout **layouts,
                    const struct frti_function *function, bool is_raw)
{
    char text[96];

    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next) {
        struct frti_type type = parameter->type;

        if (!frti_type_refresh(parser, &type, parameter->position))
            return false;
        if (!frti_type_is_complete(&type))
            return frti_refuse(parser, parameter->position,
                               "a parameter is of the incomplete type '%s'",
                               frti_type_text(text, sizeof text, &type));
        if (!function_parameter(parser, layouts++, &type, is_raw,
                                parameter->position))
            return false;
    }
    return true;
}

bool
frti_function_descriptor(struct frti_parser *parser, const frt_descriptor **out,
                         const struct frti_function *function, bool is_raw,
                         size_t position)
{
    const frt_layout **layouts =
        frti_make(parser, (function->count + 1) * sizeof *layouts);
    struct frti_type result_type = function->result;
    const frt_layout *result;
    frt_status status;

    if (layouts == NULL ||
        !function_parameters(parser, layouts, function, is_raw) ||
        !frti_type_refresh(parser, &result_type, position) ||
        !function_parameter(parser, &result, &result_type, is_raw, position))
        return false;
    status = function->is_variadic
                 ? frt_descriptor_of_variadic(out, result, layouts,
                                              function->count, function->count)
                 : frt_descriptor_of(out, result, layouts, function->count);
    return status == FRT_OK || frti_pass_on(parser, position, status);
}
