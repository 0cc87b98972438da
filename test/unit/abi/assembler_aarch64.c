/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/aarch64/assembler.h"

#include "test/unit/abi/assembling.h"

#define TOOLS "aarch64-linux-gnu-"

static const unsigned registers[] = {0, 7, 8, 12, 16, 29, 30};
static const int offsets[] = {0, 1, 8, 255, -8, -256};

#define REGISTERS (sizeof registers / sizeof registers[0])
#define OFFSETS (sizeof offsets / sizeof offsets[0])

static const char *
name_of(unsigned reg)
{
    static char names[4][8];
    static unsigned next;
    char *name = names[next++ % 4];

    snprintf(name, sizeof names[0], reg == A64_SP ? "sp" : "x%u", reg);
    return name;
}

static void
each_load(unsigned reg, struct a64_place from)
{
    static const struct {
        size_t size;
        bool is_signed;
        const char *word;
        char width;
    } loads[] = {
        {1, false, "ldurb", 'w'}, {2, false, "ldurh", 'w'},
        {4, false, "ldur", 'w'},  {8, false, "ldur", 'x'},
        {1, true, "ldursb", 'x'}, {2, true, "ldursh", 'x'},
        {4, true, "ldursw", 'x'}, {8, true, "ldur", 'x'},
    };

    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        expect("%s %c%u,[%s,#%d]", loads[i].word, loads[i].width, reg,
               name_of(from.base), from.offset);
        frti_a64_load(&assembled, loads[i].size, loads[i].is_signed, reg, from);
    }
}

static void
each_store(unsigned reg, struct a64_place to)
{
    static const char *const words[] = {
        [1] = "sturb w", [2] = "sturh w", [4] = "stur w", [8] = "stur x"};

    for (size_t size = 1; size <= 8; size *= 2) {
        expect("%s%u,[%s,#%d]", words[size], reg, name_of(to.base), to.offset);
        frti_a64_store(&assembled, size, to, reg);
    }
}

static void
each_vector(unsigned reg, struct a64_place at)
{
    static const char widths[] = {[2] = 'h', [4] = 's', [8] = 'd', [16] = 'q'};

    for (size_t size = 2; size <= 16; size *= 2) {
        expect("ldur %c%u,[%s,#%d]", widths[size], reg, name_of(at.base),
               at.offset);
        frti_a64_vector_load(&assembled, size, reg, at);
        expect("stur %c%u,[%s,#%d]", widths[size], reg, name_of(at.base),
               at.offset);
        frti_a64_vector_store(&assembled, size, at, reg);
    }
}

Test(assembler_aarch64, loads_and_stores)
{
    static const enum a64_register bases[] = {A64_X9, A64_X10, A64_X29, A64_SP};

    for (size_t b = 0; b < sizeof bases / sizeof bases[0]; b++)
        for (size_t o = 0; o < OFFSETS; o++)
            for (size_t r = 0; r < REGISTERS; r++) {
                const struct a64_place at = {bases[b], offsets[o]};

                each_load(registers[r], at);
                each_store(registers[r], at);
                each_vector(registers[r], at);
            }
    compare(TOOLS);
}

Test(assembler_aarch64, copies)
{
    static const struct {
        size_t size;
        const char *text;
    } steps[] = {
        {1, "ldrb w12,[x10],#1\n strb w12,[x11],#1"},
        {2, "ldrh w12,[x10],#2\n strh w12,[x11],#2"},
        {4, "ldr w12,[x10],#4\n str w12,[x11],#4"},
        {8, "ldr x12,[x10],#8\n str x12,[x11],#8"},
        {16, "ldr q16,[x10],#16\n str q16,[x11],#16"},
    };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        expect("%s", steps[i].text);
        frti_a64_copy_step(&assembled, steps[i].size);
    }
    expect("subs x13,x13,#1\n b.ne .-12");
    frti_a64_loop(&assembled, 2);
    compare(TOOLS);
}

Test(assembler_aarch64, elements)
{
    static const size_t near[] = {0, 1, 4095};

    for (size_t i = 0; i < 3; i++) {
        expect("ldr x10,[x9,#%zu]", near[i] * 8);
        frti_a64_load_element(&assembled, 10, 9, near[i]);
    }
    expect("mov x10,#32768\n ldr x10,[x9,x10]");
    frti_a64_load_element(&assembled, 10, 9, 4096);
    expect("movz x10,#0x1a80\n movk x10,#6,lsl #16\n ldr x10,[x9,x10]");
    frti_a64_load_element(&assembled, 10, 9, 50000);
    compare(TOOLS);
}

static void
each_sum(unsigned to, unsigned from, unsigned value)
{
    expect("add %s,%s,#%u", name_of(to), name_of(from), value);
    frti_a64_add(&assembled, to, from, value);
    expect("sub %s,%s,#%u", name_of(to), name_of(from), value);
    frti_a64_subtract(&assembled, to, from, value);
}

Test(assembler_aarch64, arithmetic)
{
    each_sum(11, A64_SP, 0);
    each_sum(A64_SP, A64_SP, 4095);
    each_sum(A64_SP, A64_SP, 4096);
    each_sum(12, 10, 40960);
    expect("add x11,sp,#1,lsl #12\n add x11,x11,#8");
    frti_a64_add(&assembled, 11, A64_SP, 4104);
    for (size_t alignment = 32; alignment <= 4096; alignment *= 2) {
        expect("and sp,x10,#-%zu", alignment);
        frti_a64_align_to_stack(&assembled, 10, alignment);
    }
    for (size_t i = 0; i < REGISTERS; i++) {
        expect("mov x%u,x2", registers[i]);
        frti_a64_move(&assembled, registers[i], 2);
        expect("orr x%u,x11,x12,lsl #24", registers[i]);
        frti_a64_combine(&assembled, registers[i], 11, 12, 24);
        expect("lsr x%u,x%u,#32", registers[i], registers[i]);
        frti_a64_shift_right(&assembled, registers[i], 32);
        expect("movz x%u,#65535", registers[i]);
        frti_a64_load_number(&assembled, registers[i], 65535);
        expect("movz x%u,#1\n movk x%u,#2,lsl #16", registers[i], registers[i]);
        frti_a64_load_number(&assembled, registers[i], 0x20001);
        expect("fcvt d%u,s%u", registers[i], registers[i]);
        frti_a64_float_to_double(&assembled, registers[i]);
        expect("blr x%u", registers[i]);
        frti_a64_call(&assembled, registers[i]);
    }
    compare(TOOLS);
}

/* By the manual, for where there is no assembler. */
Test(assembler_aarch64, bytes)
{
    frti_a64_load(&assembled, 8, false, 10, (struct a64_place){A64_X29, -8});
    check_bytes("aa 83 5f f8");
    frti_a64_load(&assembled, 4, true, 0, (struct a64_place){A64_X10, 0});
    check_bytes("40 01 80 b8");
    frti_a64_store(&assembled, 8, (struct a64_place){A64_X29, -8}, 1);
    check_bytes("a1 83 1f f8");
    frti_a64_vector_load(&assembled, 16, 3, (struct a64_place){A64_X10, 16});
    check_bytes("43 01 c1 3c");
    frti_a64_load_element(&assembled, 10, 9, 2);
    check_bytes("2a 09 40 f9");
    frti_a64_subtract(&assembled, A64_SP, A64_SP, 32);
    check_bytes("ff 83 00 d1");
    frti_a64_align_to_stack(&assembled, 10, 32);
    check_bytes("5f e9 7b 92");
    frti_a64_call(&assembled, 16);
    check_bytes("00 02 3f d6");
    frti_a64_float_to_double(&assembled, 3);
    check_bytes("63 c0 22 1e");
}
