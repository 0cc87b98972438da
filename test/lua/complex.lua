-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Complex numbers.

local check = require "check"
local ffi = check.ffi
local functions = require "functions"
local C = functions.C

ffi.cdef [[
struct cx { double _Complex z; float _Complex list[2]; };
]]

check.test("parts", function()
    local z = ffi.new("double _Complex", 3, 4)
    check.equal(z.re, 3)
    check.equal(z.im, 4)
    check.equal(z[0], 3)
    check.equal(z[1], 4)
    check.equal(ffi.sizeof(z), 16)
    check.equal(ffi.new("double _Complex", 1, 2).im, 2)
    check.equal(ffi.new("float _Complex", 0.5, -0.5).im, -0.5)
    check.equal(ffi.sizeof("float _Complex"), 8)
    check.equal(ffi.alignof("double _Complex"), 8)
    check.fails(function() return z.x end)
end)

check.test("initialisers", function()
    check.equal(ffi.new("double _Complex").re, 0)
    check.equal(ffi.new("double _Complex").im, 0)
    check.equal(ffi.new("double _Complex", { 5, 6 }).im, 6)
    check.equal(ffi.new("double _Complex", { 5 }).re, 5)
    local z = ffi.new("double _Complex", 7, 8)
    check.equal(ffi.new("double _Complex", z).im, 8)
    check.equal(ffi.new("float _Complex", z).im, 8)
    check.fails(function() ffi.new("double _Complex", 1, 2, 3) end)
    check.fails(function() ffi.new("double _Complex", "x") end)
end)

check.test("a number has no imaginary part", function()
    local z = ffi.new("double _Complex", 5)
    check.equal(z.re, 5)
    check.equal(z.im, 0)
    local object = ffi.new("struct cx")
    object.z = 6
    check.equal(object.z.re, 6)
    check.equal(object.z.im, 0)
end)

check.test("fields", function()
    local object = ffi.new("struct cx")
    object.z = ffi.new("double _Complex", 1, 2)
    check.equal(object.z.im, 2)
    object.list[1] = ffi.new("float _Complex", 3, 4)
    check.equal(object.list[1].re, 3)
    check.equal(object.list[0].re, 0)
    object = ffi.new("struct cx", { { 5, 6 } })
    check.equal(object.z.im, 6)
end)

check.test("calls", function()
    local z = C.twice_double(ffi.new("double _Complex", 1.5, -2))
    check.equal(z.re, 3)
    check.equal(z.im, -4)
    local f = C.twice_float(ffi.new("float _Complex", 0.5, 0.25))
    check.equal(f.re, 1)
    check.equal(f.im, 0.5)
    check.equal(C.twice_double(5).re, 10)
    check.equal(C.twice_double(5).im, 0)
    local mixed = C.mix_complex(ffi.new("float _Complex", 1, 2), 3,
                                ffi.new("double _Complex", 4, 5), 0.5)
    check.equal(mixed.re, 3 + 2)
    check.equal(mixed.im, 6 + 2.5)
end)

check.test("text", function()
    check.matches(tostring(ffi.new("double _Complex", 1, 2)),
                  "^1%.?0?%+2%.?0?[iI]$")
    check.matches(tostring(ffi.new("double _Complex", 1.5, -2.5)),
                  "^1%.5%-2%.5[iI]$")
end)

check.ours_test("long double", function()
    local z = C.twice_long_double(ffi.new("long double _Complex", 1.25, -3))
    check.equal(z.re, 2.5)
    check.equal(z.im, -6)
    check.equal(ffi.sizeof(z), 32)
end)

check.finish()
