/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Arguments that are functions: callbacks of the command's own.
 *
 *   :print     prints its arguments, a line a call, and returns zero
 *   :compare   orders its two pointees, for qsort and the like; of `void *` it
 *              has to be told what they are: `:compare int`
 */
#ifndef FRTI_CLI_CALLBACK_H
#define FRTI_CLI_CALLBACK_H

#include "ffi_rt/cli/reader.h"

/* What begins with ':' for a pointer to a function. It lives as long as the
 * reader's arena. False: the reason has been given. */
bool frti_read_callback(struct frti_reader *reader,
                        const frt_descriptor *descriptor, frt_segment *out);

#endif
