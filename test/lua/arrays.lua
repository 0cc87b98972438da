-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Arrays: index, initialisers, nested ones, arrays in structs.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct arr { int n; float v[3]; char name[8]; };
struct arr_point { int x, y; };
struct arr_rows { int cells[2][3]; };
]]

local function values(array, count)
    local list = {}
    for i = 0, count - 1 do
        list[#list + 1] = tostring(num(array[i]))
    end
    return (table.concat(list, " "):gsub("%.0", ""))
end

check.test("elements are read and written", function()
    local ints = ffi.new("int[4]")
    for i = 0, 3 do ints[i] = i * i end
    check.equal(values(ints, 4), "0 1 4 9")
    check.equal(ints[ffi.new("int", 2)], 4)
    check.equal(ints[2.9], 4, "an index is cut off as in LuaJIT")
    check.fails(function() ints[0] = "x" end)
    check.fails(function() ints[0] = {} end)
    check.fails(function() return ints.x end)
    check.fails(function() return ints["0"] end)
    check.fails(function() ints.x = 1 end)
end)

check.test("elements of all kinds", function()
    check.equal(ffi.new("double[2]", 0.5, 1.5)[1], 1.5)
    check.equal(ffi.new("float[2]", 0.5, 1.5)[1], 1.5)
    check.equal(ffi.new("bool[2]", true, false)[0], true)
    check.equal(ffi.new("bool[2]", true, false)[1], false)
    check.equal(ffi.new("uint8_t[2]", 255, 256)[1], 0)
    check.num_equal(ffi.new("int64_t[2]", -1, -2)[1], -2)
    check.null(ffi.new("int *[2]")[1])
    check.equal(ffi.new("int16_t[3]", -1, -2, -3)[2], -3)
end)

check.test("initialisers", function()
    check.equal(values(ffi.new("int[4]", 1, 2, 3, 4), 4), "1 2 3 4")
    check.equal(values(ffi.new("int[4]", { 1, 2, 3, 4 }), 4), "1 2 3 4")
    check.equal(values(ffi.new("int[4]", 1, 2), 4), "1 2 0 0")
    check.equal(values(ffi.new("int[4]", { 1, 2 }), 4), "1 2 0 0")
    check.equal(values(ffi.new("int[4]", {}), 4), "0 0 0 0")
    check.equal(values(ffi.new("double[3]", 1, 2, 3), 3), "1 2 3")
end)

check.test("one initialiser stands for all elements", function()
    check.equal(values(ffi.new("int[4]", 7), 4), "7 7 7 7")
    check.equal(values(ffi.new("int[4]", { 7 }), 4), "7 7 7 7")
    check.equal(values(ffi.new("double[3]", 0.5), 3), "0.5 0.5 0.5")
    check.equal(ffi.new("bool[3]", true)[2], true)
    local points = ffi.new("struct arr_point[3]", { { 1, 2 } })
    check.equal(points[0].x, 1)
    check.equal(points[2].y, 2)
end)

check.test("I01: tables that count from 0", function()
    check.equal(values(ffi.new("int[3]", { [0] = 5, 6, 7 }), 3), "5 6 7")
    check.equal(values(ffi.new("int[3]", { [0] = 5 }), 3), "5 5 5")
    check.equal(values(ffi.new("int[3]", { [0] = 5, 6 }), 3), "5 6 0")
    local points = ffi.new("struct arr_point[3]", { [0] = { x = 1 } })
    check.equal(points[0].x, 1)
    check.equal(points[2].x, 1)
    check.equal(points[2].y, 0)
    check.fails(function() ffi.new("int[2]", { [0] = 1, 2, 3 }) end)
end)

check.test("a hole in a table ends it", function()
    check.equal(values(ffi.new("int[4]", { 1, nil, 3 }), 4), "1 1 1 1")
end)

check.test("arrays of arrays", function()
    local rows = ffi.new("int[2][3]", { { 1, 2, 3 }, { 4, 5, 6 } })
    check.equal(rows[0][2], 3)
    check.equal(rows[1][0], 4)
    rows[1][1] = 50
    check.equal(rows[1][1], 50)
    check.equal(ffi.sizeof(rows[0]), 12)
    check.equal(values(rows[1], 3), "4 50 6")
    rows[0] = { 7, 8, 9 }
    check.equal(values(rows[0], 3), "7 8 9")
    rows[1] = rows[0]
    check.equal(values(rows[1], 3), "7 8 9")
    local cube = ffi.new("char[2][3][4]")
    cube[1][2][3] = 5
    check.equal(cube[1][2][3], 5)
    check.equal(ffi.sizeof(cube), 24)
end)

check.test("arrays of structs", function()
    local points = ffi.new("struct arr_point[2]", { { 1, 2 }, { 3, 4 } })
    check.equal(points[1].x, 3)
    points[0].y = 20
    check.equal(points[0].y, 20)
    points[0] = points[1]
    check.equal(points[0].y, 4)
    points[0].y = 5
    check.equal(points[1].y, 4)
    points[1] = { 8, 9 }
    check.equal(points[1].y, 9)
    points[1] = { y = 10 }
    check.equal(points[1].y, 10)
    local first = points[0]
    first.x = 77
    check.equal(points[0].x, 77, "an element is a reference")
end)

check.test("I03: arrays in structs", function()
    local object = ffi.new("struct arr", 3, { 1, 2, 3 }, "name")
    check.equal(object.v[2], 3)
    check.equal(ffi.string(object.name), "name")
    object.v[1] = 0.5
    check.equal(object.v[1], 0.5)
    object.v = { 4, 5, 6 }
    check.equal(values(object.v, 3), "4 5 6")
    object.v = ffi.new("float[3]", 7, 8, 9)
    check.equal(object.v[0], 7)
    object.name = "new"
    check.equal(ffi.string(object.name), "new")
    local v = object.v
    v[0] = 100
    check.equal(object.v[0], 100)
    local rows = ffi.new("struct arr_rows", { { { 1, 2, 3 }, { 4, 5, 6 } } })
    check.equal(rows.cells[1][2], 6)
    check.fails(function() object.v = { 1, 2, 3, 4 } end)
    check.fails(function() object.v = ffi.new("int[3]") end)
end)

check.test("arrays of pointers", function()
    local a, b = ffi.new("int[1]", 1), ffi.new("int[1]", 2)
    local pointers = ffi.new("int *[3]", { a, b })
    check.equal(pointers[0][0], 1)
    check.equal(pointers[1][0], 2)
    check.null(pointers[2])
    pointers[2] = a
    check.equal(pointers[2][0], 1)
end)

check.test("arrays compare by address", function()
    local a, b = ffi.new("int[2]"), ffi.new("int[2]")
    check.is(a == a)
    check.is(a ~= b)
    check.is(a == a + 0)
    check.is(a + 1 > a)
    check.equal(num((a + 1) - a), 1)
end)

check.test("a copy of an array", function()
    local a = ffi.new("int[3]", 1, 2, 3)
    local b = ffi.new("int[3]", a)
    b[0] = 100
    check.equal(a[0], 1)
    check.equal(values(b, 3), "100 2 3")
end)

check.ours_test("bounds", function()
    local ints = ffi.new("int[4]")
    check.fails(function() return ints[4] end, "4")
    check.fails(function() return ints[-1] end, "%-1")
    check.fails(function() ints[4] = 1 end, "4")
    check.fails(function() ints[2 ^ 40] = 1 end)
    check.fails(function() return ints[math.mininteger] end)
    check.fails(function() return ints[math.maxinteger] end)
    local rows = ffi.new("int[2][3]")
    check.fails(function() return rows[2] end)
    check.fails(function() return rows[0][3] end)
    check.fails(function() return ffi.new("struct arr").v[3] end)
    check.fails(function() ffi.new("struct arr").name[8] = 1 end)
    check.equal(ints[3], 0)
end)

check.finish()
