-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Lua's values into C's and back: what is stored, what is read, what is
-- refused; ffi.cast, ffi.string, ffi.copy, ffi.fill.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct conv {
    int8_t i8; uint8_t u8; int16_t i16; uint16_t u16;
    int32_t i32; uint32_t u32; int64_t i64; uint64_t u64;
    float f; double d; bool b; char c;
    void *p; const char *text; int *ints;
};
enum conv_enum { CONV_ZERO, CONV_ONE, CONV_TEN = 10 };
struct conv_other { int x; };
]]

local function stored(name, value)
    local object = ffi.new("struct conv")
    object[name] = value
    return object[name]
end

check.test("numbers that fit are as they were", function()
    for _, case in ipairs {
        { "i8", -128, 0, 127 }, { "u8", 0, 1, 255 },
        { "i16", -32768, 0, 32767 }, { "u16", 0, 1, 65535 },
        { "i32", -2147483648, 0, 2147483647 }, { "u32", 0, 1, 4294967295 },
        { "i64", -2 ^ 53, 0, 2 ^ 53 }, { "u64", 0, 1, 2 ^ 53 },
        { "f", -0.5, 0, 16777216 }, { "d", -1e300, 0, 0.1 },
        { "c", 0, 1, 127 },
    } do
        for i = 2, 4 do
            check.num_equal(stored(case[1], case[i]), case[i], case[1])
        end
    end
end)

check.test("small integers are narrowed", function()
    check.equal(stored("i8", 128), -128)
    check.equal(stored("i8", -129), 127)
    check.equal(stored("u8", 256), 0)
    check.equal(stored("u8", -1), 255)
    check.equal(stored("i16", 32768), -32768)
    check.equal(stored("u16", -1), 65535)
    check.equal(stored("u16", 65536 + 5), 5)
    check.equal(stored("u32", -1), 4294967295)
    check.num_equal(stored("i64", -1), -1)
end)

check.test("fractions are cut off towards zero", function()
    for _, name in ipairs { "i8", "i16", "i32", "i64", "u8", "u16", "u32",
                            "u64" } do
        check.num_equal(stored(name, 1.99), 1, name)
        check.num_equal(stored(name, 0.99), 0, name)
    end
    for _, name in ipairs { "i8", "i16", "i32", "i64" } do
        check.num_equal(stored(name, -1.99), -1, name)
        check.num_equal(stored(name, -0.99), 0, name)
    end
end)

check.test("floats round", function()
    check.near(stored("f", 0.1), 0.1, 1e-8)
    check.equal(stored("f", 16777217), 16777216)
    check.equal(stored("f", 1e40), 1 / 0)
    check.equal(stored("d", -1 / 0), -1 / 0)
    local nan = stored("d", 0 / 0)
    check.is(nan ~= nan)
    check.equal(1 / stored("d", -0.0), -1 / 0)
end)

check.test("booleans", function()
    check.equal(stored("b", true), true)
    check.equal(stored("b", false), false)
    check.equal(stored("b", 2), true)
    check.equal(stored("b", 0), false)
    check.equal(stored("b", 0.5), true)
    check.equal(stored("i32", true), 1)
    check.equal(stored("u8", false), 0)
    check.equal(stored("d", true), 1)
    check.fails(function() stored("b", "true") end)
    check.fails(function() stored("b", nil) end)
end)

check.test("what is read has Lua's types", function()
    local object = ffi.new("struct conv")
    for _, name in ipairs { "i8", "u8", "i16", "u16", "i32", "u32", "f", "d",
                            "c" } do
        check.equal(type(object[name]), "number", name)
    end
    check.equal(type(object.b), "boolean")
    check.cdata(object.p)
    check.cdata(object.text)
    check.null(object.p)
end)

check.test("pointers take nil and pointers", function()
    local object = ffi.new("struct conv")
    local ints = ffi.new("int[3]", 4, 5, 6)
    object.ints = ints
    check.equal(object.ints[2], 6)
    object.ints = ints + 1
    check.equal(object.ints[0], 5)
    object.p = ints
    check.is(object.p == ffi.cast("void *", ints))
    object.p = nil
    check.null(object.p)
    object.ints = nil
    check.null(object.ints)
    object.p = ints
    object.ints = object.p
    check.equal(object.ints[1], 5, "void * becomes any pointer")
    check.fails(function() object.ints = ffi.new("double[2]") end)
    check.fails(function() object.ints = 5 end)
    check.fails(function() object.ints = "text" end)
    check.fails(function() object.ints = {} end)
    check.fails(function() object.p = 5 end)
    check.fails(function() object.p = true end)
end)

check.test("const is kept", function()
    local constant = ffi.new("const int[2]", 1, 2)
    check.equal(constant[1], 2)
    check.fails(function() constant[0] = 5 end, "const")
    check.fails(function() ffi.new("struct conv").ints = constant end, "const")
    local pointer = ffi.cast("const int *", constant)
    check.equal(pointer[0], 1)
    check.fails(function() pointer[0] = 5 end, "const")
    check.num_equal(ffi.new("const int", 5), 5)
    local fixed = ffi.new("struct { const int a; int b; }", 1, 2)
    check.equal(fixed.a, 1)
    check.fails(function() fixed.a = 3 end, "const")
    fixed.b = 3
    check.equal(fixed.b, 3)
end)

check.test("text for const char *", function()
    local object = ffi.new("struct conv")
    local text = "kept alive here"
    object.text = text
    check.equal(ffi.string(object.text), text)
    check.fails(function() ffi.new("char *[1]")[0] = "text" end)
    local texts = ffi.new("const char *[2]", "one", "two")
    check.equal(ffi.string(texts[1]), "two")
    check.equal(ffi.string(ffi.cast("const char *", "cast")), "cast")
    check.equal(ffi.cast("const uint8_t *", "A")[0], 65)
end)

check.test("text for arrays of char", function()
    check.equal(ffi.string(ffi.new("char[8]", "abc")), "abc")
    check.equal(ffi.new("char[8]", "abc")[3], 0)
    check.equal(ffi.string(ffi.new("char[3]", "abc"), 3), "abc")
    check.equal(ffi.string(ffi.new("char[2]", "abc"), 2), "ab")
    check.equal(ffi.sizeof(ffi.new("char[?]", 4, "abc")), 4)
    check.equal(ffi.string(ffi.new("uint8_t[4]", "xyz"), 3), "xyz")
    check.equal(ffi.string(ffi.new("char[4]", "a\0b"), 3), "a\0b")
    check.fails(function() ffi.new("int[4]", "abc") end)
end)

check.test("enums", function()
    check.num_equal(ffi.new("enum conv_enum", "CONV_TEN"), 10)
    check.num_equal(ffi.new("enum conv_enum", 1), 1)
    check.num_equal(ffi.new("enum conv_enum", 77), 77)
    check.fails(function() ffi.new("enum conv_enum", "CONV_NONE") end,
                "enum conv_enum")
    check.fails(function() ffi.new("enum conv_enum", {}) end)
    check.equal(ffi.C.CONV_TEN, 10)
    check.equal(num(ffi.cast("enum conv_enum", "CONV_ONE")), 1)
end)

check.test("casts between numbers", function()
    check.num_equal(ffi.cast("int", 3.7), 3)
    check.num_equal(ffi.cast("int", -3.7), -3)
    check.num_equal(ffi.cast("int8_t", 130), -126)
    check.num_equal(ffi.cast("uint8_t", -1), 255)
    check.num_equal(ffi.cast("uint16_t", 65537), 1)
    check.num_equal(ffi.cast("uint32_t", -1), 4294967295)
    check.num_equal(ffi.cast("float", 0.5), 0.5)
    check.num_equal(ffi.cast("double", 7), 7)
    check.equal(num(ffi.cast("int", ffi.cast("int64_t", 2 ^ 32 + 9))), 9)
    check.num_equal(ffi.cast("int", true), 1)
    check.num_equal(ffi.cast("int64_t", ffi.cast("int32_t", -1)), -1)
    check.num_equal(ffi.cast("int64_t", ffi.cast("uint32_t", -1)), 4294967295)
    check.cdata(ffi.cast("int", 1))
    check.fails(function() ffi.cast("int", {}) end)
    check.fails(function() ffi.cast("struct conv_other", 1) end)
    check.fails(function() ffi.cast("int[2]", 1) end)
end)

check.test("casts between pointers and numbers", function()
    local ints = ffi.new("int[4]", 1, 2, 3, 4)
    local address = ffi.cast("uintptr_t", ints)
    check.is(ffi.cast("int *", address) == ints + 0)
    check.equal(ffi.cast("int *", address + 8)[0], 3)
    check.equal(num(ffi.cast("intptr_t", ffi.cast("void *", 4096))), 4096)
    check.null(ffi.cast("void *", 0))
    check.null(ffi.cast("int *", nil))
    check.equal(ffi.cast("uint8_t *", ints)[4], 2)
    check.equal(ffi.cast("int *", ffi.cast("void *", ints))[3], 4)
    check.equal(ffi.cast("const int *", ints)[1], 2)
    ffi.cast("int *", ffi.cast("const int *", ints))[1] = 20
    check.equal(ints[1], 20, "a cast takes const away")
    local bits = ffi.new("float[1]", 1)
    check.equal(ffi.cast("uint32_t *", bits)[0], 0x3f800000)
    local object = ffi.new("struct conv_other", 5)
    check.equal(ffi.cast("int *", object)[0], 5)
    check.is(ffi.cast("void *", object) ~= ffi.cast("void *", ints))
    check.num_equal(ffi.cast("int", ffi.cast("void *", 12)), 12)
end)

check.test("ffi.string", function()
    local text = ffi.new("char[16]", "hello")
    check.equal(ffi.string(text), "hello")
    check.equal(ffi.string(text, 3), "hel")
    check.equal(ffi.string(text, 0), "")
    check.equal(ffi.string(text, 7), "hello\0\0")
    check.equal(ffi.string(text + 1), "ello")
    check.equal(ffi.string(ffi.cast("void *", text), 4), "hell")
    check.equal(#ffi.string(ffi.new("int[2]"), 8), 8)
    check.equal(ffi.string(ffi.new("char[3]", "xyz")), "xyz",
                "an array ends where it ends")
    check.equal(ffi.string(ffi.cast("uint8_t *", text)), "hello")
    check.equal(ffi.string(ffi.new("struct { int a; }", 0x41424344), 4), "DCBA")
    check.fails(function() ffi.string(ffi.new("int[2]")) end)
    check.fails(function() ffi.string(5) end)
    check.fails(function() ffi.string() end)
    check.fails(function() ffi.string(ffi.new("int", 5)) end)
end)

check.test("ffi.copy", function()
    local from = ffi.new("int[4]", 1, 2, 3, 4)
    local to = ffi.new("int[4]")
    ffi.copy(to, from, 16)
    check.equal(to[3], 4)
    ffi.copy(to + 1, from, 4)
    check.equal(to[1], 1)
    check.equal(to[2], 3)
    local text = ffi.new("char[8]", "zzzzzzz")
    ffi.copy(text, "abc")
    check.equal(ffi.string(text), "abc")
    check.equal(text[3], 0, "the end goes along")
    check.equal(text[4], ("z"):byte())
    ffi.copy(text, "12345", 2)
    check.equal(ffi.string(text), "12c")
    local pair = ffi.new("struct { int a, b; }", 7, 8)
    ffi.copy(to, pair, 8)
    check.equal(to[1], 8)
    check.equal(select("#", ffi.copy(to, from, 4)), 0)
    check.fails(function() ffi.copy(to, from) end)
    check.fails(function() ffi.copy(to) end)
    check.fails(function() ffi.copy(5, from, 4) end)
end)

check.test("lengths are numbers or boxes", function()
    local text = ffi.new("char[8]", "abcdefg")
    check.equal(ffi.string(text, ffi.new("int", 3)), "abc")
    check.equal(ffi.string(text, 3.9), "abc")
    ffi.copy(text, "xyz", ffi.new("size_t", 2))
    check.equal(ffi.string(text), "xycdefg")
    ffi.fill(text, ffi.new("int", 2), ffi.new("int", 65))
    check.equal(ffi.string(text), "AAcdefg")
    check.fails(function() ffi.string(text, {}) end)
    check.fails(function() ffi.copy(text, "x", {}) end)
    check.fails(function() ffi.fill(text, nil) end)
end)

check.test("boxes are keys by identity, numbers are not", function()
    local one, other = ffi.new("int", 1), ffi.new("int", 1)
    local t = { [one] = "one" }
    check.equal(t[one], "one")
    check.equal(t[other], nil)
    check.is(one == other)
    check.equal(({ [1] = "x" })[ffi.new("struct { int a; }", 1).a], "x")
end)

check.test("ffi.fill", function()
    local bytes = ffi.new("uint8_t[6]", 1, 1, 1, 1, 1, 1)
    ffi.fill(bytes, 3)
    check.equal(bytes[2], 0)
    check.equal(bytes[3], 1)
    ffi.fill(bytes + 1, 2, 0xab)
    check.equal(bytes[0], 0)
    check.equal(bytes[1], 0xab)
    check.equal(bytes[2], 0xab)
    check.equal(bytes[3], 1)
    ffi.fill(bytes, 6, 255)
    check.equal(bytes[5], 255)
    local pair = ffi.new("struct { int a, b; }", 7, 8)
    ffi.fill(pair, ffi.sizeof(pair))
    check.equal(pair.b, 0)
    check.fails(function() ffi.fill(bytes) end)
    check.fails(function() ffi.fill("text", 2) end)
end)

check.test("text of objects", function()
    check.matches(tostring(ffi.new("int", 5)), "^cdata<int>: 0x%x+$")
    check.matches(tostring(ffi.new("struct conv_other")),
                  "^cdata<struct conv_other>: 0x%x+$")
    check.matches(tostring(ffi.new("int[3]")), "^cdata<int ?%[3%]>: 0x%x+$")
    check.matches(tostring(ffi.cast("int *", 4096)),
                  "^cdata<int %*>: 0x0*1000$")
    check.matches(tostring(ffi.new("int64_t", -5)), "^%-5")
    check.matches(tostring(ffi.new("uint64_t", 5)), "^5")
    check.matches(tostring(ffi.cast("uint64_t",
                                  ffi.cast("int64_t", -1))),
                  "^18446744073709551615")
    check.matches(tostring(ffi.cast("void *", 0)), "^cdata<void %*>: ")
end)

check.ours_test("integers of Lua are exact", function()
    check.equal(num(stored("i64", math.mininteger)), math.mininteger)
    check.equal(num(stored("i64", math.maxinteger)), math.maxinteger)
    check.equal(num(stored("i64", 9007199254740993)), 9007199254740993)
    check.equal(math.type(stored("i32", 1)), "integer")
    check.equal(math.type(stored("u32", -1)), "integer")
    check.equal(math.type(stored("d", 1)), "float")
    check.equal(math.type(num(stored("i64", 2.0))), "integer")
    check.matches(tostring(stored("u64", -1)), "^18446744073709551615")
    check.equal(num(ffi.cast("uint8_t", math.maxinteger)), 255)
    check.equal(num(ffi.cast("int32_t", math.mininteger)), 0)
end)

check.ours_test("files and full userdata are pointers", function()
    check.not_null(ffi.cast("void *", io.stdout))
    check.is(ffi.cast("void *", io.stdout) ~= ffi.cast("void *", io.stderr))
end)

check.finish()
