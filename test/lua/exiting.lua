-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- A callback ends the program: the state is closed while C still runs, with an
-- arena that the call holds, in a coroutine. Finalizers are lines of TAP.

local check = require "check"
local ffi = check.ffi

ffi.cdef [[
void qsort(void *, size_t, size_t, int (*)(const int *, const int *));
]]

local function ok(is_right, number, name)
    print(("%sok %d - %s"):format(is_right and "" or "not ", number, name))
end

local function compare(a, b) return a[0] - b[0] end

local arena = ffi.arena()
local numbers = arena:new("int[3]", 3, 2, 1)
keep = {
    ffi.gc(ffi.new("int[3]", 6, 5, 4), function(own)
        ffi.C.qsort(own, 3, 4, compare)
        ok(own[0] == 4 and own[2] == 6, 3, "a finalizer calls C and is called")
    end),
    ffi.gc(ffi.new("int"), function()
        local is_open, value = pcall(function() return numbers[1] end)
        ok(not is_open or value == 2, 2, "a finalizer reads what the call holds")
    end),
}

print "1..3"
coroutine.wrap(function()
    ffi.C.qsort(numbers, 3, 4, function(a)
        ok(a[0] > 0, 1, "a callback ends the program")
        os.exit(true, true)
    end)
end)()
