/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `ffi-rt explain`: where each value of a call travels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/options.h"
#include "ffi_rt/cli/picture.h"

static const char explain_usage[] =
    "usage: ffi-rt explain [OPTION]... 'PROTOTYPE' [TYPE]...\n"
    "       ffi-rt explain --header NAME [OPTION]... FUNCTION [TYPE]...\n"
    "\n"
    "Shows the layout of each type and where every argument travels. TYPEs "
    "are\n"
    "those of the values for a `...`.\n"
    "\n"
    "  --target NAME   x86_64, aarch64 or aarch64-apple; this machine's\n"
    "  --header NAME   the header's types and functions are known; -I and -D "
    "as for\n"
    "                  a compiler\n"
    "  --json          one JSON object\n";

/* What is explained. */
struct explained {
    const struct frti_look *look;
    const frt_prototype *prototype;
    frt_prototype *parsed; /* the same, unless a header declares it */
    const frt_descriptor *descriptor;
    frt_plan *plan;
};

static const frt_layout *
explained_layout(const struct explained *it, size_t index)
{
    return index == FRT_RESULT
               ? frt_descriptor_result(it->descriptor)
               : frt_descriptor_parameter(it->descriptor, index);
}

static const char *
explained_name(const struct explained *it, size_t index)
{
    const char *name = NULL;

    if (index < frt_descriptor_fixed(it->descriptor))
        name = frt_prototype_parameter_name(it->prototype, index);
    return name == NULL ? "" : name;
}

/* -------------------------------------------------------------- text --- */

static void
explain_piece(const frt_piece *piece, bool is_result, bool is_reference)
{
    static const char *const extends[] = {
        "", ", zero-extended", ", sign-extended", ", promoted to double"};
    char bytes[48];
    char place[48];

    snprintf(bytes, sizeof bytes, "bytes %zu-%zu", piece->offset,
             piece->offset + piece->size - 1);
    if (piece->name != NULL)
        snprintf(place, sizeof place, "%s", piece->name);
    else
        snprintf(place, sizeof place, "stack+%zu", piece->place);
    printf("%-14s %s %s%s\n",
           is_reference ? is_result ? "its address" : "copy's address" : bytes,
           is_result && !is_reference ? "<-" : "->", place,
           extends[piece->extend]);
}

static void
explain_value(const struct explained *it, size_t index)
{
    frt_way way = frt_plan_way(it->plan, index);
    size_t count = frt_plan_count(it->plan, index);
    char type[25]; /* as wide as its column */
    char label[24] = "result";

    frti_picture_name(type, sizeof type, explained_layout(it, index));
    if (index != FRT_RESULT)
        snprintf(label, sizeof label, "#%zu %s", index + 1,
                 explained_name(it, index));
    printf("  %-12s %-24s ", label, type);
    if (way == FRT_WAY_NONE)
        printf("nothing travels\n");
    for (size_t i = 0; i < count; i++) {
        frt_piece piece;

        if (frt_plan_piece(&piece, it->plan, index, i) != FRT_OK)
            break;
        if (i > 0)
            printf("  %-12s %-24s ", "", "");
        explain_piece(&piece, index == FRT_RESULT, way == FRT_WAY_REFERENCE);
    }
}

/* The first parameter, or the result, that has this layout. */
static bool
explain_is_first(const struct explained *it, size_t index)
{
    size_t until =
        index == FRT_RESULT ? frt_descriptor_count(it->descriptor) : index;

    for (size_t i = 0; i < until; i++)
        if (explained_layout(it, i) == explained_layout(it, index))
            return false;
    return true;
}

static void
explain_types(const struct explained *it)
{
    size_t count = frt_descriptor_count(it->descriptor);

    for (size_t i = 0; i <= count; i++) {
        size_t index = i == count ? FRT_RESULT : i;

        if (!frti_picture_is_worth(explained_layout(it, index)) ||
            !explain_is_first(it, index))
            continue;
        printf("\n");
        frti_picture_print(explained_layout(it, index));
    }
}

static void
explain_text(const struct explained *it)
{
    const char *name = frt_prototype_name(it->prototype);
    size_t capacity = frt_descriptor_print(NULL, 0, it->descriptor, name) + 1;
    char *text = malloc(capacity);

    if (text != NULL) {
        frt_descriptor_print(text, capacity, it->descriptor, name);
        printf("%s\n", text);
    }
    free(text);
    printf("%s\n", frt_plan_convention(it->plan));
    explain_types(it);
    printf("\n");
    for (size_t i = 0; i < frt_descriptor_count(it->descriptor); i++)
        explain_value(it, i);
    explain_value(it, FRT_RESULT);
    printf("  stack        %zu bytes, aligned to %zu\n",
           frt_plan_stack_size(it->plan), frt_plan_stack_alignment(it->plan));
}

/* -------------------------------------------------------------- JSON --- */

static void
explain_json_piece(const frt_piece *piece)
{
    static const char *const extends[] = {"none", "zero", "sign", "double"};

    printf("{\"offset\": %zu, \"size\": %zu, ", piece->offset, piece->size);
    if (piece->name != NULL)
        printf("\"register\": \"%s\"", piece->name);
    else
        printf("\"stack\": %zu", piece->place);
    printf(", \"extend\": \"%s\"}", extends[piece->extend]);
}

static void
explain_json_value(const struct explained *it, size_t index)
{
    static const char *const ways[] = {"none", "value", "reference"};

    printf("{\"name\": ");
    if (explained_name(it, index)[0] == '\0')
        printf("null");
    else
        printf("\"%s\"", explained_name(it, index));
    printf(", \"layout\": ");
    frti_picture_print_json(explained_layout(it, index));
    printf(", \"way\": \"%s\", \"pieces\": [",
           ways[frt_plan_way(it->plan, index)]);
    for (size_t i = 0; i < frt_plan_count(it->plan, index); i++) {
        frt_piece piece;

        if (frt_plan_piece(&piece, it->plan, index, i) != FRT_OK)
            break;
        printf(i == 0 ? "" : ", ");
        explain_json_piece(&piece);
    }
    printf("]}");
}

static void
explain_json(const struct explained *it)
{
    printf("{\"name\": \"%s\", \"target\": \"%s\", \"convention\": \"%s\",\n",
           frt_prototype_name(it->prototype), frt_model_name(it->look->model),
           frt_plan_convention(it->plan));
    printf(" \"variadic\": %s, \"arguments\": [",
           frt_descriptor_is_variadic(it->descriptor) ? "true" : "false");
    for (size_t i = 0; i < frt_descriptor_count(it->descriptor); i++) {
        printf(i == 0 ? "\n  " : ",\n  ");
        explain_json_value(it, i);
    }
    printf("],\n \"result\": ");
    explain_json_value(it, FRT_RESULT);
    printf(",\n \"stack\": {\"size\": %zu, \"alignment\": %zu}}\n",
           frt_plan_stack_size(it->plan), frt_plan_stack_alignment(it->plan));
}

/* ----------------------------------------------------------- command --- */

static bool
explain_check(frt_status status)
{
    if (status != FRT_OK)
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
    return status == FRT_OK;
}

/* Adds the layouts of `...` to the descriptor, one by one. */
static bool
explain_extend(struct explained *it, const frt_parse_options *options,
               int count, char **types)
{
    if (count > 0 && !frt_descriptor_is_variadic(it->descriptor)) {
        fprintf(stderr, "ffi-rt: %s has no '...' for '%.80s' to stand in\n",
                frt_prototype_name(it->prototype), types[0]);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const frt_descriptor *longer;
        const frt_layout *layout;
        frt_status status = frt_layout_parse(&layout, types[i], options);

        if (!explain_check(status))
            return false;
        status = frt_descriptor_extend(&longer, it->descriptor, &layout, 1);
        frt_layout_drop(layout);
        if (!explain_check(status))
            return false;
        frt_descriptor_drop(it->descriptor);
        it->descriptor = longer;
    }
    return true;
}

static bool
explain_prepare(struct explained *it, int count, char **operands)
{
    frt_parse_options options = {.size = sizeof options,
                                 .model = it->look->model,
                                 .decls = it->look->decls};

    if (options.decls != NULL && strchr(operands[0], '(') == NULL) {
        if (!explain_check(
                frt_decls_function(&it->prototype, options.decls, operands[0])))
            return false;
    } else if (!explain_check(
                   frt_prototype_parse(&it->parsed, operands[0], &options))) {
        return false;
    }
    if (it->parsed != NULL)
        it->prototype = it->parsed;
    it->descriptor =
        frt_descriptor_keep(frt_prototype_descriptor(it->prototype));
    return explain_extend(it, &options, count - 1, operands + 1) &&
           explain_check(frt_plan_new(&it->plan, it->descriptor));
}

static int
explain_show(const struct frti_look *look, int count, char **operands)
{
    struct explained it = {.look = look};
    bool is_prepared = explain_prepare(&it, count, operands);

    if (is_prepared && look->is_json)
        explain_json(&it);
    else if (is_prepared)
        explain_text(&it);
    frt_plan_free(it.plan);
    frt_descriptor_drop(it.descriptor);
    frt_prototype_free(it.parsed);
    return is_prepared ? FRTI_EXIT_DONE : FRTI_EXIT_FAILED;
}

int
frti_explain_main(int count, char **arguments)
{
    struct frti_look look;
    int status = FRTI_EXIT_DONE;

    if (!frti_look_read(&look, &status, "explain", count, arguments))
        return status;
    if (look.is_help)
        printf("%s", explain_usage);
    else
        status =
            explain_show(&look, count - look.first, arguments + look.first);
    frti_look_end(&look);
    return status == FRTI_EXIT_DONE ? frti_finish_output() : status;
}
