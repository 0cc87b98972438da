/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * qsort and bsearch with a comparison of ours.
 *
 * The comparison gets segments of the size that its type promises: a read
 * behind it is refused, and the failure comes out of the call of qsort, when C
 * has finished its work.
 */
#include "examples/upcall.h"

#include <string.h>

static frt_status
compare_ints(void *context, void *result, void *const *arguments)
{
    int32_t a;
    int32_t b;
    frt_status status = frt_segment_get_i32(&a, arguments[0], 0);

    if (status == FRT_OK)
        status = frt_segment_get_i32(&b, arguments[1], 0);
    if (status != FRT_OK)
        return status;
    ++*(int *)context;
    *(int *)result = (a > b) - (a < b);
    return FRT_OK;
}

static frt_status
compare_wrongly(void *context, void *result, void *const *arguments)
{
    int32_t a;

    (void)context;
    (void)result;
    return frt_segment_get_i32(&a, arguments[0], 4);
}

static void
sort(frt_function *qsort_function, int *numbers, size_t count, void *comparison)
{
    frt_status status = FRT_CALL(qsort_function, (void *)NULL, numbers, count,
                                 sizeof *numbers, comparison);

    for (size_t i = 0; i < count; i++)
        printf("%d%s", numbers[i], i + 1 == count ? "\n" : " ");
    if (status != FRT_OK)
        printf("%s: %s\n", frt_status_name(status), frt_last_detail());
}

int
main(void)
{
    int numbers[] = {42, 7, 19, -3, 8};
    int wanted = 19;
    int calls = 0;
    const char *prototype = "int compare(const int *a, const int *b)";
    frt_function *qsort_function;
    frt_function *bsearch_function;
    frt_upcall ascending;
    frt_upcall wrong;
    frt_arena arena;
    frt_segment found;

    check(frt_arena_open_confined(&arena));
    check(frt_function_declare(
        &qsort_function, frt_library_default(),
        "void qsort(void *, size_t, size_t, int (*)(const int *, const int *))",
        NULL));
    check(frt_function_declare(&bsearch_function, frt_library_default(),
                               "int *bsearch(const int *, const void *, "
                               "size_t, size_t, "
                               "int (*)(const int *, const int *))",
                               NULL));
    ascending = upcall_open(arena, prototype, compare_ints, &calls);
    sort(qsort_function, numbers, 5, frt_upcall_address(ascending));
    check(FRT_CALL(bsearch_function, &found, &wanted, numbers, 5,
                   sizeof *numbers, frt_upcall_address(ascending)));
    printf("19 is number %td\n", (int *)found.address - numbers);
    printf("compared: %s\n", calls > 5 ? "yes" : "no");

    wrong = upcall_open(arena, prototype, compare_wrongly, NULL);
    sort(qsort_function, numbers, 5, frt_upcall_address(wrong));

    frt_function_free(qsort_function);
    frt_function_free(bsearch_function);
    check(frt_arena_close(arena));
    return 0;
}
