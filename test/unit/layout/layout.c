/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Identity, life and memory of layouts and descriptors. */
#include <pthread.h>
#include <stdio.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/failing.h"
#include "test/unit/layout/support.h"

static void
nothing_is_left(void)
{
    cr_expect_eq(frti_pool_count(&frti_layouts), 0);
    cr_expect_eq(frti_pool_count(&frti_descriptors), 0);
}

/* ------------------------------------------------------------- counting --- */

Test(layout, values_are_not_counted)
{
    cr_assert_eq(frt_layout_keep(FRT_INT), FRT_INT);
    for (int i = 0; i < 3; i++)
        frt_layout_drop(FRT_INT);
    frt_layout_drop(FRT_POINTER);
    frt_layout_drop(NULL);
    cr_assert_eq(frt_layout_size(FRT_INT), 4);
    nothing_is_left();
}

Test(layout, lives_as_long_as_it_is_kept)
{
    const frt_layout *array = array_of(FRT_INT, 3);

    cr_assert_eq(array_of(FRT_INT, 3), array);
    cr_assert_eq(frt_layout_keep(array), array);
    frt_layout_drop(array);
    frt_layout_drop(array);
    cr_assert_eq(frti_pool_count(&frti_layouts), 1);
    frt_layout_drop(array);
    nothing_is_left();
    cr_assert_eq(frti_allocator_live(), 0);
}

Test(layout, parts_go_with_the_whole)
{
    const frt_layout *parts[4];

    parts[0] = array_of(FRT_INT, 3);
    parts[1] = struct_of(MEMBERS({"a", parts[0]}), OPTIONS(.tag = "s"));
    parts[2] = aligned_to(parts[1], 32);
    parts[3] = pointer_to(parts[2]);
    for (int i = 0; i < 3; i++)
        frt_layout_drop(parts[i]);
    cr_assert_eq(frti_pool_count(&frti_layouts), 4);
    frt_layout_drop(parts[3]);
    nothing_is_left();
    cr_assert_eq(frti_allocator_live(), 0);
}

Test(layout, deepest_goes, .timeout = 10)
{
    const frt_layout *layout = frt_layout_keep(FRT_INT);

    for (int i = 0; i < FRTI_LAYOUT_DEPTH; i++) {
        const frt_layout *part = layout;

        layout = pointer_to(part);
        frt_layout_drop(part);
    }
    cr_assert_eq(frti_pool_count(&frti_layouts), FRTI_LAYOUT_DEPTH);
    cr_assert_eq(frt_layout_print(NULL, 0, layout), 4 + FRTI_LAYOUT_DEPTH);
    frt_layout_drop(layout);
    nothing_is_left();
}

/* ------------------------------------------------------------ a million --- */

/* Four of each, all new. */
static void
make_and_drop(size_t number)
{
    const frt_descriptor *descriptor = NULL;
    const frt_layout *array = array_of(FRT_SHORT, number);
    const frt_layout *pointer = pointer_to(array);
    const frt_layout *whole =
        struct_of(MEMBERS({"a", array}, {"p", pointer}), OPTIONS(.tag = "s"));

    OK(frt_descriptor_of(&descriptor, whole, LAYOUTS(pointer, whole)));
    frt_layout_drop(array);
    frt_layout_drop(pointer);
    frt_layout_drop(whole);
    frt_descriptor_drop(descriptor);
}

Test(layout, a_million_leave_memory_flat)
{
    size_t live;

    make_and_drop(1);
    live = frti_allocator_live();
    for (size_t i = 1; i <= 250000; i++) {
        make_and_drop(i);
        if (i % 10000 == 0)
            cr_assert_eq(frti_allocator_live(), live);
    }
    nothing_is_left();
}

Test(layout, many_at_once)
{
    enum { COUNT = 20000 };
    static const frt_layout *layouts[COUNT];

    for (size_t i = 0; i < COUNT; i++)
        layouts[i] = array_of(FRT_INT, i);
    cr_assert_eq(frti_pool_count(&frti_layouts), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert_eq(array_of(FRT_INT, i), layouts[i]);
        frt_layout_drop(layouts[i]);
        frt_layout_drop(layouts[i]);
    }
    nothing_is_left();
    cr_assert_eq(frti_allocator_live(), 0);
}

/* -------------------------------------------------------------- threads --- */

#define THREADS 16
#define ROUNDS 200

static pthread_barrier_t barrier;
static const frt_descriptor *made[THREADS];

static void *
make_the_same(void *argument)
{
    size_t me = (size_t)(uintptr_t)argument;

    for (int round = 0; round < ROUNDS; round++) {
        const frt_layout *point;

        pthread_barrier_wait(&barrier);
        point = struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                          OPTIONS(.tag = "point"));
        OK(frt_descriptor_of(&made[me], point, LAYOUTS(point, point)));
        frt_layout_drop(point);
        pthread_barrier_wait(&barrier);
        cr_assert_eq(made[me], made[(me + 1) % THREADS]);
        pthread_barrier_wait(&barrier);
        frt_descriptor_drop(made[me]);
    }
    return NULL;
}

Test(threads, get_one_pointer)
{
    pthread_t threads[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, make_the_same,
                                    (void *)(uintptr_t)i),
                     0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    nothing_is_left();
}

/* ------------------------------------------------------- out of memory --- */

/* What the operations below are made of; nothing else is alive. */
static const frt_layout *part;
static const frt_descriptor *described;

static frt_status
make_pointer(const frt_layout **out)
{
    return frt_layout_pointer(out, part, true);
}

static frt_status
make_segment(const frt_layout **out)
{
    return frt_layout_segment(out, part, true, 3);
}

static frt_status
make_array(const frt_layout **out)
{
    return frt_layout_array(out, part, 3);
}

static frt_status
make_complex(const frt_layout **out)
{
    return frt_layout_complex(out, FRT_F64);
}

static frt_status
make_vector(const frt_layout **out)
{
    return frt_layout_vector(out, FRT_INT, 4);
}

static frt_status
make_enum(const frt_layout **out)
{
    return frt_layout_enum(out, FRT_INT, "color");
}

static frt_status
make_function(const frt_layout **out)
{
    return frt_layout_function(out, described);
}

static frt_status
make_aligned(const frt_layout **out)
{
    return frt_layout_align_to(out, part, 64);
}

static frt_status
make_bit_field(const frt_layout **out)
{
    return frt_layout_bit_field(out, FRT_INT, 3);
}

static frt_status
make_padding(const frt_layout **out)
{
    return frt_layout_padding(out, 3);
}

static frt_status
make_incomplete(const frt_layout **out)
{
    return frt_layout_incomplete(out, FRT_KIND_STRUCT, "tag");
}

static frt_status
make_struct(const frt_layout **out)
{
    return frt_layout_struct(out, MEMBERS({"a", part}, {"b", part}),
                             OPTIONS(.tag = "s"));
}

static frt_status
make_union(const frt_layout **out)
{
    return frt_layout_union(out, MEMBERS({"a", part}, {"b", part}), NULL);
}

static frt_status
make_descriptor(const frt_descriptor **out)
{
    return frt_descriptor_of(out, part, LAYOUTS(part, FRT_INT));
}

static frt_status
make_variadic(const frt_descriptor **out)
{
    return frt_descriptor_of_variadic(out, part, LAYOUTS(part), 1);
}

static frt_status
make_extended(const frt_descriptor **out)
{
    return frt_descriptor_extend(out, described, LAYOUTS(part));
}

/* One of the two. */
struct operation {
    const char *name;
    frt_status (*layout)(const frt_layout **out);
    frt_status (*descriptor)(const frt_descriptor **out);
};

static const struct operation operations[] = {
    {"pointer", make_pointer, NULL},
    {"segment", make_segment, NULL},
    {"array", make_array, NULL},
    {"complex", make_complex, NULL},
    {"vector", make_vector, NULL},
    {"enum", make_enum, NULL},
    {"function", make_function, NULL},
    {"align_to", make_aligned, NULL},
    {"bit_field", make_bit_field, NULL},
    {"padding", make_padding, NULL},
    {"incomplete", make_incomplete, NULL},
    {"struct", make_struct, NULL},
    {"union", make_union, NULL},
    {"descriptor", NULL, make_descriptor},
    {"variadic", NULL, make_variadic},
    {"extended", NULL, make_extended},
};

/* Everything below starts from empty pools but for these two, so that tables
 * are allocated, too. */
static void
prepare(void)
{
    const frt_layout *unused = NULL;

    part = struct_of(MEMBERS({"x", FRT_F64}), OPTIONS(.tag = "part"));
    OK(frt_descriptor_of_variadic(&described, NULL, LAYOUTS(FRT_INT), 1));
    /* the thread's record, which has the sentence, is made by now */
    cr_assert_neq(frt_layout_array(&unused, FRT_VOID, 1), FRT_OK);
}

static frt_status
run(const struct operation *operation, const frt_layout **layout,
    const frt_descriptor **descriptor)
{
    return operation->layout != NULL ? operation->layout(layout)
                                     : operation->descriptor(descriptor);
}

static size_t
fail_at_each(const struct operation *operation)
{
    size_t live = frti_allocator_live();
    size_t layouts = frti_pool_count(&frti_layouts);
    size_t descriptors = frti_pool_count(&frti_descriptors);

    for (size_t n = 1;; n++) {
        const frt_layout *layout = NULL;
        const frt_descriptor *descriptor = NULL;
        frt_status status;

        failing_begin(n);
        status = run(operation, &layout, &descriptor);
        if (!failing_end()) {
            cr_expect_eq(status, FRT_OK, "%s", operation->name);
            frt_layout_drop(layout);
            frt_descriptor_drop(descriptor);
            return n - 1;
        }
        cr_expect_eq(status, FRT_NO_MEMORY, "%s", operation->name);
        cr_expect(strstr(frt_last_detail(), "no memory for ") != NULL);
        cr_expect_null(layout);
        cr_expect_null(descriptor);
        cr_expect_eq(frti_allocator_live(), live, "%s", operation->name);
        cr_expect_eq(frti_pool_count(&frti_layouts), layouts);
        cr_expect_eq(frti_pool_count(&frti_descriptors), descriptors);
    }
}

Test(no_memory, each_allocation_of_each_constructor)
{
    prepare();
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(operations); i++)
        cr_expect_gt(fail_at_each(&operations[i]), 0, "%s", operations[i].name);
}

/* With the pools empty: the tables' own allocations fail as well. */
Test(no_memory, first_of_all)
{
    const frt_layout *unused = NULL;

    part = FRT_INT;
    cr_assert_neq(frt_layout_array(&unused, FRT_VOID, 1), FRT_OK);
    nothing_is_left();
    cr_expect_eq(fail_at_each(&operations[0]), 2);
    cr_expect_eq(fail_at_each(&operations[11]), 3);
    cr_expect_eq(fail_at_each(&operations[13]), 2);
    nothing_is_left();
}

/* What is there already needs nothing. */
Test(no_memory, for_what_is_known)
{
    const frt_layout *again = NULL;
    const frt_layout *array;

    array = array_of(FRT_INT, 3);
    failing_begin_always();
    cr_expect_eq(frt_layout_array(&again, FRT_INT, 3), FRT_OK);
    cr_expect_not(failing_end());
    cr_assert_eq(again, array);
}
