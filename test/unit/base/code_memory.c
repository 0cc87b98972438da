/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/code_memory.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ffi_rt/base/status.h"
#include "test/unit/base/child.h"
#include "test/unit/base/failing.h"

#define SIZE 100

static struct frti_code
publish(unsigned char byte, size_t size)
{
    static unsigned char bytes[600 << 10];
    struct frti_code code = {0};

    memset(bytes, byte, size);
    cr_assert_eq(frti_code_publish(&code, bytes, size), FRT_OK, "%s",
                 frt_last_detail());
    return code;
}

static bool
holds(const struct frti_code *code, unsigned char byte, size_t size)
{
    const unsigned char *bytes = code->entry;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != byte)
            return false;
    return true;
}

/* Calls `judge` for each mapping of code. */
static size_t
maps(bool (*judge)(const char *line, void *context), void *context)
{
    FILE *file = fopen("/proc/self/maps", "r");
    char line[512];
    size_t count = 0;

    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += judge(line, context);
    fclose(file);
    return count;
}

static bool
map_is_code(const char *line, void *context)
{
    (void)context;
    return strstr(line, "ffi_rt code") != NULL;
}

static bool
map_is_writable_code(const char *line, void *context)
{
    return map_is_code(line, context) && strstr(line, " rw") != NULL;
}

Test(code_memory, is_appended_and_aligned)
{
    struct frti_code one = publish(1, SIZE);
    struct frti_code two = publish(2, SIZE);

    cr_assert_eq((uintptr_t)one.entry % 16, 0);
    cr_assert_eq((uintptr_t)two.entry % 16, 0);
    cr_assert_eq(one.block, two.block);
    cr_assert_geq((char *)two.entry, (char *)one.entry + SIZE);
    frti_code_drop(&two);
    /* the place of what is gone is not used again */
    struct frti_code three = publish(3, SIZE);
    cr_assert_gt((char *)three.entry, (char *)two.entry);
    cr_assert(holds(&one, 1, SIZE));
    cr_assert(holds(&three, 3, SIZE));
    frti_code_drop(&one);
    frti_code_drop(&three);
}

Test(code_memory, is_never_writable_and_executable)
{
    struct frti_code codes[50];

    for (unsigned char i = 0; i < 50; i++) {
        codes[i] = publish(i, 6000);
        cr_assert_eq(maps(map_is_writable_code, NULL), 0,
                     "the writable view goes at once");
    }
    cr_assert_eq(maps(map_is_code, NULL), frti_code_blocks());
    for (unsigned char i = 0; i < 50; i++) {
        cr_assert(holds(&codes[i], i, 6000));
        frti_code_drop(&codes[i]);
    }
}

Test(code_memory, a_block_goes_with_its_last_code, .signal = SIGSEGV)
{
    struct frti_code one = publish(1, SIZE);
    struct frti_code two = publish(2, SIZE);

    frti_code_drop(&one);
    cr_assert_eq(frti_code_blocks(), 1);
    frti_code_drop(&two);
    cr_assert_eq(frti_code_blocks(), 0);
    cr_assert_eq(maps(map_is_code, NULL), 0);
    (void)*(volatile unsigned char *)one.entry;
}

Test(code_memory, larger_than_a_block)
{
    size_t size = 500 << 10;
    struct frti_code small = publish(1, SIZE);
    struct frti_code large = publish(2, size);
    struct frti_code other = publish(3, SIZE);

    cr_assert_neq(small.block, large.block);
    cr_assert(holds(&small, 1, SIZE));
    cr_assert(holds(&large, 2, size));
    cr_assert(holds(&other, 3, SIZE));
    frti_code_drop(&small);
    frti_code_drop(&large);
    frti_code_drop(&other);
    cr_assert_eq(frti_code_blocks(), 0);
}

#define WINDOW 64

/* What lives for a while keeps few blocks, however much comes and goes. */
Test(code_memory, is_bounded)
{
    static struct frti_code codes[WINDOW];
    size_t live = frti_allocator_live();
    size_t most = 0;

    for (size_t i = 0; i < 20000; i++) {
        struct frti_code *code = &codes[i % WINDOW];

        if (i >= WINDOW)
            frti_code_drop(code);
        *code = publish((unsigned char)i, SIZE);
        most = frti_code_blocks() > most ? frti_code_blocks() : most;
    }
    cr_assert_leq(most, 2);
    for (size_t i = 0; i < WINDOW; i++)
        frti_code_drop(&codes[i]);
    cr_assert_eq(frti_code_blocks(), 0);
    cr_assert_eq(frti_allocator_live(), live);
}

Test(code_memory, no_memory_for_a_block)
{
    static const unsigned char bytes[SIZE];
    struct frti_code code = {0};
    size_t live;

    frti_null_argument("any"); /* this thread has its record now */
    live = frti_allocator_live();
    failing_begin(1);
    cr_assert_eq(frti_code_publish(&code, bytes, SIZE), FRT_NO_MEMORY);
    cr_assert(failing_end());
    cr_assert_null(code.entry);
    cr_assert_eq(frti_allocator_live(), live);
    cr_assert_eq(frti_code_blocks(), 0);
}

Test(code_memory, try)
{
    cr_assert_eq(frti_code_try(), FRT_OK);
    cr_assert_eq(frti_code_try(), FRT_OK);
    cr_assert_eq(frti_code_blocks(), 0);
}

static void *
publish_and_drop(void *number)
{
    unsigned char byte = *(unsigned char *)number;

    for (int i = 0; i < 500; i++) {
        unsigned char bytes[SIZE];
        struct frti_code code;

        memset(bytes, byte, SIZE);
        if (frti_code_publish(&code, bytes, SIZE) != FRT_OK ||
            !holds(&code, byte, SIZE))
            return number;
        frti_code_drop(&code);
    }
    return NULL;
}

Test(code_memory, many_threads)
{
    pthread_t threads[8];
    unsigned char numbers[8];
    void *wrong;

    for (unsigned char i = 0; i < 8; i++) {
        numbers[i] = (unsigned char)(i + 1);
        pthread_create(&threads[i], NULL, publish_and_drop, &numbers[i]);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &wrong);
        cr_assert_null(wrong);
    }
    cr_assert_eq(frti_code_blocks(), 0);
}

/* What the child appends is not seen by the parent. */
static void
check_forked(pid_t child, struct frti_code *before)
{
    struct frti_code after = publish(child == 0 ? 2 : 3, SIZE);

    if (child == 0) {
        for (int i = 0; i < 100; i++)
            publish(4, SIZE);
        end_child(holds(before, 1, SIZE) && holds(&after, 2, SIZE) &&
                  after.block != before->block);
    }
    wait_for_child(child);
    cr_assert_eq(after.block, before->block, "the parent goes on in its block");
    cr_assert(holds(before, 1, SIZE));
    cr_assert(holds(&after, 3, SIZE));
    frti_code_drop(&after);
    frti_code_drop(before);
}

Test(code_memory, fork)
{
    struct frti_code before = publish(1, SIZE);

    check_forked(fork(), &before);
}

Test(code_memory, bare_fork)
{
    struct frti_code before = publish(1, SIZE);

    check_forked(_Fork(), &before);
}
