/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite link: a descriptor, made ready for calls, and dropped again.
 *
 *   seen_FAMILY   somebody else has it linked already
 *   new_FAMILY    nobody has: it is classified, arranged, and given its code
 *   text_FAMILY   the same from the text of its declaration
 *
 * A family is 32 signatures of five parameters more or less; those of `new` and
 * `text` come in turn, and each is dropped when its turn comes again. So code
 * is given out and taken back as in a program that goes on and on.
 *
 * ffi_prep_cif is what libffi does for the first of a family; of a struct, the
 * second time.
 */
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/call_libffi.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

enum link_system { LINK_PREPARE, LINK_STUB, LINK_LIBFFI, LINK_SYSTEMS };

/* What is new to one thread would be seen by the others. */
static const struct bench_system link_systems[LINK_SYSTEMS] = {
    [LINK_PREPARE] = {.name = "ffi_prep_cif", .over = "ffi_prep_cif"},
    [LINK_STUB] = {.name = "stub", .over = "ffi_prep_cif", .is_owned = true},
    [LINK_LIBFFI] = {.name = "libffi",
                     .over = "ffi_prep_cif",
                     .is_owned = true},
};

enum link_what { LINK_SEEN, LINK_NEW, LINK_TEXT };

#define LINK_POINT "struct { double x; double y; }"

/* Before each of its integers, which is an int or a long. */
static const struct link_family {
    const char *result;
    const char *first;
    const char *before;
} link_integers = {"int", "", ""},
  link_points = {LINK_POINT, LINK_POINT ", ", ""},
  link_mixed = {"double", "", "double, "};

static const struct link_case {
    const char *name;
    enum link_what what;
    const struct link_family *family;
} link_cases[] = {
    {"seen_integers", LINK_SEEN, &link_integers},
    {"seen_points", LINK_SEEN, &link_points},
    {"seen_mixed", LINK_SEEN, &link_mixed},
    {"new_integers", LINK_NEW, &link_integers},
    {"new_points", LINK_NEW, &link_points},
    {"new_mixed", LINK_NEW, &link_mixed},
    {"text_integers", LINK_TEXT, &link_integers},
    {"text_points", LINK_TEXT, &link_points},
    {"text_mixed", LINK_TEXT, &link_mixed},
};

#define LINK_CASES (sizeof link_cases / sizeof link_cases[0])
#define LINK_PARAMETERS 5
#define LINK_MEMBERS ((size_t)1 << LINK_PARAMETERS)
#define LINK_TEXT_BYTES 256

struct linking {
    frt_link_options options;
    char texts[LINK_MEMBERS][LINK_TEXT_BYTES];
    const frt_descriptor *descriptors[LINK_MEMBERS]; /* NULL: of the texts */
    const frt_downcall *seen[LINK_MEMBERS];          /* NULL: nobody has it */
    struct call_libffi libffi;
};

/* The member at `index` of a family: its bits choose the integers. */
static void
link_write(char *out, const struct link_family *family, size_t index)
{
    size_t used = (size_t)snprintf(out, LINK_TEXT_BYTES, "%s f(%s",
                                   family->result, family->first);

    for (size_t i = 0; i < LINK_PARAMETERS; i++)
        used += (size_t)snprintf(out + used, LINK_TEXT_BYTES - used, "%s%s%s",
                                 family->before,
                                 (index >> i & 1) != 0 ? "long" : "int",
                                 i + 1 < LINK_PARAMETERS ? ", " : ")");
}

static frt_status
link_parse(const frt_descriptor **out, const char *declaration)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .raw_pointers = true};

    return frt_descriptor_parse(out, declaration, &options);
}

static void
loop_seen(void *context, uint64_t count)
{
    const struct linking *linking = context;

    while (count-- > 0) {
        const frt_downcall *downcall;

        if (frt_downcall_link(&downcall,
                              linking->descriptors[count % LINK_MEMBERS],
                              &linking->options) != FRT_OK)
            bench_failed();
        frt_downcall_drop(downcall);
    }
}

/* The downcalls that are alive. */
static void
ring_drop(const frt_downcall *const *ring)
{
    for (size_t i = 0; i < LINK_MEMBERS; i++)
        frt_downcall_drop(ring[i]);
}

static void
loop_new(void *context, uint64_t count)
{
    const struct linking *linking = context;
    const frt_downcall *ring[LINK_MEMBERS] = {NULL};

    while (count-- > 0) {
        size_t i = count % LINK_MEMBERS;

        frt_downcall_drop(ring[i]);
        if (frt_downcall_link(&ring[i], linking->descriptors[i],
                              &linking->options) != FRT_OK)
            bench_failed();
    }
    ring_drop(ring);
}

static void
loop_text(void *context, uint64_t count)
{
    const struct linking *linking = context;
    const frt_downcall *ring[LINK_MEMBERS] = {NULL};

    while (count-- > 0) {
        size_t i = count % LINK_MEMBERS;
        const frt_descriptor *descriptor;

        frt_downcall_drop(ring[i]);
        if (link_parse(&descriptor, linking->texts[i]) != FRT_OK ||
            frt_downcall_link(&ring[i], descriptor, &linking->options) !=
                FRT_OK)
            bench_failed();
        frt_descriptor_drop(descriptor);
    }
    ring_drop(ring);
}

/* Each thread prepares its own. */
static void
loop_prepare(void *context, uint64_t count)
{
    const struct linking *linking = context;
    const ffi_cif *cif = &linking->libffi.cif;
    ffi_cif own;

    while (count-- > 0) {
        if (ffi_prep_cif(&own, cif->abi, cif->nargs, cif->rtype,
                         cif->arg_types) != FFI_OK)
            exit(EXIT_FAILURE); /* it was prepared before */
        bench_sink(&own);
    }
}

static const char *
link_case_name(size_t index)
{
    return index < LINK_CASES ? link_cases[index].name : NULL;
}

static frt_status
link_make_member(struct linking *linking, const struct link_case *what,
                 enum link_system system, size_t index)
{
    frt_status status;

    link_write(linking->texts[index], what->family, index);
    if (what->what == LINK_TEXT && system != LINK_PREPARE)
        return FRT_OK;
    status = link_parse(&linking->descriptors[index], linking->texts[index]);
    if (status == FRT_OK && what->what == LINK_SEEN && system != LINK_PREPARE)
        status =
            frt_downcall_link(&linking->seen[index],
                              linking->descriptors[index], &linking->options);
    return status;
}

static const char *
link_make(struct linking *linking, const struct link_case *what,
          enum link_system system)
{
    for (size_t i = 0; i < LINK_MEMBERS; i++)
        if (link_make_member(linking, what, system, i) != FRT_OK)
            return frt_last_detail();
    if (system == LINK_PREPARE &&
        !call_libffi_prepare(&linking->libffi, linking->descriptors[0]))
        return "libffi does not prepare it";
    return NULL;
}

static void
link_close(struct bench_contestant *contestant, size_t system_index)
{
    struct linking *linking = contestant->context;

    (void)system_index;
    ring_drop(linking->seen);
    for (size_t i = 0; i < LINK_MEMBERS; i++)
        frt_descriptor_drop(linking->descriptors[i]);
    free(linking);
}

static const char *
link_open(struct bench_contestant *out, size_t case_index, size_t system_index)
{
    static bench_loop *const loops[] = {[LINK_SEEN] = loop_seen,
                                        [LINK_NEW] = loop_new,
                                        [LINK_TEXT] = loop_text};
    const struct link_case *what = &link_cases[case_index];
    struct linking *linking = calloc(1, sizeof *linking);
    const char *why;

    if (linking == NULL)
        return "out of memory";
    linking->options = (frt_link_options){.size = sizeof linking->options,
                                          .backend = system_index == LINK_STUB
                                                         ? FRT_BACKEND_STUB
                                                         : FRT_BACKEND_LIBFFI};
    *out = (struct bench_contestant){
        link_systems[system_index].name,
        system_index == LINK_PREPARE ? loop_prepare : loops[what->what],
        linking};
    why = link_make(linking, what, (enum link_system)system_index);
    if (why != NULL)
        link_close(out, system_index);
    return why;
}

const struct bench_suite bench_suite_link = {
    .name = "link",
    .case_name = link_case_name,
    .systems = link_systems,
    .system_count = LINK_SYSTEMS,
    .open = link_open,
    .close = link_close,
};
