/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/abi/batch.h"
#include "test/abi/corpus.h"

struct longs {
    long a, b, c;
};

struct pair {
    char c;
    double d;
};

/* A case under way: what its calls have in common. */
struct special {
    char *sentence;
    void *object;
    frt_backend backend;
};

#define LONGS "struct { long a, b, c; }"

static const frt_downcall *
special_link(const struct special *special, const char *prototype,
             const char *variadic)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = special->backend};
    const frt_descriptor *descriptor;
    const frt_downcall *downcall = NULL;
    frt_status status =
        corpus_descriptor(&descriptor, prototype, variadic, NULL);

    if (status == FRT_OK) {
        status = frt_downcall_link(&downcall, descriptor, &options);
        frt_descriptor_drop(descriptor);
    }
    if (status != FRT_OK) {
        snprintf(special->sentence, 512, "%s: %s", prototype,
                 frt_last_detail());
        return NULL;
    }
    return downcall;
}

static bool
special_call(const struct special *special, void *target, const char *prototype,
             const char *variadic, void *result, void *const *arguments)
{
    const frt_downcall *downcall = special_link(special, prototype, variadic);
    frt_status status;

    if (downcall == NULL)
        return false;
    status = frt_invoke(downcall, target, result, arguments);
    if (status != FRT_OK)
        snprintf(special->sentence, 512, "%s: %s", prototype,
                 frt_last_detail());
    frt_downcall_drop(downcall);
    return status == FRT_OK;
}

static bool special_is(const struct special *special, bool is_right,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool
special_is(const struct special *special, bool is_right, const char *format,
           ...)
{
    va_list values;

    va_start(values, format);
    if (!is_right)
        vsnprintf(special->sentence, 512, format, values);
    va_end(values);
    return is_right;
}

/* -------------------------------------------------------------- section A */

static bool
a03(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    const frt_downcall *downcall =
        special_link(&special, "long f(" LONGS ")", NULL);
    struct longs s = {1, 2, 3};
    void *const arguments[] = {&s};
    void *target = batch_symbol(object, "a03");
    long first = 0;
    long second = 0;
    bool is_called;

    if (downcall == NULL)
        return false;
    is_called = frt_invoke(downcall, target, &first, arguments) == FRT_OK;
    s.b = 200;
    is_called =
        is_called && frt_invoke(downcall, target, &second, arguments) == FRT_OK;
    frt_downcall_drop(downcall);
    return special_is(&special, is_called && first == 6 && second == 204,
                      "got %ld, then %ld", first, second);
}

static bool
a32(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    struct longs s = {1, 2, 3};
    void *const arguments[] = {&s};

    return special_call(&special, batch_symbol(object, "a32"),
                        "void f(" LONGS ")", NULL, NULL, arguments) &&
           special_is(&special, s.a == 1 && s.b == 2 && s.c == 3,
                      "the caller's struct is now %ld %ld %ld", s.a, s.b, s.c);
}

static bool
a37(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    int a = 4;
    int b = 2;
    int result = 0;
    void *const arguments[] = {&a, &b, &b}; /* nothing is read of the second */

    return special_call(&special, batch_symbol(object, "a37"),
                        "int f(int, struct { }, int)", NULL, &result,
                        arguments) &&
           special_is(&special, result == 42, "got %d", result);
}

/* -------------------------------------------------------------- section B */

static bool
b01(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    unsigned char result[2] = {0x55, 0x55};

    return special_call(&special, batch_symbol(object, "b01"), "_Bool f(void)",
                        NULL, result, NULL) &&
           special_is(&special, result[0] == 0 && result[1] == 0x55,
                      "got %d, and beside it %d", result[0], result[1]);
}

static bool
b06(char sentence[static 512], void *object, frt_backend backend)
{
    static const uint64_t values[] = {(uint64_t)INT64_MIN, UINT64_MAX,
                                      (UINT64_C(1) << 53) + 1};
    const struct special special = {sentence, object, backend};

    for (size_t i = 0; i < 3; i++) {
        uint64_t value = values[i];
        uint64_t one = 0;
        uint64_t other = 0;
        void *const arguments[] = {&value};

        if (!special_call(&special, batch_symbol(object, "b06_long"),
                          "long f(long)", NULL, &one, arguments) ||
            !special_call(&special, batch_symbol(object, "b06_unsigned"),
                          "unsigned long f(unsigned long)", NULL, &other,
                          arguments) ||
            !special_is(&special, one == value && other == value,
                        "%" PRIx64 " came back as %" PRIx64 " and %" PRIx64,
                        value, one, other))
            return false;
    }
    return true;
}

static bool
b07(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    int count = 2;
    float single = 1.5f;
    double number = 2.5;
    double result = 0;
    void *const arguments[] = {&count, &single, &number};

    return special_call(&special, batch_symbol(object, "b07"),
                        "double f(int, ...)", "float, double", &result,
                        arguments) &&
           special_is(&special, result == 4.0, "got %g", result);
}

static bool
b09(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    char buffer[32] = "";
    void *to = buffer;
    size_t size = sizeof buffer;
    const char *format = "%x";
    short value = -42;
    int result = 0;
    void *const arguments[] = {&to, &size, &format, &value};

    return special_call(&special, (void *)snprintf,
                        "int f(char *, unsigned long, const char *, ...)",
                        "short", &result, arguments) &&
           special_is(&special, strcmp(buffer, "ffffffd6") == 0, "got %s",
                      buffer);
}

static bool
b11(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    int tag = 3;
    int number = 4;
    void *function = batch_symbol(object, "b11_function");
    void *context = &number;
    int result = 0;
    void *const arguments[] = {&tag, &function, &context};

    return special_call(&special, batch_symbol(object, "b11"),
                        "int f(int, ...)", "int (*)(int, void *), void *",
                        &result, arguments) &&
           special_is(&special, result == 7 && number == 7, "got %d and %d",
                      result, number);
}

static bool
b13_open(const struct special *special, const char *path)
{
    int flags = O_CREAT | O_RDWR;
    int mode = 0600;
    int file = -1;
    struct stat stat = {0};
    mode_t mask = umask(0);
    void *const arguments[] = {&path, &flags, &mode};
    bool is_called =
        special_call(special, (void *)open, "int f(const char *, int, ...)",
                     "int", &file, arguments);

    umask(mask);
    if (!is_called || !special_is(special, file >= 0, "open gives %d", file))
        return false;
    fstat(file, &stat);
    close(file);
    unlink(path);
    return special_is(special, (stat.st_mode & 07777) == 0600,
                      "the file's mode is %o", (unsigned)stat.st_mode);
}

static bool
b13_ioctl(const struct special *special)
{
    int ends[2];
    unsigned long request = FIONREAD;
    int waiting = -1;
    void *address = &waiting;
    int result = -1;
    void *const arguments[] = {&ends[0], &request, &address};
    bool is_called;

    if (pipe(ends) != 0 || write(ends[1], "12345", 5) != 5)
        return special_is(special, false, "there is no pipe");
    is_called =
        special_call(special, (void *)ioctl, "int f(int, unsigned long, ...)",
                     "void *", &result, arguments);
    close(ends[0]);
    close(ends[1]);
    return is_called && special_is(special, result == 0 && waiting == 5,
                                   "got %d and %d", result, waiting);
}

static bool
b13_fcntl(const struct special *special)
{
    int file = 1;
    int command = F_GETFD;
    int result = -1;
    void *const arguments[] = {&file, &command};

    return special_call(special, (void *)fcntl, "int f(int, int, ...)", NULL,
                        &result, arguments) &&
           special_is(special, result >= 0, "got %d", result);
}

static bool
b13(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    char folder[] = P_tmpdir "/ffi_rt_b13_XXXXXX";
    char path[64];
    bool is_right;

    if (mkdtemp(folder) == NULL)
        return special_is(&special, false, "there is no folder");
    snprintf(path, sizeof path, "%s/file", folder);
    is_right =
        b13_open(&special, path) && b13_ioctl(&special) && b13_fcntl(&special);
    rmdir(folder);
    return is_right;
}

static bool
b14(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    int count = 2;
    struct pair one = {1, 2};
    struct pair other = {3, 4};
    double result = 0;
    void *const arguments[] = {&count, &one, &other};

    return special_call(&special, batch_symbol(object, "b14"),
                        "double f(int, ...)",
                        "struct { char c; double d; },"
                        " struct { char c; double d; }",
                        &result, arguments) &&
           special_is(&special, result == 10.0, "got %g", result);
}

static bool
b26(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    const frt_downcall *downcall = special_link(&special, "int f(int)", NULL);
    int result = 5;
    void *const arguments[] = {&result};
    frt_status status;

    if (downcall == NULL)
        return false;
    status = frt_invoke(downcall, NULL, &result, arguments);
    frt_downcall_drop(downcall);
    return special_is(&special, status == FRT_BAD_ARGUMENT, "got %s",
                      frt_status_name(status));
}

/* -------------------------------------------------------------- section G */

static bool
g07(char sentence[static 512], void *object, frt_backend backend)
{
    const struct special special = {sentence, object, backend};
    const frt_layout *layout;
    frt_status status =
        frt_layout_parse(&layout, "struct { int a; int : 632; }", NULL);

    if (status == FRT_OK)
        frt_layout_drop(layout);
    return special_is(&special, status != FRT_OK, "it is taken");
}

const struct corpus_special corpus_specials[] = {
    {"A03", "the same prepared arguments, changed between two calls", a03},
    {"A32", "a callee that writes into its struct", a32},
    {"A37", "an empty struct between two integers", a37},
    {"B01", "false with rubbish in the rest of the register", b01},
    {"B06", "integers that no double holds", b06},
    {"B07", "a float and a double in `...`", b07},
    {"B09", "a short to printf's %x", b09},
    {"B11", "a function pointer in `...`", b11},
    {"B13", "open, ioctl and fcntl by their own prototypes", b13},
    {"B14", "structs in `...`", b14},
    {"B26", "the address 0", b26},
    {"G07", "an unnamed bit-field of 632 bits", g07},
};
const size_t corpus_special_count =
    sizeof corpus_specials / sizeof *corpus_specials;
