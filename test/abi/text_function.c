/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The functions that are called, and that call them. */
#include "test/abi/text.h"

static void
text_result_name(const struct text *text)
{
    if (text->signature->result == NULL)
        fputs("void", text->file);
    else
        text_name(text, text->signature->result);
}

static void
text_parameters(const struct text *text, bool has_names)
{
    const struct signature *signature = text->signature;

    fputs("(", text->file);
    for (size_t i = 0; i < signature->fixed; i++) {
        fputs(i == 0 ? "" : ", ", text->file);
        text_name(text, signature->parameters[i]);
        if (has_names)
            fprintf(text->file, " a%zu", i);
    }
    fputs(signature->is_variadic  ? ", ...)"
          : signature->count == 0 ? "void)"
                                  : ")",
          text->file);
}

void
text_prototype(FILE *file, const struct signature *signature)
{
    const struct text text = {.file = file, .signature = signature};

    text_result_name(&text);
    fprintf(file, " f%u", signature->number);
    text_parameters(&text, true);
    if (!signature->is_variadic || signature->fixed == signature->count)
        return;
    fputs(" with", file);
    for (size_t i = signature->fixed; i < signature->count; i++) {
        fputs(i == signature->fixed ? " " : ", ", file);
        text_name(&text, signature->parameters[i]);
    }
}

/* What an argument in `...` has become: ISO C11, section 6.5.2.2. */
static void
text_promoted_name(const struct text *text, const struct shape *shape)
{
    frt_kind kind =
        shape->kind == FRT_KIND_ENUM ? shape->element->kind : shape->kind;

    if (kind >= FRT_KIND_BOOL && kind <= FRT_KIND_USHORT)
        fputs("int", text->file);
    else if (kind == FRT_KIND_FLOAT)
        fputs("double", text->file);
    else
        text_name(text, shape);
}

static void
text_variadic(const struct text *text)
{
    const struct signature *signature = text->signature;

    if (!signature->is_variadic)
        return;
    fprintf(text->file, "    va_list list;\n    va_start(list, a%zu);\n",
            signature->fixed - 1);
    for (size_t i = signature->fixed; i < signature->count; i++) {
        fputs("    ", text->file);
        text_promoted_name(text, signature->parameters[i]);
        fprintf(text->file, " a%zu = va_arg(list, ", i);
        text_promoted_name(text, signature->parameters[i]);
        fputs(");\n", text->file);
    }
    fputs("    va_end(list);\n", text->file);
}

void
text_callee(FILE *file, const struct signature *signature)
{
    const struct text text = {.file = file, .signature = signature};
    uint32_t leaf = 0;
    char name[24];

    text_result_name(&text);
    fprintf(file, "\nf%u", signature->number);
    text_parameters(&text, true);
    fprintf(file, "\n{\n    ENTER(%u, %u);\n", signature->number,
            signature->frame_alignment);
    text_variadic(&text);
    for (size_t i = 0; i < signature->count; i++) {
        sprintf(name, "a%zu", i);
        text_leaves(&text, DEED_CHECK, signature->parameters[i], name, &leaf);
    }
    for (size_t i = 0; signature->is_scribbling && i < signature->count; i++)
        fprintf(file, "    scribble(&a%zu, sizeof a%zu);\n", i, i);
    if (signature->result != NULL) {
        fputs("    ", file);
        text_name(&text, signature->result);
        fputs(" r;\n", file);
        text_leaves(&text, DEED_SET, signature->result, "r", &leaf);
        fputs("    return r;\n", file);
    }
    fputs("}\n\n", file);
}

static void
text_control_arguments(const struct text *text, uint32_t *leaf)
{
    const struct signature *signature = text->signature;
    char name[24];

    for (size_t i = 0; i < signature->count; i++) {
        fputs("    ", text->file);
        text_name(text, signature->parameters[i]);
        fprintf(text->file, " a%zu;\n", i);
        sprintf(name, "a%zu", i);
        text_leaves(text, DEED_SET, signature->parameters[i], name, leaf);
    }
}

void
text_control(FILE *file, const struct signature *signature)
{
    const struct text text = {.file = file, .signature = signature};
    uint32_t leaf = 0;

    fprintf(file, "void\nc%u(void *target)\n{\n", signature->number);
    text_control_arguments(&text, &leaf);
    fputs("    ", file);
    if (signature->result != NULL) {
        text_name(&text, signature->result);
        fputs(" r = ", file);
    }
    fputs("((", file);
    text_result_name(&text);
    fputs(" (*)", file);
    text_parameters(&text, false);
    fputs(")target)(", file);
    for (size_t i = 0; i < signature->count; i++)
        fprintf(file, "%sa%zu", i == 0 ? "" : ", ", i);
    fputs(");\n", file);
    if (signature->result != NULL)
        text_leaves(&text, DEED_CHECK, signature->result, "r", &leaf);
    fputs("}\n\n", file);
}

/* ---------------------------------------------------- a leaf's number --- */

void
text_leaf(FILE *file, const struct signature *signature, uint32_t leaf)
{
    for (size_t i = 0; i < signature->count; i++) {
        uint32_t leaves = shape_leaves(signature->parameters[i]);

        if (leaf < leaves) {
            fprintf(file, "argument %zu (a%zu), its leaf %u", i + 1, i, leaf);
            return;
        }
        leaf -= leaves;
    }
    fprintf(file, "the result (r), its leaf %u", leaf);
}
