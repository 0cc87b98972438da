-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.arena: memory that is given back at a known time. LuaJIT has none.

local check = require "check"
local ffi, num = check.ffi, check.num
local functions = require "functions"
local C = functions.C

ffi.cdef [[
struct ar_pair { int a; double b; };
struct ar_node { struct ar_node *next; int n; };
struct ar_texts { const char *text; };
struct ar_mixed { const char *text; complex z; struct ar_texts in; };
]]

check.test("objects of all kinds", function()
    local arena = ffi.arena()
    local pair = arena:new("struct ar_pair", 1, 2.5)
    check.equal(pair.a, 1)
    check.equal(pair.b, 2.5)
    check.equal(arena:new("struct ar_pair").a, 0)
    check.equal(arena:new("struct ar_pair", { b = 3 }).b, 3)
    local ints = arena:new("int[?]", 5, { 1, 2, 3, 4, 5 })
    check.equal(ints[4], 5)
    check.equal(ffi.sizeof(ints), 20)
    check.equal(C.sum_ints_at(ints, 5), 15)
    check.is(ffi.istype("struct ar_pair", pair))
    check.equal(arena:new(ffi.typeof("int[3]"), 7)[2], 7)
    arena:close()
end)

check.test("text", function()
    local arena = ffi.arena()
    local text = arena:string("in the arena")
    check.equal(ffi.string(text), "in the arena")
    check.equal(C.text_length(text), 12)
    check.equal(ffi.string(arena:string("")), "")
    local holder = ffi.new("struct ar_texts")
    holder.text = text
    check.collect()
    check.equal(ffi.string(holder.text), "in the arena")
    check.fails(function() arena:string() end)
    check.fails(function() arena:string({}) end)
    arena:close()
end)

check.test("use after close is an error", function()
    local arena = ffi.arena()
    local pair = arena:new("struct ar_pair", 1, 2)
    local ints = arena:new("int[4]", 1, 2, 3, 4)
    local pointer = ints + 1
    local cast = ffi.cast("char *", pair)
    local text = arena:string("text")
    arena:close()
    check.fails(function() return pair.a end, "closed")
    check.fails(function() pair.a = 1 end, "closed")
    check.fails(function() return ints[0] end, "closed")
    check.fails(function() ints[0] = 1 end, "closed")
    check.fails(function() return pointer[0] end, "closed")
    check.fails(function() return cast[0] end, "closed")
    check.fails(function() return ffi.string(text) end, "closed")
    check.fails(function() return C.sum_ints_at(ints, 4) end, "closed")
    check.fails(function() return C.sum_ints_at(pointer, 1) end, "closed")
    check.fails(function() ffi.copy(ffi.new("char[4]"), text, 4) end, "closed")
    check.fails(function() ffi.copy(text, "abc", 4) end, "closed")
    check.fails(function() ffi.fill(ints, 16) end, "closed")
    check.fails(function() arena:new("int") end, "closed")
    check.fails(function() arena:string("text") end, "closed")
    check.fails(function() arena:close() end, "closed")
end)

check.test("numbers of all kinds after the close", function()
    local arena = ffi.arena()
    local number = arena:new("int64_t", 5)
    local real = arena:new("double", 2.5)
    local complex = arena:new("double complex", 1, 2)
    check.equal(number + 1, 6)
    arena:close()
    check.fails(function() return number + 1 end, "closed")
    check.fails(function() return real < 1 end, "closed")
    check.fails(function() return complex.re end, "closed")
    check.fails(function() return complex == ffi.new("double complex") end,
                "closed")
    check.fails(function() return ffi.new("double complex", complex) end,
                "closed")
    check.fails(function() return ffi.cast("int", complex) end, "closed")
    check.fails(function() return ffi.tonumber(number) end, "closed")
    check.fails(function() return ffi.new("int[?]", number) end, "closed")
    check.matches(tostring(number), "int64_t", "it can still be named")
    check.matches(tostring(complex), "complex")
end)

check.test("no way to look is left open", function()
    local arena = ffi.arena()
    local box = arena:new("int64_t", 7)
    local huge = arena:new("uint64_t", -1)
    local wide = arena:new("__int128", 7)
    local number = arena:new("double", 7)
    local z = arena:new("double _Complex", 1, 2)
    local vector = arena:new("floats4", { 1, 2, 3, 4 })
    local pair = arena:new("struct ar_pair", 1, 2)
    local bits = arena:new("struct bits", 1, 2, 3)
    local point = arena:new("struct point", 1, 2)
    local pointer = arena:new("int *[1]")
    local handler = arena:new("int (*[1])(int)", { C.same_i32 })
    local colour = arena:new("enum colour", "BLUE")
    local texts = arena:new("const char *[1]", { "text" })
    check.equal(ffi.tonumber(box), 7)
    check.equal(handler[0](5), 5)
    check.equal(ffi.string(texts[0]), "text")
    arena:close()
    for i, look in ipairs {
        function() return box + 1 end, function() return -box end,
        function() return huge < 5 end, function() return huge == huge + 0 end,
        function() return box == ffi.new("int64_t", 7) end,
        function() return wide * 2 end, function() return wide == box end,
        function() return number + 1.5 end,
        function() return ffi.tonumber(box) end,
        function() return ffi.tonumber(number) end,
        function() return z.re end, function() return z[1] end,
        function() return vector[0] end, function() vector[0] = 1 end,
        function() return bits.low end, function() bits.low = 1 end,
        function() return pointer[0] end, function() pointer[0] = nil end,
        function() return handler[0] end, function() return texts[0] end,
        function() handler[0] = C.same_i32 end,
        function() return colour + 1 end,
        function() return ffi.new("int64_t", box) end,
        function() return ffi.cast("int", box) end,
        function() return ffi.cast("double", number) end,
        function() return ffi.new("double _Complex", z) end,
        function() return ffi.new("double", z) end,
        function() return ffi.new("floats4", vector) end,
        function() return ffi.new("struct point", point) end,
        function() ffi.new("struct ar_pair").a = box end,
        function() ffi.new("struct bits").low = box end,
        function() ffi.new("struct point[1]")[0] = point end,
        function() return ffi.new("struct point[1]", { point }) end,
        function() return ("x")[box] or pair[box] end,
        function() return ffi.new("int[?]", box) end,
        function() return ffi.new("int[8]")[box] end,
        function() return C.add2(box, 1) end,
        function() return C.same_double(number) end,
        function() return C.add_points(point, point) end,
        function() return C.twice_double(z) end,
        function() return C.add_floats4(vector, vector) end,
        function() return C.sum_ints(1, box) end,
        function() return C.text_length(texts) end,
        function() return ffi.string(pair, 4) end,
        function() return ffi.string(ffi.new("char[9]"), box) end,
        function() ffi.copy(ffi.new("char[9]"), pair, 4) end,
        function() ffi.copy(pair, "text", 4) end,
        function() ffi.fill(pair, 4) end,
    } do
        check.is_not(pcall(look), "way " .. i)
    end
    -- whoever prints a value must not fail for it
    for _, value in ipairs { box, huge, wide, z, pair, pointer } do
        check.matches(tostring(value), "^cdata<")
    end
end)

check.test("parts that were taken before the close", function()
    local arena = ffi.arena()
    local node = arena:new("struct ar_node", nil, 5)
    node.next = arena:new("struct ar_node", nil, 6)
    local array = arena:new("struct ar_pair[3]", { { 1, 2 } })
    local element, following = array[1], node.next
    check.equal(element.a, 1)
    check.equal(following.n, 6)
    arena:close()
    check.fails(function() return element.a end, "closed")
    check.fails(function() return node.next end, "closed")
end)

check.test("<close>", function()
    if _VERSION < "Lua 5.4" then
        check.skip("<close>", "Lua 5.3 has none")
        check.is(true)
        return
    end
    local seen = load([[
        local ffi = ...
        local kept
        do
            local arena <close> = ffi.arena()
            kept = arena:new("int[2]", 1, 2)
            assert(kept[1] == 2)
        end
        return kept
    ]])(ffi)
    check.fails(function() return seen[1] end, "closed")
    local kept
    check.fails(function()
        load([[
            local ffi, keep = ...
            local arena <close> = ffi.arena()
            keep(arena:new("int[2]", 1, 2))
            error("out of here")
        ]])(ffi, function(o) kept = o end)
    end, "out of here")
    check.fails(function() return kept[0] end, "closed")
end)

check.test("an arena that is forgotten", function()
    local object = (function()
        return ffi.arena():new("int[2]", 1, 2)
    end)()
    check.collect()
    for _ = 1, 100 do ffi.arena():new("int[2]", 9, 9) end
    check.collect()
    check.equal(object[1], 2, "what is in use keeps it")
end)

check.test("bounds", function()
    local arena = ffi.arena()
    local ints = arena:new("int[4]")
    check.fails(function() return ints[4] end)
    check.fails(function() ints[-1] = 1 end)
    check.fails(function() return (ints + 0)[4] end)
    check.fails(function() ffi.copy(ints, ("x"):rep(17), 17) end)
    check.fails(function() ffi.fill(ints, 17) end)
    check.equal(ints[3], 0)
    arena:close()
end)

check.test("alignment", function()
    local arena = ffi.arena()
    for _, alignment in ipairs { 16, 64, 256 } do
        arena:new("char")
        local object = arena:new(ffi.typeof(
            "struct { char c; } __attribute__((aligned(" .. alignment .. ")))"))
        check.equal(num(ffi.cast("uintptr_t", ffi.cast("void *", object)))
                        % alignment, 0)
    end
    arena:close()
end)

check.test("a shared one", function()
    local arena = ffi.arena("shared")
    local ints = arena:new("int[2]", 3, 4)
    check.equal(C.sum_ints_at(ints, 2), 7)
    arena:close()
    check.fails(function() return ints[0] end, "closed")
    check.fails(function() ffi.arena("no such kind") end, "no such kind")
end)

check.test("no arena is closed under a call that uses it", function()
    local arena = ffi.arena()
    local ints = arena:new("int[1]", 5)
    local refused
    C.each_int(ints, 1, function(item)
        refused = select(2, pcall(arena.close, arena))
        check.equal(item[0], 5)
    end, nil)
    check.matches(refused, "while a call uses it")
    arena:close()
    check.fails(function() return ints[0] end, "closed")
end)

check.test("a finalizer may close an arena in the middle of a write",
           function()
    local pause = collectgarbage("setpause", 1)
    local speed = collectgarbage("setstepmul", 400)
    local ways = {
        function(_, mixed) mixed.text = "text" end,
        function(_, mixed, i) mixed["in"] = { text = "text " .. i } end,
        function(_, mixed) mixed.z = 1 return mixed.z end,
        function(arena, _, i)
            arena:new("struct ar_mixed", { text = "text " .. i })
        end,
    }
    for round = 1, check.rounds(400) do
        local arena, ok, message = ffi.arena()
        local mixed = arena:new("struct ar_mixed[1]")[0]
        setmetatable({}, { __gc = function() arena:close() end })
        repeat
            ok, message = pcall(ways[round % #ways + 1], arena, mixed, round)
        until not ok
        check.matches(message, "closed")
    end
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", speed)
end)

check.test("arenas hold no other memory, and give all of it back",
                function()
    local function work()
        for i = 1, check.rounds(300) do
            local arena = ffi.arena()
            local ints = arena:new("int[?]", 100)
            ints[99] = i
            arena:string("some text")
            if i % 2 == 0 then arena:close() end
        end
        check.collect()
    end
    work()
    local before = collectgarbage("count")
    for _ = 1, 5 do work() end
    check.is(collectgarbage("count") < before + 64)
end)

check.test("objects in an arena with a finalizer and a metatype",
                function()
    ffi.metatype("struct ar_pair", { __index = {
        sum = function(self) return self.a + self.b end,
    } })
    local arena = ffi.arena()
    local pair = arena:new("struct ar_pair", 1, 2)
    check.equal(pair:sum(), 3)
    local runs = 0
    ffi.gc(pair, function() runs = runs + 1 end)
    arena:close()
    pair = nil
    check.collect()
    check.equal(runs, 1)
end)

check.test("what memory of an arena points to stays as long as the arena",
           function()
    ffi.cdef "struct ar_holder { int *p; };"
    local arena = ffi.arena()
    local holder = arena:new("struct ar_holder")
    local bare = ffi.unsafe.cast("struct ar_holder *", holder)
    local watched = setmetatable({}, { __mode = "v" })
    watched[1] = ffi.new("int[4]", 77)
    holder.p = watched[1]
    holder = nil
    check.collect()
    check.is(watched[1] ~= nil, "nobody has the holder, its memory is there")
    check.equal(bare.p[3], 77)
    arena:close()
    arena = nil
    check.collect()
    check.equal(watched[1], nil)
end)

check.finish()
