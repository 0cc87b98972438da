/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Code memory: where generated code lives.
 *
 * Code is published into blocks. A block is one memory file, mapped executable
 * for good and writable only for the moment of a publication: no page is ever
 * both, and no address is written again once it may have been executed. Code is
 * appended; a block goes when its last code is dropped.
 *
 *     block   | code | code | code |            free            |
 *             ^ executable view                 ^ the next publication
 *
 * A block's frames look alike to an unwinder: the frame pointer is set up, and
 * nothing else is saved. So one registered frame description covers it, which
 * is right wherever code of the block has called something.
 *
 * After fork the blocks belong to both processes; the child appends to none of
 * them, for its writes would be seen by the parent.
 */
#ifndef FRTI_BASE_CODE_MEMORY_H
#define FRTI_BASE_CODE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/ffi_rt.h"

struct frti_code_block;

struct frti_code {
    void *entry;
    struct frti_code_block *block;
};

/* Copies code that does not depend on its address. 16-aligned.
 *   -> NO_CODE_MEMORY (the system refuses), NO_MEMORY */
frt_status frti_code_publish(struct frti_code *out, const void *bytes,
                             size_t size);
/* Nobody runs it any more. */
void frti_code_drop(const struct frti_code *code);

/* Whether the system gives executable memory. It is asked until it has given
 * some, or refused for good.   -> NO_CODE_MEMORY, NO_MEMORY */
frt_status frti_code_try(void);

/* Whether the process may not make writable memory executable (prctl(2),
 * PR_SET_MDWE). The double mapping is not touched by it. */
bool frti_code_is_guarded(void);

/* Blocks that are mapped. */
size_t frti_code_blocks(void);

#endif
