/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/function.h"

#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/upcall_inside.h"
#include "ffi_rt/memory/session.h"

/* -------------------------------------------------------------- make --- */

static frt_status
function_new(frt_function **out, void *address, frt_session session,
             const char *name, const frt_descriptor *descriptor,
             const frt_link_options *options)
{
    size_t bytes = sizeof(frt_function) + strlen(name) + 1;
    frt_function *function = frti_allocate(bytes, _Alignof(frt_function));
    frt_status status;

    if (function == NULL)
        return frti_no_memory(bytes, "a function");
    function->bytes = bytes;
    function->target = address;
    function->session = session;
    memcpy(function->name, name, strlen(name) + 1);
    status = frti_options_read(&function->options, sizeof function->options,
                               options, "frt_link_options");
    if (status == FRT_OK)
        status = frt_downcall_link(&function->downcall, descriptor,
                                   &function->options);
    if (status != FRT_OK) {
        frt_function_free(function);
        return status;
    }
    *out = function;
    return FRT_OK;
}

static frt_status
function_check_symbol(const frt_symbol *symbol, frt_library library,
                      const char *name)
{
    if (symbol->address == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "symbol '%s' in %s is NULL", name,
                         frt_library_name(library));
    if (symbol->kind == FRT_SYMBOL_DATA)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "symbol '%s' in %s is data, not a function", name,
                         frt_library_name(library));
    return FRT_OK;
}

frt_status
frt_function_new(frt_function **out, frt_library library, const char *name,
                 const frt_descriptor *descriptor,
                 const frt_link_options *options)
{
    frt_symbol symbol;
    frt_status status;

    if (out == NULL || descriptor == NULL)
        return frti_null_argument(out == NULL ? "out" : "descriptor");
    status = frt_library_find(&symbol, library, name);
    if (status == FRT_OK)
        status = function_check_symbol(&symbol, library, name);
    if (status == FRT_OK)
        status = function_new(out, symbol.address, library.session, name,
                              descriptor, options);
    return status;
}

frt_status
frt_function_declare(frt_function **out, frt_library library,
                     const char *prototype, const frt_link_options *options)
{
    frt_prototype *parsed;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = frt_prototype_parse(&parsed, prototype, NULL);
    if (status != FRT_OK)
        return status;
    status = frt_function_new(out, library, frt_prototype_symbol(parsed),
                              frt_prototype_descriptor(parsed), options);
    frt_prototype_free(parsed);
    return status;
}

frt_status
frt_function_of_address(frt_function **out, void *address, frt_session session,
                        const char *name, const frt_descriptor *descriptor,
                        const frt_link_options *options)
{
    frt_status status;

    if (out == NULL || address == NULL || descriptor == NULL)
        return frti_null_argument(out == NULL       ? "out"
                                  : address == NULL ? "address"
                                                    : "descriptor");
    if (session.slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the session was never opened");
    status = frti_session_check(session.slot, session.generation);
    if (status != FRT_OK)
        return status;
    return function_new(out, address, session,
                        name == NULL ? "(unnamed)" : name, descriptor, options);
}

void
frt_function_free(frt_function *function)
{
    if (function == NULL)
        return;
    frti_variadics_free(&function->variadics);
    frt_downcall_drop(function->downcall);
    frti_free(function, function->bytes, _Alignof(frt_function));
}

const char *
frt_function_name(const frt_function *function)
{
    return function->name;
}

void *
frt_function_address(const frt_function *function)
{
    return function->target;
}

const frt_downcall *
frt_function_downcall(const frt_function *function)
{
    return function->downcall;
}

/* -------------------------------------------------------------- call --- */

static FRTI_COLD frt_status
function_refuse(const frt_function *function, frt_status status)
{
    if (status != FRT_CLOSED)
        return status;
    return frti_fail(status, "the library of %s() is closed", function->name);
}

FRTI_INLINE frt_status
function_hold(struct frti_holding *holding, frt_session session)
{
    frt_status status = frti_holding_begin(holding, 1);
    struct frti_hold *top = holding->first;

    if (FRTI_LIKELY(status == FRT_OK))
        status = frti_holding_add(top, &top, session.slot, session.generation);
    frti_holding_stand(holding, top);
    return status;
}

frt_status
frti_function_hold(struct frti_holding *holding, const frt_function *function)
{
    frt_status status = function_hold(holding, function->session);

    return status == FRT_OK ? FRT_OK : function_refuse(function, status);
}

static inline frt_status
function_enter(const frt_function *function, const frt_downcall *downcall,
               frt_call_state *state, void *result, void *const *arguments)
{
    if (state != NULL)
        return frt_invoke_captured(downcall, state, function->target, result,
                                   arguments);
    return frt_invoke(downcall, function->target, result, arguments);
}

static frt_status
function_run_holding(const frt_function *function, const frt_downcall *downcall,
                     frt_call_state *state, void *result,
                     void *const *arguments)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status = function_hold(&holding, function->session);

    if (FRTI_UNLIKELY(status != FRT_OK))
        return function_refuse(function, status);
    return function_enter(function, downcall, state, result, arguments);
}

static inline frt_status
function_run(const frt_function *function, const frt_downcall *downcall,
             frt_call_state *state, void *result, void *const *arguments)
{
    if (function->session.slot != NULL &&
        function->session.slot->kind != FRTI_SESSION_GLOBAL)
        return function_run_holding(function, downcall, state, result,
                                    arguments);
    return function_enter(function, downcall, state, result, arguments);
}

frt_status
frti_function_run(const frt_function *function, const frt_downcall *downcall,
                  frt_call_state *state, void *result, void *const *arguments)
{
    FRTI_CLEANUP(frti_upcall_unmark) struct frti_upcall_mark mark;
    frt_status status;

    frti_upcall_mark(&mark);
    status = function_run(function, downcall, state, result, arguments);
    return frti_upcall_judge(status);
}

frt_status
frti_function_run_held(const frt_function *function, void *result,
                       void *const *arguments)
{
    FRTI_CLEANUP(frti_upcall_unmark) struct frti_upcall_mark mark;
    frt_status status;

    frti_upcall_mark(&mark);
    status =
        frt_invoke(function->downcall, function->target, result, arguments);
    return frti_upcall_judge(status);
}

static FRTI_COLD frt_status
function_refuse_count(const frt_function *function, size_t wanted, size_t count)
{
    return frti_fail(FRT_BAD_ARGUMENT, "%s() takes %zu argument%s, not %zu",
                     function->name, wanted, wanted == 1 ? "" : "s", count);
}

static FRTI_COLD frt_status
function_refuse_argument(const frt_function *function, size_t index)
{
    return frti_fail(FRT_BAD_ARGUMENT, "argument %zu of %s() is not given",
                     index + 1, function->name);
}

static FRTI_COLD frt_status
function_refuse_result(const frt_function *function)
{
    return frti_fail(FRT_BAD_ARGUMENT, "%s() has a result and no place for it",
                     function->name);
}

static const frt_layout *
function_result(const frt_function *function)
{
    return frt_descriptor_result(frt_downcall_descriptor(function->downcall));
}

static inline frt_status
function_check_arguments(const frt_function *function, void *const *arguments,
                         size_t count)
{
    if (FRTI_UNLIKELY(arguments == NULL && count != 0))
        return function_refuse_argument(function, 0);
    for (size_t i = 0; i < count; i++)
        if (FRTI_UNLIKELY(arguments[i] == NULL))
            return function_refuse_argument(function, i);
    return FRT_OK;
}

static frt_status
function_check(const frt_function *function, void *const *arguments,
               size_t count)
{
    const frt_descriptor *descriptor;
    size_t wanted;

    if (FRTI_UNLIKELY(function == NULL))
        return frti_null_argument("function");
    descriptor = frt_downcall_descriptor(function->downcall);
    wanted = frt_descriptor_count(descriptor);
    if (FRTI_UNLIKELY(count != wanted))
        return function_refuse_count(function, wanted, count);
    return function_check_arguments(function, arguments, count);
}

static inline frt_status
function_check_result(const frt_function *function, const void *result)
{
    if (FRTI_UNLIKELY(result == NULL) &&
        frt_layout_kind(function_result(function)) != FRT_KIND_VOID)
        return function_refuse_result(function);
    return FRT_OK;
}

frt_status
frti_function_check(const frt_function *function, const void *result,
                    void *const *arguments, size_t count)
{
    frt_status status = function_check_arguments(function, arguments, count);

    return status == FRT_OK ? function_check_result(function, result) : status;
}

static frt_status
function_call(const frt_function *function, frt_call_state *state, void *result,
              void *const *arguments, size_t count)
{
    frt_status status = function_check(function, arguments, count);

    if (FRTI_LIKELY(status == FRT_OK))
        status = function_check_result(function, result);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    return frti_function_run(function, function->downcall, state, result,
                             arguments);
}

frt_status
frt_call(const frt_function *function, void *result, void *const *arguments,
         size_t count)
{
    return function_call(function, NULL, result, arguments, count);
}

frt_status
frt_call_captured(const frt_function *function, frt_call_state *state,
                  void *result, void *const *arguments, size_t count)
{
    if (FRTI_UNLIKELY(state == NULL))
        return frti_null_argument("state");
    return function_call(function, state, result, arguments, count);
}

/* -------------------------------------------------------------- into --- */

/* A pointer result takes a whole frt_segment. */
static size_t
into_size(const frt_layout *result)
{
    return frt_layout_kind(result) == FRT_KIND_SEGMENT
               ? sizeof(frt_segment)
               : frt_layout_size(result);
}

static size_t
into_alignment(const frt_layout *result)
{
    return frt_layout_kind(result) == FRT_KIND_SEGMENT
               ? _Alignof(frt_segment)
               : frt_layout_alignment(result);
}

static frt_status
into_check(const frt_function *function, const frt_segment *segment)
{
    const frt_layout *result = function_result(function);

    if (segment->flags & FRT_SEGMENT_READ_ONLY)
        return frti_fail(FRT_READ_ONLY, "the result of %s() is read-only",
                         function->name);
    if (segment->size < into_size(result) ||
        (segment->address == NULL && into_size(result) != 0))
        return frti_fail(FRT_OUT_OF_BOUNDS,
                         "the result of %s() has %zu bytes, its segment %zu",
                         function->name, into_size(result), segment->size);
    if (!frti_is_aligned(segment->address, into_alignment(result)))
        return frti_fail(FRT_BAD_ALIGNMENT,
                         "the result of %s() is at %p, not aligned to %zu",
                         function->name, segment->address,
                         into_alignment(result));
    return FRT_OK;
}

static frt_status
into_run(const frt_function *function, const frt_segment *result,
         void *const *arguments)
{
    FRTI_CLEANUP(frti_holding_end) struct frti_holding holding;
    frt_status status = function_hold(&holding, frt_segment_session(result));

    if (status == FRT_OK)
        status = into_check(function, result);
    if (status != FRT_OK)
        return status;
    return frti_function_run(function, function->downcall, NULL,
                             result->address, arguments);
}

frt_status
frt_call_into(const frt_function *function, const frt_segment *result,
              void *const *arguments, size_t count)
{
    frt_status status = function_check(function, arguments, count);

    if (status != FRT_OK)
        return status;
    if (result == NULL)
        return frti_null_argument("result");
    return into_run(function, result, arguments);
}
