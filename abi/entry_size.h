/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Numbers that the entries in assembly and their slots in C agree on. */
#ifndef FRTI_ABI_ENTRY_SIZE_H
#define FRTI_ABI_ENTRY_SIZE_H

#define FRTI_ENTRY_COUNT 4096 /* in one table */
#define FRTI_ENTRY_SLOT 384   /* bytes of a slot */
#define FRTI_ENTRY_RECEIVE 8  /* where its second word is */

#endif
