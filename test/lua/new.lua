-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.new, ffi.typeof, ffi.sizeof and the others that ask of a type.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct new_pair { int a; double b; };
struct new_nested { struct new_pair first, second; char text[8]; };
struct new_unknown;
union new_union { int i; float f; char c[8]; };
typedef struct { short a; } new_typedef;
typedef int new_int;
struct new_bits { int a : 3; };
]]

check.test("sizes", function()
    check.equal(ffi.sizeof("char"), 1)
    check.equal(ffi.sizeof("short"), 2)
    check.equal(ffi.sizeof("int"), 4)
    check.equal(ffi.sizeof("long"), 8)
    check.equal(ffi.sizeof("long long"), 8)
    check.equal(ffi.sizeof("float"), 4)
    check.equal(ffi.sizeof("double"), 8)
    check.equal(ffi.sizeof("bool"), 1)
    check.equal(ffi.sizeof("void *"), 8)
    check.equal(ffi.sizeof("int (*)(int)"), 8)
    check.equal(ffi.sizeof("size_t"), 8)
    check.equal(ffi.sizeof("int[10]"), 40)
    check.equal(ffi.sizeof("int[3][5]"), 60)
    check.equal(ffi.sizeof("double _Complex"), 16)
    check.equal(ffi.sizeof("float _Complex"), 8)
    check.equal(ffi.sizeof("struct new_pair"), 16)
    check.equal(ffi.sizeof("struct new_nested"), 40)
    check.equal(ffi.sizeof("union new_union"), 8)
    check.equal(ffi.sizeof("new_typedef"), 2)
    check.equal(ffi.sizeof("new_int"), 4)
    check.equal(ffi.sizeof("struct { char a; int b; }"), 8)
end)

check.test("the size of what has none", function()
    check.equal(ffi.sizeof("void"), nil)
    check.equal(ffi.sizeof("struct new_unknown"), nil)
    check.fails(function() ffi.sizeof("int[?]") end)
    check.equal(ffi.sizeof("int[?]", 5), 20)
    check.equal(ffi.sizeof("int[]"), nil)
end)

check.test("the size of an object", function()
    check.equal(ffi.sizeof(ffi.new("int")), 4)
    check.equal(ffi.sizeof(ffi.new("struct new_pair")), 16)
    check.equal(ffi.sizeof(ffi.new("char[7]")), 7)
    check.equal(ffi.sizeof(ffi.new("int[?]", 9)), 36)
    check.equal(ffi.sizeof(ffi.cast("struct new_pair *", 0)), 8)
    check.equal(ffi.sizeof(ffi.typeof("struct new_pair")), 16)
    check.equal(ffi.sizeof(ffi.new("struct new_nested").text), 8)
end)

check.test("alignments", function()
    check.equal(ffi.alignof("char"), 1)
    check.equal(ffi.alignof("short"), 2)
    check.equal(ffi.alignof("int"), 4)
    check.equal(ffi.alignof("double"), 8)
    check.equal(ffi.alignof("void *"), 8)
    check.equal(ffi.alignof("char[9]"), 1)
    check.equal(ffi.alignof("int[9]"), 4)
    check.equal(ffi.alignof("struct new_pair"), 8)
    check.equal(ffi.alignof("new_typedef"), 2)
    check.equal(ffi.alignof(ffi.new("struct new_pair")), 8)
    check.equal(
        ffi.alignof("struct { char c; } __attribute__((aligned(16)))"), 16)
end)

check.test("offsets", function()
    check.equal(ffi.offsetof("struct new_pair", "a"), 0)
    check.equal(ffi.offsetof("struct new_pair", "b"), 8)
    check.equal(ffi.offsetof("struct new_nested", "second"), 16)
    check.equal(ffi.offsetof("struct new_nested", "text"), 32)
    check.equal(ffi.offsetof("union new_union", "f"), 0)
    check.equal(ffi.offsetof(ffi.typeof("struct new_pair"), "b"), 8)
    check.equal(ffi.offsetof("struct new_pair", "none"), nil)
    local offset, position, width = ffi.offsetof("struct new_bits", "a")
    check.equal(offset, 0)
    check.equal(position, 0)
    check.equal(width, 3)
end)

check.test("a new scalar", function()
    check.cdata(ffi.new("int"))
    check.num_equal(ffi.new("int"), 0)
    check.num_equal(ffi.new("int", 5), 5)
    check.num_equal(ffi.new("int", -5), -5)
    check.num_equal(ffi.new("double", 0.25), 0.25)
    check.num_equal(ffi.new("float", 0.25), 0.25)
    check.num_equal(ffi.new("uint8_t", 300), 44)
    check.num_equal(ffi.new("int64_t", -7), -7)
    check.num_equal(ffi.new("uint64_t", 7), 7)
    check.num_equal(ffi.new("new_int", 6), 6)
    check.num_equal(ffi.new("int", ffi.new("short", 12)), 12)
    check.null(ffi.new("void *"))
    check.null(ffi.new("int *", nil))
end)

check.test("memory is zero", function()
    local pair = ffi.new("struct new_pair")
    check.equal(pair.a, 0)
    check.equal(pair.b, 0)
    local array = ffi.new("int[100]")
    local sum = 0
    for i = 0, 99 do sum = sum + array[i] end
    check.equal(sum, 0)
    check.equal(ffi.string(ffi.new("char[16]")), "")
    check.null(ffi.new("void *[4]")[3])
    local partial = ffi.new("struct new_nested", { { 1 } })
    check.equal(partial.first.a, 1)
    check.equal(partial.first.b, 0)
    check.equal(partial.second.a, 0)
    check.equal(partial.text[7], 0)
end)

check.test("initialisers in order", function()
    local pair = ffi.new("struct new_pair", 1, 2.5)
    check.equal(pair.a, 1)
    check.equal(pair.b, 2.5)
    local nested = ffi.new("struct new_nested", { 1, 2 }, { 3, 4 }, "text")
    check.equal(nested.first.b, 2)
    check.equal(nested.second.a, 3)
    check.equal(ffi.string(nested.text), "text")
    local array = ffi.new("int[3]", 1, 2, 3)
    check.equal(array[0], 1)
    check.equal(array[2], 3)
    local copy = ffi.new("struct new_pair", pair)
    check.equal(copy.b, 2.5)
    copy.b = 9
    check.equal(pair.b, 2.5, "a copy is another object")
end)

check.test("too many initialisers", function()
    check.fails(function() ffi.new("struct new_pair", 1, 2, 3) end)
    check.fails(function() ffi.new("int", 1, 2) end)
    check.fails(function() ffi.new("int[2]", 1, 2, 3) end)
    check.fails(function() ffi.new("int[2]", { 1, 2, 3 }) end)
    check.fails(function() ffi.new("union new_union", 1, 2) end)
end)

check.test("a type is called to make an object", function()
    local pair_type = ffi.typeof("struct new_pair")
    local pair = pair_type(3, 4)
    check.equal(pair.a, 3)
    check.equal(pair_type({ b = 8 }).b, 8)
    check.equal(pair_type().a, 0)
    check.num_equal(ffi.typeof("int")(12), 12)
    local array_type = ffi.typeof("int[?]")
    check.equal(array_type(5)[4], 0)
    check.equal(array_type(2, { 7, 8 })[1], 8)
    check.equal(ffi.new(pair_type, 5).a, 5)
    check.equal(ffi.sizeof(pair_type), 16)
end)

check.test("types are the same or not", function()
    check.is(ffi.typeof("int") == ffi.typeof("int"))
    check.is(ffi.typeof("struct new_pair") == ffi.typeof("struct new_pair"))
    check.is(ffi.typeof("int") ~= ffi.typeof("unsigned"))
    check.is(ffi.typeof("int *") ~= ffi.typeof("const int *"))
    check.is(ffi.typeof(ffi.new("int[3]")) == ffi.typeof("int[3]"))
    check.is(ffi.typeof("new_int") == ffi.typeof("int"))
    check.is(ffi.typeof("signed int") == ffi.typeof("int"))
    check.matches(tostring(ffi.typeof("int")), "^ctype<int>$")
    check.matches(tostring(ffi.typeof("struct new_pair")),
                  "^ctype<struct new_pair>$")
    check.matches(tostring(ffi.typeof("int *")), "^ctype<int %*>$")
    check.matches(tostring(ffi.typeof("int[4]")), "^ctype<int ?%[4%]>$")
end)

check.test("types with parameters", function()
    local int = ffi.typeof("int")
    check.is(ffi.typeof("$ *", int) == ffi.typeof("int *"))
    check.is(ffi.typeof("$[$]", int, 4) == ffi.typeof("int[4]"))
    check.equal(ffi.sizeof(ffi.typeof("$[?]", int), 3), 12)
    local wrapped = ffi.typeof("struct { $ value; int tag; }",
                               ffi.typeof("double"))
    check.equal(ffi.sizeof(wrapped), 16)
    check.equal(wrapped(1.5, 2).value, 1.5)
    check.equal(ffi.offsetof(ffi.typeof("struct { $ $; $ $; }", int, "one",
                                        int, "two"), "two"), 4)
    check.equal(ffi.typeof("struct { $ x[$]; }", int, 3)().x[2], 0)
    ffi.cdef("typedef struct { $ wrapped; } new_parametrised;",
             ffi.typeof("short"))
    check.equal(ffi.sizeof("new_parametrised"), 2)
    ffi.cdef("struct $ { int x; };", "new_named")
    check.equal(ffi.new("struct new_named", 4).x, 4)
    check.fails(function() ffi.typeof("$ *") end)
end)

check.test("what cannot be made", function()
    check.fails(function() ffi.new("void") end, "void")
    check.fails(function() ffi.new("struct new_unknown") end, "new_unknown")
    check.fails(function() ffi.new("int[?]") end)
    check.fails(function() ffi.new("int[]") end)
    check.fails(function() ffi.new("int(int)") end)
    check.fails(function() ffi.new("int[-1]") end)
    check.fails(function() ffi.new("int[?]", -1) end)
    check.fails(function() ffi.new("new_there_is_no_such_type") end,
                "new_there_is_no_such_type")
    check.fails(function() ffi.new("struct new_pair", 1, "x") end)
    check.fails(function() ffi.new() end)
    check.fails(function() ffi.new(5) end)
    check.fails(function() ffi.new("int", {}) end)
    check.fails(function() ffi.new("int", "5") end)
    check.fails(function() ffi.new("int", print) end)
    check.fails(function() ffi.new("double", {}) end)
    check.fails(function() ffi.typeof("int int") end)
    check.fails(function() ffi.sizeof("struct {") end)
end)

check.test("large and many", function()
    local size = 2 ^ 20
    local large = ffi.new("char[?]", size)
    check.equal(large[size - 1], 0)
    large[size - 1] = 7
    check.equal(large[size - 1], 7)
    check.equal(ffi.sizeof(large), size)
    local many = {}
    local count = check.rounds(1000)
    for i = 1, count do
        many[i] = ffi.new("struct new_pair", i, i / 2)
    end
    collectgarbage()
    local sum = 0
    for i = 1, count do sum = sum + many[i].a + many[i].b end
    check.equal(sum, count * (count + 1) / 2 * 1.5)
end)

check.test("addresses are as aligned as their types", function()
    for _, case in ipairs {
        { "char", 1 }, { "int", 4 }, { "double", 8 }, { "struct new_pair", 8 },
        { "struct { char c; } __attribute__((aligned(16)))", 16 },
        { "struct { char c; } __attribute__((aligned(64)))", 64 },
        { "struct { char c; } __attribute__((aligned(256)))", 256 },
    } do
        local array_type = ffi.typeof("$[1]", ffi.typeof(case[1]))
        for _ = 1, 3 do
            local address = ffi.cast("uintptr_t", array_type() + 0)
            check.equal(num(address) % case[2], 0, case[1])
        end
    end
end)

check.test("objects that ask for nothing", function()
    check.equal(ffi.sizeof(ffi.new("int[0]")), 0)
    check.equal(ffi.sizeof(ffi.new("char[?]", 0)), 0)
    check.equal(ffi.sizeof("struct {}"), 0)
end)

check.test("constants of the machine", function()
    check.is(ffi.os == "Linux" or ffi.os == "BSD" or ffi.os == "OSX"
                 or ffi.os == "POSIX" or ffi.os == "Other", ffi.os)
    check.is(ffi.arch == "x64" or ffi.arch == "arm64", ffi.arch)
    check.equal(ffi.abi("64bit"), true)
    check.equal(ffi.abi("32bit"), false)
    check.equal(ffi.abi("le"), true)
    check.equal(ffi.abi("be"), false)
    check.equal(ffi.abi("fpu"), true)
    check.equal(ffi.abi("no such thing"), false)
end)

check.ours_test("types that LuaJIT has not", function()
    check.equal(ffi.sizeof("__int128"), 16)
    check.equal(ffi.alignof("__int128"), 16)
    check.equal(ffi.sizeof("long double"), 16)
    check.equal(ffi.sizeof("float __attribute__((vector_size(16)))"), 16)
    check.equal(
        ffi.alignof("struct { char c; } __attribute__((aligned(4096)))"), 4096)
end)

check.finish()
