-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Callbacks: Lua functions as function pointers.

local check = require "check"
local ffi, num = check.ffi, check.num
local functions = require "functions"
local C = functions.C

ffi.cdef [[
void qsort(void *base, size_t count, size_t size,
           int (*compare)(const int *, const int *));
typedef int (*cb_int)(int);
]]

local function make(type, handler, body)
    local callback = ffi.cast(type, handler)
    body(callback)
    callback:free()
end

check.test("arguments and results of all kinds", function()
    make("int (*)(int)", function(i) return i + 1 end, function(cb)
        check.equal(C.call_int(cb, 41), 42)
    end)
    make("double (*)(double, double)", function(a, b) return a / b end,
         function(cb) check.equal(C.call_double(cb, 1, 4), 0.25) end)
    make("bool (*)(bool)", function(b)
        check.equal(type(b), "boolean")
        return not b
    end, function(cb)
        check.equal(C.call_bool(cb, true), false)
        check.equal(C.call_bool(cb, false), true)
    end)
    make("float (*)(float)", function(f) return f * 2 end, function(cb)
        check.equal(C.call_float(cb, 1.25), 2.5)
    end)
    make("int64_t (*)(int64_t)", function(i) return i * 2 end, function(cb)
        check.num_equal(C.call_i64(cb, 2 ^ 40), 2 ^ 41)
        check.num_equal(C.call_i64(cb, -3), -6)
    end)
    make("uint64_t (*)(uint64_t)", function(i) return i + 1 end, function(cb)
        check.num_equal(C.call_u64(cb, 6), 7)
    end)
    make("int8_t (*)(int8_t)", function(i) return i - 1 end, function(cb)
        check.equal(C.call_i8(cb, 0), -1)
        check.equal(C.call_i8(cb, -128), 127)
    end)
    make("const char *(*)(const char *)", function(t)
        check.equal(ffi.string(t), "in")
        return "out, kept by a constant"
    end, function(cb)
        check.equal(ffi.string(C.call_text(cb, "in")),
                    "out, kept by a constant")
    end)
    make("void *(*)(void *)", function(p) return p end, function(cb)
        check.null(C.call_pointer(cb, nil))
        check.is(C.call_pointer(cb, ffi.cast("void *", 64))
                     == ffi.cast("void *", 64))
    end)
end)

check.test("no result, and no arguments", function()
    local calls = 0
    make("void (*)(void)", function(...)
        calls = calls + 1
        check.equal(select("#", ...), 0)
        return 5
    end, function(cb) C.call_void(cb, 3) end)
    check.equal(calls, 3)
end)

check.ours_test("more arguments than registers", function()
    make([[double (*)(int, double, int, double, int, double, int, double, int,
                      double, int, double, int, double, int, double, int,
                      double)]], function(...)
        check.equal(select("#", ...), 18)
        local sum = 0
        for i = 1, 18 do sum = sum + select(i, ...) * (i == 17 and 10 or 1) end
        return sum
    end, function(cb) check.equal(C.call_wide(cb), 45 + 81 + 4.5) end)
end)

check.test("pointers to the caller's memory", function()
    make("void (*)(struct point *)", function(p) p.x = p.x * 10 end,
         function(cb)
             local point = ffi.new("struct point", 4, 2)
             check.equal(C.call_point_at(cb, point), 42)
             check.equal(point.x, 40)
         end)
    local sum, context = 0, ffi.new("int[1]", 100)
    make("void (*)(const int *, void *)", function(item, place)
        sum = sum + item[0] + ffi.cast("int *", place)[0]
    end, function(cb)
        check.equal(C.each_int(ffi.new("int[3]", 1, 2, 3), 3, cb, context), 3)
    end)
    check.equal(sum, 306)
end)

check.test("a Lua function as the argument itself", function()
    check.equal(C.call_int(function(i) return i * 3 end, 4), 12)
    local list = ffi.new("int[6]", 5, 2, 9, 1, 7, 3)
    ffi.C.qsort(list, 6, 4, function(a, b) return a[0] - b[0] end)
    local text = {}
    for i = 0, 5 do text[#text + 1] = list[i] end
    check.equal(table.concat(text, " "), "1 2 3 5 7 9")
end)

check.ours_test("a recursion without end is an error", function()
    local list = ffi.new("int[5]")
    local function compare()
        ffi.C.qsort(list, 5, 4, compare)
        return 0
    end
    check.fails(compare, "overflow")
    check.equal(C.call_int(function(i) return i + 1 end, 1), 2, "others go on")
end)

check.test("a callback is a function pointer", function()
    local callback = ffi.cast("cb_int", function(i) return i - 1 end)
    check.equal(callback(10), 9, "and Lua can call it")
    check.not_null(callback)
    C.keep_handler(callback)
    check.collect()
    check.equal(C.call_kept(5), 4)
    check.is(C.kept_handler() == callback)
    check.equal(C.kept_handler()(3), 2)
    callback:free()
end)

check.test("set changes what it calls", function()
    local callback = ffi.cast("cb_int", function(i) return i + 1 end)
    check.equal(C.call_int(callback, 1), 2)
    callback:set(function(i) return i + 100 end)
    check.equal(C.call_int(callback, 1), 101)
    check.fails(function() callback:set(5) end)
    check.fails(function() callback:set(nil) end)
    callback:free()
    check.fails(function() callback:free() end)
    check.fails(function() callback:set(print) end)
end)

check.test("only callbacks are freed", function()
    local pointer = ffi.cast("cb_int", C.same_i32)
    check.fails(function() pointer:free() end)
    check.fails(function() pointer:set(print) end)
    check.fails(function() C.same_i32:free() end)
    check.fails(function() return pointer.other end)
end)

check.test("calls within calls", function()
    local depth = 0
    local callback
    callback = ffi.cast("cb_int", function(i)
        depth = depth + 1
        if i == 0 then return 0 end
        return C.call_int(callback, i - 1) + i
    end)
    check.equal(C.call_int(callback, 10), 55)
    check.equal(depth, 11)
    local outer = ffi.cast("cb_int", function(i)
        return C.call_twice(callback, function(x) return x end, i)
    end)
    check.equal(C.call_int(outer, 3), 6003)
    outer:free()
    callback:free()
end)

check.test("an error in a callback reaches the caller", function()
    local callback = ffi.cast("cb_int", function(i)
        if i > 5 then error("too large: " .. i) end
        return i
    end)
    check.equal(C.call_int(callback, 5), 5)
    check.fails(function() C.call_int(callback, 6) end, "too large: 6")
    check.equal(C.call_int(callback, 4), 4, "it works again")
    callback:free()
end)

check.test("a result that does not fit its type", function()
    check.fails(function()
        C.call_int(function() return "text" end, 1)
    end, "string", "int")
    check.fails(function()
        C.call_int(function() return {} end, 1)
    end, "table")
    check.equal(C.call_int(function() return 2.75 end, 1), 2)
    check.equal(C.call_i8(ffi.cast("int8_t (*)(int8_t)",
                                   function() return 255 end), 1), -1)
end)

check.test("E02: a callback that frees itself", function()
    local callback
    callback = ffi.cast("cb_int", function(i)
        callback:free()
        return i + 1
    end)
    check.equal(C.call_int(callback, 1), 2)
    check.fails(function() callback:free() end)
end)

check.test("E04: a field that is a callback", function()
    local holder = ffi.new("struct holder")
    holder.value = 20
    holder.handler = function(i) return i * 2 + 2 end
    check.equal(C.call_holder(holder), 42)
    check.collect()
    check.equal(C.call_holder(holder), 42)
    check.equal(holder.handler(1), 4)
    holder.handler:free()
    holder.handler = C.same_i32
    check.equal(C.call_holder(holder), 20)
end)

check.test("many, one after the other", function()
    for i = 1, check.rounds(2000) do
        local callback = ffi.cast("cb_int", function(x) return x + i end)
        if i % 50 == 0 then check.equal(C.call_int(callback, 1), i + 1) end
        callback:free()
    end
    check.is(true)
end)

check.test("values of a callback's own", function()
    local count = 0
    local function counter()
        local mine = 0
        return function(i)
            mine = mine + i
            count = count + 1
            return mine
        end
    end
    local one = ffi.cast("cb_int", counter())
    local two = ffi.cast("cb_int", counter())
    check.equal(C.call_int(one, 1), 1)
    check.equal(C.call_int(one, 1), 2)
    check.equal(C.call_int(two, 5), 5)
    check.equal(C.call_int(one, 1), 3)
    check.equal(count, 4)
    one:free()
    two:free()
end)

check.test("what is no callback's type", function()
    check.fails(function() ffi.cast("int *", function() end) end)
    check.fails(function() ffi.cast("int (*)(int, ...)", function() end) end)
    check.fails(function() ffi.cast("int", print) end)
end)

check.ours_test("more at once than LuaJIT can have", function()
    local list = {}
    local count = check.rounds(5000)
    for i = 1, count do
        list[i] = ffi.cast("cb_int", function(x) return x + i end)
    end
    for _, i in ipairs { 1, count / 2, count } do
        check.equal(C.call_int(list[math.floor(i)], 0), math.floor(i))
    end
    for i = 1, count do list[i]:free() end
end)

check.ours_test("E23: C frames end before the error goes on", function()
    local cleaned = ffi.new("int[1]")
    check.fails(function()
        C.call_cleaned(function() error("in the callback") end, 1, cleaned)
    end, "in the callback", "callbacks.lua")
    check.equal(cleaned[0], 1)
    check.equal(C.call_cleaned(function() return 3 end, 1, cleaned), 3)
    check.equal(cleaned[0], 2)
    check.fails(function()
        C.call_cleaned(function()
            return C.call_cleaned(function() error("inside") end, 1, cleaned)
        end, 1, cleaned)
    end, "inside")
    check.equal(cleaned[0], 4)
    local caught
    check.equal(C.call_cleaned(function()
        caught = select(2, pcall(C.call_cleaned, function()
            error("caught")
        end, 1, cleaned))
        return 8
    end, 1, cleaned), 8)
    check.matches(tostring(caught), "caught")
    check.equal(cleaned[0], 6)
end)

check.ours_test("the traceback has the callback's frames", function()
    local function deep_within() error("found") end
    local _, text = pcall(C.call_int, function(i) deep_within() end, 1)
    check.matches(tostring(text), "found")
    check.matches(tostring(text), "traceback")
    check.matches(tostring(text), "deep_within")
end)

check.ours_test("an error that is a table", function()
    local _, value = pcall(C.call_int, function() error { code = 42 } end, 1)
    check.equal(type(value), "table")
    check.equal(type(value) == "table" and value.code, 42)
end)

check.ours_test("I06: a yield across C is refused", function()
    local thread = coroutine.create(function()
        return C.call_int(function(i) coroutine.yield(i) return i end, 1)
    end)
    local ok, message = coroutine.resume(thread)
    check.is_not(ok)
    check.matches(tostring(message), "yield")
    check.equal(C.call_int(function(i) return i end, 3), 3)
end)

check.ours_test("I06: callbacks within coroutines within callbacks", function()
    local function run(i)
        local thread = coroutine.wrap(function(x)
            local y = C.call_int(function(z) return z + 1 end, x)
            coroutine.yield(y)
            return y + 1
        end)
        local first = thread(i)
        return first + thread()
    end
    check.equal(C.call_int(run, 10), 11 + 12)
end)

check.ours_test("a callback made in a coroutine that has ended", function()
    local callback
    coroutine.wrap(function()
        callback = ffi.cast("cb_int", function(i) return i + 7 end)
    end)()
    check.collect()
    check.equal(C.call_int(callback, 1), 8)
    callback:free()
end)

check.ours_test("errno in a callback", function()
    local callback = ffi.cast("cb_int", function(i)
        C.fail_with(17)
        return i
    end)
    ffi.errno(3)
    C.call_int(callback, 1)
    check.is(ffi.errno() == 17 or ffi.errno() == 3)
    callback:free()
end)

check.ours_test("exact 64-bit integers", function()
    local callback = ffi.cast("uint64_t (*)(uint64_t)",
                              function(i) return i end)
    check.matches(tostring(C.call_u64(callback, -1)), "^18446744073709551615")
    callback:free()
    callback = ffi.cast("int64_t (*)(int64_t)", function(i) return i end)
    check.equal(num(C.call_i64(callback, math.mininteger)), math.mininteger)
    callback:free()
end)

check.ours_test("callbacks of scalars allocate nothing", function()
    local nothing = ffi.cast("void (*)(void)", function() end)
    local int = ffi.cast("int (*)(int)", function(i) return i end)
    local double = ffi.cast("double (*)(double, double)",
                            function(a, b) return a + b end)
    local bool = ffi.cast("bool (*)(bool)", function(b) return not b end)
    local call_void, call_int = C.call_void, C.call_int
    local call_double, call_bool = C.call_double, C.call_bool
    local function add(i) return i + 1 end
    local function work()
        call_void(nothing, 100)
        for i = 1, 100 do
            call_int(int, i)
            call_int(add, i)
            call_double(double, i, 0.5)
            call_bool(bool, true)
        end
    end
    work()
    check.collect()
    collectgarbage("stop")
    local before = collectgarbage("count")
    work()
    local after = collectgarbage("count")
    collectgarbage("restart")
    -- 500 calls; Lua itself may have shrunk a stack meanwhile
    check.is((after - before) * 1024 < 500)
    nothing:free()
    int:free()
    double:free()
    bool:free()
end)

check.finish()
