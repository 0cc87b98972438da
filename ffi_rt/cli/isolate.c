/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/isolate.h"

#include "ffi_rt/cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The memory of an exchange and its text. It is paid for as it is used. */
#define ISOLATE_BYTES ((size_t)64 << 20)

void
frti_exchange_subject(struct frti_exchange *exchange, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(exchange->subject, sizeof exchange->subject, format, list);
    va_end(list);
}

static struct frti_exchange *
exchange_map(void)
{
    struct frti_exchange *exchange =
        mmap(NULL, ISOLATE_BYTES, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (exchange == MAP_FAILED)
        return NULL;
    exchange->text =
        frti_text_in((char *)(exchange + 1), ISOLATE_BYTES - sizeof *exchange);
    frti_exchange_subject(exchange, "ffi-rt");
    return exchange;
}

void
frti_exchange_end_copy(const struct frti_exchange *exchange)
{
    if (getpid() != exchange->process)
        _exit(FRTI_EXIT_DONE);
}

static void
exchange_run(struct frti_exchange *exchange, frti_task *task, void *context)
{
    exchange->process = getpid();
    exchange->code = task(exchange, context);
    if (exchange->text.is_full) {
        frti_text_cut(&exchange->text, 0);
        frti_text_say(&exchange->text, "the result is too long to be shown");
        exchange->code = FRTI_EXIT_FAILED;
    }
    exchange->is_done = true;
}

/* Standard output, or a sentence on standard error. The exit status. */
static int
exchange_print(const struct frti_exchange *exchange)
{
    if (exchange->code != FRTI_EXIT_DONE) {
        fprintf(stderr, "ffi-rt: %s\n", exchange->text.bytes);
        return exchange->code;
    }
    fwrite(exchange->text.bytes, 1, exchange->text.length, stdout);
    return frti_finish_output();
}

/* ------------------------------------------------------ two processes --- */

static void
child_run(struct frti_exchange *exchange, frti_task *task, void *context,
          pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has ended already */
        _exit(FRTI_EXIT_FAILED);
    frti_crash_watch(&exchange->crash);
    exchange_run(exchange, task, context);
    _exit(FRTI_EXIT_DONE);
}

static void
parent_tell_signal(struct frti_exchange *exchange, int number)
{
    struct frti_text *text = &exchange->text;

    if (exchange->crash.is_known) {
        frti_text_say(text, "%s crashed: ", exchange->subject);
        frti_crash_tell(text, &exchange->crash, exchange->name,
                        exchange->function);
        return;
    }
    frti_text_say(text, "%s was ended by ", exchange->subject);
    frti_signal_tell(text, number);
    if (number == SIGSEGV)
        frti_text_say(text,
                      " (perhaps a stack overflow on a thread of its own)");
}

/* The child ended before its task did. */
static void
parent_tell_end(struct frti_exchange *exchange, int status)
{
    frti_text_cut(&exchange->text, 0);
    exchange->text.is_full = false;
    exchange->code = FRTI_EXIT_FAILED;
    if (WIFSTOPPED(status)) {
        frti_text_say(&exchange->text, "%s was stopped by ", exchange->subject);
        frti_signal_tell(&exchange->text, WSTOPSIG(status));
        frti_text_say(&exchange->text, ", and ended");
    } else if (WIFSIGNALED(status))
        parent_tell_signal(exchange, WTERMSIG(status));
    else
        frti_text_say(&exchange->text, "%s exited with status %d%s",
                      exchange->subject, WEXITSTATUS(status),
                      exchange->is_called ? " inside the call" : "");
}

/* A terminal stops this process, too, within the pause if not before, and both
 * have gone on when it is over. */
static bool
child_goes_on(pid_t child, int stop)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    int status;

    if (stop == SIGSTOP)
        return false;
    nanosleep(&pause, NULL);
    return waitpid(child, &status, WCONTINUED | WNOHANG) == child &&
           WIFCONTINUED(status);
}

/* Until the child has ended; one that nobody but another process could wake up
 * is ended here. */
static int
parent_wait(pid_t child)
{
    int status = 0;

    for (;;) {
        int ended;

        if (waitpid(child, &status, WUNTRACED) < 0) {
            if (errno == EINTR)
                continue;
            return status;
        }
        if (!WIFSTOPPED(status))
            return status;
        if (child_goes_on(child, WSTOPSIG(status)))
            continue;
        kill(child, SIGKILL);
        while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
            continue;
        return status;
    }
}

/* False: the child could not be made. */
static bool
parent_run(struct frti_exchange *exchange, frti_task *task, void *context)
{
    pid_t parent = getpid(), child;
    int status;

    signal(SIGCHLD, SIG_DFL); /* ignored, it would leave nothing to wait for */
    child = fork();
    if (child == 0)
        child_run(exchange, task, context, parent);
    if (child < 0)
        return false;
    status = parent_wait(child);
    if (!exchange->is_done)
        parent_tell_end(exchange, status);
    return true;
}

int
frti_isolate(frti_task *task, void *context, bool is_isolated)
{
    struct frti_exchange *exchange = exchange_map();
    int status = FRTI_EXIT_FAILED;

    if (exchange == NULL) {
        fprintf(stderr, "ffi-rt: no memory for the result: %s\n",
                strerror(errno));
        return FRTI_EXIT_FAILED;
    }
    if (!is_isolated) { /* what was called may go on, and use the exchange */
        exchange_run(exchange, task, context);
        return exchange_print(exchange);
    }
    if (parent_run(exchange, task, context))
        status = exchange_print(exchange);
    else
        fprintf(stderr, "ffi-rt: no child process can be made: %s\n",
                strerror(errno));
    munmap(exchange, ISOLATE_BYTES);
    return status;
}
