-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Errors in callbacks: which is raised, where, with what; and what a callback
-- keeps alive. LuaJIT has none of this.

local check = require "check"
local ffi = check.ffi
local C = require("functions").C

local function raised(...)
    return select(2, pcall(...))
end

local function tracebacks(text)
    return select(2, text:gsub("stack traceback:", ""))
end

check.test("a hundred calls within calls", function()
    local callback
    local function go_down(i)
        return i == 0 and 0 or C.call_int(callback, i - 1) + 1
    end
    callback = ffi.cast("int (*)(int)", go_down)
    check.equal(go_down(100), 100)
    check.equal(coroutine.wrap(go_down)(100), 100)
    callback:free()
end)

check.test("more than Lua allows are an error", function()
    local callback
    local function go_down(i) return C.call_int(callback, i + 1) end
    callback = ffi.cast("int (*)(int)", go_down)
    check.fails(function() go_down(1) end, "overflow", "traceback")
    check.equal(C.call_int(function(i) return i end, 3), 3)
    callback:free()
end)

check.test("an error passes through levels of C as the same value", function()
    local value = { "the same" }
    local levels = 0
    local function go_down(i)
        if i == 0 then error(value) end
        levels = levels + 1
        return C.call_int(go_down, i - 1)
    end
    check.equal(raised(go_down, 10), value)
    check.equal(levels, 10)
    check.equal(raised(C.call_int, function() error(nil) end, 1), nil)
    check.equal(raised(C.call_int, function() error(5, 0) end, 1), 5)
    check.equal(raised(C.call_int, function() error(false) end, 1), false)
end)

check.test("a text gets one traceback, where it began", function()
    local function innermost() error("deep down") end
    local function go_down(i)
        if i == 0 then innermost() end
        return C.call_int(go_down, i - 1)
    end
    local text = raised(go_down, 5)
    check.matches(text, "^[^\n]*failures.lua:%d+: deep down\n")
    check.matches(text, "innermost")
    check.equal(tracebacks(text), 1)
end)

check.test("of several in one call the first is raised", function()
    local text = raised(C.call_twice, function() error("the first") end,
                        function() error("the second") end, 1)
    check.matches(text, "the first")
    check.is_not(text:find("the second"))
    text = raised(C.call_twice, function() return 1 end,
                  function() error("the second") end, 1)
    check.matches(text, "the second")
end)

check.test("what is called after an error has none of it", function()
    local seen = {}
    local text = raised(C.call_twice, function() error("the first") end,
                        function()
        seen[1] = C.call_int(function() return 7 end, 1)
        seen[2] = raised(C.call_int, function() error { 8 } end, 1)[1]
        return 1
    end, 1)
    check.equal(seen[1], 7)
    check.equal(seen[2], 8)
    check.matches(text, "the first")
    check.equal(C.call_int(function(i) return i end, 9), 9)
end)

check.test("an error that is caught is over", function()
    local outer = C.call_int(function(i)
        return raised(C.call_int, function() error(i + 1, 0) end, 1)
    end, 1)
    check.equal(outer, 2)
    local thread = coroutine.wrap(function()
        coroutine.yield(raised(C.call_int, function() error({}) end, 1))
        return C.call_int(function() return 5 end, 1)
    end)
    check.equal(type(thread()), "table")
    check.equal(thread(), 5)
end)

check.test("a bad result tells of which function", function()
    local text = raised(C.call_int, function() return "five" end, 1)
    check.matches(text, "^[^\n]*failures.lua:%d+: bad result of a callback")
    check.matches(text, "'string' to 'int'")
    check.matches(text, "traceback")
    check.fails(function() C.call_point(function() return 5 end, { 1, 2 }) end,
                "bad result", "struct point")
    check.fails(function() C.call_void(function() return 5 end, 1)
                    error("no result is wanted") end, "no result is wanted")
end)

check.test("what can be called, and what cannot", function()
    local callable = setmetatable({ 7 }, {
        __call = function(self, i) return self[1] * i end,
    })
    check.equal(C.call_int(callable, 6), 42)
    local callback = ffi.cast("int (*)(int)", callable)
    callable[1] = 8
    check.equal(callback(1), 8)
    callback:set(function(i) return i end)
    check.equal(callback(1), 1)
    callback:free()
    check.fails(function() C.call_int({}, 1) end, "table")
    check.fails(function() ffi.cast("int (*)(int)", {}) end, "table")
    check.fails(function() C.call_int(io.stdout, 1) end, "userdata")
end)

check.test("C gets text that lasts until the next call", function()
    local count = 0
    local callback = ffi.cast("const char *(*)(const char *)", function()
        count = count + 1
        return ("text %d "):rep(20):format(count, count, count, count, count,
            count, count, count, count, count, count, count, count, count,
            count, count, count, count, count, count)
    end)
    local text = C.call_text(callback, "")
    check.collect()
    check.equal(ffi.string(text), ("text 1 "):rep(20))
    callback:free()
    callback = ffi.cast("void *(*)(void *)", function()
        return ffi.new("int[4]", 1, 2, 3, 4)
    end)
    local memory = ffi.cast("int *", C.call_pointer(callback, nil))
    check.collect()
    check.equal(memory[3], 4)
    callback:free()
end)

check.test("a callback that was freed gives 0 to C", function()
    local callback = ffi.cast("int (*)(int)", function() return 9 end)
    C.keep_handler(callback)
    check.equal(C.call_kept(1), 9)
    callback:free()
    print("# what is written now is the library's")
    check.equal(C.call_kept(1), 0)
end)

check.test("the last of a shared one's uses does not end the others",
           function()
    local function handler(i) return i + 1 end
    local holder, other = ffi.new("struct holder"), ffi.new("struct holder")
    holder.value, other.value = 1, 10
    holder.handler, other.handler = handler, handler
    check.is(holder.handler ~= other.handler, "a field has one of its own")
    holder.handler:free()
    check.equal(C.call_holder(other), 11)
    other.handler:set(function(i) return i + 2 end)
    check.equal(C.call_holder(other), 12)
    C.keep_handler(handler)
    check.equal(C.call_int(handler, 1), 2)
    C.kept_handler():free()
    check.equal(C.call_int(handler, 1), 2, "and there is a new one")
    C.keep_handler(handler)
    C.kept_handler():set(function(i) return i + 3 end)
    check.equal(C.call_kept(1), 4)
    check.equal(C.call_int(handler, 1), 2)
end)

check.test("errno goes both ways", function()
    local before, after
    local callback = ffi.cast("int (*)(int)", function(i)
        before = ffi.errno(40)
        return i
    end)
    ffi.errno(30)
    C.call_int(callback, 1)
    check.equal(before, 30)
    check.equal(ffi.errno(), 40)
    callback:free()
end)

check.test("errors in calls that nobody waits for", function()
    local seen = {}
    local callback = ffi.callback("void (*)(int)", function(i)
        seen[#seen + 1] = i
        if i > 1 then error("the call " .. i) end
    end, { post = true })
    C.thread_join(C.thread_post(callback, 3))
    local text = raised(ffi.poll)
    check.matches(text, "the call 2")
    check.equal(#seen, 3, "all have run")
    check.equal(ffi.poll(), 0)
    callback:free()
end)

check.test("ffi.poll within a callback, and its arguments", function()
    check.equal(C.call_int(function() return ffi.poll() end, 1), 0)
    check.fails(function() ffi.poll("soon") end, "number expected")
    check.equal(ffi.poll(ffi.new("int", 1)), 0)
end)

check.finish()
