/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call frame description for the unwinder, one for a whole block of code.
 *
 * It says that the frame pointer is set up: exceptions and backtraces pass
 * through wherever such code has called something.
 */
#ifndef FRTI_BASE_FRAME_DESCRIPTION_H
#define FRTI_BASE_FRAME_DESCRIPTION_H

#include <stddef.h>

/* A common entry, a frame entry, the end: the form of an .eh_frame section
 * (Linux Standard Base Core 5.0, section 10.6). */
struct frti_frame_description {
    _Alignas(8) unsigned char bytes[80];
};

void frti_frames_register(struct frti_frame_description *out, const void *code,
                          size_t size);
void frti_frames_forget(struct frti_frame_description *description);

#endif
