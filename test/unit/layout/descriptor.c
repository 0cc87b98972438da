/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/layout/support.h"

#include "ffi_rt/base/allocator.h"

static const frt_descriptor *
descriptor_of(const frt_layout *result, const frt_layout *const *parameters,
              size_t count)
{
    const frt_descriptor *out = NULL;

    OK(frt_descriptor_of(&out, result, parameters, count));
    return out;
}

static const frt_descriptor *
variadic_of(const frt_layout *const *parameters, size_t count, size_t fixed)
{
    const frt_descriptor *out = NULL;

    OK(frt_descriptor_of_variadic(&out, FRT_INT, parameters, count, fixed));
    return out;
}

Test(descriptor, accessors)
{
    const frt_descriptor *pow =
        descriptor_of(FRT_F64, LAYOUTS(FRT_F64, FRT_INT));

    cr_assert_eq(frt_descriptor_result(pow), FRT_F64);
    cr_assert_eq(frt_descriptor_count(pow), 2);
    cr_assert_eq(frt_descriptor_parameter(pow, 1), FRT_INT);
    cr_assert_null(frt_descriptor_parameter(pow, 2));
    cr_assert_not(frt_descriptor_is_variadic(pow));
    cr_assert_eq(frt_descriptor_fixed(pow), 2);
    cr_assert_eq(frt_descriptor_model(pow), frt_model_native());
}

Test(descriptor, identity)
{
    const frt_descriptor *one = descriptor_of(FRT_INT, LAYOUTS(FRT_INT));

    cr_assert_eq(one, descriptor_of(FRT_INT, LAYOUTS(FRT_INT)));
    cr_assert_neq(one, descriptor_of(FRT_INT, LAYOUTS(FRT_UINT)));
    cr_assert_neq(one, descriptor_of(FRT_UINT, LAYOUTS(FRT_INT)));
    cr_assert_neq(one, descriptor_of(FRT_INT, LAYOUTS(FRT_INT, FRT_INT)));
    cr_assert_neq(one, variadic_of(LAYOUTS(FRT_INT), 1));
    cr_assert_neq(variadic_of(LAYOUTS(FRT_INT), 0),
                  variadic_of(LAYOUTS(FRT_INT), 1));
}

Test(descriptor, no_result_is_void)
{
    const frt_descriptor *nothing = descriptor_of(NULL, NULL, 0);

    cr_assert_eq(frt_descriptor_result(nothing), FRT_VOID);
    cr_assert_eq(nothing, descriptor_of(FRT_VOID, NULL, 0));
}

Test(descriptor, model_is_the_layouts)
{
    const frt_model *model = NULL;
    const frt_layout *foreign;
    const frt_descriptor *out = NULL;

    OK(frt_model_find(&model, "aarch64-apple"));
    foreign = frt_layout_value(FRT_KIND_INT, model);
    cr_assert_eq(frt_descriptor_model(descriptor_of(NULL, LAYOUTS(foreign))),
                 model);
    cr_assert_eq(descriptor_of(FRT_VOID, LAYOUTS(foreign)),
                 descriptor_of(NULL, LAYOUTS(foreign)));
    cr_assert_eq(frt_layout_model(frt_descriptor_result(
                     descriptor_of(FRT_VOID, LAYOUTS(foreign)))),
                 model);
    REFUSED(frt_descriptor_of(&out, FRT_INT, LAYOUTS(FRT_INT, foreign)),
            FRT_BAD_LAYOUT,
            "parameter 2 is 'int': it is of another model than the others");
    cr_assert_null(out);
}

Test(descriptor, keeps_its_layouts)
{
    const frt_layout *array = array_of(FRT_INT, 3);
    const frt_layout *pointer = pointer_to(array);
    const frt_descriptor *descriptor = descriptor_of(pointer, LAYOUTS(pointer));

    frt_layout_drop(array);
    frt_layout_drop(pointer);
    cr_assert_eq(frti_pool_count(&frti_layouts), 2);
    cr_assert_eq(frt_descriptor_keep(descriptor), descriptor);
    frt_descriptor_drop(descriptor);
    cr_assert_eq(frti_pool_count(&frti_layouts), 2);
    frt_descriptor_drop(descriptor);
    frt_descriptor_drop(NULL);
    cr_assert_eq(frti_pool_count(&frti_descriptors), 0);
    cr_assert_eq(frti_pool_count(&frti_layouts), 0);
    cr_assert_eq(frti_allocator_live(), 0);
}

Test(variadic, extend)
{
    const frt_descriptor *printf_of = variadic_of(LAYOUTS(FRT_POINTER), 1);
    const frt_descriptor *out = NULL;

    OK(frt_descriptor_extend(&out, printf_of, LAYOUTS(FRT_INT, FRT_F64)));
    cr_assert(frt_descriptor_is_variadic(out));
    cr_assert_eq(frt_descriptor_count(out), 3);
    cr_assert_eq(frt_descriptor_fixed(out), 1);
    cr_assert_eq(frt_descriptor_parameter(out, 2), FRT_F64);
    cr_assert_eq(out, variadic_of(LAYOUTS(FRT_POINTER, FRT_INT, FRT_F64), 1));
    OK(frt_descriptor_extend(&out, printf_of, NULL, 0));
    cr_assert_eq(out, printf_of);
}

Test(variadic, refused)
{
    const frt_descriptor *plain = descriptor_of(FRT_INT, LAYOUTS(FRT_INT));
    const frt_descriptor *printf_of = variadic_of(LAYOUTS(FRT_POINTER), 1);
    const frt_descriptor *out = NULL;

    REFUSED(frt_descriptor_extend(&out, plain, LAYOUTS(FRT_INT)),
            FRT_BAD_LAYOUT, "1 more parameters for a descriptor without '...'");
    REFUSED(frt_descriptor_extend(&out, printf_of, LAYOUTS(FRT_INT, FRT_VOID)),
            FRT_BAD_LAYOUT, "parameter 3 is 'void': void is no parameter");
    REFUSED(frt_descriptor_extend(&out, NULL, NULL, 0), FRT_BAD_ARGUMENT,
            "descriptor is NULL");
    REFUSED(frt_descriptor_extend(&out, printf_of, NULL, 1), FRT_BAD_ARGUMENT,
            "parameters is NULL");
    REFUSED(frt_descriptor_of_variadic(&out, NULL, LAYOUTS(FRT_INT), 2),
            FRT_BAD_ARGUMENT, "2 fixed parameters of 1 in all");
    cr_assert_null(out);
}

static void
refuses(const frt_layout *layout, const char *as_parameter,
        const char *as_result)
{
    const frt_descriptor *out = NULL;

    REFUSED(frt_descriptor_of(&out, NULL, LAYOUTS(FRT_INT, layout)),
            FRT_BAD_LAYOUT, as_parameter);
    if (as_result != NULL)
        REFUSED(frt_descriptor_of(&out, layout, LAYOUTS(FRT_INT)),
                FRT_BAD_LAYOUT, as_result);
    cr_assert_null(out);
}

Test(descriptor, refused)
{
    const frt_layout *incomplete = NULL;
    const frt_layout *function = NULL;
    const frt_layout *padding = NULL;

    OK(frt_layout_incomplete(&incomplete, FRT_KIND_STRUCT, "s"));
    OK(frt_layout_function(&function, descriptor_of(NULL, NULL, 0)));
    OK(frt_layout_padding(&padding, 4));
    refuses(FRT_VOID, "parameter 2 is 'void': void is no parameter", NULL);
    refuses(incomplete, "parameter 2 is 'struct s': its size is not known",
            "the result is 'struct s': its size is not known");
    refuses(array_of(FRT_INT, 3),
            "parameter 2 is 'int [3]': C passes a pointer instead of an array",
            "the result is 'int [3]': a function returns no array");
    refuses(function,
            "parameter 2 is 'void (void)': C passes a pointer instead of a "
            "function",
            "the result is 'void (void)': a function returns no function");
    refuses(bits_of(FRT_INT, 3),
            "parameter 2 is 'int : 3': it is a member only",
            "the result is 'int : 3': it is a member only");
    refuses(padding,
            "parameter 2 is '/* 4 bytes of padding */': it is a member only",
            "the result is '/* 4 bytes of padding */': it is a member only");
}

Test(descriptor, bad_arguments)
{
    const frt_descriptor *out = NULL;

    REFUSED(frt_descriptor_of(NULL, NULL, NULL, 0), FRT_BAD_ARGUMENT,
            "out is NULL");
    REFUSED(frt_descriptor_of(&out, NULL, NULL, 1), FRT_BAD_ARGUMENT,
            "parameters is NULL");
    REFUSED(frt_descriptor_of(&out, NULL, LAYOUTS(FRT_INT, NULL)),
            FRT_BAD_ARGUMENT, "parameter 2 is NULL");
    cr_assert_null(out);
}

Test(descriptor, thousands_of_parameters)
{
    enum { COUNT = 10000 };
    static const frt_layout *parameters[COUNT];
    const frt_descriptor *descriptor;

    for (size_t i = 0; i < COUNT; i++)
        parameters[i] = i % 2 == 0 ? FRT_INT : FRT_F64;
    descriptor = descriptor_of(NULL, parameters, COUNT);
    cr_assert_eq(frt_descriptor_count(descriptor), COUNT);
    cr_assert_eq(frt_descriptor_parameter(descriptor, COUNT - 1), FRT_F64);
    cr_assert_eq(frt_descriptor_print(NULL, 0, descriptor, NULL),
                 strlen("void (") + COUNT / 2 * strlen("int, double, ") - 2 +
                     strlen(")"));
}

Test(descriptor, depth_counts_functions)
{
    const frt_layout *layout = FRT_POINTER;
    const frt_descriptor *descriptor;
    const frt_layout *function = NULL;
    frt_status status = FRT_OK;
    int levels = 0;

    while (status == FRT_OK && levels++ < 10000) {
        descriptor = descriptor_of(NULL, &layout, 1);
        status = frt_layout_function(&function, descriptor);
        if (status == FRT_OK)
            status = frt_layout_pointer(&layout, function, false);
    }
    cr_assert_eq(status, FRT_BAD_LAYOUT);
    cr_assert_lt(levels, FRTI_LAYOUT_DEPTH);
}
