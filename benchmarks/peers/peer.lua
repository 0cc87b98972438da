-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- peer.lua BUILD SYSTEM [--quick] [CASE...]: calls from Lua, by LuaJIT's own
-- FFI where this is LuaJIT, else by ffi_rt's module, which has the same
-- interface. BUILD is the folder of the benchmarks' libraries.
local build, system = arg[1], arg[2]
local ffi = require(jit and "ffi" or "ffi_rt")
package.cpath = build .. "/peers/?.so;" .. package.cpath
local empty = require "frt_bench_empty"

ffi.cdef [[
struct point { double x, y; };
struct big { double d[4]; };
void noop(void);
int add2(int a, int b);
double fma3(double a, double b, double c);
void *identity(void *a);
void *identity3(void *a, void *b, void *c);
struct point unit(void);
void unit_ptr(struct point *out);
struct big bigret(void);
struct point padd(struct point a, struct point b);
long sum8(long a, long b, long c, long d, long e, long f, long g, long h);
double mix10(int a, double b, int c, double d, int e, double f, int g,
             double h, int i, double j);
int vsum(int n, ...);
int callcb(int (*callback)(int), int a);

typedef void peer_loop(int count);
void peer_open(int is_quick);
void peer_add(const char *system, const char *over, peer_loop *loop);
void peer_add_floor(const char *system, const char *function);
void peer_add_upcall(const char *system, const char *over,
                     int (*callback)(int));
void peer_run(const char *suite, const char *case_name, int threads);
void peer_missing(const char *suite, const char *case_name,
                  const char *system, const char *why);
int peer_callback(int a);
]]
local lib = ffi.load(build .. "/libfrt_bench_functions.so")
local peer = ffi.load(build .. "/peers/libfrt_bench_peer.so")

local place = ffi.new "struct point"
local pointer = ffi.cast("void *", place)
local values = {
    place = place,
    pointer = pointer,
    a = ffi.new("struct point", 1, 2),
    b = ffi.new("struct point", 3, 4),
    -- a number goes through `...` as a double
    four = ffi.new("int", 4),
    five = ffi.new("int", 5),
    six = ffi.new("int", 6),
    callback = peer.peer_callback,
}

-- Each case: the call as it is written in Lua, and whether its result is right.
local cases = {
    { "noop", "()", function(r) return r == nil end },
    { "add2", "(3, 4)", function(r) return r == 7 end },
    { "fma3", "(1.5, 2.5, 3.5)", function(r) return r == 7.25 end },
    { "identity", "(pointer)", function(r) return r == pointer end },
    { "identity3", "(pointer, pointer, pointer)",
        function(r) return r == pointer end },
    { "unit", "()", function(r) return r.x == 1 and r.y == 0 end },
    { "unit_ptr", "(place)", function() return place.x == 1 end },
    { "bigret", "()", function(r) return r.d[0] == 1 and r.d[3] == 4 end },
    { "padd", "(a, b)", function(r) return r.x == 4 and r.y == 6 end },
    { "sum8", "(1, 2, 3, 4, 5, 6, 7, 8)",
        function(r) return tonumber(r) == 36 end },
    { "mix10", "(3, 1.5, 4, 2.5, 5, 3.5, 6, 4.5, 7, 5.5)",
        function(r) return r == 42.5 end },
    { "vsum", "(3, four, five, six)", function(r) return r == 15 end },
    { "callcb", "(callback, 3)", function(r) return r == 4 end },
}

-- A function made of this text for this case alone: loops that share their
-- code would share what LuaJIT has learnt of it.
local function compile(text, f)
    local names, list = {}, {}
    for name, value in pairs(values) do
        names[#names + 1] = name
        list[#list + 1] = value
    end
    text = ("local f, %s = ...\n%s"):format(table.concat(names, ", "), text)
    return assert((loadstring or load)(text))(f, (unpack or table.unpack)(list))
end

local function loop_of(f, arguments)
    return compile(([[
        return function(count)
            for _ = 1, count do local result = f%s end
        end]]):format(arguments), f)
end

-- The pointers stay for as long as the program.
local pointers = {}
local function callback_of(loop)
    local callback = ffi.cast("peer_loop *", function(count) loop(count) end)
    pointers[#pointers + 1] = callback
    return callback
end

local floor, base = system .. "_floor", system .. "_empty"
local over = system == "luajit" and floor or base
local call_empty = callback_of(loop_of(empty, "()"))

local function measure(name, arguments, is_right)
    local ok, result = pcall(function()
        return compile("return f" .. arguments, lib[name])
    end)
    if not ok or not is_right(result) then
        peer.peer_missing("call", name, system,
            ok and "it gives a wrong result" or tostring(result))
        return
    end
    peer.peer_add_floor(floor, name)
    peer.peer_add(base, floor, call_empty)
    peer.peer_add(system, over, callback_of(loop_of(lib[name], arguments)))
    peer.peer_run("call", name, 1)
end

-- C calls a Lua function.
local function measure_upcall()
    local back = ffi.cast("int (*)(int)", function(a) return a + 1 end)
    pointers[#pointers + 1] = back
    peer.peer_add_floor(floor, "callcb")
    peer.peer_add_upcall(system, floor, back)
    peer.peer_run("upcall", "callcb", 1)
end

-- A loop that LuaJIT has compiled may not call what calls back.
if jit then
    jit.off(measure)
    jit.off(measure_upcall)
end

local is_quick, wanted = 0, nil
for i = 3, #arg do
    if arg[i] == "--quick" then
        is_quick = 1
    else
        wanted = wanted or {}
        wanted[arg[i]] = true
    end
end
peer.peer_open(is_quick)
for _, case in ipairs(cases) do
    if not wanted or wanted[case[1]] then
        measure(case[1], case[2], case[3])
    end
end
if not wanted or wanted.upcall then
    measure_upcall()
end
