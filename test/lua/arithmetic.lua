-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Arithmetic and comparisons of boxed integers; pointers are in pointers.lua.

local check = require "check"
local ffi, num = check.ffi, check.num

local function i64(value) return ffi.new("int64_t", value) end
local function u64(value) return ffi.new("uint64_t", value) end
-- Written so that both implementations get all 64 bits.
local minimum = i64(-2 ^ 62) + i64(-2 ^ 62)
local all_ones = ffi.cast("uint64_t", i64(-1))

check.test("signed arithmetic", function()
    check.num_equal(i64(7) + i64(5), 12)
    check.num_equal(i64(7) - i64(9), -2)
    check.num_equal(i64(7) * i64(-3), -21)
    check.num_equal(-i64(7), -7)
    check.num_equal(i64(20) % i64(6), 2)
    check.num_equal(i64(2) ^ i64(10), 1024)
    check.num_equal(i64(2 ^ 40) * i64(2 ^ 10), 2 ^ 50)
    check.num_equal(i64(2 ^ 53) + i64(1) - i64(2 ^ 53), 1)
end)

check.test("mixed with numbers of Lua", function()
    check.num_equal(i64(7) + 5, 12)
    check.num_equal(5 + i64(7), 12)
    check.num_equal(10 - i64(7), 3)
    check.num_equal(i64(7) * 2, 14)
    check.num_equal(2 * i64(7), 14)
    check.num_equal(17 % i64(5), 2)
    check.num_equal(u64(7) + 5, 12)
    check.num_equal(u64(7) - 5, 2)
end)

check.test("small integers become 64 bits", function()
    check.num_equal(ffi.new("int32_t", 2147483647) + 1, 2147483648)
    check.num_equal(ffi.new("uint8_t", 255) + ffi.new("uint8_t", 1), 256)
    check.num_equal(ffi.new("int8_t", -128) - 1, -129)
    check.num_equal(ffi.new("uint32_t", 4294967295) * 2, 8589934590)
    check.num_equal(ffi.new("int16_t", 300) * ffi.new("int16_t", 300), 90000)
end)

check.test("it wraps around", function()
    check.num_equal(num(minimum - 1) > 0 and 1 or 0, 1)
    check.is(num(minimum) < 0)
    check.is(num(-minimum) < 0)
    check.num_equal(all_ones + 1, 0)
    check.num_equal(u64(0) - 1 == all_ones and 1 or 0, 1)
end)

check.test("comparisons", function()
    check.is(i64(3) < i64(4))
    check.is_not(i64(4) < i64(4))
    check.is(i64(4) <= i64(4))
    check.is(i64(5) > i64(4))
    check.is(i64(5) >= i64(5))
    check.is(i64(-1) < i64(0))
    check.is(i64(5) == i64(5))
    check.is(i64(5) ~= i64(6))
    check.is(i64(5) < 6)
    check.is(5 < i64(6))
    check.is(6 > i64(5))
    check.is(i64(5) <= 5)
    check.is_not(i64(5) == "5")
    check.is(ffi.new("int", 5) == ffi.new("int64_t", 5))
    check.is(ffi.new("uint8_t", 5) == i64(5))
end)

check.test("unsigned comparisons and division", function()
    check.is(u64(1) < all_ones)
    check.is(all_ones > u64(1))
    check.is(all_ones >= u64(1))
    check.is_not(all_ones < u64(1))
    check.is_not(all_ones <= u64(1))
    check.is(all_ones == u64(0) - u64(1))
    check.is(all_ones > 5)
    check.num_equal(all_ones % u64(10), 5)
    check.num_equal(u64(7) % u64(4), 3)
    check.matches(tostring(all_ones), "^18446744073709551615")
    check.matches(tostring(all_ones - 1), "^18446744073709551614")
    check.matches(tostring(u64(12)), "^12")
end)

check.test("an unsigned one makes both unsigned", function()
    check.is(i64(-1) > u64(1))
    check.matches(tostring(u64(1) - i64(2)), "^18446744073709551615")
end)

check.test("text", function()
    check.matches(tostring(i64(-5)), "^%-5")
    check.matches(tostring(minimum), "^%-9223372036854775808")
    check.matches(tostring(i64(5) + 1), "^6")
end)

check.test("what has no arithmetic", function()
    ffi.cdef "struct arith { int x; };"
    local object = ffi.new("struct arith")
    check.fails(function() return object + 1 end, "arith")
    check.fails(function() return object + object end)
    check.fails(function() return -object end)
    check.fails(function() return object < object end)
    check.fails(function() return object * 2 end)
    check.fails(function() return object .. "x" end)
    check.fails(function() return #object end)
    check.fails(function() return object() end)
    check.fails(function() return i64(1) + {} end)
    check.fails(function() return i64(1) + "x" end)
    check.fails(function() return i64(1) + nil end)
    check.fails(function() return i64(1) < {} end)
    check.fails(function() return i64(1)() end)
    check.fails(function() return i64(1).x end)
    check.fails(function() return ffi.new("int[2]") * 2 end)
end)

check.test("division by zero does not end the process", function()
    for _, zero in ipairs { i64(0), u64(0), ffi.new("int", 0) } do
        pcall(function() return i64(1) % zero end)
        pcall(function() return i64(1) / zero end)
        pcall(function() return u64(1) % zero end)
        pcall(function() return u64(1) / zero end)
        pcall(function() return minimum % zero end)
        pcall(function() return minimum / i64(-1) end)
        pcall(function() return minimum % i64(-1) end)
    end
    check.num_equal(i64(1) + i64(0), 1)
end)

check.ours_test("operators of 5.3", function()
    local run = load [[
        local check, i64, u64, all_ones = ...
        local ffi = check.ffi
        local num = check.num
        check.equal(num(i64(12) & i64(10)), 8)
        check.equal(num(i64(12) | 3), 15)
        check.equal(num(i64(12) ~ i64(10)), 6)
        check.equal(num(~i64(0)), -1)
        check.equal(num(i64(1) << 40), 1 << 40)
        check.equal(num(u64(256) >> 4), 16)
        check.equal(num(all_ones >> 60), 15)
        local least = ffi.new("__int128", 1) << 127
        check.equal(num(i64(1) >> least), 0)
        check.equal(num(i64(1) << least), 0)
        check.equal(num(i64(7) // i64(2)), 3)
        check.equal(num(7 // i64(2)), 3)
        check.equal(num(all_ones // u64(2)), math.maxinteger)
    ]]
    run(check, i64, u64, all_ones)
end)

check.ours_test("64-bit fields in Lua's own arithmetic", function()
    local box = ffi.new("struct { int64_t i; uint64_t u; }")
    box.i = math.mininteger
    box.u = -1
    check.equal(num(box.i), math.mininteger)
    check.equal(num(box.i + 1), math.mininteger + 1)
    check.equal(num(box.i - 1), math.maxinteger)
    box.i = 9007199254740993
    check.equal(num(box.i), 9007199254740993)
    box.u = ffi.new("uint64_t", 10)
    check.equal(num(box.u + 5), 15)
end)

check.finish()
