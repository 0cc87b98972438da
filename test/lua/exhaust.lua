-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- Some of everything, in few allocations: `host --exhaust` runs it once for
-- each of them, which fails. Whatever is left half-made then must not be in the
-- way of the end.

local ffi = require "ffi_rt"
ffi.cdef [[
struct ex_point { int x, y; };
struct ex_node { struct ex_node *next; const char *text; int values[3]; };
struct ex_bits { int a : 3; unsigned b : 9; };
enum ex_enum { EX_ONE = 1, EX_TWO };
struct point { int x, y; };
struct point add_points(struct point, struct point);
int add2(int, int);
int call_int(int (*)(int), int);
int sum_ints(int, ...);
struct point call_point(struct point (*)(struct point), struct point);
extern int counter;
extern int primes[5];
int fail_with(int);
]]
local C = ffi.load(os.getenv "FRT_TEST_FUNCTIONS")

local point = ffi.metatype("struct ex_point", {
    __add = function(a, b) return ffi.new("struct ex_point", a.x + b.x) end,
    __index = { sum = function(self) return self.x + self.y end },
    __gc = function() end,
})
assert((point(1, 2) + point { y = 3 }):sum() == 1)
local node = ffi.new("struct ex_node", { text = "some text" })
node.next = ffi.new("struct ex_node", { values = { 1, 2, 3 } })
local copy = ffi.new("struct ex_node", node)
assert(copy.next.values[2] == 3 and ffi.string(copy.text) == "some text")
local bits = ffi.new("struct ex_bits", 1, 2)
bits.b = bits.a + 3
local list = ffi.new("int[?]", 4, { 1, 2, 3, 4 })
assert((list + 1)[2] == 4 and ffi.sizeof(list) == 16)
assert(ffi.typeof("$[2]", ffi.typeof "double")()[1] == 0)
local typed = ffi.typeof("struct { $ a; int b; }", ffi.typeof("short"))
assert(typed(1, 2).b == 2)
assert(ffi.offsetof("struct ex_node", "text") == 8)
assert(ffi.istype("struct ex_node", node))
assert(C.add2(1, 2) == 3 and C.counter == 7 and C.primes[1] == 3)
assert(C.add_points({ 1, 2 }, { 3, 4 }).y == 6)
assert(C.sum_ints(3, 1, 2, ffi.new("int", 3)) == 6)
assert(C.fail_with(5) == -1 and ffi.errno() == 5)
local large = ffi.new("uint64_t", -1)
assert(tostring(large - 1):find "^18446744073709551614" and large > 1)
local callback = ffi.cast("int (*)(int)", function(i) return i * 2 end)
assert(C.call_int(callback, 4) == 8)
callback:set(function(i) return ffi.new("int", i) end)
assert(C.call_int(callback, 4) == 4)
callback:free()
assert(C.call_int(function(i) return C.add2(i, 1) end, 4) == 5)
assert(C.call_point(function(p) return { p.y, p.x } end, { 1, 2 }).x == 2)
assert(not pcall(C.call_int, function() error { "a table" } end, 1))
assert(not pcall(function() return list[9] end))
assert(not pcall(ffi.cdef, "oops"))
local arena = ffi.arena()
local inside = arena:new("struct ex_node", { values = { 7 } })
inside.text = arena:string("copied")
inside.next = node
assert(ffi.string(inside.text) == "copied" and inside.values[1] == 7)
ffi.gc(inside, function() end)
arena:close()
local kept = ffi.arena("shared"):new("int[2]", 5)
assert(kept[1] == 5)
ffi.gc(ffi.new("int[1]"), function() return ffi.new("int") end)
collectgarbage()
local thread = coroutine.wrap(function()
    return C.call_int(function(i) return i end, coroutine.yield(1))
end)
thread()
assert(thread(6) == 6)
