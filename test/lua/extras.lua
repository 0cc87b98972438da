-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- What LuaJIT has not: ffi.tonumber, ffi.unsafe, ffi.callback with its options.

local check = require "check"
local ffi = check.ffi
local C = require("functions").C

ffi.cdef [[
struct ex { int x; };
]]

check.test("ffi.tonumber", function()
    check.equal(ffi.tonumber(ffi.new("int", 5)), 5)
    check.equal(ffi.tonumber(ffi.new("double", 0.25)), 0.25)
    check.equal(ffi.tonumber(ffi.new("bool", true)), 1)
    check.equal(ffi.tonumber(ffi.new("int64_t", math.mininteger)),
                math.mininteger)
    check.equal(math.type(ffi.tonumber(ffi.new("int", 5))), "integer")
    check.equal(math.type(ffi.tonumber(ffi.new("float", 5))), "float")
    check.equal(ffi.tonumber(ffi.new("enum colour", "GREEN")), 5)
    check.equal(ffi.tonumber(7), 7)
    check.equal(ffi.tonumber("7"), 7)
    check.equal(ffi.tonumber("x"), nil)
    check.equal(ffi.tonumber({}), nil)
    check.equal(ffi.tonumber(ffi.new("struct ex")), nil)
    check.near(ffi.tonumber(ffi.new("uint64_t", -1)), 2 ^ 64, 1)
end)

check.test("ffi.tonumber in place of the global", function()
    local own = tonumber
    tonumber = ffi.tonumber
    local ok, value = pcall(tonumber, "ff", 16)
    tonumber = own
    check.is(ok)
    check.equal(value, 255)
end)

check.test("boxes divide as C does", function()
    local function i64(value) return ffi.new("int64_t", value) end
    check.num_equal(i64(7) / 2, 3)
    check.num_equal(i64(-7) / 2, -3)
    check.num_equal(i64(-7) // 2, -4)
    check.num_equal(7 / i64(2), 3)
    check.num_equal(i64(-7) % 3, -1)
    local most = ffi.new("uint64_t", -1)
    check.matches(tostring(most / 10), "^1844674407370955161")
    check.num_equal(most % 10, 5)
    check.num_equal(most / most, 1)
end)

check.test("ffi.unsafe.cast knows no bounds", function()
    local ints = ffi.new("int[4]", 1, 2, 3, 4)
    local p = ffi.unsafe.cast("int *", ints + 1)
    check.equal(p[0], 2)
    check.equal(p[2], 4)
    check.equal(p[-1], 1)
    p[0] = 20
    check.equal(ints[1], 20)
    local inner = ffi.unsafe.cast("int *", ints + 4)
    check.equal(inner[-4], 1, "and is not asked where it came from")
    check.fails(function() return ffi.unsafe.cast("int *", {}) end)
end)

check.test("ffi.unsafe.copy and ffi.unsafe.fill", function()
    -- into the middle of one: what a checked pointer would refuse
    local rows = ffi.new("int[2][2]", { { 1, 2 }, { 3, 4 } })
    ffi.unsafe.fill(rows[0], 16, 0)
    check.equal(rows[1][1], 0)
    local from = ffi.new("int[4]", 5, 6, 7, 8)
    ffi.unsafe.copy(rows[0], from, 16)
    check.equal(rows[1][1], 8)
    check.fails(function() ffi.fill(rows[0], 16, 0) end)
    check.fails(function() ffi.copy(rows[0], from, 16) end)
    check.equal(rows[1][1], 8)
end)

check.test("ffi.callback is a cast with options", function()
    local callback = ffi.callback("int (*)(int)", function(i) return i + 1 end)
    check.equal(C.call_int(callback, 1), 2)
    callback:free()
    check.fails(function() ffi.callback("int (*)(int)", 5) end)
    check.fails(function() ffi.callback("int", print) end)
    check.fails(function() ffi.callback("int (*)(int)") end)
    check.fails(function()
        ffi.callback("int (*)(int)", print, { post = true })
    end)
    check.fails(function() ffi.callback("int (*)(int)", print, 5) end)
    check.fails(function()
        ffi.callback("int (*)(int)", print, { defualt = 5 })
    end, "unknown option 'defualt'")
    check.fails(function() ffi.callback("int (*)(int)", print, { 5 }) end,
                "unknown option '1'")
    check.fails(function()
        ffi.callback("int (*)(int)", print, { default = {} })
    end, "#3 .*cannot convert 'table' to 'int'")
end)

check.test("its default is what C gets after an error", function()
    local cleaned = ffi.new("int[1]")
    local results = {}
    local failing = ffi.callback("int (*)(int)", function(i)
        if i == 1 then error("no result") end
        return i
    end, { default = -99 })
    local outer = ffi.callback("int (*)(int)", function(i)
        pcall(C.call_cleaned, failing, i, cleaned)
        return 5
    end)
    check.equal(C.call_int(outer, 1), 5)
    check.equal(cleaned[0], 1)
    check.fails(function() C.call_twice(failing, failing, 1) end, "no result")
    outer:free()
    local caller = C.thread_start(failing, 3)
    while C.thread_is_done(caller) == 0 do
        results[#results + 1] = select(2, pcall(ffi.poll, 10))
    end
    check.equal(C.thread_join(caller), -99 + 2 + 3)
    failing:free()
end)

check.test("a call that does not wait", function()
    -- that thread calls and ends before its calls run
    local seen = {}
    local callback = ffi.callback("void (*)(int)", function(i)
        seen[#seen + 1] = i
    end, { post = true })
    C.thread_join(C.thread_post(callback, 3))
    check.equal(#seen, 0)
    check.equal(ffi.poll(0), 3)
    check.equal(table.concat(seen, " "), "1 2 3")
    callback:free()
end)

check.test("the same function and type are one callback", function()
    local before = collectgarbage("count")
    local function add(i) return i + 1 end
    local sum = 0
    for _ = 1, 2000 do sum = sum + C.call_int(add, 1) end
    check.equal(sum, 4000)
    check.collect()
    check.is(collectgarbage("count") < before + 100)
end)

check.test("a table with what it takes from a default", function()
    local point = C.add_points({ x = 1 }, { y = 2 })
    check.equal(point.x, 1)
    check.equal(point.y, 2)
    check.fails(function() C.add_points({ 1, 2, 3 }, { 1 }) end)
end)

check.ours_test("_Float16 and __float128, bit by bit", function()
    local half = ffi.new("_Float16[1]")
    local bits = ffi.cast("uint16_t *", half)
    for value, wanted in pairs {
        [0] = 0, [1 / 3] = 0x3555, [-2] = 0xc000, [65504] = 0x7bff,
        [65519] = 0x7bff, [65520] = 0x7c00, [2049] = 0x6800, [2051] = 0x6802,
        [2.0 ^ -24] = 1, [2.0 ^ -25] = 0, [1.5 * 2.0 ^ -24] = 2, [-1 / 0] = 0xfc00,
    } do
        half[0] = value
        check.equal(bits[0], wanted, tostring(value))
        if value == 1 / 3 then value = 0x555 / 0x1000 end
        if math.abs(value) < 2048 and value ~= 2.0 ^ -25
            and value ~= 1.5 * 2.0 ^ -24 then
            check.equal(half[0], value)
        end
    end
    local quad = ffi.new("__float128[1]")
    local words = ffi.cast("int64_t *", quad)
    for value, wanted in pairs {
        [1] = 0x3fff << 48, [-2] = 0xc000 << 48, [1 / 0] = 0x7fff << 48,
        [2.0 ^ -1074] = (16383 - 1074) << 48, [1.5] = 0x3fff8 << 44,
    } do
        quad[0] = value
        check.equal(words[1], wanted, tostring(value))
        check.equal(words[0], 0)
        check.equal(quad[0], value)
    end
    words[0], words[1] = 1, 0x3fff << 48
    check.equal(quad[0], 1.0, "what a double cannot hold is rounded")
    words[0], words[1] = 0x0800000000000000, 0x3fff << 48
    check.equal(quad[0], 1.0, "half of the last place, to even")
    words[0] = 0x0800000000000001
    check.equal(quad[0], 1.0 + 2.0 ^ -52)
end)

check.finish()
