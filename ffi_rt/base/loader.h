/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The dynamic loader, behind the few things that a library needs of it.
 *
 * Names are resolved as people write them: a path, a file name, a bare name;
 * a linker script that stands where a shared object should is followed.
 */
#ifndef FRTI_BASE_LOADER_H
#define FRTI_BASE_LOADER_H

#include <stdbool.h>

#include "ffi_rt/ffi_rt.h"

struct frti_loader_flags {
    bool now;
    bool global;
};

/*   -> NOT_FOUND, NO_MEMORY */
frt_status frti_loader_open(void **out, const char *name,
                            struct frti_loader_flags flags);
void frti_loader_close(void *handle);

/* The program and what is loaded with it. */
void *frti_loader_process(void);

/* `version` NULL: the default one. False: no such symbol. */
bool frti_loader_find(frt_symbol *out, void *handle, const char *name,
                      const char *version);

#endif
