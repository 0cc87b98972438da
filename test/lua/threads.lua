-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Callbacks that other threads call: they wait until the state's own thread
-- takes them by ffi.poll. LuaJIT has none of this.

local check = require "check"
local ffi = check.ffi
local functions = require "functions"
local C = functions.C

local function run(handler, count)
    local callback = ffi.cast("int (*)(int)", handler)
    local caller = C.thread_start(callback, count)
    local rounds = 0
    while C.thread_is_done(caller) == 0 and rounds < 1000000 do
        ffi.poll(10)
        rounds = rounds + 1
    end
    local sum = C.thread_join(caller)
    callback:free()
    return sum
end

check.test("poll without calls returns", function()
    check.equal(ffi.poll(0), 0)
    check.equal(ffi.poll(1), 0)
    check.equal(ffi.poll(), 0)
end)

check.test("calls of another thread run here, with their results",
                function()
    local calls, sum = 0, 0
    check.equal(run(function(i)
        calls = calls + 1
        sum = sum + i
        return i * 2
    end, 50), 2550)
    check.equal(calls, 50)
    check.equal(sum, 1275)
end)

check.test("several threads at once", function()
    local calls = 0
    local callback = ffi.cast("int (*)(int)", function(i)
        calls = calls + 1
        return 1
    end)
    local callers = {}
    for i = 1, 4 do callers[i] = C.thread_start(callback, 25) end
    local function done()
        for i = 1, 4 do
            if C.thread_is_done(callers[i]) == 0 then return false end
        end
        return true
    end
    while not done() do ffi.poll(10) end
    local sum = 0
    for i = 1, 4 do sum = sum + C.thread_join(callers[i]) end
    check.equal(sum, 100)
    check.equal(calls, 100)
    callback:free()
end)

check.test("what they allocate, collect and call", function()
    check.equal(run(function(i)
        local point = ffi.new("struct point", i, i)
        if i % 10 == 0 then collectgarbage() end
        return C.add_points(point, point).x
    end, 30), 930)
end)

check.test("an error in such a call is one of ffi.poll", function()
    local callback = ffi.cast("int (*)(int)", function(i)
        if i == 2 then error("in a foreign call") end
        return 10
    end)
    local caller = C.thread_start(callback, 3)
    local messages = {}
    while C.thread_is_done(caller) == 0 do
        local ok, message = pcall(ffi.poll, 10)
        if not ok then messages[#messages + 1] = tostring(message) end
    end
    check.equal(#messages, 1)
    check.matches(messages[1], "in a foreign call")
    check.equal(C.thread_join(caller), 20, "C got 0 for the one that failed")
    callback:free()
end)

check.finish()
