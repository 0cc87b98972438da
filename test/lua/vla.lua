-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Arrays whose length is given when they are made, alone and last in a struct.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct vl { int n; double d[?]; };
struct vl_char { char tag; char text[?]; };
struct vl_c99 { int n; double d[]; };
]]

check.test("a length when made", function()
    local ints = ffi.new("int[?]", 3)
    check.equal(ffi.sizeof(ints), 12)
    check.equal(ints[2], 0)
    ints[2] = 5
    check.equal(ints[2], 5)
    check.equal(ffi.sizeof(ffi.new("double[?]", 5)), 40)
    check.equal(ffi.sizeof("char[?]", 9), 9)
    check.equal(ffi.sizeof(ffi.typeof("short[?]"), 4), 8)
    check.equal(ffi.sizeof(ffi.new("int[?]", ffi.new("int", 6))), 24)
end)

check.test("initialisers", function()
    local ints = ffi.new("int[?]", 3, 1, 2, 3)
    check.equal(ints[2], 3)
    check.equal(ffi.new("int[?]", 3, { 4, 5, 6 })[1], 5)
    check.equal(ffi.new("int[?]", 3, 9)[2], 9)
    check.equal(ffi.new("int[?]", 3, 1, 2)[2], 0)
    check.equal(ffi.string(ffi.new("char[?]", 5, "text")), "text")
    check.fails(function() ffi.new("int[?]", 2, 1, 2, 3) end)
end)

-- LuaJIT leaves this to the caller.
check.ours_test("a table for it is checked, and the rest is zero", function()
    check.fails(function() ffi.new("int[?]", 2, { 1, 2, 3 }) end)
    check.equal(ffi.new("int[?]", 3, { 4, 5 })[2], 0)
    check.equal(ffi.new("int[?]", 3, { 4 })[2], 0)
    check.equal(ffi.new("struct vl", 2, { 6, { 3.5 } }).d[1], 0)
    check.equal(ffi.new("int[?][2]", 2, { { 4 } })[0][1], 4)
end)

check.test("a type with a length to come", function()
    local ints = ffi.typeof("int[?]")
    check.equal(ffi.sizeof(ints(4)), 16)
    check.equal(ints(2, 7, 8)[1], 8)
    check.equal(ints(2, { 7, 8 })[1], 8)
    check.fails(function() ints() end)
    check.fails(function() ints(-1) end)
    check.fails(function() ints("x") end)
    check.is(ffi.istype(ints, ints(3)))
end)

check.test("rows of a fixed length", function()
    local rows = ffi.new("int[?][3]", 2)
    check.equal(ffi.sizeof(rows), 24)
    rows[1][2] = 6
    check.equal(rows[1][2], 6)
    check.equal(rows[0][2], 0)
end)

check.test("last in a struct", function()
    local object = ffi.new("struct vl", 3)
    check.equal(object.n, 0)
    check.equal(ffi.sizeof(object), 32)
    object.d[2] = 2.5
    check.equal(object.d[2], 2.5)
    check.equal(object.d[0], 0)
    check.equal(ffi.sizeof("struct vl", 3), 32)
    check.equal(ffi.offsetof("struct vl", "d"), 8)
    check.equal(ffi.sizeof(ffi.new("struct vl", 0)), 8)
    check.equal(ffi.sizeof(ffi.new("struct vl_char", 10)), 11)
    check.fails(function() ffi.new("struct vl") end)
    check.fails(function() ffi.new("struct vl", -1) end)
end)

check.test("last in a struct, with initialisers", function()
    local object = ffi.new("struct vl", 2, 5, { 1.5, 2.5 })
    check.equal(object.n, 5)
    check.equal(object.d[0], 1.5)
    check.equal(object.d[1], 2.5)
    object = ffi.new("struct vl", 2, { 6, { 3.5 } })
    check.equal(object.n, 6)
    check.equal(object.d[0], 3.5)
    object = ffi.new("struct vl", 2, { n = 7, d = { 8, 9 } })
    check.equal(object.n, 7)
    check.equal(object.d[1], 9)
    object = ffi.new("struct vl_char", 6, 1, "hello")
    check.equal(ffi.string(object.text), "hello")
end)

check.test("a pointer to one", function()
    local object = ffi.new("struct vl", 4)
    local p = ffi.cast("struct vl *", object)
    p.n = 4
    p.d[3] = 7
    check.equal(object.n, 4)
    check.equal(object.d[3], 7)
end)

check.test("sizes that are too large", function()
    check.fails(function() ffi.new("int[?]", 2 ^ 62) end, "'int %[%?%]'")
    check.fails(function() ffi.new("char[?]", -5) end, "'char %[%?%]'")
    check.fails(function() ffi.new("char[?]") end, "'char %[%?%]'")
    check.fails(function() ffi.new("double[?]", 2 ^ 50) end)
    check.fails(function() ffi.new("struct vl", 2 ^ 50) end)
end)

check.test("a size that is not known is nil", function()
    for _, name in ipairs { "void", "int[]", "int(int)" } do
        check.equal(select("#", ffi.sizeof(name)), 1, name)
        check.equal(ffi.sizeof(name), nil, name)
    end
end)

check.ours_test("C99's flexible arrays take a length, too", function()
    local object = ffi.new("struct vl_c99", 3)
    check.equal(ffi.sizeof(object), 32)
    object.d[2] = 1.5
    check.equal(object.d[2], 1.5)
end)

check.test("through a pointer", function()
    local object = ffi.new("struct vl", 3)
    local pointer = ffi.cast("struct vl *", object)
    object.d[2] = 7
    check.equal(num(pointer.d[2]), 7)
    check.equal(num(pointer[0].d[2]), 7)
    pointer[0].d[1] = 5
    check.equal(num(object.d[1]), 5)
end)

check.ours_test("bounds", function()
    local there = ffi.cast("struct vl *", ffi.new("struct vl", 3))
    check.fails(function() return there[0].d[3] end, "outside")
    local ints = ffi.new("int[?]", 3)
    check.fails(function() return ints[3] end)
    check.fails(function() ints[-1] = 0 end)
    local object = ffi.new("struct vl", 3)
    check.equal(num(object.d[2]), 0)
    check.fails(function() return object.d[3] end)
    check.fails(function() object.d[-1] = 1 end)
    check.fails(function() return ffi.new("int[?]", 0)[0] end)
end)

check.finish()
