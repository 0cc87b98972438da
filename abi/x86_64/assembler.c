/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/x86_64/assembler.h"

/* Prefixes and opcodes, in the order in which they are emitted. */
struct opcode {
    uint8_t prefix;  /* 0: none; before REX */
    bool is_wide;    /* REX.W */
    bool is_byte;    /* sil, dil and the like need a REX */
    uint8_t size;    /* of the code */
    uint8_t code[3]; /* a VEX prefix among it */
};

/* The instruction without its operand bytes. */
static void
emit_opcode(struct frti_emitter *e, const struct opcode *opcode, unsigned reg,
            unsigned base)
{
    uint8_t rex = (uint8_t)(0x40 | opcode->is_wide << 3 | (reg & 8) >> 1 |
                            (base & 8) >> 3);

    if (opcode->prefix != 0)
        frti_emit_8(e, opcode->prefix);
    if (rex != 0x40 || (opcode->is_byte && reg >= X86_RSP))
        frti_emit_8(e, rex);
    frti_emit_bytes(e, opcode->code, opcode->size);
}

/* reg, [base + offset] */
static void
emit_memory(struct frti_emitter *e, const struct opcode *opcode, unsigned reg,
            struct x86_place place)
{
    int32_t offset = (int32_t)place.offset;
    bool is_near = offset >= -128 && offset <= 127;
    bool is_none = offset == 0 && (place.base & 7) != X86_RBP;
    unsigned mode = is_none ? 0 : is_near ? 1 : 2;

    emit_opcode(e, opcode, reg, place.base);
    frti_emit_8(e, (uint8_t)(mode << 6 | (reg & 7) << 3 | (place.base & 7)));
    if ((place.base & 7) == X86_RSP)
        frti_emit_8(e, 0x24);
    if (mode == 1)
        frti_emit_8(e, (uint8_t)place.offset);
    else if (mode == 2)
        frti_emit_32(e, place.offset);
}

/* reg, rm */
static void
emit_registers(struct frti_emitter *e, const struct opcode *opcode,
               unsigned reg, unsigned rm)
{
    emit_opcode(e, opcode, reg, rm);
    frti_emit_8(e, (uint8_t)(0xc0 | (reg & 7) << 3 | (rm & 7)));
}

/* ----------------------------------------------------------- general --- */

void
frti_x86_load(struct frti_emitter *e, enum x86_load how, enum x86_register to,
              struct x86_place from)
{
    static const struct opcode opcodes[] = {
        [X86_LOAD_64] = {.is_wide = true, .size = 1, .code = {0x8b}},
        [X86_LOAD_32] = {.size = 1, .code = {0x8b}},
        [X86_LOAD_32_SIGNED] = {.is_wide = true, .size = 1, .code = {0x63}},
        [X86_LOAD_16] = {.size = 2, .code = {0x0f, 0xb7}},
        [X86_LOAD_16_SIGNED] = {.is_wide = true,
                                .size = 2,
                                .code = {0x0f, 0xbf}},
        [X86_LOAD_8] = {.size = 2, .code = {0x0f, 0xb6}},
        [X86_LOAD_8_SIGNED] = {.is_wide = true,
                               .size = 2,
                               .code = {0x0f, 0xbe}},
    };

    emit_memory(e, &opcodes[how], to, from);
}

void
frti_x86_store(struct frti_emitter *e, size_t size, struct x86_place to,
               enum x86_register from)
{
    struct opcode opcode = {
        .prefix = size == 2 ? 0x66 : 0,
        .is_wide = size == 8,
        .is_byte = size == 1,
        .size = 1,
        .code = {size == 1 ? 0x88 : 0x89},
    };

    emit_memory(e, &opcode, from, to);
}

void
frti_x86_move(struct frti_emitter *e, enum x86_register to,
              enum x86_register from)
{
    static const struct opcode opcode = {
        .is_wide = true, .size = 1, .code = {0x89}};

    emit_registers(e, &opcode, from, to);
}

void
frti_x86_or(struct frti_emitter *e, enum x86_register to,
            enum x86_register from)
{
    static const struct opcode opcode = {
        .is_wide = true, .size = 1, .code = {0x09}};

    emit_registers(e, &opcode, from, to);
}

void
frti_x86_address(struct frti_emitter *e, enum x86_register to,
                 struct x86_place from)
{
    static const struct opcode opcode = {
        .is_wide = true, .size = 1, .code = {0x8d}};

    emit_memory(e, &opcode, to, from);
}

static void
emit_shift(struct frti_emitter *e, unsigned which, enum x86_register of,
           uint8_t bits)
{
    static const struct opcode opcode = {
        .is_wide = true, .size = 1, .code = {0xc1}};

    emit_registers(e, &opcode, which, of);
    frti_emit_8(e, bits);
}

void
frti_x86_shift_left(struct frti_emitter *e, enum x86_register of, uint8_t bits)
{
    emit_shift(e, 4, of, bits);
}

void
frti_x86_shift_right(struct frti_emitter *e, enum x86_register of, uint8_t bits)
{
    emit_shift(e, 5, of, bits);
}

void
frti_x86_load_number(struct frti_emitter *e, enum x86_register to,
                     uint32_t value)
{
    static const struct opcode clear = {.size = 1, .code = {0x31}};
    struct opcode opcode = {.size = 1, .code = {(uint8_t)(0xb8 | (to & 7))}};

    if (value == 0) {
        emit_registers(e, &clear, to, to);
        return;
    }
    emit_opcode(e, &opcode, 0, to);
    frti_emit_32(e, value);
}

void
frti_x86_call(struct frti_emitter *e, enum x86_register target)
{
    static const struct opcode opcode = {.size = 1, .code = {0xff}};

    emit_registers(e, &opcode, 2, target);
}

/* ------------------------------------------------------------ vector --- */

static struct opcode
vector_opcode(enum x86_vector_move how, bool is_store)
{
    static const uint8_t prefixes[] = {
        [X86_MOVE_SS] = 0xf3, [X86_MOVE_SD] = 0xf2, [X86_MOVE_UPS] = 0};

    if (how == X86_MOVE_YMM) /* VEX.256.0F */
        return (struct opcode){.size = 3,
                               .code = {0xc5, 0xfc, is_store ? 0x11 : 0x10}};
    return (struct opcode){.prefix = prefixes[how],
                           .size = 2,
                           .code = {0x0f, is_store ? 0x11 : 0x10}};
}

void
frti_x86_vector_load(struct frti_emitter *e, enum x86_vector_move how,
                     unsigned to, struct x86_place from)
{
    struct opcode opcode = vector_opcode(how, false);

    emit_memory(e, &opcode, to, from);
}

void
frti_x86_vector_store(struct frti_emitter *e, enum x86_vector_move how,
                      struct x86_place to, unsigned from)
{
    struct opcode opcode = vector_opcode(how, true);

    emit_memory(e, &opcode, from, to);
}

void
frti_x86_float_to_double(struct frti_emitter *e, unsigned to,
                         struct x86_place from)
{
    static const struct opcode opcode = {
        .prefix = 0xf3, .size = 2, .code = {0x0f, 0x5a}};

    frti_x86_vector_clear(e, to);
    emit_memory(e, &opcode, to, from);
}

void
frti_x86_clear_upper_halves(struct frti_emitter *e)
{
    static const uint8_t vzeroupper[] = {0xc5, 0xf8, 0x77};

    frti_emit_bytes(e, vzeroupper, sizeof vzeroupper);
}

void
frti_x86_vector_clear(struct frti_emitter *e, unsigned vector)
{
    static const struct opcode opcode = {.size = 2, .code = {0x0f, 0x57}};

    emit_registers(e, &opcode, vector, vector);
}

void
frti_x86_word_insert(struct frti_emitter *e, unsigned to, struct x86_place from,
                     uint8_t index)
{
    static const struct opcode opcode = {
        .prefix = 0x66, .size = 2, .code = {0x0f, 0xc4}};

    emit_memory(e, &opcode, to, from);
    frti_emit_8(e, index);
}

void
frti_x86_word_extract(struct frti_emitter *e, enum x86_register to,
                      unsigned from, uint8_t index)
{
    static const struct opcode opcode = {
        .prefix = 0x66, .size = 2, .code = {0x0f, 0xc5}};

    emit_registers(e, &opcode, to, from);
    frti_emit_8(e, index);
}

void
frti_x86_x87_store(struct frti_emitter *e, struct x86_place to)
{
    static const struct opcode opcode = {.size = 1, .code = {0xdb}};

    emit_memory(e, &opcode, 7, to);
}
