/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Houses: the upcalls of one arena, which end with it. */
#ifndef FRTI_LINK_UPCALL_HOUSE_H
#define FRTI_LINK_UPCALL_HOUSE_H

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/upcall.h"

struct frti_house;

/* An arena's, made if need be, with a reference; none (*out as it was) of the
 * global arena, which has no end. The arena is held.
 *   -> NO_MEMORY; a reference to what was made all the same */
frt_status frti_house_find(struct frti_house **out, frt_arena arena);
void frti_house_drop(struct frti_house *house);

/* Under frti_upcall_lock, all three. */
void frti_house_enter(struct frti_house *house, struct frti_upcall *upcall);
void frti_house_leave(struct frti_upcall *upcall);
struct frti_upcall *frti_house_first(const struct frti_house *house);

/* The arena's action (upcall.c): closes those that are left, and drops. */
void frti_house_close(void *context);

#endif
