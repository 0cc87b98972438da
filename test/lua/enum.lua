-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Enumerations and constants.

local check = require "check"
local ffi, num = check.ffi, check.num
local functions = require "functions"
local C = functions.C

ffi.cdef [[
enum en { EN_A, EN_B, EN_C = 10, EN_D, EN_NEGATIVE = -5, EN_E };
typedef enum { EN_RED, EN_BLUE = 1 << 4, EN_BOTH = EN_BLUE | 3 } en_flags;
enum { EN_UNNAMED = 99 };
struct en_holder { enum en e; en_flags flags; enum en list[2]; };
static const int EN_CONST = 42;
static const int EN_SUM = EN_CONST + 1;
enum en_expr { EN_SHIFT = 1 << 20, EN_MASK = ~0, EN_CHAR = 'a', EN_SIZE =
               sizeof(int), EN_COND = 1 ? 7 : 8, EN_HEX = 0xff };
enum en_unsigned { EN_TOP = 0xffffffff };
enum en_later;
]]

check.test("constants of a namespace", function()
    check.equal(ffi.C.EN_A, 0)
    check.equal(ffi.C.EN_B, 1)
    check.equal(ffi.C.EN_C, 10)
    check.equal(ffi.C.EN_D, 11)
    check.equal(ffi.C.EN_NEGATIVE, -5)
    check.equal(ffi.C.EN_E, -4)
    check.equal(ffi.C.EN_BLUE, 16)
    check.equal(ffi.C.EN_BOTH, 19)
    check.equal(ffi.C.EN_UNNAMED, 99)
    check.equal(ffi.C.EN_CONST, 42)
    check.equal(C.EN_CONST, 42, "and of every library")
    check.equal(C.GREEN, 5)
    check.equal(C.BLUE, 6)
    check.equal(type(ffi.C.EN_A), "number")
    check.fails(function() return ffi.C.EN_MISSING end, "EN_MISSING")
    check.fails(function() ffi.C.EN_A = 5 end)
end)

check.test("constant expressions", function()
    check.equal(ffi.C.EN_SHIFT, 1048576)
    check.equal(ffi.C.EN_MASK, -1)
    check.equal(ffi.C.EN_CHAR, 97)
    check.equal(ffi.C.EN_SIZE, 4)
    check.equal(ffi.C.EN_COND, 7)
    check.equal(ffi.C.EN_HEX, 255)
    check.equal(ffi.C.EN_SUM, 43)
    check.equal(ffi.C.EN_TOP, 4294967295)
end)

check.test("names and numbers go in", function()
    check.num_equal(ffi.new("enum en", "EN_C"), 10)
    check.num_equal(ffi.new("enum en", 11), 11)
    check.num_equal(ffi.new("enum en", "EN_NEGATIVE"), -5)
    check.num_equal(ffi.new("enum en"), 0)
    check.num_equal(ffi.new("en_flags", "EN_BLUE"), 16)
    check.num_equal(ffi.cast("enum en", "EN_B"), 1)
    check.num_equal(ffi.cast("enum en", 3), 3)
    check.fails(function() ffi.new("enum en", "EN_RED") end, "enum en")
    check.fails(function() ffi.new("enum en", "en_a") end)
    check.fails(function() ffi.new("enum en", "") end)
    check.fails(function() ffi.new("enum en", {}) end)
end)

check.test("fields and elements", function()
    local holder = ffi.new("struct en_holder", "EN_B", "EN_BLUE",
                           { "EN_C", "EN_D" })
    check.num_equal(holder.e, 1)
    check.num_equal(holder.flags, 16)
    check.num_equal(holder.list[1], 11)
    holder.e = "EN_NEGATIVE"
    check.num_equal(holder.e, -5)
    holder.e = 10
    check.num_equal(holder.e, 10)
    holder.list[0] = "EN_E"
    check.num_equal(holder.list[0], -4)
    holder.e = holder.list[0]
    check.num_equal(holder.e, -4)
    check.fails(function() holder.e = "EN_RED" end, "enum en")
    check.num_equal(holder.e, -4)
end)

check.test("sizes", function()
    check.equal(ffi.sizeof("enum en"), 4)
    check.equal(ffi.sizeof("en_flags"), 4)
    check.equal(ffi.sizeof("struct en_holder"), 16)
end)

check.test("by value and through callbacks", function()
    check.num_equal(C.same_colour("GREEN"), 5)
    check.num_equal(C.favourite, 5)
    local seen
    local callback = ffi.cast("enum colour (*)(enum colour)", function(colour)
        seen = num(colour)
        return "BLUE"
    end)
    check.num_equal(C.call_colour(callback, "GREEN"), 6)
    check.equal(seen, 5)
    callback:free()
end)

check.test("boxes compare and count", function()
    local five = ffi.new("enum colour", "GREEN")
    check.is(five == ffi.new("enum colour", 5))
    check.is(five ~= ffi.new("enum colour", "RED"))
    check.num_equal(five + 1, 6)
    check.is(five < ffi.new("enum colour", "BLUE"))
    check.is(five > 4)
end)

check.ours_test("an enum beyond int", function()
    -- H14
    ffi.cdef [[
    enum en_large { EN_LA = 1UL, EN_LB = 1ULL << 40, EN_LC = 0xffffffffULL,
                    EN_LD = -1L };
    ]]
    check.equal(ffi.sizeof("enum en_large"), 8)
    check.equal(num(ffi.C.EN_LB), 1099511627776)
    check.equal(num(ffi.C.EN_LC), 0xffffffff)
    check.equal(num(ffi.C.EN_LD), -1)
    check.equal(num(ffi.new("enum en_large", "EN_LB")), 1099511627776)
end)

check.test("constants of an enum without a tag are its own", function()
    ffi.cdef "typedef enum { EN_P, EN_Q } en_pq; typedef enum { EN_R } en_r;"
    check.num_equal(ffi.new("en_pq", "EN_Q"), 1)
    check.fails(function() ffi.new("en_pq", "EN_R") end, "'EN_R' is none")
    check.fails(function() ffi.new("en_r", "EN_Q") end, "'EN_Q' is none")
end)

check.finish()
