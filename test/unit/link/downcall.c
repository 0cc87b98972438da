/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/downcall.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/failing.h"
#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

static const frt_descriptor *
parse(const char *prototype)
{
    const frt_descriptor *descriptor = NULL;

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, prototype, NULL));
    return descriptor;
}

static const frt_downcall *
link_text(const char *prototype)
{
    const frt_descriptor *descriptor = parse(prototype);
    const frt_downcall *downcall = NULL;

    CHECK_STATUS(FRT_OK, frt_downcall_link(&downcall, descriptor, NULL));
    frt_descriptor_drop(descriptor);
    return downcall;
}

Test(downcall, same_signature_is_the_same_downcall)
{
    const frt_descriptor *descriptor = parse("int f(int, int)");
    const frt_link_options blocking = {.size = sizeof blocking,
                                       .blocking = true};
    const frt_downcall *one = link_text("int g(int a, int b)");
    const frt_downcall *two = NULL;
    const frt_downcall *other = NULL;

    CHECK_STATUS(FRT_OK, frt_downcall_link(&two, descriptor, NULL));
    cr_assert_eq(one, two);
    CHECK_STATUS(FRT_OK, frt_downcall_link(&other, descriptor, &blocking));
    cr_assert_neq(one, other);
    cr_assert(frt_downcall_is_blocking(other));
    cr_assert_not(frt_downcall_is_blocking(one));
    cr_assert_eq(frt_downcall_descriptor(one), descriptor);
    frt_downcall_drop(other);
    frt_downcall_drop(two);
    frt_downcall_drop(one);
    frt_descriptor_drop(descriptor);
}

Test(downcall, many_made_and_dropped_leave_memory_flat)
{
    size_t before;
    size_t after;

    frt_downcall_drop(link_text("int f(int, int)"));
    before = frti_allocator_live();
    for (int i = 0; i < 1000; i++)
        frt_downcall_drop(link_text("struct { long a[3]; } f(double, int)"));
    after = frti_allocator_live();
    cr_assert_eq(before, after, "%zu before, %zu after", before, after);
}

Test(downcall, every_allocation_of_a_link_may_fail)
{
    const frt_descriptor *descriptor =
        parse("struct { double d[4]; } f(struct { char c; double d; }, "
              "float, struct { long l[3]; }, const int *)");
    size_t before = warm_live();
    const frt_downcall *downcall = NULL;
    size_t failures = 0;
    frt_status status;

    do {
        failing_begin(failures + 1);
        status = frt_downcall_link(&downcall, descriptor, NULL);
        failing_end();
        if (status == FRT_OK)
            break;
        cr_assert_eq(status, FRT_NO_MEMORY);
        check_detail("no memory");
        cr_assert_eq(frti_allocator_live(), before);
        cr_assert_null(downcall);
        failures++;
    } while (failures < 1000);
    cr_assert_eq(status, FRT_OK);
    cr_assert_geq(failures, 5);
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
}

Test(downcall, options_of_an_earlier_version)
{
    struct {
        size_t size;
        frt_backend backend;
    } old = {sizeof old.size + sizeof old.backend, FRT_BACKEND_LIBFFI};
    const frt_descriptor *descriptor = parse("int f(void)");
    const frt_downcall *downcall = NULL;

    CHECK_STATUS(FRT_OK,
                 frt_downcall_link(&downcall, descriptor, (const void *)&old));
    cr_assert_eq(frt_downcall_backend(downcall), FRT_BACKEND_LIBFFI);
    cr_assert_not(frt_downcall_is_blocking(downcall));
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
}

Test(downcall, what_cannot_be_linked)
{
    const frt_link_options no_such = {.size = sizeof no_such,
                                      .backend = (frt_backend)77};
    const frt_model *other;
    const frt_downcall *downcall = NULL;
    const frt_descriptor *descriptor;
    frt_parse_options foreign = {.size = sizeof foreign};

    descriptor = parse("int f(int)");
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_downcall_link(&downcall, descriptor, &no_such));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_downcall_link(&downcall, NULL, NULL));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_downcall_link(NULL, descriptor, NULL));
    frt_descriptor_drop(descriptor);
    CHECK_STATUS(FRT_OK, frt_model_find(&other, "aarch64-apple"));
    foreign.model = other;
    CHECK_STATUS(FRT_OK,
                 frt_descriptor_parse(&descriptor, "int f(int)", &foreign));
    CHECK_STATUS(FRT_BAD_LAYOUT,
                 frt_downcall_link(&downcall, descriptor, NULL));
    check_detail("aarch64-apple");
    frt_descriptor_drop(descriptor);
    cr_assert_null(downcall);
}

Test(downcall, padding_that_no_c_type_has)
{
    const frt_layout *padding;
    const frt_layout *layout;
    const frt_descriptor *descriptor;
    const frt_downcall *downcall = NULL;

    CHECK_STATUS(FRT_OK, frt_layout_padding(&padding, 8));
    frt_member members[] = {{"a", FRT_INT}, {NULL, padding}, {"b", FRT_INT}};
    CHECK_STATUS(FRT_OK, frt_layout_struct(&layout, members, 3, NULL));
    CHECK_STATUS(FRT_OK, frt_descriptor_of(&descriptor, NULL, &layout, 1));
    CHECK_STATUS(FRT_UNSUPPORTED,
                 frt_downcall_link(&downcall, descriptor, NULL));
    check_detail("padding");
    frt_descriptor_drop(descriptor);
    frt_layout_drop(layout);
    frt_layout_drop(padding);
}

Test(downcall, invoke_needs_a_target)
{
    const frt_downcall *downcall = link_text("int f(int, int)");
    int result = 77;

    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_invoke(downcall, NULL, &result, NULL));
    check_detail("target is NULL");
    cr_assert_eq(result, 77);
    frt_downcall_drop(downcall);
}

Test(downcall, the_arguments_array_stays_as_it_was)
{
    const frt_downcall *downcall =
        link_text("double f(struct { double d[4]; })");
    struct callee_big big = {{1, 2, 3, 4}};
    void *arguments[] = {&big};
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        big.d[0] = i;
        CHECK_STATUS(FRT_OK, frt_invoke(downcall, (void *)callee_spoil, &sum,
                                        arguments));
        cr_assert_eq(sum, i + 9);
        cr_assert_eq(arguments[0], &big);
        cr_assert_eq(big.d[3], 4);
    }
    frt_downcall_drop(downcall);
}

Test(downcall, results_have_their_exact_width)
{
    const frt_downcall *downcall = link_text("unsigned f(void)");
    const frt_downcall *truth = link_text("_Bool f(void)");
    uint32_t guarded[3] = {1, 2, 3};
    unsigned char bools[3] = {9, 9, 9};

    CHECK_STATUS(FRT_OK,
                 frt_invoke(downcall, (void *)callee_u32, &guarded[1], NULL));
    cr_assert_eq(guarded[0], 1);
    cr_assert_eq(guarded[1], 0xdeadbeef);
    cr_assert_eq(guarded[2], 3);
    CHECK_STATUS(FRT_OK,
                 frt_invoke(truth, (void *)callee_dirty_bool, &bools[1], NULL));
    cr_assert_eq(bools[0], 9);
    cr_assert_eq(bools[1], 0);
    cr_assert_eq(bools[2], 9);
    frt_downcall_drop(truth);
    frt_downcall_drop(downcall);
}

/* The argument is the last byte before a page that cannot be read. */
Test(downcall, arguments_are_read_to_their_last_byte)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const frt_downcall *downcall = link_text("signed char f(signed char)");
    void *arguments[] = {pages + page - 1};
    int8_t result = 0;

    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    pages[page - 1] = -7;
    CHECK_STATUS(FRT_OK,
                 frt_invoke(downcall, (void *)callee_i8, &result, arguments));
    cr_assert_eq(result, -7);
    munmap(pages, 2 * page);
    frt_downcall_drop(downcall);
}

Test(downcall, captured_errno_goes_in_and_out)
{
    const frt_downcall *fails = link_text("int f(int)");
    const frt_downcall *tells = link_text("int f(void)");
    frt_call_state state = {.error_number = 5};
    int error = ENOENT;
    void *arguments[] = {&error};
    int result = 0;

    errno = 77;
    CHECK_STATUS(FRT_OK,
                 frt_invoke_captured(tells, &state, (void *)callee_errno,
                                     &result, NULL));
    cr_assert_eq(result, 5);
    cr_assert_eq(state.error_number, 5);
    CHECK_STATUS(FRT_OK, frt_invoke_captured(fails, &state, (void *)callee_fail,
                                             &result, arguments));
    cr_assert_eq(result, -1);
    cr_assert_eq(state.error_number, ENOENT);
    cr_assert_eq(errno, 77);
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_invoke_captured(fails, NULL, (void *)callee_fail, &result,
                                     arguments));
    frt_downcall_drop(tells);
    frt_downcall_drop(fails);
}

static void *
captures_its_own(void *context)
{
    const frt_downcall *fails = link_text("int f(int)");
    int error = *(int *)context;
    void *arguments[] = {&error};

    for (int i = 0; i < 10000; i++) {
        frt_call_state state = {0};
        int result;

        CHECK_STATUS(FRT_OK,
                     frt_invoke_captured(fails, &state, (void *)callee_fail,
                                         &result, arguments));
        cr_assert_eq(state.error_number, error);
    }
    frt_downcall_drop(fails);
    return NULL;
}

Test(downcall, each_thread_sees_its_own_errno)
{
    pthread_t threads[8];
    int errors[8];

    for (int i = 0; i < 8; i++) {
        errors[i] = i + 1;
        cr_assert_eq(
            pthread_create(&threads[i], NULL, captures_its_own, &errors[i]), 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
}

Test(downcall, a_million_by_value_results_allocate_nothing)
{
    const frt_downcall *downcall =
        link_text("struct { double x, y; } f(struct { double x, y; })");
    const frt_downcall *large = link_text("struct { double d[4]; } f(double)");
    struct callee_point point = {1, 2};
    double first = 5;
    void *arguments[] = {&point};
    void *firsts[] = {&first};
    size_t before;

    for (int i = 0; i < 1000001; i++) {
        frt_frame frame = {0};

        CHECK_STATUS(FRT_OK, frt_frame_push(&frame, 32, 0));
        CHECK_STATUS(FRT_OK, frt_invoke(downcall, (void *)callee_swap,
                                        frame.address, arguments));
        cr_assert_eq(((struct callee_point *)frame.address)->x, 2);
        CHECK_STATUS(FRT_OK, frt_invoke(large, (void *)callee_big,
                                        frame.address, firsts));
        cr_assert_eq(((struct callee_big *)frame.address)->d[3], 8);
        CHECK_STATUS(FRT_OK, frt_frame_pop(&frame));
        if (i == 0)
            before = frti_allocator_made();
    }
    cr_assert_eq(frti_allocator_made(), before);
    frt_downcall_drop(large);
    frt_downcall_drop(downcall);
}

Test(downcall, a_thousand_parameters)
{
    enum { COUNT = 1000 };
    const frt_layout *layouts[COUNT];
    const frt_descriptor *descriptor;
    const frt_downcall *downcall;
    int one = 1;
    int count = 990;
    double value = 0.5;
    void *arguments[COUNT];
    double sum = 0;

    for (int i = 0; i < COUNT; i++) {
        layouts[i] = i == 0 ? FRT_INT : FRT_F64;
        arguments[i] = i == 0 ? (void *)&count : (void *)&value;
    }
    (void)one;
    CHECK_STATUS(FRT_OK, frt_descriptor_of_variadic(&descriptor, FRT_F64,
                                                    layouts, COUNT, 1));
    CHECK_STATUS(FRT_OK, frt_downcall_link(&downcall, descriptor, NULL));
    CHECK_STATUS(FRT_OK,
                 frt_invoke(downcall, (void *)callee_sum, &sum, arguments));
    cr_assert_eq(sum, 495);
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
}
