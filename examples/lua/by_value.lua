-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- The same sums of structs by value and by pointer: equal results, and what
-- each call costs. A result by value is a new object each time; by pointer the
-- caller makes one, or gives one that is there.
--
-- by_value.lua LIBRARY [CALLS]: the library is made of sums.c.

local ffi = require "ffi_rt"
local sums = ffi.load(arg[1])
local calls = tonumber(arg[2] or 100000)

ffi.cdef [[
struct pair { double v[2]; };
struct line { double v[8]; };
struct pair pair_by_value(struct pair a, struct pair b);
void pair_by_pointer(struct pair *sum, const struct pair *a, const struct pair *b);
struct line line_by_value(struct line a, struct line b);
void line_by_pointer(struct line *sum, const struct line *a, const struct line *b);
]]

-- Nanoseconds a call; the best of five, so that other programs do not count.
local function time(body)
    local best = math.huge
    for _ = 1, 5 do
        local start = os.clock()
        for _ = 1, calls do body() end
        best = math.min(best, os.clock() - start)
    end
    return best / calls * 1e9
end

local function compare(name, count)
    local struct = ffi.typeof("struct " .. name)
    local by_value, by_pointer = sums[name .. "_by_value"],
                                 sums[name .. "_by_pointer"]
    local a, b, there = struct(), struct(), struct()
    for i = 0, count - 1 do a.v[i], b.v[i] = i, 10 * i end

    local value = by_value(a, b)
    by_pointer(there, a, b)
    local is_equal = true
    for i = 0, count - 1 do is_equal = is_equal and value.v[i] == there.v[i] end
    print(("struct %s, %d bytes: %s"):format(
        name, ffi.sizeof(struct), is_equal and "equal" or "NOT EQUAL"))

    local base = time(function() return by_value(a, b) end)
    local function report(what, body)
        local cost = time(body)
        print(("    %s: %.2f times by value (%.0f ns, %.0f ns)"):format(
            what, cost / base, cost, base))
    end
    report("by pointer into a new one", function()
        local sum = struct()
        by_pointer(sum, a, b)
        return sum
    end)
    report("by pointer into one that is there", function()
        by_pointer(there, a, b)
        return there
    end)
end

compare("pair", 2)
compare("line", 8)
