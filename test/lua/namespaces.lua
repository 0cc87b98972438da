-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.C and loaded libraries: functions, variables, constants, asm names.

local check = require "check"
local ffi, num = check.ffi, check.num
local functions = require "functions"
local C = functions.C

ffi.cdef [[
int abs(int);
size_t strlen(const char *);
double sqrt(double);
unsigned long compressBound(unsigned long);
const char *zlibVersion(void);
int ns_declared_nowhere_defined(int);
extern int ns_no_such_variable;
long ns_strlen(const char *) __asm__("strlen");
]]

check.test("the process and libc", function()
    check.equal(ffi.C.abs(-5), 5)
    check.num_equal(ffi.C.strlen("twelve chars"), 12)
    check.num_equal(ffi.C.ns_strlen("three"), 5)
    check.is(ffi.C.abs == ffi.C.abs)
end)

check.test("a library", function()
    check.equal(C.add2(1, 2), 3)
    check.is(C.add2 == C.add2)
    check.equal(type(C.add2), check.ours and "function" or "cdata")
    check.is(ffi.istype(ffi.typeof(C.add2), C.add2))
    check.fails(function() return ffi.C.add2 end, "add2")
    local again = ffi.load(functions.path)
    check.equal(again.add2(3, 4), 7)
    again.counter = 50
    check.equal(C.counter, 50, "one library, one variable")
    C.counter = 7
end)

check.test("names that are not there", function()
    check.fails(function() return C.ns_declared_nowhere_defined end,
                "ns_declared_nowhere_defined")
    check.fails(function() return C.ns_not_declared end, "ns_not_declared")
    check.fails(function() return C.functions_that_is_missing end,
                "functions_that_is_missing")
    check.fails(function() return C.ns_no_such_variable end,
                "ns_no_such_variable")
    check.fails(function() C.ns_no_such_variable = 1 end,
                "ns_no_such_variable")
    check.fails(function() C.ns_not_declared = 1 end, "ns_not_declared")
    check.fails(function() ffi.load("ns_no_such_library") end,
                "ns_no_such_library")
    check.fails(function() ffi.load("/no/such/file.so") end, "/no/such/file.so")
    check.fails(function() ffi.load() end)
    check.fails(function() ffi.load({}) end)
end)

check.test("a library by its short name", function()
    local ok, m = pcall(ffi.load, "m")
    if not ok then m = ffi.load("libm.so.6") end
    check.equal(m.sqrt(16), 4)
    local z = ffi.load("libz.so.1")
    check.is(num(z.compressBound(100)) > 100)
    check.matches(ffi.string(z.zlibVersion()), "^%d")
end)

check.test("variables", function()
    check.equal(C.counter, 7)
    C.counter = 8
    check.equal(C.counter, 8)
    check.equal(C.read_counter(), 8)
    C.counter = C.counter + 1
    check.equal(C.read_counter(), 9)
    C.counter = 7
    check.equal(C.ratio, 0.5)
    C.ratio = 0.75
    check.equal(C.ratio, 0.75)
    C.ratio = 0.5
    check.equal(C.is_ready, true)
    check.equal(ffi.string(C.motto), "by value")
    check.num_equal(C.large % 1000, 807)
    check.fails(function() C.counter = "x" end)
    check.fails(function() C.counter = {} end)
    check.equal(C.counter, 7)
end)

check.test("constant variables", function()
    check.equal(C.limit, 1000)
    check.fails(function() C.limit = 5 end, "const")
    check.equal(C.limit, 1000)
end)

check.test("arrays and structs as variables", function()
    check.equal(C.primes[0], 2)
    check.equal(C.primes[4], 11)
    C.primes[4] = 13
    check.equal(C.primes[4], 13)
    C.primes[4] = 11
    check.equal(C.sum_ints_at(C.primes, 5), 28)
    check.equal(C.origin.x, 3)
    C.origin.x = 30
    check.equal(C.origin.x, 30)
    C.origin = ffi.new("struct point", 3, 4)
    check.equal(C.origin.y, 4)
    check.equal(ffi.sizeof(C.primes), 20)
    C.move_point(C.origin, 1, 1)
    check.equal(C.origin.x, 4)
    C.origin = { 3, 4 }
    check.equal(C.origin.x, 3)
end)

check.test("enums as variables", function()
    check.num_equal(C.favourite, 5)
    C.favourite = "BLUE"
    check.num_equal(C.favourite, 6)
    C.favourite = "GREEN"
end)

check.test("asm names", function()
    check.equal(C.plus(1, 2), 103)
    check.equal(C.renamed, 99)
    C.renamed = 98
    check.equal(C.renamed, 98)
    C.renamed = 99
    check.fails(function() return C.functions_real_plus end)
end)

check.test("functions are no variables", function()
    check.fails(function() C.add2 = 5 end, "add2")
    check.fails(function() C.add2 = print end)
    check.fails(function() return C.add2.x end)
end)

check.ours_test("D09: a function keeps its library", function()
    ffi.cdef "unsigned long crc32(unsigned long, const char *, unsigned);"
    local crc32 = (function() return ffi.load("libz.so.1").crc32 end)()
    check.collect()
    check.collect()
    check.num_equal(crc32(0, "123456789", 9), 0xcbf43926)
end)

check.test("symbols for everybody", function()
    check.equal(pcall(function() return ffi.C.add2 end), false)
    ffi.load(functions.path, true)
    check.equal(ffi.C.add2(20, 22), 42)
end)

check.ours_test("64-bit variables are exact", function()
    check.equal(num(C.large), math.maxinteger)
    check.matches(tostring(C.largest), "^18446744073709551615")
end)

check.finish()
