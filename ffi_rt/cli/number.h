/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Numbers: from text, and to the shortest text that reads back exactly.
 */
#ifndef FRTI_CLI_NUMBER_H
#define FRTI_CLI_NUMBER_H

#include "ffi_rt/cli/text.h"
#include "ffi_rt/ffi_rt.h"

typedef __int128 frti_wide;
typedef unsigned __int128 frti_uwide;

enum frti_number {
    FRTI_NUMBER_READ,
    FRTI_NUMBER_STRANGE,  /* the text is not such a number */
    FRTI_NUMBER_TOO_LARGE /* it is one, but no type holds it */
};

struct frti_integer {
    frti_uwide magnitude;
    bool is_negative;
    bool is_character; /* written as 'c' */
};

/* Decimal, 0x hex, 0o or 0 octal, 0b binary, with a sign; or 'c'. All of the
 * text from `begin` to `end`. */
enum frti_number frti_integer_read(struct frti_integer *out, const char *begin,
                                   const char *end);

/* Whether an integer of `bits` bits holds it. */
bool frti_integer_fits(const struct frti_integer *integer, unsigned bits,
                       bool is_signed);
frti_wide frti_integer_value(const struct frti_integer *integer);

void frti_integer_print(struct frti_text *text, frti_wide value,
                        bool is_signed);
/* "-128 .. 127" */
void frti_integer_print_range(struct frti_text *text, unsigned bits,
                              bool is_signed);

/* A floating kind into its memory at `place`. As strtod: decimal, hex, inf,
 * nan. The number ends at *stop. */
enum frti_number frti_float_read(void *place, const char **stop,
                                 const char *begin, frt_kind kind);
void frti_float_print(struct frti_text *text, frt_kind kind, const void *place);
bool frti_float_is_finite(frt_kind kind, const void *place);
/* "-65504 .. 65504" */
void frti_float_print_range(struct frti_text *text, frt_kind kind);

/* One escape sequence after its backslash: *at moves behind it. False: it is
 * none. */
bool frti_escape_read(unsigned char *out, const char **at, const char *end);

#endif
