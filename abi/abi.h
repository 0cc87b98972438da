/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The contract of a convention and of a backend.
 *
 * A convention is a row of the table in target.c and a folder with the verbs
 * classify (what a layout is to the convention), arrange (a descriptor into a
 * plan) and emit (a plan into a stub). A backend prepares a call from a
 * descriptor and runs it.
 */
#ifndef FRTI_ABI_ABI_H
#define FRTI_ABI_ABI_H

#include "abi/emitter.h"
#include "abi/plan.h"
#include "ffi_rt/ffi_rt.h"

struct frti_convention {
    const char *model; /* of the layouts that it arranges */
    const char *name;  /* for people */
    /* Fills the result and the arguments of `plan`, whose convention,
     * descriptor and count are set.   -> UNSUPPORTED, OVERFLOW */
    frt_status (*arrange)(struct frti_plan *plan);
    /* A stub of a verified plan, for the CPU that has this convention. */
    void (*emit)(struct frti_emitter *emitter, const struct frti_plan *plan);
    /* What a layout is to the convention, in its words; as snprintf. */
    size_t (*describe)(char *buffer, size_t capacity, const frt_layout *layout);
    const char *const *gpr_names; /* arguments, then the result pointer's */
    const char *const *fpr_names;
    const char *const *fpr_wide_names; /* with over 16 bytes; NULL: never */
    const char *const *gpr_results;
    unsigned gpr_count; /* that can carry arguments */
    unsigned fpr_count;
    unsigned gpr_result_count;
    unsigned fpr_result_count;
    int result_pointer_gpr;  /* the hidden result pointer's register */
    bool even_pairs;         /* 16-aligned values start at an even register */
    bool declared_alignment; /* aligned(n) on a whole struct counts, too */
    bool tight_stack;        /* arguments take their own size on the stack */
    bool variadic_on_stack;  /* and what stands in `...` takes the stack */
};

/* The verbs of each convention, for its row. */
frt_status frti_x86_64_arrange(struct frti_plan *plan);
frt_status frti_aarch64_arrange(struct frti_plan *plan);
void frti_x86_64_emit(struct frti_emitter *emitter,
                      const struct frti_plan *plan);
void frti_aarch64_emit(struct frti_emitter *emitter,
                       const struct frti_plan *plan);
size_t frti_x86_64_describe(char *buffer, size_t capacity,
                            const frt_layout *layout);
size_t frti_aarch64_describe(char *buffer, size_t capacity,
                             const frt_layout *layout);

/* The row for a model; NULL: none. */
const struct frti_convention *frti_convention_of(const frt_model *model);

/* What a backend made of a descriptor. */
struct frti_call;

struct frti_backend {
    const char *name;
    /*   -> NO_MEMORY, UNSUPPORTED, NO_CODE_MEMORY */
    frt_status (*prepare)(struct frti_call **out,
                          const frt_descriptor *descriptor);
    void (*discard)(struct frti_call *call);
    /* Bytes of 16-aligned memory that a run needs. */
    size_t (*scratch)(const struct frti_call *call);
    /* Calls. A segment argument's or result's first word is its address.
     * Nothing between the native function's return and this one's changes
     * errno. */
    void (*run)(const struct frti_call *call, void *target, void *result,
                void *const *arguments, void *scratch);
    /* What can be called as a frt_entry without further ado; NULL: nothing. */
    frt_entry *(*entry)(const struct frti_call *call);
};

extern const struct frti_backend frti_backend_libffi;
extern const struct frti_backend frti_backend_stub;

#endif
