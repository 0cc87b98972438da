-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.gc, and what keeps what alive.

local check = require "check"
local ffi = check.ffi
local functions = require "functions"
local C = functions.C

ffi.cdef [[
struct gc_inner { int a; };
struct gc_outer { int n; struct gc_inner inner; int list[4]; };
struct gc_pointer { struct gc_inner *to; const char *text; };
]]

check.test("a finalizer runs once, with its object", function()
    local runs, seen = 0, nil
    do
        local object = ffi.gc(ffi.new("struct gc_inner", 42), function(o)
            runs = runs + 1
            seen = o.a
        end)
        check.equal(object.a, 42)
        object = nil
    end
    check.collect()
    check.equal(runs, 1)
    check.equal(seen, 42)
    check.collect()
    check.equal(runs, 1)
end)

check.test("not as long as the object is in use", function()
    local runs = 0
    local object = ffi.gc(ffi.new("int[1]"), function() runs = runs + 1 end)
    check.collect()
    check.equal(runs, 0)
    object[0] = 5
    object = nil
    check.collect()
    check.equal(runs, 1)
end)

check.test("it is taken away by nil", function()
    local runs = 0
    local object = ffi.gc(ffi.new("int[1]"), function() runs = runs + 1 end)
    check.is(ffi.gc(object, nil) == object, "it returns its object")
    object = nil
    check.collect()
    check.equal(runs, 0)
end)

check.test("it is replaced", function()
    local first, second = 0, 0
    local object = ffi.gc(ffi.new("int[1]"), function() first = first + 1 end)
    ffi.gc(object, function() second = second + 1 end)
    object = nil
    check.collect()
    check.equal(first, 0)
    check.equal(second, 1)
end)

check.test("a C function as the finalizer", function()
    local before = C.released()
    do
        local memory = ffi.gc(C.allocate(16), C.release)
        ffi.fill(memory, 16, 7)
        memory = nil
    end
    check.collect()
    check.equal(C.released(), before + 1)
    local pointer = ffi.gc(ffi.cast("char *", C.allocate(8)), C.release)
    pointer[7] = 1
    pointer = nil
    check.collect()
    check.equal(C.released(), before + 2)
end)

check.test("one that was freed by hand", function()
    local before = C.released()
    local memory = ffi.gc(C.allocate(16), C.release)
    C.release(ffi.gc(memory, nil))
    memory = nil
    check.collect()
    check.equal(C.released(), before + 1)
end)

check.test("many finalizers", function()
    local sum = 0
    for i = 1, 200 do
        ffi.gc(ffi.new("struct gc_inner", i), function(o) sum = sum + o.a end)
    end
    check.collect()
    check.equal(sum, 20100)
end)

check.test("an object that is saved by its finalizer", function()
    local saved
    ffi.gc(ffi.new("struct gc_inner", 9), function(o) saved = o end)
    check.collect()
    check.equal(saved and saved.a, 9)
    check.collect()
    check.equal(saved.a, 9)
end)

check.test("only cdata has one", function()
    check.fails(function() ffi.gc(5, print) end)
    check.fails(function() ffi.gc({}, print) end)
    check.fails(function() ffi.gc("text", print) end)
end)

check.ours_test("a part keeps the whole", function()
    local function part()
        local outer = ffi.new("struct gc_outer", 1, { 2 }, { 3, 4, 5, 6 })
        return outer.inner, outer.list
    end
    local inner, list = part()
    check.collect()
    for _ = 1, 100 do ffi.new("struct gc_outer", 9, { 9 }, { 9, 9, 9, 9 }) end
    check.equal(inner.a, 2)
    check.equal(list[3], 6)
    local array = ffi.new("struct gc_inner[3]", { { 1 }, { 2 }, { 3 } })
    local element = array[1]
    array = nil
    check.collect()
    check.equal(element.a, 2)
end)

check.test("a finalizer waits for no part, but a pointer is none", function()
    local runs = 0
    local outer = ffi.gc(ffi.new("struct gc_outer"),
                         function() runs = runs + 1 end)
    outer.n = 5
    outer = nil
    check.collect()
    check.equal(runs, 1)
end)

check.ours_test("a pointer taken from an object keeps it", function()
    local function pointer()
        return ffi.new("int[4]", 1, 2, 3, 4) + 1
    end
    local p = pointer()
    local q = p + 1
    local r = ffi.cast("char *", q)
    p, q = nil, nil
    check.collect()
    for _ = 1, 100 do ffi.new("int[4]", 9, 9, 9, 9) end
    check.equal(r[0], 3)
    local function cast()
        return ffi.cast("void *", ffi.new("struct gc_inner", 77))
    end
    local s = cast()
    check.collect()
    for _ = 1, 100 do ffi.new("struct gc_inner", 9) end
    check.equal(ffi.cast("struct gc_inner *", s).a, 77)
    local deep = (function()
        return (ffi.new("struct gc_outer[2]", { { 1, { 2 } }, { 3, { 4 } } })
            + 1).inner
    end)()
    check.collect()
    check.equal(deep.a, 4)
end)

check.ours_test("I07: what a field points to stays, or is refused", function()
    local object = ffi.new("struct gc_pointer")
    object.to = ffi.new("struct gc_inner", 55)
    check.collect()
    for _ = 1, 100 do ffi.new("struct gc_inner", 9) end
    check.equal(object.to.a, 55)
    object.text = table.concat { "made ", "in pieces" }
    check.collect()
    for i = 1, 100 do local _ = ("filler %d"):format(i) end
    check.equal(ffi.string(object.text), "made in pieces")
    local other = ffi.new("struct gc_pointer",
                          { to = ffi.new("struct gc_inner", 3) })
    check.collect()
    for _ = 1, 100 do ffi.new("struct gc_inner", 9) end
    check.equal(other.to.a, 3)
    local list = ffi.new("struct gc_inner *[2]")
    list[1] = ffi.new("struct gc_inner", 8)
    check.collect()
    for _ = 1, 100 do ffi.new("struct gc_inner", 9) end
    check.equal(list[1].a, 8)
end)

check.ours_test("what a struct points to stays with its copies", function()
    ffi.cdef [[
    struct gc_odd { char c; struct gc_inner *one; struct gc_inner *two; }
        __attribute__((packed));
    ]]
    local function made(value)
        return ffi.new("struct gc_inner", value)
    end
    local function overwrite()
        check.collect()
        for _ = 1, 200 do ffi.new("struct gc_inner", 9) end
    end
    local function pointer(value)
        return ffi.new("struct gc_pointer", made(value))
    end
    local copy = ffi.new("struct gc_pointer", pointer(1))
    local list = ffi.new("struct gc_pointer[3]", { pointer(2), pointer(3) })
    list[2] = pointer(4)
    local whole = ffi.new("struct { struct gc_pointer in; }", { pointer(5) })
    local part = whole["in"]
    local again = ffi.new("struct gc_pointer[1]", { list[1] })
    local by_table = ffi.new("struct gc_pointer", { to = made(6) })
    overwrite()
    check.equal(copy.to.a, 1)
    check.equal(list[0].to.a, 2)
    check.equal(list[1].to.a, 3)
    check.equal(list[2].to.a, 4)
    check.equal(part.to.a, 5)
    check.equal(again[0].to.a, 3)
    check.equal(by_table.to.a, 6)
    list = nil
    overwrite()
    check.equal(again[0].to.a, 3)
    local repeated = ffi.new("struct gc_pointer[3]", { { to = made(1) } })
    local pointers = ffi.new("struct gc_inner *[3]", made(2))
    local copied = ffi.new("struct gc_pointer[2]")
    ffi.copy(copied + 1, pointer(3), ffi.sizeof("struct gc_pointer"))
    local sized = ffi.new("struct gc_pointer[?]", 2, { pointer(4), pointer(5) })
    sized = ffi.new(ffi.typeof("struct gc_pointer[?]"), 2, sized)
    repeated[0].to, pointers[0] = nil, nil
    overwrite()
    check.equal(repeated[2].to.a, 1)
    check.equal(pointers[2].a, 2)
    check.equal(copied[1].to.a, 3)
    check.equal(sized[1].to.a, 5)
    local odd = ffi.new("struct gc_odd", { 1, made(7), made(8) })
    odd = ffi.new("struct gc_odd", odd)
    overwrite()
    check.equal(odd.two.a, 8)
    odd.one = nil
    overwrite()
    check.equal(odd.two.a, 8, "one goes, the other stays")
end)

check.test("an error in a finalizer ends nothing else", function()
    local after = 0
    ffi.gc(ffi.new("struct gc_inner", 1), function() after = after + 1 end)
    local warned = pcall(function()
        if check.ours then
            ffi.gc(ffi.new("struct gc_inner", 1), function() error("no") end)
        end
        check.collect()
    end)
    check.is(warned == true or warned == false)
    check.collect()
    check.equal(after, 1)
end)

check.ours_test("memory does not grow", function()
    local function work()
        for i = 1, check.rounds(2000) do
            local o = ffi.new("struct gc_outer", i)
            local p = ffi.cast("int *", o)
            p[0] = p[0] + o.inner.a
            ffi.gc(o, function() end)
        end
        check.collect()
    end
    work()
    local before = collectgarbage("count")
    for _ = 1, 5 do work() end
    check.is(collectgarbage("count") < before + 64,
             "the collector's memory is flat")
end)

-- Were each copy to look at all that is stored, this would take minutes.
check.ours_test("many structs with pointers are copied", function()
    local list = ffi.new("struct { const char *s; }[20000]")
    for i = 0, 19999 do list[i].s = "text " .. i end
    for i = 0, 19998 do list[i] = list[i + 1] end
    check.collect()
    check.equal(ffi.string(list[0].s), "text 1")
    check.equal(ffi.string(list[19998].s), "text 19999")
end)

check.finish()
