-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- What is refused here and is the caller's concern in LuaJIT; what a call
-- leaves behind; loading the module.

local check = require "check"
local ffi, num = check.ffi, check.num
local functions = require "functions"
local C = functions.C

ffi.cdef [[
struct sf_a { int x; };
struct sf_b { int x; };
struct sf_inner { int v[3]; };
struct sf_outer { struct sf_inner in[2]; int guard; };
void sf_take_b(struct sf_b *) __asm__("is_null");
]]

check.test("D12: a pointer to another struct has both names in the error",
           function()
    local a = ffi.new("struct sf_a")
    check.fails(function() C.sf_take_b(a) end, "sf_a", "sf_b")
    check.fails(function()
        C.sf_take_b(ffi.cast("struct sf_a *", a))
    end, "sf_a", "sf_b")
    check.fails(function() ffi.new("struct sf_b *[1]", a) end, "sf_a", "sf_b")
end)

check.ours_test("pointers into objects end where those end", function()
    local ints = ffi.new("int[4]", 1, 2, 3, 4)
    local p = ints + 2
    check.equal(p[1], 4)
    check.equal(p[-2], 1)
    check.fails(function() return p[2] end)
    check.fails(function() return p[-3] end)
    check.fails(function() p[2] = 1 end)
    check.is(ints + 4 == ints + 4, "one behind the end may be named")
    check.fails(function() return (ints + 4)[0] end)
    local chars = ffi.cast("char *", ints)
    check.equal(chars[15], 0)
    check.fails(function() return chars[16] end)
    check.fails(function() return ffi.cast("int64_t *", ints)[2] end)
    check.fails(function() return ffi.cast("int *", ffi.new("char[3]"))[0] end)
end)

check.ours_test("arrays in structs end where those end", function()
    local outer = ffi.new("struct sf_outer")
    check.fails(function() return outer["in"][2] end)
    check.fails(function() return outer["in"][0].v[3] end)
    check.fails(function() outer["in"][1].v[3] = 9 end)
    check.equal(outer.guard, 0)
end)

check.ours_test("ffi.copy, ffi.fill and ffi.string know the bounds", function()
    local to = ffi.new("char[4]", "abc")
    check.fails(function() ffi.copy(to, "12345") end)
    check.fails(function() ffi.copy(to, "12345", 5) end)
    check.fails(function() ffi.copy(to, "12", 4) end)
    check.fails(function() ffi.copy(to, ffi.new("char[2]"), 3) end)
    check.fails(function() ffi.copy(to + 2, "123", 3) end)
    check.fails(function() ffi.copy(to, "1", -1) end)
    check.fails(function() ffi.fill(to, 5) end)
    check.fails(function() ffi.fill(to + 1, 4) end)
    check.fails(function() ffi.fill(to, -1) end)
    check.fails(function() return ffi.string(to, 5) end)
    check.fails(function() return ffi.string(to, -1) end)
    check.equal(ffi.string(to), "abc")
end)

check.test("nothing lies at NULL", function()
    local null, to = ffi.cast("char *", 0), ffi.new("char[4]", "abc")
    check.equal(ffi.string(null, 0), "")
    ffi.copy(to, null, 0)
    ffi.copy(null, to, 0)
    ffi.fill(null, 0)
    check.equal(ffi.string(to), "abc")
    if check.reference then return end
    check.fails(function() return ffi.string(null) end, "#1 .*NULL")
    check.fails(function() return ffi.string(null, 1) end, "#1 .*NULL")
    check.fails(function() ffi.copy(null, "") end, "#1 .*NULL")
    check.fails(function() ffi.copy(to, null, 1) end, "#2 .*NULL")
    check.fails(function() ffi.fill(null, 1) end, "#1 .*NULL")
    check.fails(function() ffi.unsafe.copy(null, to, 1) end, "#1 .*NULL")
    check.fails(function() ffi.unsafe.fill(null, 1) end, "#1 .*NULL")
    check.fails(function() ffi.fill(ffi.typeof 'int', 1) end, "'ctype' to 'void")
end)

check.ours_test("text of Lua's is not written", function()
    local text = ("abc"):rep(2)
    local p = ffi.cast("const char *", text)
    check.fails(function() p[0] = 1 end, "const")
    check.fails(function() ffi.copy(text, "x", 1) end)
    check.fails(function() ffi.fill(text, 1) end)
    check.equal(text, "abcabc")
end)

check.ours_test("numbers as pointers say so", function()
    check.fails(function() C.is_null(0x1234) end, "number")
    check.fails(function() ffi.new("struct holder").handler = 5 end)
    check.equal(C.is_null(ffi.cast("void *", 0x1234)), 0)
end)

check.ours_test("a metatable is not for the taking", function()
    local object = ffi.new("struct sf_a")
    local meta = getmetatable(object)
    check.is(type(meta) ~= "table", "it would be a way around all checks")
    check.fails(function() setmetatable(object, {}) end)
end)

check.ours_test("methods of one object do not run on another", function()
    local arena = ffi.arena()
    check.fails(function() arena.close(5) end)
    check.fails(function() arena.new(io.stdout, "int") end)
    check.fails(function() arena.close(ffi.new("int")) end)
    check.fails(function() ffi.sizeof(arena) end)
    check.fails(function() ffi.gc(arena, print) end)
    check.fails(function() ffi.cast("cb", io.stdout) end)
    check.fails(function() return ffi.C[5] end)
    arena:close()
end)

-- With collections in between, the count is of nothing.
local measured = os.getenv "FRT_TEST_SLOW" and function() end or check.ours_test

measured("calls of scalars allocate nothing", function()
    local add2, fma3, same_bool = C.add2, C.fma3, C.same_bool
    local same_i64, nothing = C.same_i64, C.nothing
    local point = ffi.new("struct point", 1, 2)
    local ints = ffi.new("int[4]")
    local function work()
        for i = 1, 1000 do
            add2(i, i)
            fma3(i, 0.5, 2)
            same_bool(true)
            same_i64(i)
            nothing()
            point.x = i
            ints[i % 4] = point.x
        end
    end
    work()
    check.collect()
    collectgarbage("stop")
    local before = collectgarbage("count")
    work()
    local after = collectgarbage("count")
    collectgarbage("restart")
    check.is(after <= before, "Lua's memory is as before")
end)

measured("nor do names of a namespace that were asked for", function()
    local sum = 0
    for i = 1, 10 do sum = sum + C.add2(i, C.limit) end
    check.collect()
    collectgarbage("stop")
    local before = collectgarbage("count")
    for i = 1, 1000 do sum = sum + C.add2(i, C.limit) end
    local after = collectgarbage("count")
    collectgarbage("restart")
    check.is(after <= before, "Lua's memory is as before")
end)

check.ours_test("loaded twice it is one module", function()
    check.is(require "ffi_rt" == ffi)
    package.loaded.ffi_rt = nil
    local again = require "ffi_rt"
    again.cdef "typedef int sf_again;"
    check.equal(again.sizeof("sf_again"), 4)
    check.equal(again.tonumber(again.new("int", 5)), 5)
    package.loaded.ffi_rt = ffi
end)

check.ours_test("deep and wide initialisers", function()
    local depth = {}
    for _ = 1, 150 do depth = { depth } end
    check.fails(function() ffi.new("int", depth) end)
    local own = {}
    own[1] = own
    check.fails(function() ffi.new("int[2]", own) end)
    local big = {}
    for i = 1, 10000 do big[i] = i end
    check.equal(ffi.new("int[10000]", big)[9999], 10000)
    local strange = setmetatable({}, { __index = function() return 1 end })
    check.is(pcall(ffi.new, "struct sf_a", strange) ~= nil)
end)

check.ours_test("long names, and names made anew", function()
    local long = ("n"):rep(100)
    ffi.cdef("struct sf_long { int " .. long .. "; int b; };")
    local object = ffi.new("struct sf_long")
    object[long] = 5
    check.collect()
    check.equal(object[("n"):rep(99) .. "n"], 5)
    check.equal(object[table.concat { ("n"):rep(50), ("n"):rep(50) }], 5)
    check.fails(function() return object[("n"):rep(99)] end)
end)

check.ours_test("a result within an argument keeps it", function()
    ffi.cdef [[
char *strchr(const char *, int);
void *memset(void *, int, size_t);
]]
    local at = ffi.C.strchr(("x"):rep(1000) .. "yz", 121)
    local filled = ffi.cast("char *", ffi.C.memset(ffi.new("char[64]"), 97, 64))
    check.collect()
    local others = {}
    for i = 1, 100 do others[i] = ffi.new("char[64]", ("b"):rep(64)) end
    check.equal(ffi.string(at), "yz")
    check.equal(ffi.string(filled, 64), ("a"):rep(64))
    check.fails(function() return filled[64] end, "outside")
    check.fails(function() return at[3] end, "outside")
    check.null(ffi.C.strchr("none", 121))
end)

check.ours_test("a number that is no index", function()
    local a = ffi.new("int[4]", 1, 2, 3, 4)
    check.equal(a[1.5], 2, "the fraction goes, as in LuaJIT")
    for _, number in ipairs { -1e300, 1 / 0, 0 / 0, 2^63 } do
        check.fails(function() return a[number] end, "cannot be indexed")
        check.fails(function() return (a + 0)[number] end, "cannot be indexed")
    end
end)

check.ours_test("a zero byte in a text is an error", function()
    check.fails(function() ffi.cdef "typedef int sf_one;\0 int;" end, "zero byte")
    check.fails(function() ffi.typeof "int\0[3]" end, "zero byte")
    check.fails(function() return ffi.C["abs\0x"] end, "zero byte")
    check.fails(function() ffi.load "m\0n" end, "zero byte")
end)

check.finish()
