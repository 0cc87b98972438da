-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.istype and ffi.typeof of objects.

local check = require "check"
local ffi = check.ffi

ffi.cdef [[
struct is_a { int x; };
struct is_b { int x; };
typedef struct is_a is_name;
union is_u { int x; };
enum is_e { IS_ONE };
]]

check.test("the same type", function()
    check.is(ffi.istype("int", ffi.new("int")))
    check.is(ffi.istype("struct is_a", ffi.new("struct is_a")))
    check.is(ffi.istype("is_name", ffi.new("struct is_a")))
    check.is(ffi.istype(ffi.typeof("struct is_a"), ffi.new("is_name")))
    check.is(ffi.istype("int[3]", ffi.new("int[3]")))
    check.is(ffi.istype("int *", ffi.cast("int *", 0)))
    check.is(ffi.istype("double", ffi.new("double")))
    check.is(ffi.istype("union is_u", ffi.new("union is_u")))
    check.is(ffi.istype("enum is_e", ffi.new("enum is_e")))
    check.is(ffi.istype("const int", ffi.new("int")), "const does not count")
    check.is(ffi.istype("int", ffi.new("const int")))
end)

check.test("another type", function()
    check.is_not(ffi.istype("int", ffi.new("short")))
    check.is_not(ffi.istype("int", ffi.new("unsigned")))
    check.is_not(ffi.istype("struct is_b", ffi.new("struct is_a")))
    check.is_not(ffi.istype("int[3]", ffi.new("int[4]")))
    check.is_not(ffi.istype("int *", ffi.new("int[4]")))
    check.is_not(ffi.istype("int *", ffi.cast("void *", 0)))
    check.is_not(ffi.istype("double", ffi.new("float")))
    check.is_not(ffi.istype("union is_u", ffi.new("struct is_a")))
    check.is_not(ffi.istype("struct is_a *", ffi.cast("struct is_b *", 0)))
end)

check.test("a pointer to a struct counts as the struct", function()
    local object = ffi.new("struct is_a")
    check.is(ffi.istype("struct is_a", ffi.cast("struct is_a *", object)))
    check.is_not(ffi.istype("struct is_a *", object))
    check.is_not(ffi.istype("struct is_b", ffi.cast("struct is_a *", object)))
end)

check.test("what is no cdata", function()
    check.is_not(ffi.istype("int", 5))
    check.is_not(ffi.istype("int", nil))
    check.is_not(ffi.istype("const char *", "text"))
    check.is_not(ffi.istype("int", {}))
    check.is_not(ffi.istype("int", print))
    check.is_not(ffi.istype("bool", true))
    check.is_not(ffi.istype("void *", io.stdout))
    check.fails(function() ffi.istype("no_such_type", 5) end)
end)

check.test("results are booleans", function()
    check.equal(ffi.istype("int", ffi.new("int")), true)
    check.equal(ffi.istype("int", 5), false)
end)

check.test("typeof an object", function()
    check.is(ffi.typeof(ffi.new("struct is_a")) == ffi.typeof("struct is_a"))
    check.is(ffi.typeof(ffi.new("struct is_a")) ~= ffi.typeof("struct is_b"))
    check.is(ffi.typeof(ffi.cast("int *", 0)) == ffi.typeof("int *"))
    local made = ffi.typeof(ffi.new("struct is_a", 4))(5)
    check.equal(made.x, 5)
    check.is(ffi.istype(ffi.new("int"), ffi.new("int")), "an object as a type")
    check.fails(function() ffi.typeof(5) end)
    check.fails(function() ffi.typeof(nil) end)
    check.fails(function() ffi.typeof({}) end)
end)

check.test("two unnamed structs are two types", function()
    local one = ffi.typeof("struct { int x; }")
    local two = ffi.typeof("struct { int y; }")
    check.is(one ~= two)
    check.is_not(ffi.istype(one, two()))
    check.is(ffi.istype(one, one()))
end)

check.finish()
