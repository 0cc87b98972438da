/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/plan.h"

#include "ffi_rt/base/status.h"
#include "test/unit/abi/planning.h"
#include "test/unit/base/failing.h"

/* -------------------------------------------------------- golden plans --- */

Test(plan, system_v)
{
    check_prototype("x86_64", "double f(struct { long a; float b; } s, int n)",
                    "#1: 0-7 -> rdi, 8-15 -> xmm0\n"
                    "#2: 0-3 -> rsi sign-extended\n"
                    "result: 0-7 <- xmm0\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("x86_64",
                    "struct { long a, b, c; } f(char, float,"
                    " struct { double d[3]; })",
                    "#1: 0-0 -> rsi sign-extended\n"
                    "#2: 0-3 -> xmm0\n"
                    "#3: 0-23 -> stack+0\n"
                    "result: at the address in rdi\n"
                    "stack: 24 bytes, aligned to 16\n");
    check_prototype("x86_64",
                    "long double f(int, int, int, int, int,"
                    " struct { long a, b; }, long, long, __int128, char)",
                    "#1: 0-3 -> rdi sign-extended\n"
                    "#2: 0-3 -> rsi sign-extended\n"
                    "#3: 0-3 -> rdx sign-extended\n"
                    "#4: 0-3 -> rcx sign-extended\n"
                    "#5: 0-3 -> r8 sign-extended\n"
                    "#6: 0-15 -> stack+0\n"
                    "#7: 0-7 -> r9\n"
                    "#8: 0-7 -> stack+16\n"
                    "#9: 0-15 -> stack+32\n"
                    "#10: 0-0 -> stack+48 sign-extended\n"
                    "result: 0-15 <- st0\n"
                    "stack: 56 bytes, aligned to 16\n");
    check_prototype("x86_64", "long double _Complex f(float _Complex, void *)",
                    "#1: 0-7 -> xmm0\n"
                    "#2: 0-7 -> rdi\n"
                    "result: 0-15 <- st0, 16-31 <- st1\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(plan, aapcs64)
{
    check_prototype("aarch64", "double f(struct { long a; float b; } s, int n)",
                    "#1: 0-7 -> x0, 8-15 -> x1\n"
                    "#2: 0-3 -> x2 sign-extended\n"
                    "result: 0-7 <- v0\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64",
                    "struct { long a, b, c; } f(char, float,"
                    " struct { double d[3]; }, struct { char c[17]; })",
                    "#1: 0-0 -> x0 zero-extended\n"
                    "#2: 0-3 -> v0\n"
                    "#3: 0-7 -> v1, 8-15 -> v2, 16-23 -> v3\n"
                    "#4: address of a copy -> x1\n"
                    "result: at the address in x8\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64",
                    "long double f(int, int, int, int, int, int,"
                    " struct { long a, b; }, long, __int128, char)",
                    "#1: 0-3 -> x0 sign-extended\n"
                    "#2: 0-3 -> x1 sign-extended\n"
                    "#3: 0-3 -> x2 sign-extended\n"
                    "#4: 0-3 -> x3 sign-extended\n"
                    "#5: 0-3 -> x4 sign-extended\n"
                    "#6: 0-3 -> x5 sign-extended\n"
                    "#7: 0-7 -> x6, 8-15 -> x7\n"
                    "#8: 0-7 -> stack+0\n"
                    "#9: 0-15 -> stack+16\n"
                    "#10: 0-0 -> stack+32 zero-extended\n"
                    "result: 0-15 <- v0\n"
                    "stack: 40 bytes, aligned to 16\n");
}

Test(plan, apple)
{
    check_prototype("aarch64-apple",
                    "int f(" LONGS_8
                    "char, short, int, char, struct { char c; }, char)",
                    LONGS_8_PLAN "#9: 0-0 -> stack+0 sign-extended\n"
                                 "#10: 0-1 -> stack+2 sign-extended\n"
                                 "#11: 0-3 -> stack+4 sign-extended\n"
                                 "#12: 0-0 -> stack+8 sign-extended\n"
                                 "#13: 0-0 -> stack+16\n"
                                 "#14: 0-0 -> stack+24 sign-extended\n"
                                 "result: 0-3 <- x0\n"
                                 "stack: 32 bytes, aligned to 16\n");
}

Test(plan, any_convention_is_planned_here)
{
    static const char *const models[] = {"x86_64", "aarch64", "aarch64-apple"};

    for (size_t i = 0; i < 3; i++)
        frti_plan_free(plan_of_prototype(
            models[i], "struct { float f; int i; } f(struct { char c[40]; },"
                       " long double, void *)"));
}

Test(plan, printing_into_little_room)
{
    struct frti_plan *plan = plan_of_prototype("x86_64", "int f(int, long)");
    char whole[256];
    char part[16];
    size_t length = frti_plan_print(whole, sizeof whole, plan);

    memset(part, '#', sizeof part);
    cr_assert_eq(frti_plan_print(part, 10, plan), length);
    cr_assert_eq(memcmp(part, whole, 9), 0);
    cr_assert_eq(part[9], '\0');
    cr_assert_eq(part[10], '#');
    cr_assert_eq(frti_plan_print(NULL, 0, plan), length);
    frti_plan_free(plan);
}

/* ------------------------------------------------------------ refusals --- */

static void
check_refused(const char *prototype, frt_status wanted, const char *sentence)
{
    const frt_descriptor *descriptor = parse_prototype("x86_64", prototype);
    struct frti_plan *plan = NULL;

    cr_assert_eq(
        frti_plan_new(&plan,
                      frti_convention_of(frt_descriptor_model(descriptor)),
                      descriptor),
        wanted, "%s", prototype);
    cr_assert_null(plan);
    cr_assert_not_null(strstr(frt_last_detail(), sentence), "%s",
                       frt_last_detail());
    frt_descriptor_drop(descriptor);
}

Test(plan, what_c_cannot_pass_by_value)
{
    check_refused("void f(struct { int n; double d[]; })", FRT_UNSUPPORTED,
                  "its length is not known");
    check_refused("struct { int n; double d[]; } f(void)", FRT_UNSUPPORTED,
                  "its length is not known");
    check_refused("void f(struct { char c[1000000000]; },"
                  " struct { char c[1000000000]; })",
                  FRT_OVERFLOW, "stack");
}

Test(plan, a_result_aligned_less_than_its_type)
{
    check_refused("typedef struct { long a[3]; } s __attribute__((aligned(2)));"
                  " s f(void)",
                  FRT_UNSUPPORTED, "memory aligned to 8");
    frti_plan_free(plan_of_prototype(
        "x86_64", "typedef struct { long a[2]; } s __attribute__((aligned(2)));"
                  " s f(s)"));
}

Test(plan, foreign_padding)
{
    const frt_layout *padding = NULL;
    const frt_layout *whole = NULL;
    const frt_descriptor *descriptor = NULL;
    struct frti_plan *plan = NULL;

    cr_assert_eq(frt_layout_padding(&padding, 4), FRT_OK);
    cr_assert_eq(
        frt_layout_struct(
            &whole,
            (frt_member[]){{"a", FRT_INT}, {NULL, padding}, {"b", FRT_INT}}, 3,
            NULL),
        FRT_OK);
    cr_assert_eq(frt_descriptor_of(&descriptor, NULL, &whole, 1), FRT_OK);
    cr_assert_eq(frti_plan_new(&plan, frti_convention_of(frt_model_native()),
                               descriptor),
                 FRT_UNSUPPORTED);
    cr_assert_not_null(strstr(frt_last_detail(), "padding"));
    frt_descriptor_drop(descriptor);
    frt_layout_drop(whole);
    frt_layout_drop(padding);
}

Test(plan, no_memory)
{
    const frt_descriptor *descriptor = parse_prototype("x86_64", "int f(int)");
    const struct frti_convention *convention =
        frti_convention_of(frt_descriptor_model(descriptor));
    struct frti_plan *plan = NULL;
    size_t live;

    (void)frti_no_memory(0, "warming up");
    live = frti_allocator_live();
    for (size_t n = 1;; n++) {
        frt_status status;

        failing_begin(n);
        status = frti_plan_new(&plan, convention, descriptor);
        if (!failing_end())
            break;
        cr_assert_eq(status, FRT_NO_MEMORY);
        cr_assert_null(plan);
        cr_assert_eq(frti_allocator_live(), live);
    }
    frti_plan_free(plan);
    frti_plan_free(NULL);
    cr_assert_eq(frti_allocator_live(), live);
    frt_descriptor_drop(descriptor);
}

/* ---------------------------------------------------------- the verifier ---
 */

/* Argument 1 in two registers and 2 on the stack, 3 in a register. */
#define DAMAGED                                                                \
    "double f(struct { long a, b; }, struct { long a, b, c; }, long,"          \
    " struct { long a, b, c; })"

static struct frti_plan *
plan_to_damage(void)
{
    struct frti_plan *plan = plan_of_prototype("x86_64", DAMAGED);

    cr_assert_eq(frti_plan_verify(plan), FRT_OK);
    return plan;
}

/* Takes the plan over. */
static void
check_damage(struct frti_plan *plan, const char *sentence)
{
    cr_assert_eq(frti_plan_verify(plan), FRT_BAD_LAYOUT, "not: %s", sentence);
    cr_assert_not_null(strstr(frt_last_detail(), sentence), "%s",
                       frt_last_detail());
    frti_plan_free(plan);
}

Test(verify, a_register_twice)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[2].pieces[0].place = 1;
    check_damage(plan, "general register 1 twice");
}

Test(verify, a_vector_register_twice)
{
    struct frti_plan *plan = plan_of_prototype("x86_64", "int f(float, float)");

    plan->arguments[1].pieces[0].place = 0;
    check_damage(plan, "vector register 0 twice");
}

Test(verify, a_register_that_is_not_there)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[2].pieces[0].place = 6;
    check_damage(plan, "general register 6 of 6");
}

Test(verify, a_result_register_that_is_not_there)
{
    struct frti_plan *plan = plan_to_damage();

    plan->result.pieces[0].place = 2;
    check_damage(plan, "vector register 2 of 2");
}

Test(verify, the_register_of_the_result_pointer)
{
    struct frti_plan *plan =
        plan_of_prototype("x86_64", "struct { long a, b, c; } f(long)");

    plan->arguments[0].pieces[0].place = 0;
    check_damage(plan, "general register 0 twice");
}

Test(verify, stack_bytes_twice)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[3].pieces[0].place = 16;
    check_damage(plan, "stack byte 16 twice");
}

Test(verify, beyond_the_stack_area)
{
    struct frti_plan *plan = plan_to_damage();

    plan->stack_size -= 8;
    check_damage(plan, "stack byte 48 of 40");
}

Test(verify, a_double_beyond_the_stack_area)
{
    struct frti_plan *plan = plan_of_descriptor(parse_variadic(
        "x86_64",
        "int f(double, double, double, double, double, double, double,"
        " double, ...)",
        "float"));

    cr_assert_eq(frti_plan_verify(plan), FRT_OK);
    plan->stack_size = 4;
    check_damage(plan, "stack byte 8 of 4");
}

Test(verify, bytes_beyond_the_value)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].pieces[1].offset = 12;
    check_damage(plan, "bytes 12 to 20 of a value of 16");
}

Test(verify, bytes_twice)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].pieces[1].offset = 4;
    check_damage(plan, "bytes 4 to 12");
}

Test(verify, no_bytes)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].pieces[1].size = 0;
    check_damage(plan, "bytes 8 to 8");
}

Test(verify, more_bytes_than_a_register_has)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].pieces[0].size = 16;
    plan->arguments[0].piece_count = 1;
    check_damage(plan, "16 bytes where they cannot travel");
}

Test(verify, a_result_on_the_stack)
{
    struct frti_plan *plan = plan_to_damage();

    plan->result.pieces[0].storage = FRT_STORAGE_STACK;
    check_damage(plan, "where they cannot travel");
}

Test(verify, an_argument_in_the_x87)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[2].pieces[0].storage = FRT_STORAGE_X87;
    check_damage(plan, "where they cannot travel");
}

Test(verify, pieces_of_nothing)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].way = FRT_WAY_NONE;
    check_damage(plan, "2 pieces");
}

Test(verify, a_value_without_pieces)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].piece_count = 0;
    check_damage(plan, "0 pieces");
}

Test(verify, too_many_pieces)
{
    struct frti_plan *plan = plan_to_damage();

    plan->arguments[0].piece_count = FRTI_PIECES + 1;
    check_damage(plan, "5 pieces");
}

Test(verify, a_misplaced_result_pointer)
{
    struct frti_plan *plan =
        plan_of_prototype("aarch64", "struct { long a, b, c; } f(void)");

    plan->result.pieces[0].place = 0;
    check_damage(plan, "misplaces the result pointer");
}

Test(verify, a_result_pointer_in_two_pieces)
{
    struct frti_plan *plan =
        plan_of_prototype("aarch64", "struct { long a, b, c; } f(void)");

    plan->result.piece_count = 2;
    check_damage(plan, "misplaces the result pointer");
}
