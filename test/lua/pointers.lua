-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Pointers: index, compare, add, subtract; to structs, to pointers, to NULL.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct ptr { int x; struct ptr *next; };
struct ptr_big { char bytes[24]; };
struct ptr_unknown;
]]

check.test("a pointer is indexed as an array", function()
    local ints = ffi.new("int[5]", 10, 20, 30, 40, 50)
    local p = ffi.cast("int *", ints)
    check.equal(p[0], 10)
    check.equal(p[4], 50)
    p[2] = 33
    check.equal(ints[2], 33)
    p = p + 2
    check.equal(p[0], 33)
    check.equal(p[-1], 20)
    check.equal(p[-2], 10)
    p[-1] = 22
    check.equal(ints[1], 22)
    check.equal(p[ffi.new("int64_t", 1)], 40)
end)

check.test("addition and subtraction", function()
    local ints = ffi.new("int[5]")
    local p = ints + 1
    check.equal(tostring(ffi.typeof(p)), tostring(ffi.typeof("int *")))
    check.is(p == ints + 1)
    check.is(1 + ints == p)
    check.is(p - 1 == ints + 0)
    check.equal(num((ints + 4) - ints), 4)
    check.equal(num(ints - (ints + 4)), -4)
    check.equal(num(p - p), 0)
    check.is(p + 3 - 3 == p)
    check.is(p + ffi.new("int", 2) == ints + 3)
    check.equal(num(ffi.cast("uintptr_t", p + 1) - ffi.cast("uintptr_t", p)), 4)
    local big = ffi.cast("struct ptr_big *", 2400)
    check.equal(num(ffi.cast("uintptr_t", big + 10)), 2640)
    check.equal(num((big + 10) - big), 10)
end)

check.test("addition that makes no sense", function()
    local p = ffi.new("int[2]") + 0
    check.fails(function() return p + p end)
    check.fails(function() return 1 - p end)
    check.fails(function() return p * 2 end)
    check.fails(function() return -p end)
    check.fails(function() return p + "x" end)
    check.fails(function() return p + {} end)
    check.fails(function() return p - (ffi.new("double[2]") + 0) end)
    check.fails(function() return ffi.cast("struct ptr_unknown *", 8) + 1 end)
end)

check.test("comparisons", function()
    local ints = ffi.new("int[4]")
    local low, high = ints + 1, ints + 3
    check.is(low < high)
    check.is(low <= high)
    check.is(high > low)
    check.is(high >= low)
    check.is(low <= ints + 1)
    check.is_not(high < low)
    check.is(low ~= high)
    check.is(ints == ints)
    check.is(ints == ints + 0)
    check.is(ffi.cast("void *", ints) == ints)
    check.is(ffi.cast("void *", ints) ~= ffi.cast("void *", ints + 1))
    check.is(ffi.cast("char *", -1) > ffi.cast("char *", 1), "unsigned")
    check.is_not(low == "text")
    check.is_not(low == 5)
end)

check.test("NULL", function()
    local null = ffi.cast("int *", 0)
    check.null(null)
    check.null(ffi.new("int *"))
    check.null(ffi.new("struct ptr").next)
    check.not_null(ffi.new("int[1]") + 0)
    check.not_null(ffi.cast("int *", 1))
    check.is(null == ffi.cast("int *", nil))
    check.is(null == ffi.cast("void *", 0))
    check.is(null < ffi.cast("int *", 4))
    check.is(null and true, "NULL is true, as in LuaJIT")
end)

check.test("pointers to structs", function()
    local object = ffi.new("struct ptr", 5)
    local p = ffi.cast("struct ptr *", object)
    check.equal(p.x, 5)
    p.x = 6
    check.equal(object.x, 6)
    check.equal(p[0].x, 6)
    p[0].x = 7
    check.equal(p.x, 7)
    check.null(p.next)
    local second = ffi.new("struct ptr", 8)
    object.next = second
    check.equal(object.next.x, 8)
    check.equal(p.next.x, 8)
    object.next.x = 9
    check.equal(second.x, 9)
    check.is(object.next == ffi.cast("struct ptr *", second))
    check.fails(function() return p.none end, "none")
    check.fails(function() p.none = 1 end, "none")
end)

check.test("a whole struct through a pointer", function()
    local array = ffi.new("struct ptr[3]")
    local p = array + 1
    p[0] = ffi.new("struct ptr", 12)
    check.equal(array[1].x, 12)
    p[1] = { 13 }
    check.equal(array[2].x, 13)
    p[-1] = { x = 11 }
    check.equal(array[0].x, 11)
end)

check.test("pointers to pointers", function()
    local value = ffi.new("int[1]", 5)
    local pointer = ffi.new("int *[1]", value)
    local double_pointer = ffi.cast("int **", pointer)
    check.equal(double_pointer[0][0], 5)
    double_pointer[0][0] = 6
    check.equal(value[0], 6)
    double_pointer[0] = nil
    check.null(pointer[0])
end)

check.test("pointers to arrays", function()
    local rows = ffi.new("int[2][3]", { { 1, 2, 3 }, { 4, 5, 6 } })
    local p = ffi.cast("int (*)[3]", rows)
    check.equal(p[1][2], 6)
    p[1][2] = 60
    check.equal(rows[1][2], 60)
    check.equal((p + 1)[0][0], 4)
    check.equal(ffi.sizeof(p[0]), 12)
end)

check.test("void and incomplete types have no elements", function()
    local p = ffi.cast("void *", ffi.new("int[1]"))
    check.fails(function() return p[0] end)
    check.fails(function() p[0] = 1 end)
    check.fails(function() return p.x end)
    local unknown = ffi.cast("struct ptr_unknown *", 16)
    check.fails(function() return unknown.x end)
    check.fails(function() return unknown[0].x end)
    check.is(unknown == ffi.cast("struct ptr_unknown *", 16))
end)

check.ours_test("D16: far differences", function()
    for _, name in ipairs { "struct ptr_big *", "char *", "int *" } do
        local p = ffi.cast(name, 4096)
        check.equal(num((p + 2 ^ 32) - p), 2 ^ 32, name)
        check.equal(num(p - (p + 2 ^ 33)), -2 ^ 33, name)
        check.equal(num((p + (2 ^ 32 + 1)) - p), 2 ^ 32 + 1, name)
    end
end)

check.test("keys that are no index", function()
    local p = ffi.new("int[2]") + 0
    check.fails(function() return p.x end)
    check.fails(function() return p["1"] end)
    check.fails(function() return p[{}] end)
    check.fails(function() return p[nil] end)
    check.fails(function() return p[true] end)
end)

check.ours_test("a dereference of NULL", function()
    local p = ffi.cast("int *", 0)
    check.fails(function() return p[0] end, "NULL")
    check.fails(function() p[0] = 1 end, "NULL")
    check.fails(function() return p[100000] end, "NULL")
    check.fails(function() return p[-1] end, "NULL")
    check.fails(function() p[2^40] = 1 end, "NULL")
    local object = ffi.cast("struct ptr *", 0)
    check.fails(function() return object.x end, "NULL")
    check.fails(function() object.x = 1 end, "NULL")
    check.fails(function() return object.next end, "NULL")
    check.fails(function() return ffi.string(ffi.cast("char *", 0)) end, "NULL")
    check.fails(function() ffi.copy(ffi.new("char[4]"), p, 4) end, "NULL")
    check.fails(function() ffi.copy(p, "abc", 4) end, "NULL")
    check.fails(function() ffi.fill(p, 4) end, "NULL")
end)

check.ours_test("an index that is larger than memory", function()
    local p = ffi.new("int[4]", 1, 2, 3, 4) + 2
    for _, index in ipairs { math.maxinteger, math.mininteger,
                             2 ^ 61 } do
        check.fails(function() return p[index] end, "outside")
        check.fails(function() p[index] = 1 end, "outside")
    end
    check.equal(p[-2], 1)
end)

check.ours_test("ffi.nullptr", function()
    check.is(ffi.nullptr == ffi.cast("int *", 0))
    check.is(ffi.cast("struct ptr *", 0) == ffi.nullptr)
    check.is(ffi.cast("int *", 8) ~= ffi.nullptr)
    check.is(ffi.new("struct ptr", 1, ffi.nullptr).next == ffi.nullptr)
end)

check.test("what is pointed to has to fit below, too", function()
    check.not_null(ffi.new("void *", ffi.new("char *[1]")))
    check.fails(function() ffi.new("void **", ffi.new("char *[1]")) end,
                "'char %*%[1%]' to 'void %*%*'")
    check.fails(function() ffi.new("char **", ffi.new("void *[1]")) end)
    check.fails(function() ffi.new("int **", ffi.new("int *[1][1]")) end)
    check.not_null(ffi.new("char **", ffi.new("uint8_t *[1]")))
end)

check.test("a function pointer has as many parameters", function()
    local one = ffi.new("int (*)(int)")
    check.null(ffi.new("double (*)(long)", one))
    check.fails(function() ffi.new("int (*)(int, int)", one) end,
                "'int %(%*%)%(int%)' to 'int %(%*%)%(int, int%)'")
    check.fails(function() ffi.new("void (*)(void)", one) end)
    check.null(ffi.cast("int (*)(void)", one))
    check.null(ffi.new("void *", one))
end)

check.finish()
