-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- I09: the state is closed with everything alive. Finalizers run in the reverse
-- order of their making, use what is left, and each is a line of TAP.

local planned, seen = 6, 0

local function ok(is_right, name)
    seen = seen + 1
    print(("%sok %d - I09: %s"):format(is_right and "" or "not ", seen, name))
end

-- Made before the module is, this runs after the module has ended.
local late = {}
setmetatable(late, { __gc = function(self)
    local ffi, fun = self.ffi, self.f
    local object, pointer = self.object, self.pointer
    local attempts = {
        function() return ffi.new("int") end,
        function() ffi.cdef "typedef int closing_late;" end,
        function() return object.x end,
        function() object.x = 1 end,
        function() return pointer[0] end,
        function() return fun(1, 2) end,
        function() return ffi.C.abs(1) end,
        function() return self.arena:new("int") end,
        function() return self.callback(1) end,
        function() self.callback:free() end,
        function() return ffi.typeof("double")(1) end,
        function() return ffi.load(self.path) end,
        function() return ffi.arena() end,
        function() return object == pointer end,
        function() return pointer + 1 end,
        function() return ffi.gc(object, nil) end,
    }
    local right = true
    for i, attempt in ipairs(attempts) do
        local has_run, message = pcall(attempt)
        if has_run or not tostring(message):find "closed" then
            print(("# attempt %d: %s"):format(i, tostring(message)))
            right = false
        end
    end
    pcall(tostring, object)
    ok(right, "after the module's end there are errors, and no crash")
end })

local check = require "check"
local ffi = check.ffi
local functions = require "functions"
local C = functions.C

ffi.cdef [[
struct closing { int x; struct closing *next; };
struct closing_meta { int x; };
int abs(int);
]]

late.ffi, late.path, late.f = ffi, functions.path, C.add2
late.object = ffi.new("struct closing", 5)
late.pointer = ffi.new("int[2]", 1, 2) + 1
late.arena = ffi.arena()
late.callback = ffi.cast("int (*)(int)", function(i) return i end)

-- Kept to the end by globals.
keep = {}
for i = 1, 100 do
    keep[i] = ffi.new("struct closing", i)
    if i > 1 then keep[i].next = keep[i - 1] end
end
keep.late = late
keep.arena = ffi.arena()
keep.in_arena = keep.arena:new("int[3]", 1, 2, 3)
keep.kept_callback = ffi.cast("int (*)(int)", function(i) return i + 1 end)
C.keep_handler(keep.kept_callback)
keep.memory = ffi.gc(C.allocate(64), C.release)
keep.thread = coroutine.wrap(function()
    local object = ffi.gc(ffi.new("struct closing", 8), function(o)
        ok(o.x == 8, "an object of a coroutine that never ended")
    end)
    coroutine.yield(object.x)
end)
keep.thread()

keep.with_c = ffi.gc(ffi.new("struct closing", 7), function(o)
    ok(o.x == 7 and C.add2(o.x, 1) == 8 and ffi.C.abs(-o.x) == 7,
       "a finalizer calls C")
end)
keep.with_new = ffi.gc(ffi.new("struct closing", 9), function(o)
    local made = ffi.new("struct closing", o.x)
    ffi.gc(made, function() end)
    local sum = C.add_points({ 1, 2 }, { 3, 4 })
    ok(made.x == 9 and sum.y == 6 and C.call_int(function(i)
        return i + 1
    end, 1) == 2, "a finalizer makes objects and callbacks")
end)
ffi.metatype("struct closing_meta", { __gc = function(o)
    ok(o.x == 3, "the __gc of a metatype")
end })
keep.meta = ffi.new("struct closing_meta", 3)
keep.chain = ffi.gc(ffi.new("struct closing", 1), function()
    local ok_arena, value = pcall(function() return keep.in_arena[2] end)
    ok(keep[100].next.next.x == 98 and (not ok_arena or value == 3)
           and C.call_int(keep.kept_callback, 1) == 2,
       "a finalizer uses other objects, an arena and a callback")
end)

print("1.." .. planned)
