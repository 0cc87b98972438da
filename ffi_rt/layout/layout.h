/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Layouts from the inside, for the floors above: read the fields, change none.
 *
 * A layout is one block: the struct, then its members, then its texts. It is
 * interned by its contents, in which each part is compared by pointer, for
 * parts are interned before what is made of them. So the graph has no cycle: a
 * struct that points to itself does so through an incomplete one.
 *
 *   kind         element     count       also
 *   COMPLEX      part        2
 *   VECTOR       element     elements
 *   ENUM         underlying
 *   POINTER      pointee     -           is_const; element NULL: void
 *   SEGMENT      pointee     least       asked_size, asked_alignment
 *   ARRAY        element     elements    FRT_FLEXIBLE: incomplete
 *   STRUCT       -           members     members, tag, the has_ flags
 *   UNION        -           members     the same, all at offset 0
 *   BIT_FIELD    base        width       size and alignment are the base's
 *   PADDING      -           -           model NULL: fits into any
 *   FUNCTION     -           -           descriptor; no size
 *
 * frt_layout_align_to gives a copy with another alignment, whose `plain` is the
 * layout that it was made of; `natural_alignment` stays. Whoever classifies
 * reads `kind`, `size` and the parts, and finds no difference otherwise.
 *
 * Parts nest at most FRTI_LAYOUT_DEPTH deep, so walking them may recurse.
 */
#ifndef FRTI_LAYOUT_LAYOUT_H
#define FRTI_LAYOUT_LAYOUT_H

#include "ffi_rt/base/pool.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/ffi_rt.h"

/* A C compiler need only take 63 levels of structs; clang takes 256. */
#define FRTI_LAYOUT_DEPTH 256

/* The largest alignment that an ELF file can give: gcc's limit. */
#define FRTI_ALIGNMENT_LIMIT ((size_t)1 << 28)

struct frt_layout {
    struct frti_shared shared;
    const frt_model *model;
    frt_kind kind;
    unsigned short depth; /* 0: it has no parts */
    bool is_counted;      /* false: a value layout, in static storage */
    bool is_complete;
    bool is_signed;
    bool is_const; /* a pointer's pointee is */

    /* structs and unions */
    bool is_packed;     /* as declared */
    bool has_flexible;  /* a flexible array in it, however deep */
    bool has_unaligned; /* false: each scalar within has its natural alignment.
                           true: some may not, look at absolute offsets */
    bool has_foreign_padding; /* holes that a C compiler would not have left */
    bool has_bit_fields;      /* members of its own */

    size_t size;
    size_t alignment;
    size_t natural_alignment; /* without `aligned` on the type itself */
    size_t strict_alignment;  /* the largest that a scalar within asks for by
                                 its type, packed or not */

    const frt_layout *element;
    size_t count;
    const frt_place *members; /* where they are, in order of declaration */
    size_t name_count;        /* member names, with those that are lent */
    const frt_descriptor *descriptor;
    const frt_layout *plain; /* NULL: not made by frt_layout_align_to */
    const char *tag;
    size_t declared_alignment; /* aligned(n) after the brace, or 0 */
    size_t declared_pack;      /* #pragma pack(n), or 0 */

    /* of a segment that is not empty; count over 0: it may not be */
    size_t asked_size;      /* it must hold that much; 0: anything will do */
    size_t asked_alignment; /* its address has it; 1: any will do */

    size_t bytes; /* of this block */
};

/* A model, that is its value layouts, and the rest of its rule book. */
struct frt_model {
    const char *name;
    /* An unnamed bit-field raises its struct's alignment, too. */
    bool unnamed_bit_fields_align;
    /* A vector is aligned to its size, but not beyond this. */
    size_t vector_alignment;
    struct frt_layout values[FRT_KIND_FLOAT128 + 1]; /* model NULL: lacking */
    struct frt_layout raw;                           /* void * */
    struct frt_layout segment;                       /* void *, as a segment */
};

/* The build chooses the file: native_CPU.c. */
extern const frt_model *const frti_native_model;

/* All that are counted. */
extern struct frti_pool frti_layouts;

/* The layout that `like`, in the caller's storage, describes: found, or made
 * as a copy with references of its own to the parts. `like` has no members. */
frt_status frti_layout_intern(const frt_layout **out, frt_layout *like);

/* Room for a struct or union with `count` members and texts of `text_size`
 * bytes in all; zeroed but for `members`, `count` and `bytes`. NULL: none. */
frt_layout *frti_layout_new(size_t count, size_t text_size);
/* Takes it over, its parts already kept; NULL in *out on failure. */
frt_status frti_layout_intern_new(const frt_layout **out, frt_layout *fresh);

/* All fields but what is the pool's, which other threads may write. */
void frti_layout_copy_fields(frt_layout *to, const frt_layout *from);

/* frt_layout_incomplete in a model. */
frt_status frti_layout_incomplete_in(const frt_layout **out, frt_kind kind,
                                     const char *tag, const frt_model *model);

/* A layout's text for a sentence, cut where it is long. */
struct frti_layout_text {
    char text[96];
};
const char *frti_layout_text(struct frti_layout_text *out,
                             const frt_layout *layout);

/* Whether it is a name in C: of a member, a tag. */
bool frti_is_name(const char *text);

/* For *depth of what is made of it.   -> BAD_LAYOUT (nested too deeply) */
frt_status frti_layout_deepen(unsigned short *depth, size_t part_depth);

/* The member's place by its name, those lent by unnamed ones included; false:
 * none. */
bool frti_layout_member_named(frt_place *out, const frt_layout *layout,
                              const char *name, size_t name_length);

#endif
