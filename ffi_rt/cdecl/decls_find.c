/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declaration sets: what is looked up in them. */
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/cdecl/decls.h"
#include "ffi_rt/cdecl/parser.h"

/* ------------------------------------------------------------- resolve --- */

/* Its type names a struct that has become complete since. */
static bool
type_is_stale(const struct frti_type *type)
{
    const frt_layout *layout = type->layout;

    if (type->tag == NULL || layout == NULL ||
        !frt_layout_is_complete(type->tag->type.layout))
        return false;
    if (frt_layout_kind(layout) == FRT_KIND_POINTER)
        layout = frt_layout_element(layout);
    return layout != NULL && !frt_layout_is_complete(layout);
}

static bool
binding_is_function(const struct frti_binding *binding)
{
    return binding->kind == FRTI_BINDING_OBJECT &&
           binding->type.function != NULL;
}

static bool
binding_is_resolved(const struct frti_binding *binding)
{
    if (binding_is_function(binding))
        return binding->type.function->prototype != NULL;
    return !type_is_stale(&binding->type);
}

/* Why it has no descriptor; NULL: it has. */
static const char *
function_fault(const struct frti_function *function)
{
    struct frti_type result = function->result;

    if (result.tag != NULL &&
        frt_layout_kind(result.layout) != FRT_KIND_POINTER)
        result.layout = result.tag->type.layout;
    if (!frt_layout_is_complete(result.layout) &&
        frt_layout_kind(result.layout) != FRT_KIND_VOID)
        return "its result is of an incomplete type";
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next) {
        struct frti_type type = parameter->type;

        if (type.is_va_list)
            return "a va_list cannot be passed, for only C code can make one";
        if (type.tag != NULL &&
            frt_layout_kind(type.layout) != FRT_KIND_POINTER)
            type.layout = type.tag->type.layout;
        if (!frti_type_is_complete(&type))
            return "a parameter is of an incomplete type";
    }
    return NULL;
}

static bool
resolve_function(struct frti_parser *parser, struct frti_binding *binding)
{
    /* the binding's own: the set made the copy */
    struct frti_function *function =
        (struct frti_function *)binding->type.function;
    const char *fault = function_fault(function);
    frt_prototype *prototype;

    if (fault != NULL) {
        parser->source.status =
            frti_fail(FRT_UNSUPPORTED, "'%.64s' (%.200s:%u): %s",
                      binding->name->text, binding->file, binding->line, fault);
        return false;
    }
    prototype = frti_make_lasting(
        parser, sizeof *prototype + function->count * sizeof(const char *));
    if (prototype == NULL ||
        !frti_function_descriptor(parser, &prototype->descriptor, function,
                                  parser->decls->raw_pointers, 0))
        return false;
    prototype->name = binding->name->text;
    prototype->symbol =
        binding->label == NULL ? prototype->name : binding->label;
    for (const struct frti_parameter *parameter = function->parameters;
         parameter != NULL; parameter = parameter->next)
        prototype->parameters[prototype->count++] =
            parameter->name == NULL ? NULL : parameter->name->text;
    prototype->next = parser->decls->prototypes;
    parser->decls->prototypes = prototype;
    function->prototype = prototype;
    return true;
}

/* Once for each binding, and by one thread. */
static frt_status
decls_resolve(frt_decls *decls, struct frti_binding *binding)
{
    const frt_parse_options options = {.size = sizeof options, .decls = decls};
    struct frti_parser parser;
    frt_status status;

    if (frti_parser_init(&parser, "", NULL, &options) &&
        (binding_is_resolved(binding) ||
         (binding_is_function(binding)
              ? resolve_function(&parser, binding)
              : frti_type_refresh(&parser, &binding->type, 0))))
        parser.mark = frti_lasting_mark(parser.lasting);
    status = parser.source.status;
    frti_parser_fini(&parser);
    return status;
}

/* -------------------------------------------------------- declarations --- */

static frt_declared
binding_what(const struct frti_binding *binding)
{
    switch (binding->kind) {
    case FRTI_BINDING_TYPEDEF:
        return FRT_DECLARED_TYPEDEF;
    case FRTI_BINDING_CONSTANT:
        return FRT_DECLARED_CONSTANT;
    case FRTI_BINDING_STRUCT:
        return FRT_DECLARED_STRUCT;
    case FRTI_BINDING_UNION:
        return FRT_DECLARED_UNION;
    case FRTI_BINDING_ENUM:
        return FRT_DECLARED_ENUM;
    default:
        return binding_is_function(binding) ? FRT_DECLARED_FUNCTION
                                            : FRT_DECLARED_VARIABLE;
    }
}

static void
declaration_fill_constant(frt_declaration *out,
                          const struct frti_binding *binding)
{
    if (frt_layout_is_floating(out->layout))
        out->number = *binding->real;
    else if (frt_layout_kind(out->layout) == FRT_KIND_ARRAY)
        out->string = binding->text;
    else
        out->bits = binding->bits;
}

static frt_declaration
declaration_of(const struct frti_binding *binding)
{
    frt_declaration out = {.what = binding_what(binding),
                           .name = binding->name->text,
                           .file = binding->file,
                           .line = binding->line,
                           .layout = binding->type.layout,
                           .is_const = binding->type.is_const,
                           .is_static = binding->is_static};

    if (binding->enumeration != NULL)
        out.enumeration = binding->enumeration->text;
    if (out.what == FRT_DECLARED_CONSTANT)
        declaration_fill_constant(&out, binding);
    else if (out.what == FRT_DECLARED_ENUM)
        out.bits = binding->bits;
    if (binding_is_function(binding))
        out.function = binding->type.function->prototype;
    if (binding->kind == FRTI_BINDING_OBJECT)
        out.symbol = binding->label == NULL ? out.name : binding->label;
    return out;
}

/* At the read lock; leaves it. What cannot be resolved is told as it is, unless
 * memory is the reason. */
static frt_status
decls_tell(frt_declaration *out, frt_decls *decls, struct frti_binding *binding)
{
    if (!binding_is_resolved(binding)) {
        pthread_rwlock_unlock(&decls->lock);
        if (decls_resolve(decls, binding) == FRT_NO_MEMORY)
            return FRT_NO_MEMORY;
        pthread_rwlock_rdlock(&decls->lock);
    }
    *out = declaration_of(binding);
    pthread_rwlock_unlock(&decls->lock);
    return FRT_OK;
}

size_t
frt_decls_count(frt_decls *decls)
{
    size_t count;

    pthread_rwlock_rdlock(&decls->lock);
    count = decls->count;
    pthread_rwlock_unlock(&decls->lock);
    return count;
}

frt_status
frt_decls_at(frt_declaration *out, frt_decls *decls, size_t index)
{
    size_t count;

    if (out == NULL)
        return frti_null_argument("out");
    if (decls == NULL)
        return frti_null_argument("decls");
    pthread_rwlock_rdlock(&decls->lock);
    count = decls->count;
    if (index < count)
        return decls_tell(out, decls, decls->entries[index]);
    pthread_rwlock_unlock(&decls->lock);
    return frti_fail(FRT_OUT_OF_BOUNDS,
                     "the set has %zu declarations, so none at %zu", count,
                     index);
}

/* ---------------------------------------------------------------- find --- */

/* The words before a tag; what remains of *name is the tag. */
static bool
name_is_tag(enum frti_binding_kind *kind, const char **name)
{
    static const struct {
        const char *word;
        enum frti_binding_kind kind;
    } words[] = {{"struct ", FRTI_BINDING_STRUCT},
                 {"union ", FRTI_BINDING_UNION},
                 {"enum ", FRTI_BINDING_ENUM}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(*name, words[i].word, strlen(words[i].word)) == 0) {
            *kind = words[i].kind;
            *name += strlen(words[i].word);
            *name += strspn(*name, " ");
            return true;
        }
    return false;
}

static struct frti_binding *
decls_binding(const frt_decls *decls, const char *text)
{
    enum frti_binding_kind kind = FRTI_BINDING_OBJECT;
    bool is_tag = name_is_tag(&kind, &text);
    const struct frti_name *name =
        frti_name_find(&decls->lasting.names, text, strlen(text));

    if (name == NULL)
        return NULL;
    if (!is_tag)
        return name->ordinary;
    return name->tag != NULL && name->tag->kind == kind ? name->tag : NULL;
}

frt_status
frt_decls_find(frt_declaration *out, frt_decls *decls, const char *name)
{
    struct frti_binding *binding;

    if (out == NULL)
        return frti_null_argument("out");
    if (decls == NULL)
        return frti_null_argument("decls");
    if (name == NULL)
        return frti_null_argument("name");
    pthread_rwlock_rdlock(&decls->lock);
    binding = decls_binding(decls, name);
    if (binding != NULL)
        return decls_tell(out, decls, binding);
    pthread_rwlock_unlock(&decls->lock);
    return frti_fail(FRT_NOT_FOUND, "'%.200s' is not declared", name);
}

static frt_status
declaration_refuse(const frt_declaration *found, const char *wanted)
{
    static const char *const words[] = {[FRT_DECLARED_TYPEDEF] = "a type",
                                        [FRT_DECLARED_STRUCT] = "a struct",
                                        [FRT_DECLARED_UNION] = "a union",
                                        [FRT_DECLARED_ENUM] = "an enum",
                                        [FRT_DECLARED_FUNCTION] = "a function",
                                        [FRT_DECLARED_VARIABLE] = "a variable",
                                        [FRT_DECLARED_CONSTANT] = "a constant"};

    return frti_fail(FRT_NOT_FOUND, "'%.64s' (%.200s:%zu) is %s, not %s",
                     found->name, found->file, found->line, words[found->what],
                     wanted);
}

frt_status
frt_decls_type(const frt_layout **out, frt_decls *decls, const char *name)
{
    frt_declaration found;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = frt_decls_find(&found, decls, name);
    if (status != FRT_OK)
        return status;
    if (found.what > FRT_DECLARED_ENUM)
        return declaration_refuse(&found, "a type");
    if (found.layout == NULL)
        return frti_fail(FRT_UNSUPPORTED,
                         "'%.64s' (%.200s:%zu) is a function's type, which has "
                         "no layout; a pointer to one has",
                         found.name, found.file, found.line);
    *out = found.layout;
    return FRT_OK;
}

frt_status
frt_decls_function(const frt_prototype **out, frt_decls *decls,
                   const char *name)
{
    frt_declaration found;
    struct frti_binding *binding;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = frt_decls_find(&found, decls, name);
    if (status != FRT_OK)
        return status;
    if (found.what != FRT_DECLARED_FUNCTION)
        return declaration_refuse(&found, "a function");
    if (found.function == NULL) { /* once more, for the reason */
        pthread_rwlock_rdlock(&decls->lock);
        binding = decls_binding(decls, name);
        pthread_rwlock_unlock(&decls->lock);
        status = decls_resolve(decls, binding);
        if (status == FRT_OK)
            status = frt_decls_find(&found, decls, name);
    }
    if (status == FRT_OK)
        *out = found.function;
    return status;
}

static frt_status
decls_find_as(frt_declaration *out, frt_decls *decls, const char *name,
              frt_declared what, const char *wanted)
{
    frt_declaration found;
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    status = frt_decls_find(&found, decls, name);
    if (status != FRT_OK)
        return status;
    if (found.what != what)
        return declaration_refuse(&found, wanted);
    *out = found;
    return FRT_OK;
}

frt_status
frt_decls_variable(frt_declaration *out, frt_decls *decls, const char *name)
{
    return decls_find_as(out, decls, name, FRT_DECLARED_VARIABLE, "a variable");
}

frt_status
frt_decls_constant(frt_declaration *out, frt_decls *decls, const char *name)
{
    return decls_find_as(out, decls, name, FRT_DECLARED_CONSTANT, "a constant");
}
