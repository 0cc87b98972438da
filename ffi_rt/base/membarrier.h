/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* membarrier(2), MEMBARRIER_CMD_PRIVATE_EXPEDITED: Linux 4.14 and later. */
#ifndef FRTI_BASE_MEMBARRIER_H
#define FRTI_BASE_MEMBARRIER_H

#include <stdbool.h>

/* Makes the process known to the kernel, which lasts over fork. False: it
 * cannot be had. Not killed by a seccomp filter: a child tries first. */
bool frti_membarrier_register(void);

/* Every running thread of the process passes a full fence. */
bool frti_membarrier(void);

#endif
