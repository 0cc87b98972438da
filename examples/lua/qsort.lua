-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- qsort: C that calls Lua.

local ffi = require "ffi_rt"

ffi.cdef [[
typedef int (*compare_fn)(const void *, const void *);
void qsort(void *base, size_t count, size_t size, compare_fn compare);
struct planet { const char *name; double radius; };
]]

-- Sorts an array of `ctype`. `before(a, b)` is asked as by table.sort.
local function sort(array, count, ctype, before)
    local pointer = ffi.typeof("const $ *", ctype)
    local compare = ffi.cast("compare_fn", function(a, b)
        a, b = ffi.cast(pointer, a)[0], ffi.cast(pointer, b)[0]
        return before(a, b) and -1 or before(b, a) and 1 or 0
    end)
    -- a callback lives until it is freed, whatever the sort ends with
    local ok, message = pcall(ffi.C.qsort, array, count, ffi.sizeof(ctype),
                              compare)
    compare:free()
    if not ok then error(message, 0) end
end

local int = ffi.typeof "int"
local numbers = ffi.new("int[8]", { 5, 3, 9, 1, 7, 2, 8, 4 })
sort(numbers, 8, int, function(a, b) return a < b end)
local words = {}
for i = 0, 7 do words[i + 1] = numbers[i] end
print(table.concat(words, " "))

local planet = ffi.typeof "struct planet"
local planets = ffi.new("struct planet[4]", {
    { "Earth", 6371 }, { "Mars", 3389.5 }, { "Jupiter", 69911 },
    { "Venus", 6051.8 },
})
sort(planets, 4, planet, function(a, b) return a.radius > b.radius end)
for i = 0, 3 do
    print(("%-8s %8.1f km"):format(ffi.string(planets[i].name),
                                   planets[i].radius))
end

-- An error in the callback: qsort ends as it does, and then it is raised here,
-- with the traceback of where it was.
local ok, message = pcall(sort, numbers, 8, int, function()
    error("these cannot be ordered", 0)
end)
print(ok, message:match "^[^\n]*")
