/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Memory that lives as long as one parse and is given back whole. */
#ifndef FRTI_CDECL_STORE_H
#define FRTI_CDECL_STORE_H

#include <stddef.h>

struct frti_store_chunk;

struct frti_store {
    struct frti_store_chunk *chunks; /* newest first */
    char *at;
    size_t left;
};

/* Zeroed, aligned for pointers and integers; NULL: no memory. */
void *frti_store_take(struct frti_store *store, size_t size);

/* All that was taken is free again; the newest chunk stays. */
void frti_store_empty(struct frti_store *store);

void frti_store_fini(struct frti_store *store);

#endif
