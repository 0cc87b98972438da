/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/crash.h"
#include "ffi_rt/cli/symbol.h"

#include <string.h>

/* How far into a function that was called we believe to be in it still, where
 * no symbol says otherwise. */
#define TELL_FUNCTION_BYTES 4096

void
frti_signal_tell(struct frti_text *text, int number)
{
    const char *name = sigabbrev_np(number);

    if (name != NULL)
        frti_text_say(text, "SIG%s", name);
    else
        frti_text_say(text, "signal %d", number);
}

static void
tell_segv(struct frti_text *text, const struct frti_crash *crash)
{
    if (crash->is_overflow)
        frti_text_say(text, "stack overflow");
    else if (crash->code == SI_KERNEL)
        frti_text_say(text, "invalid memory reference at an impossible "
                            "address");
    else
        frti_text_say(text, "invalid memory reference at 0x%zx",
                      (size_t)crash->address);
}

static void
tell_reason(struct frti_text *text, const struct frti_crash *crash)
{
    if (crash->code <= 0 && crash->signal != SIGABRT)
        frti_text_say(text, "sent by itself or another process");
    else if (crash->signal == SIGSEGV)
        tell_segv(text, crash);
    else if (crash->signal == SIGFPE && crash->code == FPE_INTDIV)
        frti_text_say(text, "integer division by zero or overflow");
    else if (crash->signal == SIGILL)
        frti_text_say(text, "illegal instruction");
    else if (crash->signal == SIGABRT)
        frti_text_say(text, "aborted");
    else
        frti_text_say(text, "%s", sigdescr_np(crash->signal));
}

static const char *
tell_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static void
tell_symbol(struct frti_text *text, const struct frti_crash *crash,
            const char *name, uintptr_t function)
{
    struct frti_symbol_near symbol;
    bool is_found = frti_symbol_near(&symbol, crash->path, crash->file_offset);
    uintptr_t distance = crash->instruction - function;

    if (function != 0 && distance < TELL_FUNCTION_BYTES &&
        !(is_found && symbol.distance < distance))
        frti_text_say(text, " near %s+0x%zx", name, (size_t)distance);
    else if (is_found)
        frti_text_say(text, " near %s+0x%zx", symbol.name,
                      (size_t)symbol.distance);
    else
        frti_text_say(text, " at offset 0x%zx", (size_t)crash->file_offset);
}

void
frti_crash_tell(struct frti_text *text, const struct frti_crash *crash,
                const char *name, uintptr_t function)
{
    frti_signal_tell(text, crash->signal);
    frti_text_say(text, " (");
    tell_reason(text, crash);
    frti_text_say(text, ")");
    if (!crash->has_instruction)
        return;
    if (crash->path[0] == '\0') {
        frti_text_say(text, " in no library, for it jumped to 0x%zx",
                      (size_t)crash->instruction);
        return;
    }
    frti_text_say(text, " in %s", tell_base_name(crash->path));
    if (crash->path[0] == '/')
        tell_symbol(text, crash, name, function);
}
