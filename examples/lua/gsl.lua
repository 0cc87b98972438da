-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- The complex numbers of the GNU Scientific Library: structs that go into its
-- functions and come out of them by value, with Lua's operators.

local ffi = require "ffi_rt"
local gsl = ffi.load "gsl"

ffi.cdef [[
typedef struct { double dat[2]; } gsl_complex;
gsl_complex gsl_complex_add(gsl_complex a, gsl_complex b);
gsl_complex gsl_complex_mul(gsl_complex a, gsl_complex b);
gsl_complex gsl_complex_sqrt(gsl_complex z);
gsl_complex gsl_complex_exp(gsl_complex z);
double gsl_complex_abs(gsl_complex z);
]]

local complex
complex = ffi.metatype("gsl_complex", {
    __add = function(a, b) return gsl.gsl_complex_add(a, b) end,
    __mul = function(a, b) return gsl.gsl_complex_mul(a, b) end,
    __tostring = function(z) return ("%g%+gi"):format(z.dat[0], z.dat[1]) end,
    __index = {
        abs = function(z) return gsl.gsl_complex_abs(z) end,
        sqrt = function(z) return gsl.gsl_complex_sqrt(z) end,
        exp = function(z) return gsl.gsl_complex_exp(z) end,
    },
})

local function new(re, im) return complex { { re, im } } end

local a, b = new(1, 2), new(3, -1)
print("a + b    = " .. tostring(a + b))
print("a * b    = " .. tostring(a * b))
print("sqrt(-4) = " .. tostring(new(-4, 0):sqrt()))
print("|3 + 4i| = " .. new(3, 4):abs())
print(("e^(i pi) = %.0f"):format(new(0, math.pi):exp().dat[0]))

-- As many as one likes, without a pointer in sight.
local z, steps = new(0, 0), 0
local c = new(-0.75, 0.1)
while z:abs() < 2 do
    z = z * z + c
    steps = steps + 1
end
print("z^2 - 0.75 + 0.1i leaves the circle after " .. steps .. " steps")
