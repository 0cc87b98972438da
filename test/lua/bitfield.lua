-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Bit-fields.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct bf { unsigned a : 3; unsigned b : 5; int c : 4; int d : 20; };
struct bf_bool { bool on : 1; bool off : 1; unsigned rest : 6; };
struct bf_zero { signed char a : 4; int : 0; signed char b : 4; };
struct bf_char { uint8_t a : 4, b : 4; uint8_t c; };
]]

check.test("fields do not touch their neighbours", function()
    local bits = ffi.new("struct bf")
    bits.a, bits.b, bits.c, bits.d = 5, 17, -3, -100000
    check.equal(bits.a, 5)
    check.equal(bits.b, 17)
    check.equal(bits.c, -3)
    check.equal(bits.d, -100000)
    bits.b = 0
    check.equal(bits.a, 5)
    check.equal(bits.c, -3)
    bits.a = 7
    check.equal(bits.b, 0)
    bits.c = 7
    check.equal(bits.c, 7)
    check.equal(bits.d, -100000)
    check.equal(ffi.sizeof(bits), 4)
end)

check.test("values are cut to the width", function()
    local bits = ffi.new("struct bf")
    bits.a = 8
    check.equal(bits.a, 0)
    bits.a = 15
    check.equal(bits.a, 7)
    bits.a = -1
    check.equal(bits.a, 7)
    bits.c = 8
    check.equal(bits.c, -8)
    bits.c = 15
    check.equal(bits.c, -1)
    bits.c = -9
    check.equal(bits.c, 7)
    bits.b = 33
    check.equal(bits.b, 1)
    bits.d = 524287
    check.equal(bits.d, 524287)
    bits.d = 524288
    check.equal(bits.d, -524288)
    bits.a = 2.9
    check.equal(bits.a, 2)
end)

check.test("all values of a small field", function()
    local bits = ffi.new("struct bf", 7, 31, -1, -1)
    for value = -8, 7 do
        bits.c = value
        check.equal(bits.c, value)
        check.equal(bits.b, 31)
        check.equal(bits.d, -1)
    end
end)

check.test("bits of bool", function()
    local bits = ffi.new("struct bf_bool")
    check.equal(bits.on, false)
    bits.on = true
    check.equal(bits.on, true)
    check.equal(bits.off, false)
    bits.off = 1
    check.equal(bits.off, true)
    bits.on = false
    check.equal(bits.on, false)
    check.equal(type(bits.off), "boolean")
    bits.rest = 63
    check.equal(bits.rest, 63)
    check.equal(bits.on, false)
end)

check.test("initialisers", function()
    local bits = ffi.new("struct bf", 1, 2, 3, 4)
    check.equal(bits.a + bits.b * 10 + bits.c * 100 + bits.d * 1000, 4321)
    check.equal(ffi.new("struct bf", { c = -2 }).c, -2)
    check.equal(ffi.new("struct bf", { c = -2 }).b, 0)
    check.equal(ffi.new("struct bf", { 3, 9 }).b, 9)
    check.equal(ffi.new("struct bf", bits).d, 4)
    check.fails(function() ffi.new("struct bf", "x") end)
    check.fails(function() bits.a = {} end)
    check.fails(function() bits.a = nil end)
end)

check.test("where they are in memory", function()
    local bits = ffi.new("struct bf_char")
    bits.a, bits.b, bits.c = 0x1, 0x2, 0x3
    local bytes = ffi.cast("uint8_t *", bits)
    check.equal(bytes[0], 0x21)
    check.equal(bytes[1], 0x03)
    bytes[0] = 0xf5
    check.equal(bits.a, 5)
    check.equal(bits.b, 15)
    local offset, position, width = ffi.offsetof("struct bf", "c")
    check.equal(offset, 0)
    check.equal(position, 8)
    check.equal(width, 4)
end)

check.test("a field cannot be pointed to, but its struct can", function()
    local array = ffi.new("struct bf[2]")
    local p = array + 1
    p.b = 21
    check.equal(array[1].b, 21)
    check.equal(array[0].b, 0)
end)

check.ours_test("64-bit fields", function()
    ffi.cdef [[
    struct bf_wide { uint64_t a : 12; uint64_t b : 52; };
    struct bf_signed_wide { int64_t a : 40; int64_t b : 24; };
    ]]
    check.equal(ffi.sizeof("struct bf_wide"), 8)
    local bits = ffi.new("struct bf_wide")
    bits.a, bits.b = 0xabc, 0xfffffffffffff
    check.equal(num(bits.a), 0xabc)
    check.equal(num(bits.b), 0xfffffffffffff)
    bits.a = 0
    check.equal(num(bits.b), 0xfffffffffffff)
    local signed = ffi.new("struct bf_signed_wide")
    signed.a, signed.b = -1, 5
    check.equal(num(signed.a), -1)
    check.equal(num(signed.b), 5)
    signed.a = 549755813887
    check.equal(num(signed.a), 549755813887)
    signed.a = 549755813888
    check.equal(num(signed.a), -549755813888)
    check.equal(num(signed.b), 5)
end)

check.ours_test("fields of an enum, and a field that ends the unit", function()
    ffi.cdef [[
    enum bf_enum { BF_A, BF_B, BF_C };
    struct bf_with_enum { enum bf_enum e : 4; int n : 28; };
    ]]
    local bits = ffi.new("struct bf_with_enum")
    bits.e = "BF_C"
    bits.n = -1
    check.equal(num(bits.e), 2)
    check.equal(bits.n, -1)
    local zero = ffi.new("struct bf_zero", 7, -3)
    check.equal(zero.a, 7)
    check.equal(zero.b, -3)
    check.equal(ffi.offsetof("struct bf_zero", "b"), 4)
end)

check.finish()
