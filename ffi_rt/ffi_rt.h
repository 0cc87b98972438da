/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * ffi_rt - native functions, called by descriptor.
 *
 * The words of this library, each used for one thing:
 *   layout      what a C type is in memory: kind, size, alignment, members
 *   descriptor  a function's type: result, parameters, first variadic one
 *   arena       what users open to own memory; closing it frees all of it
 *   session     the life of an arena; memory is usable while it is open
 *   segment     bounded memory: address, size, and the session it lives by
 *   ticket      the receipt of an acquire, which keeps a session open
 *   frame       memory on the thread's buffer stack: pushed, then popped
 *   library     an opened shared object; it lives in an arena
 *   downcall    a descriptor linked once, ready to call into native code
 *   function    a downcall bound to a symbol; it holds its library
 *   upcall      a function pointer for native code, which calls back with it
 *   restricted  misuse of a function so marked can corrupt memory
 *
 * Rules that hold for every function unless its comment says otherwise:
 *   - It may be called from any thread. [owner]: only by the thread that
 *     opened the confined arena; others get FRT_WRONG_THREAD.
 *   - What can fail returns a frt_status. Outputs come first and are written
 *     on FRT_OK alone. A failure changes nothing, and frt_last_detail() has
 *     a sentence that names the thing and the reason.
 *   - Sizes, offsets and alignments are in bytes, alignments powers of two.
 *   - Texts are UTF-8, end with NUL, and are copied if they are kept.
 *   - Options structs begin with `size = sizeof(the struct)`; a shorter one
 *     of an earlier version works. NULL means all defaults.
 *   - NULL where a pointer is needed is FRT_BAD_ARGUMENT. What returns no
 *     status has no way to say so: an accessor wants its object; keep, drop,
 *     free and the printers take NULL for nothing.
 *   - "-> A, B" after a comment lists every status beside FRT_OK and
 *     FRT_BAD_ARGUMENT.
 *   - Not for signal handlers, except where marked [signal].
 *
 * Verbs: open/close (a life that can refuse to end), new/free (one owner),
 * keep/drop (shared, counted), acquire/release (hold a session), push/pop
 * (buffer stack), find (may answer FRT_NOT_FOUND), get/put (typed access),
 * of_* (a view, nothing allocated), is_* and bare nouns (accessors).
 */
#ifndef FFI_RT_FFI_RT_H
#define FFI_RT_FFI_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRT_VERSION_MAJOR 0
#define FRT_VERSION_MINOR 1
#define FRT_VERSION_PATCH 0

#define FRT_API __attribute__((visibility("default")))
#define FRT_MUST_USE __attribute__((warn_unused_result))

/* The library's version as major * 10000 + minor * 100 + patch. [signal] */
FRT_API unsigned frt_version_number(void);

/* Version, backends, allocator and session mode, one `name: value` a line.
 * The text lives as long as the process. */
FRT_API const char *frt_version_text(void);

/* ------------------------------------------------------------ status --- */

/* Name, number, text. Numbers are never reused; new ones go at the end. */
#define FRT_STATUS_TABLE(X)                                                    \
    X(OK, 0, "no error")                                                       \
    X(ALREADY_CLOSED, 1, "it was closed before")                               \
    X(BAD_ALIGNMENT, 2, "the address or alignment does not fit")               \
    X(BAD_ARGUMENT, 3, "an argument of the call is not valid")                 \
    X(BAD_DECLARATION, 4, "the C declaration is not well formed")              \
    X(BAD_LAYOUT, 5, "the layout or descriptor is not well formed")            \
    X(CLOSED, 6, "it is closed, and what lived in it is gone")                 \
    X(CRASHED, 7, "the native function crashed")                               \
    X(NO_CODE_MEMORY, 8, "the system refuses executable memory")               \
    X(NO_MEMORY, 9, "out of memory")                                           \
    X(NOT_FOUND, 10, "no such thing by that name")                             \
    X(OUT_OF_BOUNDS, 11, "the access ends outside the memory")                 \
    X(OUT_OF_ORDER, 12, "frames are popped last in, first out")                \
    X(OVERFLOW, 13, "the value does not fit")                                  \
    X(READ_ONLY, 14, "the memory may not be written")                          \
    X(STILL_HELD, 15, "somebody still uses it")                                \
    X(TOO_MANY_HOLDS, 16, "the session is held too often")                     \
    X(UNSUPPORTED, 17, "this cannot be done here")                             \
    X(UPCALL_FAILED, 18, "a handler called from native code failed")           \
    X(WRONG_THREAD, 19, "only the thread that opened it may use it")

typedef enum frt_status {
#define FRTI_STATUS(name, number, text) FRT_##name = (number),
    FRT_STATUS_TABLE(FRTI_STATUS)
#undef FRTI_STATUS
} frt_status;

/* Two that a call's own function gives: UPCALL_FAILED, when a handler that it
 * called back failed; CRASHED, where a host runs calls in a child process, as
 * the command ffi-rt does. */

/* "FRT_NOT_FOUND", and the general text of a status; never NULL. [signal] */
FRT_API const char *frt_status_name(frt_status status);
FRT_API const char *frt_status_text(frt_status status);

/* The sentence of this thread's last failure, "" before the first. Valid
 * until the next failure on this thread. */
FRT_API const char *frt_last_detail(void);

/* ------------------------------------------------------------- model --- */

typedef struct frt_model frt_model;
typedef struct frt_layout frt_layout;
typedef struct frt_descriptor frt_descriptor;

/* A model is what layouts need to know of a target: the sizes, alignments
 * and bit-field rule of its C compiler. Models live as long as the process.
 * The native one is the default wherever a model may be given. */
FRT_API const frt_model *frt_model_native(void);

/* By name: "x86_64", "aarch64", "aarch64-apple".   -> NOT_FOUND */
FRT_API FRT_MUST_USE frt_status frt_model_find(const frt_model **out,
                                               const char *name);
FRT_API const char *frt_model_name(const frt_model *model);

/* ------------------------------------------------------------ layout --- */

/* Layouts are immutable, shared between threads, and interned: two are the
 * same type if and only if they are the same pointer. Each constructor gives
 * the caller one reference; frt_layout_drop gives it back. A layout keeps
 * what it is made of, up to 256 levels deep (BAD_LAYOUT beyond). The value
 * layouts below are not counted. Tags and member names are C names. */

typedef enum frt_kind {
    FRT_KIND_VOID,
    FRT_KIND_BOOL,
    FRT_KIND_CHAR, /* plain char: its sign is the model's */
    FRT_KIND_SCHAR,
    FRT_KIND_UCHAR,
    FRT_KIND_SHORT,
    FRT_KIND_USHORT,
    FRT_KIND_INT,
    FRT_KIND_UINT,
    FRT_KIND_LONG,
    FRT_KIND_ULONG,
    FRT_KIND_LLONG,
    FRT_KIND_ULLONG,
    FRT_KIND_INT128,
    FRT_KIND_UINT128,
    FRT_KIND_FLOAT16,
    FRT_KIND_FLOAT,
    FRT_KIND_DOUBLE,
    FRT_KIND_LONG_DOUBLE,
    FRT_KIND_FLOAT128, /* up to here: value layouts */
    FRT_KIND_COMPLEX,
    FRT_KIND_VECTOR,
    FRT_KIND_ENUM,
    FRT_KIND_POINTER,   /* its argument is a raw pointer */
    FRT_KIND_SEGMENT,   /* a pointer whose argument is a frt_segment */
    FRT_KIND_ARRAY,     /* count elements, or flexible: incomplete */
    FRT_KIND_STRUCT,    /* complete or incomplete */
    FRT_KIND_UNION,     /* complete or incomplete */
    FRT_KIND_BIT_FIELD, /* as a member only */
    FRT_KIND_PADDING,   /* as a member only */
    FRT_KIND_FUNCTION   /* as a pointee only */
} frt_kind;

/* The value layout of a kind up to FRT_KIND_FLOAT128 in a model (NULL: the
 * native one); NULL for other kinds and where the model lacks the type.
 * [signal] */
FRT_API const frt_layout *frt_layout_value(frt_kind kind,
                                           const frt_model *model);

/* The native value layouts. As in C, a fixed-width name is an alias. */
#define FRT_VOID frt_layout_value(FRT_KIND_VOID, NULL)
#define FRT_BOOL frt_layout_value(FRT_KIND_BOOL, NULL)
#define FRT_CHAR frt_layout_value(FRT_KIND_CHAR, NULL)
#define FRT_SCHAR frt_layout_value(FRT_KIND_SCHAR, NULL)
#define FRT_UCHAR frt_layout_value(FRT_KIND_UCHAR, NULL)
#define FRT_SHORT frt_layout_value(FRT_KIND_SHORT, NULL)
#define FRT_USHORT frt_layout_value(FRT_KIND_USHORT, NULL)
#define FRT_INT frt_layout_value(FRT_KIND_INT, NULL)
#define FRT_UINT frt_layout_value(FRT_KIND_UINT, NULL)
#define FRT_LONG frt_layout_value(FRT_KIND_LONG, NULL)
#define FRT_ULONG frt_layout_value(FRT_KIND_ULONG, NULL)
#define FRT_LLONG frt_layout_value(FRT_KIND_LLONG, NULL)
#define FRT_ULLONG frt_layout_value(FRT_KIND_ULLONG, NULL)
#define FRT_I8 FRT_SCHAR
#define FRT_U8 FRT_UCHAR
#define FRT_I16 FRT_SHORT
#define FRT_U16 FRT_USHORT
#define FRT_I32 FRT_INT
#define FRT_U32 FRT_UINT
#define FRT_I64 FRT_LONG
#define FRT_U64 FRT_ULONG
#define FRT_SIZE FRT_ULONG
#define FRT_I128 frt_layout_value(FRT_KIND_INT128, NULL)
#define FRT_U128 frt_layout_value(FRT_KIND_UINT128, NULL)
#define FRT_F16 frt_layout_value(FRT_KIND_FLOAT16, NULL)
#define FRT_F32 frt_layout_value(FRT_KIND_FLOAT, NULL)
#define FRT_F64 frt_layout_value(FRT_KIND_DOUBLE, NULL)
#define FRT_LONG_DOUBLE frt_layout_value(FRT_KIND_LONG_DOUBLE, NULL)
#define FRT_F128 frt_layout_value(FRT_KIND_FLOAT128, NULL)
/* `void *` raw, and `void *` as a segment; not counted either. */
#define FRT_POINTER frt_layout_address(FRT_KIND_POINTER, NULL)
#define FRT_SEGMENT frt_layout_address(FRT_KIND_SEGMENT, NULL)

/* `void *` as FRT_KIND_POINTER or FRT_KIND_SEGMENT in a model; NULL for other
 * kinds. Not counted. [signal] */
FRT_API const frt_layout *frt_layout_address(frt_kind kind,
                                             const frt_model *model);

/* One more reference, returned for convenience. */
FRT_API const frt_layout *frt_layout_keep(const frt_layout *layout);
/* Gives one reference back; NULL is allowed. */
FRT_API void frt_layout_drop(const frt_layout *layout);

/* A pointer to `pointee` (NULL: void), raw. `is_const`: the pointee is const.
 *   -> NO_MEMORY, BAD_LAYOUT (a bit-field or padding as pointee) */
FRT_API FRT_MUST_USE frt_status frt_layout_pointer(const frt_layout **out,
                                                   const frt_layout *pointee,
                                                   bool is_const);

/* A pointer that is given as a frt_segment: its session is held for the call.
 * An empty segment (size 0, NULL among them) passes; any other must hold at
 * least one pointee (nothing is asked of void, char, functions and incomplete
 * types) and be aligned for it. It must be writable unless `is_const`. With
 * `least` over 0, as `[static least]` in C, the segment may not be empty and
 * must hold that many.   -> NO_MEMORY, BAD_LAYOUT, OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_layout_segment(const frt_layout **out,
                                                   const frt_layout *pointee,
                                                   bool is_const, size_t least);

/* `count` elements. FRT_FLEXIBLE as count: an array of unknown length, to
 * stand last in a struct.
 *   -> NO_MEMORY, BAD_LAYOUT (an incomplete element, or one whose size is no
 *      multiple of its alignment), OVERFLOW */
#define FRT_FLEXIBLE SIZE_MAX
FRT_API FRT_MUST_USE frt_status frt_layout_array(const frt_layout **out,
                                                 const frt_layout *element,
                                                 size_t count);

/* `_Complex` of float, double, long double, _Float16 or _Float128.
 *   -> NO_MEMORY, BAD_LAYOUT */
FRT_API FRT_MUST_USE frt_status frt_layout_complex(const frt_layout **out,
                                                   const frt_layout *element);

/* A GNU vector: `count` integers or floats; a power of two of bytes in all. By
 * value, 32 bytes travel on x86-64 as the psABI says and callees compiled with
 * AVX do: by stubs alone, on a CPU that has it.
 *   -> NO_MEMORY, BAD_LAYOUT, OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_layout_vector(const frt_layout **out,
                                                  const frt_layout *element,
                                                  size_t count);

/* An enumeration stored as `underlying` (an integer layout); `tag` or NULL.
 *   -> NO_MEMORY, BAD_LAYOUT */
FRT_API FRT_MUST_USE frt_status frt_layout_enum(const frt_layout **out,
                                                const frt_layout *underlying,
                                                const char *tag);

/* A function type, to be pointed to.   -> NO_MEMORY */
FRT_API FRT_MUST_USE frt_status
frt_layout_function(const frt_layout **out, const frt_descriptor *descriptor);

/* The same layout with another alignment, as `aligned(n)` on a typedef or a
 * member (lower, too): the size stays. As a member of a packed struct it keeps
 * that alignment, as `aligned(n)` on the member does. On a bit-field, 1 means
 * packed.
 *   -> NO_MEMORY, BAD_ALIGNMENT, BAD_LAYOUT */
FRT_API FRT_MUST_USE frt_status frt_layout_align_to(const frt_layout **out,
                                                    const frt_layout *layout,
                                                    size_t alignment);

/* A bit-field of `width` bits in units of `base` (an integer, bool or enum).
 * Width 0 has no name and ends the unit.   -> NO_MEMORY, BAD_LAYOUT */
FRT_API FRT_MUST_USE frt_status frt_layout_bit_field(const frt_layout **out,
                                                     const frt_layout *base,
                                                     size_t width);

/* `bytes` of memory without a meaning, as a member. Such a struct can be used
 * in memory; it is passed by value only where a C compiler would have left
 * the same hole.   -> NO_MEMORY, OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_layout_padding(const frt_layout **out,
                                                   size_t bytes);

typedef struct frt_member {
    const char *name; /* NULL: no name; an unnamed struct or union lends its
                         own members' names, as in C11 */
    const frt_layout *layout;
} frt_member;

typedef struct frt_aggregate_options {
    size_t size;            /* sizeof(frt_aggregate_options) */
    const char *tag;        /* NULL: none */
    size_t alignment;       /* aligned(n) after the brace; 0: natural */
    size_t pack;            /* #pragma pack(n); 0: none */
    bool packed;            /* __attribute__((packed)) */
    const frt_model *model; /* NULL: the members', or the native one */
    const bool *is_const;   /* of each member; NULL: none is */
} frt_aggregate_options;

/* A struct or union, laid out as the model's C compiler does.
 *   -> NO_MEMORY, BAD_LAYOUT (an incomplete or void member, a flexible array
 *      that is alone or not last, two members of one name, members of two
 *      models), BAD_ALIGNMENT, OVERFLOW */
FRT_API FRT_MUST_USE frt_status
frt_layout_struct(const frt_layout **out, const frt_member *members,
                  size_t count, const frt_aggregate_options *options);
FRT_API FRT_MUST_USE frt_status
frt_layout_union(const frt_layout **out, const frt_member *members,
                 size_t count, const frt_aggregate_options *options);

/* `struct tag` or `union tag` of which only the name is known.
 *   -> NO_MEMORY, BAD_LAYOUT (another kind) */
FRT_API FRT_MUST_USE frt_status frt_layout_incomplete(const frt_layout **out,
                                                      frt_kind kind,
                                                      const char *tag);

/* Accessors. What a layout does not have is NULL, 0 or false. [signal] */
FRT_API frt_kind frt_layout_kind(const frt_layout *layout);
FRT_API size_t frt_layout_size(const frt_layout *layout);
FRT_API size_t frt_layout_alignment(const frt_layout *layout);
FRT_API bool frt_layout_is_complete(const frt_layout *layout);
FRT_API bool frt_layout_is_signed(const frt_layout *layout);
FRT_API bool frt_layout_is_integer(const frt_layout *layout); /* enum, bool */
FRT_API bool frt_layout_is_floating(const frt_layout *layout);
FRT_API const char *frt_layout_tag(const frt_layout *layout);
FRT_API const frt_model *frt_layout_model(const frt_layout *layout);
/* Pointee (NULL: void), element of an array, vector or complex, underlying
 * layout of an enum, base of a bit-field. The layout keeps it. */
FRT_API const frt_layout *frt_layout_element(const frt_layout *layout);
/* Elements of an array (FRT_FLEXIBLE: of unknown length) or vector, members of
 * a struct or union, width of a bit-field, the least number of pointees of a
 * segment. */
FRT_API size_t frt_layout_count(const frt_layout *layout);
/* A pointer's pointee is const. */
FRT_API bool frt_layout_is_const(const frt_layout *layout);
FRT_API const frt_descriptor *frt_layout_descriptor(const frt_layout *layout);

/* Where a member is. A bit-field starts `bit_offset` (0 to 7) bits after the
 * lowest bit of the byte at `offset`; bit_width 0: no bit-field, unless the
 * layout is one. The layout is kept by the one that was asked. */
typedef struct frt_place {
    const char *name; /* NULL: none */
    const frt_layout *layout;
    size_t offset;
    unsigned bit_offset;
    unsigned bit_width;
    bool is_const; /* it, or what it lies in, is declared const */
} frt_place;

/* The member at `index`, in order of declaration.   -> OUT_OF_BOUNDS */
FRT_API FRT_MUST_USE frt_status frt_layout_member(frt_place *out,
                                                  const frt_layout *layout,
                                                  size_t index);

/* By path: `pos.x`, `items[3].id`, `[2]`; "" is the layout itself.
 *   -> NOT_FOUND, OUT_OF_BOUNDS (index), BAD_ARGUMENT (syntax) */
FRT_API FRT_MUST_USE frt_status frt_layout_find(frt_place *out,
                                                const frt_layout *layout,
                                                const char *path);

/* C text of a layout: `struct point { double x; double y; }`. Writes up to
 * `capacity` bytes with the NUL; returns the length of the whole text. Behind a
 * pointer, a struct with a tag is `struct point`. #pragma pack is written as
 * attributes of the same effect. A text of over a MiB ends in "...". */
FRT_API size_t frt_layout_print(char *buffer, size_t capacity,
                                const frt_layout *layout);

/* -------------------------------------------------------- descriptor --- */

/* Immutable, interned and counted as layouts are. */

/* `result` NULL or FRT_VOID: none. Parameters that C turns into pointers
 * (arrays, functions) are refused: give the pointer.
 *   -> NO_MEMORY, BAD_LAYOUT (incomplete or void parameter, two models) */
FRT_API FRT_MUST_USE frt_status
frt_descriptor_of(const frt_descriptor **out, const frt_layout *result,
                  const frt_layout *const *parameters, size_t count);

/* The same for a function with `...`: parameters from index `fixed` on are
 * variadic. They are given in their own type; small integers and floats are
 * promoted by the call.   -> as frt_descriptor_of */
FRT_API FRT_MUST_USE frt_status frt_descriptor_of_variadic(
    const frt_descriptor **out, const frt_layout *result,
    const frt_layout *const *parameters, size_t count, size_t fixed);

/* A variadic descriptor with `count` more variadic parameters.
 *   -> NO_MEMORY, BAD_LAYOUT (also: not variadic) */
FRT_API FRT_MUST_USE frt_status frt_descriptor_extend(
    const frt_descriptor **out, const frt_descriptor *descriptor,
    const frt_layout *const *parameters, size_t count);

FRT_API const frt_descriptor *
frt_descriptor_keep(const frt_descriptor *descriptor);
FRT_API void frt_descriptor_drop(const frt_descriptor *descriptor);

/* Accessors; the descriptor keeps what they return. [signal] */
FRT_API const frt_layout *
frt_descriptor_result(const frt_descriptor *descriptor); /* FRT_VOID: none */
FRT_API size_t frt_descriptor_count(const frt_descriptor *descriptor);
FRT_API const frt_layout *
frt_descriptor_parameter(const frt_descriptor *descriptor, size_t index);
FRT_API bool frt_descriptor_is_variadic(const frt_descriptor *descriptor);
/* How many parameters stand before the `...`; all, without one. */
FRT_API size_t frt_descriptor_fixed(const frt_descriptor *descriptor);
FRT_API const frt_model *frt_descriptor_model(const frt_descriptor *descriptor);

/* C text of a descriptor: `int name(const char *, ...)`. As
 * frt_layout_print; `name` NULL: none. */
FRT_API size_t frt_descriptor_print(char *buffer, size_t capacity,
                                    const frt_descriptor *descriptor,
                                    const char *name);

/* ------------------------------------------------- C declarations ------ */

typedef struct frt_decls frt_decls;

typedef struct frt_parse_options {
    size_t size;            /* sizeof(frt_parse_options) */
    const frt_model *model; /* NULL: the native one, or that of `decls` */
    bool raw_pointers;      /* pointers of a prototype become FRT_POINTER
                               instead of FRT_SEGMENT */
    frt_decls *decls;       /* what it declares is known to the text, which
                               changes nothing in it; NULL: none */
} frt_parse_options;

/* The texts are C11 and C23 with GNU extensions, preprocessed. Declarations may
 * stand before what is asked for: `struct p { double x, y; }; struct p *`. The
 * types of <stdint.h>, <stddef.h> and <sys/types.h>, bool and FILE are known.
 * `()` is `(void)`, and an enum of which only the name is known an unsigned
 * int. `int [?]` is an array of a length to be told later: FRT_FLEXIBLE. A text
 * has at most 64 MiB and nests at most 200 levels deep. */

/* A type name: `struct { int a[3]; double b; }`, `unsigned long *`. A failure's
 * detail has line, column and a caret below the text, and the file, where the
 * text has line markers (`# 12 "file.h"`). The caller drops *out.
 *   -> NO_MEMORY, BAD_DECLARATION, BAD_LAYOUT, BAD_ALIGNMENT, OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_layout_parse(
    const frt_layout **out, const char *text, const frt_parse_options *options);

/* A prototype: `double pow(double x, double y)`, with a name or without.
 * Pointers to data become segments, `[static n]` their least; pointers to
 * functions, and those within other types, stay raw. The caller drops *out.
 *   -> as frt_layout_parse */
FRT_API FRT_MUST_USE frt_status
frt_descriptor_parse(const frt_descriptor **out, const char *text,
                     const frt_parse_options *options);

/* The same with the names that the text has, which must have the function's.
 * It has one owner. */
typedef struct frt_prototype frt_prototype;
FRT_API FRT_MUST_USE frt_status frt_prototype_parse(
    frt_prototype **out, const char *text, const frt_parse_options *options);
FRT_API void frt_prototype_free(frt_prototype *prototype);
/* The prototype keeps what these return. */
FRT_API const char *frt_prototype_name(const frt_prototype *prototype);
/* The name that it has in libraries: the one of an `asm("name")`, or its own.
 */
FRT_API const char *frt_prototype_symbol(const frt_prototype *prototype);
FRT_API const frt_descriptor *
frt_prototype_descriptor(const frt_prototype *prototype);
/* NULL: that parameter has no name. */
FRT_API const char *frt_prototype_parameter_name(const frt_prototype *prototype,
                                                 size_t index);

/* A set of declarations, to which texts are added in turn: what an earlier one
 * declares is known to the later ones. It has one owner, and keeps what its
 * lookups return. Each of these may run at the same time as any other. */

/* `options`: the model, and whether functions have raw pointers; `decls` is
 * NULL.   -> NO_MEMORY */
FRT_API FRT_MUST_USE frt_status frt_decls_new(frt_decls **out,
                                              const frt_parse_options *options);
/* Not while it is in use; NULL is allowed. */
FRT_API void frt_decls_free(frt_decls *decls);

/* All that the text declares, or nothing if it fails. A name may be declared
 * again in the same way; if it is in another, the detail names both places.
 * `origin` is what the detail calls the text, up to a line marker in it; NULL:
 * nothing.   -> as frt_layout_parse */
FRT_API FRT_MUST_USE frt_status frt_decls_add(frt_decls *decls,
                                              const char *text,
                                              const char *origin);

/* A constant, as `#define name expression` has it, where that is a string or
 * has an arithmetic or pointer type: `(1UL << 40)`, `"1.2" "-b"`, `2.5f`.
 *   -> as frt_layout_parse */
FRT_API FRT_MUST_USE frt_status frt_decls_define(frt_decls *decls,
                                                 const char *name,
                                                 const char *expression);

typedef enum frt_declared {
    FRT_DECLARED_TYPEDEF,
    FRT_DECLARED_STRUCT, /* a tag */
    FRT_DECLARED_UNION,  /* a tag */
    FRT_DECLARED_ENUM,   /* a tag */
    FRT_DECLARED_FUNCTION,
    FRT_DECLARED_VARIABLE,
    FRT_DECLARED_CONSTANT /* of an enum, defined, or `static const` with a
                             constant value */
} frt_declared;

typedef struct frt_declaration {
    frt_declared what;
    const char *name; /* of a tag: without the word before it */
    const char *file; /* where it is declared: the origin, or as a line marker
                         has it; "<text>": neither was given */
    size_t line;
    const frt_layout *layout;      /* NULL: a function, or a function's type */
    const frt_prototype *function; /* NULL: no function, or one that cannot be
                                      called: see frt_decls_function */
    const char *symbol;            /* of functions and variables */
    uint64_t bits;      /* of an enum's tag: 1, if its constants are known; of
                           a constant, by its layout: extended by the sign, */
    long double number; /* floating, */
    const char *string; /* or an array of char */
    const char *enumeration; /* of an enum's constant: the enum's tag; NULL:
                                it has none */
    bool is_const;  /* of a variable, or of the type that a typedef names; of an
                       array: its elements are */
    bool is_static; /* a function or variable that no library has */
} frt_declaration;

/* How many there are, and the one at `index`, in the order in which they were
 * first named.   -> OUT_OF_BOUNDS, NO_MEMORY */
FRT_API size_t frt_decls_count(frt_decls *decls);
FRT_API FRT_MUST_USE frt_status frt_decls_at(frt_declaration *out,
                                             frt_decls *decls, size_t index);

/* By name; a tag with its word: `struct point`.   -> NOT_FOUND, NO_MEMORY */
FRT_API FRT_MUST_USE frt_status frt_decls_find(frt_declaration *out,
                                               frt_decls *decls,
                                               const char *name);
/* The same, but it must be one of the kind. Any type's text, as `struct point
 * *[4]`, is for frt_layout_parse with the set in its options.
 *   -> NOT_FOUND, NO_MEMORY; UNSUPPORTED (a function's type, which has no
 *      layout; a function with a va_list or a type that is still incomplete) */
FRT_API FRT_MUST_USE frt_status frt_decls_type(const frt_layout **out,
                                               frt_decls *decls,
                                               const char *name);
FRT_API FRT_MUST_USE frt_status frt_decls_function(const frt_prototype **out,
                                                   frt_decls *decls,
                                                   const char *name);
FRT_API FRT_MUST_USE frt_status frt_decls_variable(frt_declaration *out,
                                                   frt_decls *decls,
                                                   const char *name);
FRT_API FRT_MUST_USE frt_status frt_decls_constant(frt_declaration *out,
                                                   frt_decls *decls,
                                                   const char *name);

/* -------------------------------------------------------------- plan --- */

/* How the calling convention of a descriptor's model passes its values: for any
 * model, on any host. A plan has one owner; what it returns lives as long. */
typedef struct frt_plan frt_plan;

/*   -> NO_MEMORY, UNSUPPORTED (a shape that cannot travel by value, a model
 *      without a convention), OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_plan_new(frt_plan **out,
                                             const frt_descriptor *descriptor);
FRT_API void frt_plan_free(frt_plan *plan);

/* "System V x86-64"; the outgoing stack area, in bytes. */
FRT_API const char *frt_plan_convention(const frt_plan *plan);
FRT_API size_t frt_plan_stack_size(const frt_plan *plan);
FRT_API size_t frt_plan_stack_alignment(const frt_plan *plan);

/* As an index: the result. */
#define FRT_RESULT SIZE_MAX

typedef enum frt_way {
    FRT_WAY_NONE,     /* void, or an empty aggregate: nothing travels */
    FRT_WAY_VALUE,    /* the value's own bytes */
    FRT_WAY_REFERENCE /* the address of a copy, or of the result's place */
} frt_way;

typedef enum frt_storage {
    FRT_STORAGE_GPR,
    FRT_STORAGE_FPR,
    FRT_STORAGE_X87,
    FRT_STORAGE_STACK
} frt_storage;

typedef enum frt_extend {
    FRT_EXTEND_NONE, /* the rest of the place is unspecified */
    FRT_EXTEND_ZERO,
    FRT_EXTEND_SIGN,
    FRT_EXTEND_DOUBLE /* a float, promoted in `...` */
} frt_extend;

/* Bytes of a value (or of its address) and where they travel. */
typedef struct frt_piece {
    frt_storage storage;
    frt_extend extend;
    const char *name; /* of the register; NULL on the stack */
    size_t place;     /* register number, or offset in the stack area */
    size_t offset;    /* in the value */
    size_t size;
} frt_piece;

/* Of the parameter at `index`, or FRT_RESULT. NONE and 0 out of range. */
FRT_API frt_way frt_plan_way(const frt_plan *plan, size_t index);
FRT_API size_t frt_plan_count(const frt_plan *plan, size_t index);
/*   -> OUT_OF_BOUNDS */
FRT_API FRT_MUST_USE frt_status frt_plan_piece(frt_piece *out,
                                               const frt_plan *plan,
                                               size_t index, size_t piece);

/* What a layout is to its model's convention: `INTEGER SSE`, `HFA of 2 double`,
 * `by reference`. As frt_layout_print; "" for a model without a convention. */
FRT_API size_t frt_layout_print_class(char *buffer, size_t capacity,
                                      const frt_layout *layout);

/* --------------------------------------------------- sessions, arenas --- */

struct frti_session;

/* Small values, passed and copied freely. A stale one is recognised. */
typedef struct frt_session {
    struct frti_session *slot;
    uint64_t generation;
} frt_session;

typedef struct frt_arena {
    struct frti_session *slot;
    uint64_t generation;
} frt_arena;

/* A confined arena belongs to the thread that opens it.   -> NO_MEMORY */
FRT_API FRT_MUST_USE frt_status frt_arena_open_confined(frt_arena *out);
/* A shared one may be used and closed by any thread. What a use costs, and
 * what a close, is a mode that is chosen with the first one and told by
 * frt_version_text: membarrier, where the system has it; fence; rmw, for
 * thread sanitizer. The environment variable FRT_SESSIONS forces one.
 *   -> NO_MEMORY, BAD_ARGUMENT (FRT_SESSIONS is none of the three) */
FRT_API FRT_MUST_USE frt_status frt_arena_open_shared(frt_arena *out);
/* The one that is never closed and whose memory is never freed. [signal] */
FRT_API frt_arena frt_arena_global(void);

/* Frees its memory and runs its close actions, last added first. While
 * anybody holds its session (a call under way, a ticket) it refuses with
 * STILL_HELD; the sentence names who. It never waits for a holder. [owner]
 *   -> ALREADY_CLOSED, STILL_HELD, WRONG_THREAD, UNSUPPORTED (global; or the
 *      system refuses the membarrier that it had granted) */
FRT_API FRT_MUST_USE frt_status frt_arena_close(frt_arena arena);
/* The same, tried again for up to `nanoseconds` while it is held; not if a
 * call under way on this very thread holds it.   -> as frt_arena_close */
FRT_API FRT_MUST_USE frt_status frt_arena_close_wait(frt_arena arena,
                                                     uint64_t nanoseconds);
/* Closes each that can be closed, at the price of about one. statuses[i] is
 * always written: what a close of arenas[i] would have given. Returns the first
 * that is not OK; the sentence is of one of those.   -> as frt_arena_close */
FRT_API FRT_MUST_USE frt_status frt_arena_close_many(frt_status *statuses,
                                                     const frt_arena *arenas,
                                                     size_t count);

FRT_API bool frt_arena_is_open(frt_arena arena);
FRT_API frt_session frt_arena_session(frt_arena arena);
FRT_API bool frt_session_is_open(frt_session session);

/* Runs once when the arena has closed, on the closing thread, outside any
 * lock, before the memory is freed. It may close other arenas; it may throw,
 * but not longjmp. [owner]
 *   -> CLOSED, WRONG_THREAD, NO_MEMORY, UNSUPPORTED (global) */
typedef void frt_close_action(void *context);
FRT_API FRT_MUST_USE frt_status frt_arena_on_close(frt_arena arena,
                                                   frt_close_action *action,
                                                   void *context);

/* The receipt of an acquire. Filled by it, cleared by the release. */
typedef struct frt_ticket {
    void *stripe;
    struct frti_session *slot;
    uint64_t generation;
} frt_ticket;

/* Keeps the session open until the ticket is released. Never blocks. [owner]
 *   -> CLOSED, WRONG_THREAD, TOO_MANY_HOLDS */
FRT_API FRT_MUST_USE frt_status frt_session_acquire(frt_ticket *out,
                                                    frt_session session);
/* The same in a signal handler, or anywhere where this thread may have been
 * interrupted: a shared session alone, without allocation and without a
 * sentence. [signal]   -> CLOSED, TOO_MANY_HOLDS, UNSUPPORTED (confined) */
FRT_API FRT_MUST_USE frt_status frt_session_acquire_signal(frt_ticket *out,
                                                           frt_session session);
/* From any thread; a confined session's ticket by its owner alone. Release the
 * variable that was acquired, or move it. A ticket of an earlier life is never
 * counted. A copy that is released as well is noticed unless the thread that
 * acquired it holds the session by another ticket: then it takes that hold.
 * [signal] where it does not fail.
 *   -> BAD_ARGUMENT (released before, or never acquired), WRONG_THREAD */
FRT_API frt_status frt_session_release(frt_ticket *ticket);

/* The number of the calling thread, as holders and sentences have it. Never
 * 0, never used twice. */
FRT_API uint64_t frt_thread_number(void);

/* Who holds a session: tickets that a thread acquired, wherever they are now,
 * and its calls under way. */
typedef struct frt_holder {
    uint64_t thread; /* 0: it has ended, or acquired in a signal handler */
    uint64_t count;
} frt_holder;

/* Writes up to `capacity`; returns how many there are, as far as can be seen
 * from outside. None if the session is closed. */
FRT_API size_t frt_session_holders(frt_holder *holders, size_t capacity,
                                   frt_session session);

/* In the child of a fork, what the other threads held stays held, for they may
 * have handed it over. This gives it all up, but for what was acquired in
 * signal handlers; tickets of theirs are no longer good. Returns how many holds
 * there were. */
FRT_API size_t frt_fork_drop_holds(void);

/* ----------------------------------------------------------- segment --- */

/* 32 bytes, copied freely. The first word is the address, so that a pointer
 * to a segment is also a pointer to its address. */
typedef struct frt_segment {
    void *address;
    size_t size;
    struct frti_session *slot; /* NULL: the global session */
    uint32_t generation;
    uint32_t flags;
} frt_segment;

#define FRT_SEGMENT_READ_ONLY 1u

/* `size` zeroed bytes that live as long as the arena. `alignment` 0: 16. A
 * size of 0 gives a segment that is not NULL and holds nothing. [owner]
 *   -> CLOSED, WRONG_THREAD, BAD_ALIGNMENT, NO_MEMORY, OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_arena_allocate(frt_segment *out,
                                                   frt_arena arena, size_t size,
                                                   size_t alignment);
/* Room for `count` of a complete layout.
 *   -> as frt_arena_allocate, BAD_LAYOUT (incomplete) */
FRT_API FRT_MUST_USE frt_status frt_arena_allocate_layout(
    frt_segment *out, frt_arena arena, const frt_layout *layout, size_t count);
/* A copy of a string with its NUL.   -> as frt_arena_allocate */
FRT_API FRT_MUST_USE frt_status frt_arena_allocate_string(frt_segment *out,
                                                          frt_arena arena,
                                                          const char *text);

/* Memory that ffi_rt knows nothing of: global session, bounds as told. NULL
 * holds nothing, whatever size is told, here and below.
 * [restricted] [signal] */
FRT_API frt_segment frt_segment_of_address(void *address, size_t size);
/* The same with the life of an arena. [restricted]
 *   -> CLOSED, OVERFLOW (it would wrap around the end of memory) */
FRT_API FRT_MUST_USE frt_status frt_segment_of_arena(frt_segment *out,
                                                     void *address, size_t size,
                                                     frt_arena arena);
/* A segment's address with a new size and the life of `arena`. [restricted]
 *   -> CLOSED (the arena, or the segment), OVERFLOW */
FRT_API FRT_MUST_USE frt_status frt_segment_reinterpret(
    frt_segment *out, const frt_segment *segment, size_t size, frt_arena arena);
/* `size` bytes from `offset` on.   -> OUT_OF_BOUNDS */
FRT_API FRT_MUST_USE frt_status frt_segment_slice(frt_segment *out,
                                                  const frt_segment *segment,
                                                  size_t offset, size_t size);
/* The same memory, not to be written through this view. [signal] */
FRT_API frt_segment frt_segment_read_only(const frt_segment *segment);
FRT_API frt_session frt_segment_session(const frt_segment *segment);
FRT_API bool frt_segment_is_alive(const frt_segment *segment);
FRT_API bool frt_segment_is_null(const frt_segment *segment);

/* Checked access to a value at `offset`. [owner]
 *   -> OUT_OF_BOUNDS, CLOSED, WRONG_THREAD, BAD_ALIGNMENT (of the address);
 *      puts also READ_ONLY */
#define FRT_ACCESS_TABLE(X)                                                    \
    X(i8, int8_t)                                                              \
    X(u8, uint8_t)                                                             \
    X(i16, int16_t)                                                            \
    X(u16, uint16_t)                                                           \
    X(i32, int32_t)                                                            \
    X(u32, uint32_t)                                                           \
    X(i64, int64_t)                                                            \
    X(u64, uint64_t)                                                           \
    X(f32, float)                                                              \
    X(f64, double)                                                             \
    X(pointer, void *)
#define FRTI_ACCESS(name, type)                                                \
    FRT_API FRT_MUST_USE frt_status frt_segment_get_##name(                    \
        type *out, const frt_segment *segment, size_t offset);                 \
    FRT_API FRT_MUST_USE frt_status frt_segment_put_##name(                    \
        const frt_segment *segment, size_t offset, type value);
FRT_ACCESS_TABLE(FRTI_ACCESS)
#undef FRTI_ACCESS

/* `size` bytes out or in, of any alignment. The other side must not overlap
 * the segment.   -> as the typed access, without BAD_ALIGNMENT */
FRT_API FRT_MUST_USE frt_status frt_segment_get_bytes(
    void *out, const frt_segment *segment, size_t offset, size_t size);
FRT_API FRT_MUST_USE frt_status frt_segment_put_bytes(
    const frt_segment *segment, size_t offset, const void *bytes, size_t size);

/* A bit-field at `place` in an aggregate at `offset`. It touches only the
 * bytes that hold its bits. Signed fields are sign-extended.
 *   -> as get_bytes; put: OVERFLOW (the value has more bits) */
FRT_API FRT_MUST_USE frt_status frt_segment_get_bits(int64_t *out,
                                                     const frt_segment *segment,
                                                     size_t offset,
                                                     const frt_place *place);
FRT_API FRT_MUST_USE frt_status frt_segment_put_bits(const frt_segment *segment,
                                                     size_t offset,
                                                     const frt_place *place,
                                                     int64_t value);

/* A string that starts at `offset`: *length without its NUL, and the text with
 * it in `buffer` (NULL: the length alone).   -> as get_bytes; OUT_OF_BOUNDS
 * (no NUL in the segment), OVERFLOW (over `capacity` bytes) */
FRT_API FRT_MUST_USE frt_status
frt_segment_get_string(size_t *length, char *buffer, size_t capacity,
                       const frt_segment *segment, size_t offset);
/* The string with its NUL.   -> as put_bytes */
FRT_API FRT_MUST_USE frt_status frt_segment_put_string(
    const frt_segment *segment, size_t offset, const char *text);

/* `size` bytes from one segment into another, which may overlap.
 *   -> as get_bytes and put_bytes */
FRT_API FRT_MUST_USE frt_status frt_segment_copy(const frt_segment *to,
                                                 size_t to_offset,
                                                 const frt_segment *from,
                                                 size_t from_offset,
                                                 size_t size);
/* `size` bytes of `byte`.   -> as put_bytes */
FRT_API FRT_MUST_USE frt_status frt_segment_fill(const frt_segment *segment,
                                                 size_t offset, size_t size,
                                                 uint8_t byte);
/* The index of the first byte that differs; the shorter size if one begins
 * with the other; SIZE_MAX if they are equal.   -> as get_bytes */
FRT_API FRT_MUST_USE frt_status frt_segment_compare(size_t *out,
                                                    const frt_segment *one,
                                                    const frt_segment *other);

/* ------------------------------------------------------ buffer stack --- */

/* A frame is memory for one call or a few, from the calling thread's buffer
 * stack: no allocation once the thread is warm. Frames nest; each is popped
 * by the thread that pushed it, last in, first out. What lies in it is not
 * zeroed. Pop the variable that was pushed, not a copy of it. What a thread
 * has not popped when it ends is never freed. Treat the fields after `size` as
 * private. */
typedef struct frt_frame {
    void *address;
    size_t size;
    char *back; /* the top before it; NULL: it opened a block, or popped */
    char *end;  /* the top while it is the last; NULL: popped */
} frt_frame;

/* The hot part of what the library keeps for a thread: private. */
struct frti_here_upcalls {
    void *top;        /* the call that it is inside of */
    uint32_t pending; /* failures that nobody has raised */
    uint32_t mark;    /* how many there were when the last downcall began */
    uint32_t depth;   /* of such downcalls */
};
struct frti_here {
    char *top;       /* of the buffer stack's current block */
    char *limit;     /* its end */
    uint64_t thread; /* this thread's number, never used twice; 0: none yet */
    void *record;    /* the cold part */
    struct frti_pointer *stripe_pages; /* what it counts of sessions */
    uint64_t stripe_room;
    struct frti_hold *hold_top; /* of the holds of its calls */
    struct frti_hold *hold_end;
    struct frti_stripe_record *stripe_record;
    struct frti_here_upcalls upcalls;
};
FRT_API extern __thread struct frti_here frti_here
    __attribute__((tls_model("initial-exec")));

/* They do not get the caller's frame itself, which may so be in registers. */
FRT_API frt_status frti_frame_push_slow(frt_frame *out, size_t size,
                                        size_t alignment);
FRT_API frt_status frti_frame_pop_slow(bool is_there, size_t size,
                                       const char *end);

/* `size` bytes aligned to `alignment` (0: 16). What does not fit in the
 * thread's block gets a block of its own.
 *   -> BAD_ALIGNMENT, NO_MEMORY, OVERFLOW */
static inline FRT_MUST_USE frt_status
frt_frame_push(frt_frame *out, size_t size, size_t alignment)
{
    char *top = frti_here.top;
    frt_frame slow;
    frt_status status;

    if (__builtin_expect(size < (size_t)(frti_here.limit - top) &&
                             alignment <= 16 &&
                             (alignment & (alignment - 1)) == 0 && out != NULL,
                         1)) {
        size_t bytes = (size + (size == 0) + 15) & ~(size_t)15;

        out->address = top;
        out->size = size;
        out->back = top;
        out->end = top + bytes;
        frti_here.top = top + bytes;
        return FRT_OK;
    }
    status = frti_frame_push_slow(out != NULL ? &slow : NULL, size, alignment);
    if (status == FRT_OK)
        *out = slow;
    return status;
}

/*   -> OUT_OF_ORDER (not this thread's last frame, or popped before) */
static inline frt_status
frt_frame_pop(frt_frame *frame)
{
    frt_status status = FRT_OK;

    if (__builtin_expect(frame == NULL, 0))
        return frti_frame_pop_slow(false, 0, NULL);
    if (__builtin_expect(frame->back != NULL && frame->end == frti_here.top, 1))
        frti_here.top = frame->back;
    else
        status = frti_frame_pop_slow(true, frame->size, frame->end);
    if (__builtin_expect(status == FRT_OK, 1)) {
        frame->back = NULL;
        frame->end = NULL;
    }
    return status;
}

/* Where this thread is: the height of its buffer stack, of its calls under way,
 * and of what they hold. */
typedef struct frt_height {
    uint64_t thread;
    size_t holds;
    void *frame;
    struct frti_here_upcalls upcalls;
} frt_height;

/* A longjmp over calls and frames leaves them as they are. Mark before setjmp,
 * and unwind after it has come back: what was begun since is given back, as if
 * the calls had returned; a handler's failure in them is left to the calls
 * around the mark. Tickets are not: they may be elsewhere. An exception or a
 * cancellation that passes through a call needs none of this. A mark is good
 * until its thread goes below it. Never over the handler of an upcall, which
 * has to return: the native code that called it would be left half-way.
 *   -> WRONG_THREAD, OUT_OF_ORDER (the thread is below it) */
FRT_API frt_height frt_mark(void);
FRT_API frt_status frt_unwind_to(frt_height height);

/* ----------------------------------------------------------- library --- */

/* A small value. It lives in an arena; while that is open the library is. */
typedef struct frt_library {
    frt_session session;
    const struct frti_library *record;
} frt_library;

typedef struct frt_library_options {
    size_t size; /* sizeof(frt_library_options) */
    bool now;    /* resolve every symbol at once; else when first used */
    bool global; /* its symbols serve libraries that are opened later */
} frt_library_options;

/* By path (with a '/'), by file name ("libz.so.1", looked for as the dynamic
 * loader does) or by bare name ("z": libz.so, or else the newest libz.so.N). A
 * linker script, as Debian's libm.so is, is followed. Closed with the arena,
 * never under a call. [owner]
 *   -> NOT_FOUND, CLOSED, WRONG_THREAD, NO_MEMORY */
FRT_API FRT_MUST_USE frt_status
frt_library_open(frt_library *out, frt_arena arena, const char *name,
                 const frt_library_options *options);
/* The program and what it is linked with. */
FRT_API frt_library frt_library_process(void);
/* That, and then the C and mathematics libraries. */
FRT_API frt_library frt_library_default(void);
/* As it was opened; "the process", "the default libraries"; "a closed library",
 * for what was in its arena is gone. */
FRT_API const char *frt_library_name(frt_library library);

typedef enum frt_symbol_kind {
    FRT_SYMBOL_UNKNOWN, /* the object has no symbol table entry for it */
    FRT_SYMBOL_FUNCTION,
    FRT_SYMBOL_DATA
} frt_symbol_kind;

typedef struct frt_symbol {
    void *address; /* may be NULL: a symbol can have that value */
    frt_symbol_kind kind;
} frt_symbol;

/* `name`, or `name@VERSION`, or `name@@VERSION` (which must be the default
 * version).   -> NOT_FOUND, CLOSED, WRONG_THREAD */
FRT_API FRT_MUST_USE frt_status frt_library_find(frt_symbol *out,
                                                 frt_library library,
                                                 const char *name);

/* ---------------------------------------------------------- downcall --- */

typedef struct frt_downcall frt_downcall;

/* errno for one call: set to this before it, read back right after it. The
 * thread's own errno stays as it was. */
typedef struct frt_call_state {
    int error_number;
} frt_call_state;

/* How a call is entered. `arguments[i]` points to the i-th argument in its
 * own type (a frt_segment for a segment parameter), `result` to a place of
 * the result's size and alignment (a frt_segment for a segment result; it
 * may be NULL for void). A segment that comes back is in the global session and
 * has the size that its type promises: one pointee, but 0 of void, char and
 * incomplete types. frt_segment_reinterpret gives it the size that you know. */
typedef frt_status frt_entry(void *target, void *result, void *const *arguments,
                             const frt_downcall *downcall);
typedef frt_status frt_captured_entry(void *target, void *result,
                                      void *const *arguments,
                                      const frt_downcall *downcall,
                                      frt_call_state *state);

/* A language's code generator may call `entry` by its address, as any C
 * function, for as long as it keeps the downcall. For a descriptor without
 * segments that has a stub, the entry is the stub itself: it loads the
 * arguments from where they are, calls, stores the result, and returns FRT_OK;
 * it looks at no other memory and not at its last parameter, which all other
 * entries need. It reads and writes exactly the bytes of the values. */
struct frt_downcall { /* and more, which is private */
    frt_entry *entry;
    frt_captured_entry *captured;
};

typedef enum frt_backend {
    FRT_BACKEND_AUTO, /* the stub where it can be had, libffi elsewhere */
    FRT_BACKEND_LIBFFI,
    FRT_BACKEND_STUB
} frt_backend;

typedef struct frt_link_options {
    size_t size; /* sizeof(frt_link_options) */
    frt_backend backend;
    bool blocking; /* a mark for hosts that drop a lock around such calls */
} frt_link_options;

/* Links a descriptor of the native model. The caller drops *out. Linked
 * downcalls are shared: the same descriptor and options give the same one,
 * which keeps the descriptor.
 * The environment variable FRT_BACKEND (auto, libffi, stub) is what AUTO
 * means; where the system refuses executable memory, that is libffi. With
 * FRT_GDB=1 in the environment, gdb is told of stubs. A variadic descriptor is
 * linked with the parameters that it has.
 *   -> NO_MEMORY, UNSUPPORTED (a shape or backend that cannot be had),
 *      BAD_LAYOUT (another model), OVERFLOW (over 1 GiB of arguments),
 *      NO_CODE_MEMORY */
FRT_API FRT_MUST_USE frt_status
frt_downcall_link(const frt_downcall **out, const frt_descriptor *descriptor,
                  const frt_link_options *options);
FRT_API const frt_downcall *frt_downcall_keep(const frt_downcall *downcall);
/* Not while a call through it is under way. */
FRT_API void frt_downcall_drop(const frt_downcall *downcall);
FRT_API const frt_descriptor *
frt_downcall_descriptor(const frt_downcall *downcall);
FRT_API frt_backend frt_downcall_backend(const frt_downcall *downcall);
FRT_API bool frt_downcall_is_blocking(const frt_downcall *downcall);

/* Calls `target`. The number of arguments is not checked, nor that target is
 * such a function. [restricted]
 *   -> BAD_ARGUMENT (target is NULL); of segment arguments: CLOSED,
 *      WRONG_THREAD, OUT_OF_BOUNDS (too small), BAD_ALIGNMENT, READ_ONLY,
 *      TOO_MANY_HOLDS; NO_MEMORY (large calls alone). Arguments that need more
 *      stack than the thread has end in a fault, as in C. */
static inline frt_status
frt_invoke(const frt_downcall *downcall, void *target, void *result,
           void *const *arguments)
{
    return downcall->entry(target, result, arguments, downcall);
}

/* The same with errno in and out. [restricted]   -> as frt_invoke */
static inline frt_status
frt_invoke_captured(const frt_downcall *downcall, frt_call_state *state,
                    void *target, void *result, void *const *arguments)
{
    return downcall->captured(target, result, arguments, downcall, state);
}

/* A downcall bound to a symbol. Its library is held during each call. */
typedef struct frt_function frt_function;

/* Finds `name` in the library and links. The symbol must be a function. The
 * descriptor may be dropped after.
 *   -> as frt_library_find and frt_downcall_link; BAD_ARGUMENT (data, NULL) */
FRT_API FRT_MUST_USE frt_status frt_function_new(
    frt_function **out, frt_library library, const char *name,
    const frt_descriptor *descriptor, const frt_link_options *options);
/* The same from the text of a prototype, which has the name; pointers are as
 * frt_descriptor_parse has them: segments.
 *   -> as frt_function_new and frt_prototype_parse */
FRT_API FRT_MUST_USE frt_status
frt_function_declare(frt_function **out, frt_library library,
                     const char *prototype, const frt_link_options *options);
/* From an address that lives by `session`; `name` NULL: none. [restricted]
 *   -> as frt_downcall_link, CLOSED, WRONG_THREAD */
FRT_API FRT_MUST_USE frt_status frt_function_of_address(
    frt_function **out, void *address, frt_session session, const char *name,
    const frt_descriptor *descriptor, const frt_link_options *options);
/* Not while a call through it is under way; NULL is allowed. */
FRT_API void frt_function_free(frt_function *function);
FRT_API const char *frt_function_name(const frt_function *function);
FRT_API void *frt_function_address(const frt_function *function);
FRT_API const frt_downcall *frt_function_downcall(const frt_function *function);

/* Checks the number of arguments, that they and the result are there, and
 * that the library is open; holds it; calls.
 *   -> as frt_invoke; CLOSED, WRONG_THREAD (the library); UPCALL_FAILED (a
 *      handler that it called back failed; it has returned, and its result
 *      and errno are there) */
FRT_API FRT_MUST_USE frt_status frt_call(const frt_function *function,
                                         void *result, void *const *arguments,
                                         size_t count);
/* The same with errno in and out.   -> as frt_call */
FRT_API FRT_MUST_USE frt_status frt_call_captured(const frt_function *function,
                                                  frt_call_state *state,
                                                  void *result,
                                                  void *const *arguments,
                                                  size_t count);
/* The same with the result in a segment, which is held during the call and
 * must be large and aligned enough and writable.   -> as frt_call */
FRT_API FRT_MUST_USE frt_status frt_call_into(const frt_function *function,
                                              const frt_segment *result,
                                              void *const *arguments,
                                              size_t count);

/* `rows` calls, for a function that is mapped over columns. The arguments of
 * the first, and its result, are where frt_call has them, those of each further
 * one `strides` bytes on: strides[i] is that of argument i, and the last one,
 * after them, that of the result; 0: the same place for all rows. NULL: all are
 * arrays without gaps (of frt_segment for segments). The library is held once
 * for all rows, segments for each. The first row that fails ends it: those
 * before it are done, and the detail has its index. [restricted]: how many
 * arguments there are, and how far they reach, is not checked.
 *   -> as frt_call, NO_MEMORY (many arguments) */
FRT_API FRT_MUST_USE frt_status frt_call_many(const frt_function *function,
                                              size_t rows, void *results,
                                              void *const *arguments,
                                              const size_t *strides);

/* ------------------------------------------------------------ upcall --- */

/* A function pointer for native code that ends up in a handler. A small value;
 * it lives in an arena. Native code may call it from any thread, also from one
 * that this library has never seen, until it is closed. No code is generated
 * for it, and no memory is both writable and executable; but on a CPU that the
 * library has no convention for (neither x86-64 nor AArch64) it is a closure as
 * libffi makes them, of plain types alone. */
typedef struct frt_upcall {
    struct frti_upcall *slot;
    uint64_t generation;
} frt_upcall;

/* `arguments[i]` points to the i-th argument in its own type; for a segment
 * parameter it is a frt_segment of the size that the type promises, in the
 * global session. The result goes to `result`, in its own type, a frt_segment
 * for a segment result; it is zero (what goes through memory apart) if the
 * handler leaves it alone. All of this lasts until the handler returns.
 *
 * A status other than FRT_OK gives the native caller the default result (zero,
 * or what the options have: choose one by which C stops calling), so that C
 * code in between ends as it likes, and is raised again when the downcall
 * returns that led here: frt_call and the others that take a frt_function
 * return FRT_UPCALL_FAILED, with the handler's sentence in theirs. Each such
 * downcall of this thread does, up to the outermost, unless frt_upcall_raise
 * takes the failure before. frt_invoke does not look.
 *
 * It may throw (a C++ exception passes through), but not longjmp. */
typedef frt_status (*frt_upcall_fn)(void *context, void *result,
                                    void *const *arguments);

/* Which threads may call. What the environment variable FRT_UPCALL_THREAD says
 * (any, owner) is what AUTO means; by itself that is ANY. An upcall of a
 * confined arena has an owner anyway. */
typedef enum frt_upcall_thread {
    FRT_UPCALL_THREAD_AUTO,
    FRT_UPCALL_THREAD_ANY,
    FRT_UPCALL_THREAD_OWNER, /* the thread that opened it: calls of others are
                                reported, and get the default result */
    FRT_UPCALL_THREAD_QUEUE  /* the same, but calls of others wait until the
                                owner runs them by frt_upcall_poll */
} frt_upcall_thread;

/* What a call does that comes after the close, when it was reported. */
typedef enum frt_upcall_late {
    FRT_UPCALL_LATE_ABORT, /* ends the process by abort() */
    FRT_UPCALL_LATE_ZERO   /* returns zero */
} frt_upcall_late;

/* For languages that have to know their threads. `attach` runs before the first
 * handler on a thread, `detach` when that thread ends (at once after the
 * handler where the thread's own destructors ran before). On the threads that
 * the language made itself, too. A failure of attach refuses the call, as one
 * of the handler. The struct must outlive its upcalls and those threads. */
typedef struct frt_thread_hooks {
    frt_status (*attach)(void *context);
    void (*detach)(void *context);
    void *context;
} frt_thread_hooks;

typedef struct frt_upcall_options {
    size_t size;                /* sizeof(frt_upcall_options) */
    const char *name;           /* for sentences; NULL: "upcall" */
    const void *default_result; /* as the handler writes it; NULL: zero, void */
    frt_upcall_thread thread;
    frt_upcall_late late;
    bool post;       /* QUEUE: calls of others do not wait; void results only */
    bool sets_errno; /* errno is what the handler leaves; else as before */
    const frt_thread_hooks *hooks; /* NULL: none */
} frt_upcall_options;

/* A variadic descriptor is received with the parameters that it has. The
 * descriptor may be dropped after. [owner]
 *   -> CLOSED, WRONG_THREAD, TOO_MANY_HOLDS, NO_MEMORY, OVERFLOW, BAD_LAYOUT
 *      (another model), UNSUPPORTED (a shape that cannot travel by value),
 *      NO_CODE_MEMORY (after the first 4,096 alive) */
FRT_API FRT_MUST_USE frt_status frt_upcall_open(
    frt_upcall *out, frt_arena arena, const frt_descriptor *descriptor,
    frt_upcall_fn function, void *context, const frt_upcall_options *options);

/* Before its arena does. Inside its own call the call finishes first; while
 * another thread is inside, it is refused. Of queued calls, one that runs is
 * inside; those that wait return with the default result, and posted ones are
 * dropped. The close of the arena does the same. A call that comes later is
 * reported, for as long as the address is not used again, which is as late as
 * can be.
 *   -> ALREADY_CLOSED, STILL_HELD, WRONG_THREAD (of a confined arena) */
FRT_API frt_status frt_upcall_close(frt_upcall upcall);

/* What native code gets, as a pointer to a function of the descriptor's type;
 * NULL after the close. */
FRT_API void *frt_upcall_address(frt_upcall upcall);
FRT_API bool frt_upcall_is_open(frt_upcall upcall);

/* Runs the calls that wait for this thread, those that come meanwhile included,
 * and returns how many it ran in *out (NULL: not told). If there are none it
 * waits for the first up to `milliseconds`: 0 not at all, below 0 for ever. It
 * is no cancellation point, nor is the call that waits for it: a thread that is
 * cancelled meanwhile ends at its next one. A handler's own are as ever.
 *   -> NO_MEMORY */
FRT_API FRT_MUST_USE frt_status frt_upcall_poll(size_t *out, int milliseconds);

/* For handlers: the sentence of a failure of their own; returns `status`. */
FRT_API frt_status frt_fail(frt_status status, const char *sentence);

/* The failure that is pending on this thread, taken: nobody else raises it. For
 * handlers that have dealt with it, and for hosts that call by frt_invoke.
 *   -> UPCALL_FAILED (there was one) */
FRT_API frt_status frt_upcall_raise(void);

/* A call that could not be answered. */
typedef struct frt_upcall_report {
    frt_status status;    /* CLOSED, WRONG_THREAD */
    const char *sentence; /* what is printed */
    const char *name;     /* as it was opened */
    const char *type;     /* its declaration in C */
    double seconds_ago;   /* it was closed; below 0: it is not */
} frt_upcall_report;

/* Where reports go, instead of standard error; NULL: there again. It runs on
 * the calling thread, and the report lasts as long. */
typedef void frt_upcall_reporter(void *context,
                                 const frt_upcall_report *report);
FRT_API void frt_upcall_on_report(frt_upcall_reporter *reporter, void *context);

/* --------------------------------------------- calls written in C ------ */

/* A C value with its type, as FRT_CALL gives it. */
typedef struct frt_value {
    frt_kind kind; /* an integer, float, double, long double, POINTER, SEGMENT,
                      or STRUCT for anything by value */
    size_t size;   /* STRUCT: of what `as.pointer` points to */
    union {
        int64_t i;  /* signed integers, char and enum */
        uint64_t u; /* unsigned integers and bool */
        double d;   /* float, too */
        const void *pointer;
        const frt_segment *segment;
    } as;
    long double l; /* LONG_DOUBLE */
} frt_value;

/* Converts each value to its parameter's type as C does, but refuses one that
 * does not fit, a fraction for an integer among them; checks the count (20 at
 * most) and the result's type. That is told by `result_kind` and `result_size`:
 * STRUCT is an aggregate or a pointer of that size, VOID is not told. A raw
 * pointer for a segment parameter is trusted for what the parameter asks. A
 * `...` takes further values as int, long long, double and so on, each set of
 * kinds linked once.
 *   -> as frt_call; OVERFLOW (a value's range); for a `...` as
 *      frt_downcall_link, UNSUPPORTED (a kind that has no promoted type) */
FRT_API FRT_MUST_USE frt_status frt_call_values(
    const frt_function *function, void *result, frt_kind result_kind,
    size_t result_size, const frt_value *values, size_t count);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus

/* FRT_CALL(function, &result, values...): calls with C values, up to 20 of
 * them, checked against the descriptor. &result is a pointer to the result's
 * type (of a segment, to a frt_segment or a plain pointer), or NULL for void. A
 * segment goes as &s, a struct or union (or __int128, complex, vector) as
 * FRT_BY_VALUE(s), a bit-field as +s.bits, a function pointer as (void *)f.
 * Not in C++, which has frt_call.
 *   -> as frt_call_values */
#define FRT_CALL(...)                                                          \
    FRTI_PASTE(FRTI_CALL_, FRTI_SOME(__VA_ARGS__))(__VA_ARGS__)

#define FRT_BY_VALUE(s)                                                        \
    ((frt_value){                                                              \
        .kind = FRT_KIND_STRUCT, .size = sizeof(s), .as.pointer = &(s)})

static inline frt_value
frti_value_signed(long long i)
{
    return (frt_value){
        .kind = FRT_KIND_LLONG, .size = sizeof i, .as.i = (int64_t)i};
}

static inline frt_value
frti_value_int(int i)
{
    return (frt_value){.kind = FRT_KIND_INT, .size = sizeof i, .as.i = i};
}

static inline frt_value
frti_value_uint(unsigned u)
{
    return (frt_value){.kind = FRT_KIND_UINT, .size = sizeof u, .as.u = u};
}

static inline frt_value
frti_value_unsigned(unsigned long long u)
{
    return (frt_value){
        .kind = FRT_KIND_ULLONG, .size = sizeof u, .as.u = (uint64_t)u};
}

static inline frt_value
frti_value_double(double d)
{
    return (frt_value){.kind = FRT_KIND_DOUBLE, .size = sizeof d, .as.d = d};
}

static inline frt_value
frti_value_long_double(long double l)
{
    return (frt_value){.kind = FRT_KIND_LONG_DOUBLE, .size = sizeof l, .l = l};
}

static inline frt_value
frti_value_segment(const frt_segment *segment)
{
    return (frt_value){.kind = FRT_KIND_SEGMENT,
                       .size = sizeof *segment,
                       .as.segment = segment};
}

/* Compilers that think of what a `const void *` cannot do are told that nothing
 * is read here: it may well be the call that writes there first. gcc is told
 * so; clang looks at the argument, though not into the braces around it. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
__attribute__((access(none, 1)))
#endif
static inline frt_value
frti_value_pointer(const void *pointer)
{
    return (frt_value){.kind = FRT_KIND_POINTER,
                       .size = sizeof pointer,
                       .as.pointer = pointer};
}

static inline frt_value
frti_value_itself(frt_value value)
{
    return value;
}

#define FRTI_VALUE(x)                                                          \
    _Generic((x),                                                              \
        _Bool: frti_value_int,                                                 \
        char: frti_value_int,                                                  \
        signed char: frti_value_int,                                           \
        unsigned char: frti_value_int,                                         \
        short: frti_value_int,                                                 \
        unsigned short: frti_value_int,                                        \
        int: frti_value_int,                                                   \
        unsigned: frti_value_uint,                                             \
        long: frti_value_signed,                                               \
        unsigned long: frti_value_unsigned,                                    \
        long long: frti_value_signed,                                          \
        unsigned long long: frti_value_unsigned,                               \
        float: frti_value_double,                                              \
        double: frti_value_double,                                             \
        long double: frti_value_long_double,                                   \
        frt_segment *: frti_value_segment,                                     \
        const frt_segment *: frti_value_segment,                               \
        frt_value: frti_value_itself,                                          \
        default: frti_value_pointer)(__extension__({ x; }))

/* FRT_KIND_VOID: not told (void *). FRT_KIND_STRUCT: an aggregate or a
 * pointer of that size. */
#define FRTI_RESULT_KIND(r)                                                    \
    _Generic((r),                                                              \
        void *: FRT_KIND_VOID,                                                 \
        _Bool *: FRT_KIND_BOOL,                                                \
        char *: FRT_KIND_CHAR,                                                 \
        signed char *: FRT_KIND_SCHAR,                                         \
        unsigned char *: FRT_KIND_UCHAR,                                       \
        short *: FRT_KIND_SHORT,                                               \
        unsigned short *: FRT_KIND_USHORT,                                     \
        int *: FRT_KIND_INT,                                                   \
        unsigned *: FRT_KIND_UINT,                                             \
        long *: FRT_KIND_LONG,                                                 \
        unsigned long *: FRT_KIND_ULONG,                                       \
        long long *: FRT_KIND_LLONG,                                           \
        unsigned long long *: FRT_KIND_ULLONG,                                 \
        float *: FRT_KIND_FLOAT,                                               \
        double *: FRT_KIND_DOUBLE,                                             \
        long double *: FRT_KIND_LONG_DOUBLE,                                   \
        frt_segment *: FRT_KIND_SEGMENT,                                       \
        default: FRT_KIND_STRUCT)
#define FRTI_RESULT_SIZE(r)                                                    \
    sizeof(*_Generic((r), void * : (char *)0, default : (r)))

#define FRTI_PASTE(a, b) FRTI_PASTE_(a, b)
#define FRTI_PASTE_(a, b) a##b
#define FRTI_COUNT(...)                                                        \
    FRTI_COUNT_(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, \
                7, 6, 5, 4, 3, 2, 1, 0, none, none, none)
#define FRTI_COUNT_(f, r, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12,   \
                    a13, a14, a15, a16, a17, a18, a19, a20, n, ...)            \
    n
#define FRTI_SOME(...)                                                         \
    FRTI_COUNT_(__VA_ARGS__, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,   \
                N, N, N, N, 0, none, none, none)
#define FRTI_CALL_0(f, r)                                                      \
    frt_call_values((f), (r), FRTI_RESULT_KIND(r), FRTI_RESULT_SIZE(r), NULL, 0)
#define FRTI_CALL_N(f, r, ...)                                                 \
    frt_call_values(                                                           \
        (f), (r), FRTI_RESULT_KIND(r), FRTI_RESULT_SIZE(r),                    \
        (const frt_value[]){FRTI_PASTE(                                        \
            FRTI_EACH_, FRTI_COUNT(f, r, __VA_ARGS__))(__VA_ARGS__)},          \
        FRTI_COUNT(f, r, __VA_ARGS__))
#define FRTI_EACH_1(a) FRTI_VALUE(a)
#define FRTI_EACH_2(a, ...) FRTI_VALUE(a), FRTI_EACH_1(__VA_ARGS__)
#define FRTI_EACH_3(a, ...) FRTI_VALUE(a), FRTI_EACH_2(__VA_ARGS__)
#define FRTI_EACH_4(a, ...) FRTI_VALUE(a), FRTI_EACH_3(__VA_ARGS__)
#define FRTI_EACH_5(a, ...) FRTI_VALUE(a), FRTI_EACH_4(__VA_ARGS__)
#define FRTI_EACH_6(a, ...) FRTI_VALUE(a), FRTI_EACH_5(__VA_ARGS__)
#define FRTI_EACH_7(a, ...) FRTI_VALUE(a), FRTI_EACH_6(__VA_ARGS__)
#define FRTI_EACH_8(a, ...) FRTI_VALUE(a), FRTI_EACH_7(__VA_ARGS__)
#define FRTI_EACH_9(a, ...) FRTI_VALUE(a), FRTI_EACH_8(__VA_ARGS__)
#define FRTI_EACH_10(a, ...) FRTI_VALUE(a), FRTI_EACH_9(__VA_ARGS__)
#define FRTI_EACH_11(a, ...) FRTI_VALUE(a), FRTI_EACH_10(__VA_ARGS__)
#define FRTI_EACH_12(a, ...) FRTI_VALUE(a), FRTI_EACH_11(__VA_ARGS__)
#define FRTI_EACH_13(a, ...) FRTI_VALUE(a), FRTI_EACH_12(__VA_ARGS__)
#define FRTI_EACH_14(a, ...) FRTI_VALUE(a), FRTI_EACH_13(__VA_ARGS__)
#define FRTI_EACH_15(a, ...) FRTI_VALUE(a), FRTI_EACH_14(__VA_ARGS__)
#define FRTI_EACH_16(a, ...) FRTI_VALUE(a), FRTI_EACH_15(__VA_ARGS__)
#define FRTI_EACH_17(a, ...) FRTI_VALUE(a), FRTI_EACH_16(__VA_ARGS__)
#define FRTI_EACH_18(a, ...) FRTI_VALUE(a), FRTI_EACH_17(__VA_ARGS__)
#define FRTI_EACH_19(a, ...) FRTI_VALUE(a), FRTI_EACH_18(__VA_ARGS__)
#define FRTI_EACH_20(a, ...) FRTI_VALUE(a), FRTI_EACH_19(__VA_ARGS__)

#endif /* __cplusplus */

#endif
