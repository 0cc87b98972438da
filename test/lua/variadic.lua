-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Variadic functions.

local check = require "check"
local ffi = check.ffi
local functions = require "functions"
local C = functions.C

ffi.cdef [[
int snprintf(char *text, size_t size, const char *format, ...);
]]

local function printed(format, ...)
    local text = ffi.new("char[128]")
    local count = ffi.C.snprintf(text, 128, format, ...)
    return ffi.string(text), count
end

local function int(value) return ffi.cast("int", value) end

check.test("a Lua number goes as a double", function()
    check.equal(printed("%g", 1.5), "1.5")
    check.equal(printed("%.2f %.1f", 0.25, 10.5), "0.25 10.5")
    check.equal(C.sum_doubles(3, 1.5, 2.25, 3.25), 7)
    check.equal(C.sum_doubles(0), 0)
end)

check.test("boxed integers go as themselves", function()
    check.equal(C.sum_ints(2, int(3), int(4)), 7)
    check.equal(C.sum_ints(3, int(-1), int(1), int(100)), 100)
    check.equal(printed("%d", int(42)), "42")
    check.equal(printed("%d %d", int(-1), int(2147483647)), "-1 2147483647")
    check.equal(printed("%x", int(255)), "ff")
    check.equal(printed("%c", int(65)), "A")
    check.equal(printed("%lld", ffi.cast("int64_t", -5)), "-5")
    check.equal(printed("%llu", ffi.cast("uint64_t", 5)), "5")
end)

check.test("small ones are promoted", function()
    check.equal(printed("%x", ffi.cast("short", -42)), "ffffffd6")
    check.equal(printed("%d", ffi.cast("int8_t", -1)), "-1")
    check.equal(printed("%u", ffi.cast("uint8_t", 255)), "255")
    check.equal(printed("%g", ffi.cast("float", 1.5)), "1.5")
    check.equal(C.sum_doubles(2, ffi.new("float", 1.5), 2.5), 4)
end)

check.test("text and pointers", function()
    check.equal(printed("%s", "text"), "text")
    check.equal(printed("%s and %s", "one", "two"), "one and two")
    check.equal(printed("%s", ffi.new("char[5]", "four")), "four")
    check.equal(printed("%s", ffi.cast("const char *", "cast")), "cast")
    check.equal(printed("%p", ffi.cast("void *", 0x1234)), "0x1234")
    check.equal(C.count_texts("a", "b", "c", nil), 3)
    check.equal(C.count_texts("a", nil), 1)
    check.equal(C.count_texts(nil), 0)
    check.equal(printed("%s is %d and %g", "it", int(5), 0.5),
                "it is 5 and 0.5")
end)

check.test("booleans and enums", function()
    check.equal(printed("%d", int(true)), "1")
    check.equal(printed("%d", ffi.new("enum colour", "BLUE")), "6")
end)

check.test("many arguments", function()
    check.equal(C.sum_ints(12, int(1), int(2), int(3), int(4), int(5), int(6),
                           int(7), int(8), int(9), int(10), int(11), int(12)),
                78)
    check.equal(C.sum_doubles(10, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5,
                              10.5), 60)
    check.equal(printed("%d %g %d %g %d %g %d %g", int(1), 0.5, int(2), 1.5,
                        int(3), 2.5, int(4), 3.5), "1 0.5 2 1.5 3 2.5 4 3.5")
end)

check.test("the same function with other types again", function()
    for i = 1, 3 do
        check.equal(printed("%d", int(i)), tostring(i))
        check.equal(printed("%g", i + 0.5), tostring(i + 0.5))
        check.equal(printed("%s", "x" .. i), "x" .. i)
        check.equal(printed("none"), "none")
    end
end)

check.test("functions", function()
    local callback = ffi.cast("int (*)(int)", function(i) return i * 2 end)
    check.equal(C.call_of(21, callback), 42)
    check.equal(C.call_of(-7, C.same_i32), -7)
    callback:free()
end)

check.test("what is refused", function()
    check.fails(function() C.sum_ints() end, "number of arguments")
    check.fails(function() C.sum_ints(1, {}) end, "table")
    check.fails(function() C.sum_ints("x") end)
end)

check.ours_test("an integer of Lua goes as one", function()
    check.equal(printed("%d", 42), "42")
    check.equal(printed("%lld", math.mininteger), "-9223372036854775808")
    check.equal(printed("%g", 1.0), "1")
    check.equal(C.sum_ints(2, 3, 4), 7)
end)

check.ours_test("B14: structs by value", function()
    local tagged = ffi.typeof("struct tagged")
    check.equal(C.sum_tagged(2, tagged(1, 2), tagged(3, 4)), 10)
    check.equal(C.sum_tagged(1, tagged(1, 0.5)), 1.5)
    local three = C.sum_longs_of(3, C.count_longs(1), C.count_longs(2),
                                 C.count_longs(3))
    check.equal(three, 15 + 20 + 25)
end)

check.finish()
