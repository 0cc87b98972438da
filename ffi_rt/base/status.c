/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "ffi_rt/base/thread.h"

const char *
frt_status_name(frt_status status)
{
    switch (status) {
#define STATUS_NAME(name, number, text)                                        \
    case FRT_##name:                                                           \
        return "FRT_" #name;
        FRT_STATUS_TABLE(STATUS_NAME)
#undef STATUS_NAME
    }
    return "FRT_(unknown)";
}

const char *
frt_status_text(frt_status status)
{
    switch (status) {
#define STATUS_TEXT(name, number, text)                                        \
    case FRT_##name:                                                           \
        return text;
        FRT_STATUS_TABLE(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "no such status";
}

const char *
frt_last_detail(void)
{
    const struct frti_thread *thread = frti_thread_known();

    return thread == NULL ? "" : thread->detail;
}

frt_status
frti_fail(frt_status status, const char *format, ...)
{
    int saved = errno;
    struct frti_thread *thread = frti_thread_record();
    va_list values;

    va_start(values, format);
    if (thread != NULL) {
        char text[FRTI_DETAIL_SIZE]; /* a value may be the last detail */

        vsnprintf(text, sizeof text, format, values);
        snprintf(thread->detail, sizeof thread->detail, "%s", text);
        thread->status = status;
    }
    va_end(values);
    errno = saved;
    return status;
}

frt_status
frti_no_memory(size_t bytes, const char *what)
{
    return frti_fail(FRT_NO_MEMORY, "no memory for %s (%zu bytes)", what,
                     bytes);
}

frt_status
frti_null_argument(const char *name)
{
    return frti_fail(FRT_BAD_ARGUMENT, "%s is NULL", name);
}
