/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* `ffi-rt doctor`: the command line, and the program that is compiled. */
#include "ffi_rt/cli/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/compiler.h"
#include "ffi_rt/cli/header.h"

static const char doctor_usage[] =
    "usage: ffi-rt doctor [OPTION]... HEADER|'DECLARATIONS'...\n"
    "\n"
    "Asks the installed C compiler for the size, alignment and offsets of "
    "each\n"
    "type that is declared, passes each struct and union by value through a\n"
    "compiled function, and prints what differs from the library's view:\n"
    "nothing, or a bug that has been found.\n"
    "\n"
    "  -I DIR, -D NAME  as for the compiler\n"
    "  --header NAME    include this before each of them; may be given again\n"
    "\n"
    "Exit status: 0 no difference, 1 a difference or a failure, 2 wrong "
    "usage.\n";

/* One operand: its declarations, and their text for the compiler. */
struct patient {
    frt_decls *decls;
    char *text;
};

/* What the library knows without a declaration, the compiler has from here. */
static const char *patient_prelude[] = {"stdarg.h", "stdbool.h", "stddef.h",
                                        "stdint.h"};

/* Headers that were asked for are of the set that is compared. */
static bool
patient_of_text(struct patient *out, const struct frti_header_request *request,
                const char *text)
{
    struct frti_header_request whole = *request;

    whole.text = text;
    whole.is_text_alone = request->header_count == 0;
    if (whole.is_text_alone) {
        whole.headers = patient_prelude;
        whole.header_count = sizeof patient_prelude / sizeof *patient_prelude;
    }
    return frti_header_read(&out->decls, &out->text, &whole);
}

/* Declarations, if it looks like them and is no file's name. */
static bool
operand_is_text(const char *operand)
{
    return strpbrk(operand, " ;{(") != NULL && access(operand, F_OK) != 0;
}

static bool
patient_read(struct patient *out, struct frti_header_request *request,
             const char *operand)
{
    bool is_right;

    *out = (struct patient){.decls = NULL};
    if (operand_is_text(operand))
        return patient_of_text(out, request, operand);
    request->headers[request->header_count++] = operand;
    is_right = frti_header_read(&out->decls, &out->text, request);
    request->header_count--;
    return is_right;
}

/* The text of the whole program; NULL: no memory. */
static char *
program_text(const struct patient *patient,
             const struct frti_questions *questions)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        return NULL;
    fprintf(file, "%s\n;\n# 1 \"doctor\"\n", patient->text);
    frti_questions_write(file, questions);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Compiles it into the shared object at `path`. */
static bool
program_compile(const char *text, const char *path)
{
    static const char *const words[] = {"-shared",    "-fPIC",
                                        "-O1",        "-w",
                                        "-Wno-psabi", "-fvisibility=hidden",
                                        "-x",         "cpp-output",
                                        "-",          "-o"};
    struct frti_compiler compiler;
    char *output;
    bool is_right;

    if (!frti_compiler_find(&compiler))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        frti_compiler_add(&compiler, words[i]);
    frti_compiler_add(&compiler, path);
    is_right = frti_compiler_run(&output, &compiler, text);
    if (is_right)
        free(output);
    frti_compiler_fini(&compiler);
    return is_right;
}

static bool
program_load(frt_library *out, const char *text)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int file;
    bool is_right;

    snprintf(path, sizeof path, "%s/ffi-rt-XXXXXX",
             folder == NULL || *folder == '\0' ? "/tmp" : folder);
    file = mkstemp(path);
    if (file < 0) {
        fprintf(stderr, "ffi-rt: no file can be made at %s\n", path);
        return false;
    }
    close(file);
    is_right = program_compile(text, path);
    if (is_right &&
        frt_library_open(out, frt_arena_global(), path, NULL) != FRT_OK) {
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
        is_right = false;
    }
    unlink(path);
    return is_right;
}

/* All the answers. After a crash the next round trip is the first of another
 * process. */
static bool
patient_compare(struct frti_diagnosis *diagnosis,
                struct frti_questions *questions, frt_library library)
{
    struct frti_trips trips = {
        .questions = questions, .library = library, .diagnosis = diagnosis};

    if (!frti_questions_compare(diagnosis, questions, library))
        return false;
    while (diagnosis->next < questions->count) {
        size_t before = diagnosis->next;

        if (frti_finish_output() != FRTI_EXIT_DONE)
            return false;
        if (frti_isolate(frti_trips_perform, &trips, true) != FRTI_EXIT_DONE)
            diagnosis->differences++;
        if (diagnosis->next == before) /* there was no process for it */
            return false;
    }
    return true;
}

static bool
patient_examine(const struct patient *patient, const char *name,
                struct frti_diagnosis *diagnosis)
{
    struct frti_questions questions;
    frt_library library;
    char *text;
    bool is_right;

    *diagnosis = (struct frti_diagnosis){.trips = 0};
    frti_questions_make(&questions, patient->decls);
    text = program_text(patient, &questions);
    is_right = text != NULL && program_load(&library, text) &&
               patient_compare(diagnosis, &questions, library);
    if (is_right)
        printf("%s: %zu types, %zu questions, %zu by value (%zu are not "
               "passed): %zu differences\n",
               name, questions.types, questions.count, diagnosis->trips,
               diagnosis->refused, diagnosis->differences);
    free(text);
    frti_questions_free(&questions);
    return is_right && diagnosis->differences == 0;
}

/* Shared with the process that makes the round trips; NULL: no memory, which
 * has been said. */
static struct frti_diagnosis *
diagnosis_map(void)
{
    void *memory =
        mmap(NULL, sizeof(struct frti_diagnosis), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory != MAP_FAILED)
        return memory;
    fprintf(stderr, "ffi-rt: out of memory\n");
    return NULL;
}

static int
doctor_run(struct frti_header_request *request, int count, char **arguments)
{
    struct frti_diagnosis *diagnosis = diagnosis_map();
    int status = FRTI_EXIT_DONE;
    int at = 0;

    if (diagnosis == NULL)
        return FRTI_EXIT_FAILED;
    for (; at < count && arguments[at][0] == '-'; at++)
        if (!frti_header_option(request, count, arguments, &at, true))
            return frti_header_wants_value(arguments[at], true)
                       ? frti_usage_error("%s wants a value", arguments[at])
                       : frti_usage_error("doctor has no option '%.80s'",
                                          arguments[at]);
    if (at == count)
        return frti_usage_error("doctor wants a header or declarations");
    for (; at < count; at++) {
        bool is_text = operand_is_text(arguments[at]);
        struct patient patient;

        if (!patient_read(&patient, request, arguments[at]) ||
            !patient_examine(&patient, is_text ? "declarations" : arguments[at],
                             diagnosis))
            status = FRTI_EXIT_FAILED;
        frt_decls_free(patient.decls);
        free(patient.text);
    }
    return status;
}

int
frti_doctor_main(int count, char **arguments)
{
    struct frti_header_request request = {.model = NULL};
    int status;
    int written;

    if (frti_wants_help(count, arguments)) {
        fputs(doctor_usage, stdout);
        return frti_finish_output();
    }
    if (!frti_header_begin(&request, count))
        return FRTI_EXIT_FAILED;
    status = doctor_run(&request, count, arguments);
    frti_header_end(&request);
    written = frti_finish_output();
    return status != FRTI_EXIT_DONE ? status : written;
}
