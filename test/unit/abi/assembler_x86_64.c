/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/x86_64/assembler.h"

#include "test/unit/abi/assembling.h"

static const char *const names_64[] = {"rax", "rcx", "rdx", "rbx",
                                       "rsp", "rbp", "rsi", "rdi",
                                       "r8",  "r9",  "r10", "r11"};
static const char *const names_32[] = {"eax", "ecx", "edx",  "ebx",
                                       "esp", "ebp", "esi",  "edi",
                                       "r8d", "r9d", "r10d", "r11d"};
static const char *const names_16[] = {"ax",  "cx",  "dx",   "bx",
                                       "sp",  "bp",  "si",   "di",
                                       "r8w", "r9w", "r10w", "r11w"};
static const char *const names_8[] = {"al",  "cl",  "dl",   "bl",
                                      "spl", "bpl", "sil",  "dil",
                                      "r8b", "r9b", "r10b", "r11b"};

static const int offsets[] = {0, 1, 8, -8, 127, -128, 128, -129, 100000};

#define REGISTERS (sizeof names_64 / sizeof names_64[0])
#define OFFSETS (sizeof offsets / sizeof offsets[0])

static struct x86_place
place(size_t base, size_t offset)
{
    return (struct x86_place){(enum x86_register)base,
                              (uint32_t)offsets[offset]};
}

static void
each_load(size_t base, size_t offset, size_t reg)
{
    static const struct {
        enum x86_load how;
        const char *word;
        const char *const *names;
    } loads[] = {
        {X86_LOAD_64, "mov", names_64},
        {X86_LOAD_32, "mov", names_32},
        {X86_LOAD_32_SIGNED, "movslq", names_64},
        {X86_LOAD_16, "movzwl", names_32},
        {X86_LOAD_16_SIGNED, "movswq", names_64},
        {X86_LOAD_8, "movzbl", names_32},
        {X86_LOAD_8_SIGNED, "movsbq", names_64},
    };

    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        expect("%s %d(%%%s),%%%s", loads[i].word, offsets[offset],
               names_64[base], loads[i].names[reg]);
        frti_x86_load(&assembled, loads[i].how, (enum x86_register)reg,
                      place(base, offset));
    }
    expect("lea %d(%%%s),%%%s", offsets[offset], names_64[base], names_64[reg]);
    frti_x86_address(&assembled, (enum x86_register)reg, place(base, offset));
}

static void
each_store(size_t base, size_t offset, size_t reg)
{
    static const char *const *const names[] = {
        [1] = names_8, [2] = names_16, [4] = names_32, [8] = names_64};

    for (size_t size = 1; size <= 8; size *= 2) {
        expect("mov %%%s,%d(%%%s)", names[size][reg], offsets[offset],
               names_64[base]);
        frti_x86_store(&assembled, size, place(base, offset),
                       (enum x86_register)reg);
    }
}

Test(assembler_x86_64, loads_and_stores)
{
    for (size_t base = 0; base < REGISTERS; base++)
        for (size_t offset = 0; offset < OFFSETS; offset++)
            for (size_t reg = 0; reg < REGISTERS; reg++) {
                each_load(base, offset, reg);
                each_store(base, offset, reg);
            }
    compare("x86_64-linux-gnu-");
}

static void
each_vector(size_t base, size_t offset, unsigned vector)
{
    static const char *const words[] = {[X86_MOVE_SS] = "movss",
                                        [X86_MOVE_SD] = "movsd",
                                        [X86_MOVE_UPS] = "movups"};
    const struct x86_place at = place(base, offset);

    for (size_t how = X86_MOVE_SS; how <= X86_MOVE_UPS; how++) {
        expect("%s %d(%%%s),%%xmm%u", words[how], offsets[offset],
               names_64[base], vector);
        frti_x86_vector_load(&assembled, (enum x86_vector_move)how, vector, at);
        expect("%s %%xmm%u,%d(%%%s)", words[how], vector, offsets[offset],
               names_64[base]);
        frti_x86_vector_store(&assembled, (enum x86_vector_move)how, at,
                              vector);
    }
    expect("xorps %%xmm%u,%%xmm%u\n cvtss2sd %d(%%%s),%%xmm%u", vector, vector,
           offsets[offset], names_64[base], vector);
    frti_x86_float_to_double(&assembled, vector, at);
    expect("pinsrw $3,%d(%%%s),%%xmm%u", offsets[offset], names_64[base],
           vector);
    frti_x86_word_insert(&assembled, vector, at, 3);
}

Test(assembler_x86_64, vectors)
{
    for (size_t base = 0; base < REGISTERS; base++)
        for (size_t offset = 0; offset < OFFSETS; offset++)
            for (unsigned vector = 0; vector < 8; vector++)
                each_vector(base, offset, vector);
    compare("x86_64-linux-gnu-");
}

/* Their base is a register below 8. */
Test(assembler_x86_64, wide_vectors)
{
    for (size_t base = X86_RAX; base <= X86_RDI; base++)
        for (size_t offset = 0; offset < OFFSETS; offset++)
            for (unsigned vector = 0; vector < 8; vector++) {
                expect("vmovups %d(%%%s),%%ymm%u", offsets[offset],
                       names_64[base], vector);
                frti_x86_vector_load(&assembled, X86_MOVE_YMM, vector,
                                     place(base, offset));
                expect("vmovups %%ymm%u,%d(%%%s)", vector, offsets[offset],
                       names_64[base]);
                frti_x86_vector_store(&assembled, X86_MOVE_YMM,
                                      place(base, offset), vector);
            }
    expect("vzeroupper");
    frti_x86_clear_upper_halves(&assembled);
    compare("x86_64-linux-gnu-");
}

static void
each_pair(size_t one, size_t other)
{
    enum x86_register to = (enum x86_register)one;
    enum x86_register from = (enum x86_register)other;

    expect("mov %%%s,%%%s", names_64[from], names_64[to]);
    frti_x86_move(&assembled, to, from);
    expect("or %%%s,%%%s", names_64[from], names_64[to]);
    frti_x86_or(&assembled, to, from);
}

static void
each_register(size_t reg)
{
    enum x86_register of = (enum x86_register)reg;

    expect("shl $24,%%%s", names_64[reg]);
    frti_x86_shift_left(&assembled, of, 24);
    expect("shr $32,%%%s", names_64[reg]);
    frti_x86_shift_right(&assembled, of, 32);
    expect("xor %%%s,%%%s", names_32[reg], names_32[reg]);
    frti_x86_load_number(&assembled, of, 0);
    expect("mov $1000000,%%%s", names_32[reg]);
    frti_x86_load_number(&assembled, of, 1000000);
    expect("call *%%%s", names_64[reg]);
    frti_x86_call(&assembled, of);
    for (unsigned vector = 0; vector < 8; vector++) {
        expect("pextrw $2,%%xmm%u,%%%s", vector, names_32[reg]);
        frti_x86_word_extract(&assembled, of, vector, 2);
    }
}

Test(assembler_x86_64, registers)
{
    for (size_t one = 0; one < REGISTERS; one++) {
        each_register(one);
        for (size_t other = 0; other < REGISTERS; other++)
            each_pair(one, other);
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            expect("fstpt %d(%%%s)", offsets[offset], names_64[one]);
            frti_x86_x87_store(&assembled, place(one, offset));
        }
    }
    compare("x86_64-linux-gnu-");
}

/* By the manual, for where there is no assembler. */
Test(assembler_x86_64, bytes)
{
    const struct x86_place stack = {X86_RSP, 16};
    const struct x86_place frame = {X86_RBP, (uint32_t)-8};

    frti_x86_load(&assembled, X86_LOAD_64, X86_RAX,
                  (struct x86_place){X86_R10, 0});
    check_bytes("49 8b 02");
    frti_x86_store(&assembled, 8, frame, X86_RSI);
    check_bytes("48 89 75 f8");
    frti_x86_store(&assembled, 1, stack, X86_RSI);
    check_bytes("40 88 74 24 10");
    frti_x86_store(&assembled, 2, stack, X86_RCX);
    check_bytes("66 89 4c 24 10");
    frti_x86_vector_load(&assembled, X86_MOVE_SD, 7,
                         (struct x86_place){X86_RAX, 8});
    check_bytes("f2 0f 10 78 08");
    frti_x86_vector_load(&assembled, X86_MOVE_YMM, 1,
                         (struct x86_place){X86_RAX, 0});
    check_bytes("c5 fc 10 08");
    frti_x86_word_extract(&assembled, X86_R8, 1, 2);
    check_bytes("66 44 0f c5 c1 02");
    frti_x86_x87_store(&assembled, (struct x86_place){X86_RCX, 16});
    check_bytes("db 79 10");
    frti_x86_call(&assembled, X86_R11);
    check_bytes("41 ff d3");
    frti_x86_load_number(&assembled, X86_RAX, 8);
    check_bytes("b8 08 00 00 00");
}
