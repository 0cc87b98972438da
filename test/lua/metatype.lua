-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.metatype: methods and operators for structs.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct mt_point { double x, y; };
struct mt_index { int a; };
struct mt_call { int a; };
struct mt_new { int a, b; };
struct mt_gc { int a; };
struct mt_text { int a; };
struct mt_plain { int a; };
struct mt_fail { int a; };
struct mt_by_pointer { int n; };
typedef struct { int n; } mt_typedef;
struct mt_pairs { int n; };
struct mt_inherit { int n; };
struct mt_vl { int n; int list[?]; };
]]

local point
local point_type = ffi.metatype("struct mt_point", {
    __add = function(a, b) return point(a.x + b.x, a.y + b.y) end,
    __sub = function(a, b) return point(a.x - b.x, a.y - b.y) end,
    __mul = function(a, b)
        if type(a) == "number" then a, b = b, a end
        return point(a.x * b, a.y * b)
    end,
    __div = function(a, b) return point(a.x / b, a.y / b) end,
    __mod = function(a, b) return point(a.x % b, a.y % b) end,
    __pow = function(a, b) return point(a.x ^ b, a.y ^ b) end,
    __unm = function(a) return point(-a.x, -a.y) end,
    __len = function(a) return 2 end,
    __eq = function(a, b) return a.x == b.x and a.y == b.y end,
    __lt = function(a, b) return a.x < b.x end,
    __le = function(a, b) return a.x <= b.x end,
    __concat = function(a, b) return tostring(a) .. "|" .. tostring(b) end,
    __call = function(self, z) return self.x + self.y + z end,
    __tostring = function(self)
        return ("(%g, %g)"):format(self.x, self.y)
    end,
    __index = {
        length = function(self) return math.sqrt(self.x ^ 2 + self.y ^ 2) end,
        move = function(self, dx) self.x = self.x + dx return self end,
        kind = "point",
    },
})
point = point_type

check.test("methods and what else the table has", function()
    local p = point(3, 4)
    check.equal(p:length(), 5)
    check.equal(p.kind, "point")
    check.equal(p:move(2).x, 5)
    check.equal(p.x, 5, "a method changes the object itself")
    check.equal(point.kind, "point", "the type has them, too")
    check.equal(point.length(p), p:length())
    check.fails(function() return p.none end, "none")
    check.fails(function() p.none = 1 end)
    check.fails(function() p:none() end)
end)

check.test("the type is as it was", function()
    check.is(point == ffi.typeof("struct mt_point"))
    check.is(ffi.istype(point, point()))
    check.equal(ffi.sizeof(point), 16)
    check.equal(ffi.new("struct mt_point", 6, 8):length(), 10)
    check.equal(ffi.new("struct mt_point[2]", { { 3, 4 } })[0]:length(), 5)
end)

check.test("arithmetic", function()
    local a, b = point(3, 4), point(10, 20)
    check.equal((a + b).x, 13)
    check.equal((b - a).y, 16)
    check.equal((a * 2).y, 8)
    check.equal((2 * a).y, 8)
    check.equal((b / 2).x, 5)
    check.equal((b % 3).y, 2)
    check.equal((a ^ 2).y, 16)
    check.equal((-a).x, -3)
    check.fails(function() return a + 1 end)
end)

check.test("comparisons", function()
    local a, b, c = point(3, 4), point(10, 20), point(3, 4)
    check.is(a == c)
    check.is(a ~= b)
    check.is(a < b)
    check.is_not(b < a)
    check.is(a <= c)
    check.is(b > a)
    check.is(b >= a)
end)

check.test("length, text, call, joined", function()
    local a = point(3, 4)
    check.equal(#a, 2)
    check.equal(tostring(a), "(3, 4)")
    check.equal(a(10), 17)
    check.equal(a .. point(1, 2), "(3, 4)|(1, 2)")
    check.equal(a .. "x", "(3, 4)|x")
    check.equal("x" .. a, "x|(3, 4)")
end)

check.test("a pointer to it has them all", function()
    local object = point(3, 4)
    local p = ffi.cast("struct mt_point *", object)
    check.equal(p:length(), 5)
    check.equal((p + object).x, 6)
    check.equal(p.kind, "point")
    check.equal(p(1), 8)
    check.equal(tostring(p), "(3, 4)")
    check.equal(#p, 2)
end)

check.test("__index and __newindex as functions", function()
    local asked, set = {}, {}
    ffi.metatype("struct mt_index", {
        __index = function(self, key)
            asked[#asked + 1] = key
            return key == "double" and self.a * 2 or nil
        end,
        __newindex = function(self, key, value)
            set[key] = value
            self.a = value
        end,
    })
    local object = ffi.new("struct mt_index", 5)
    check.equal(object.a, 5)
    check.equal(#asked, 0, "a field comes first")
    check.equal(object.double, 10)
    check.equal(asked[1], "double")
    check.equal(object.none, nil)
    object.other = 7
    check.equal(set.other, 7)
    check.equal(object.a, 7)
    object.a = 8
    check.equal(set.a, nil)
    check.equal(object[3], nil)
    check.equal(asked[3], 3)
end)

check.test("__new", function()
    local new_type
    new_type = ffi.metatype("struct mt_new", {
        __new = function(ct, a)
            return ffi.new(ct, a, a * 10)
        end,
        __index = { of = function(a) return new_type(a) end },
    })
    local object = new_type(3)
    check.equal(object.b, 30)
    check.equal(new_type.of(4).b, 40)
    check.equal(ffi.new("struct mt_new", 3).b, 0, "ffi.new does not ask it")
end)

check.test("__gc", function()
    local freed = 0
    local gc_type = ffi.metatype("struct mt_gc", {
        __gc = function(self) freed = freed + self.a end,
    })
    do
        for i = 1, 10 do gc_type(i) end
    end
    check.collect()
    check.equal(freed, 55)
    local kept = gc_type(100)
    check.collect()
    check.equal(freed, 55)
    kept = nil
    check.collect()
    check.equal(freed, 155)
end)

check.test("__tostring, and a metatable that changes later", function()
    local meta = { __index = {} }
    ffi.metatype("struct mt_text", meta)
    local object = ffi.new("struct mt_text", 5)
    check.fails(function() return object.later end, "later")
    function meta.__index.later(self) return self.a end
    check.equal(object:later(), 5)
end)

check.test("one metatype a type, for good", function()
    ffi.metatype("mt_typedef", { __index = { five = 5 } })
    check.equal(ffi.new("mt_typedef").five, 5)
    check.fails(function() ffi.metatype("mt_typedef", {}) end)
    check.fails(function() ffi.metatype("struct mt_point", {}) end)
    check.fails(function() ffi.metatype("int", {}) end)
    check.fails(function() ffi.metatype("struct mt_fail *", {}) end)
    check.fails(function() ffi.metatype("struct mt_fail", 5) end)
    check.fails(function() ffi.metatype("struct mt_fail") end)
end)

check.test("an error in a method is an error of the caller", function()
    ffi.metatype("struct mt_fail", {
        __index = { go = function() error("went wrong") end },
        __add = function() error({ code = 7 }) end,
    })
    local object = ffi.new("struct mt_fail")
    check.fails(function() object:go() end, "went wrong")
    local ok, value = pcall(function() return object + object end)
    check.is_not(ok)
    check.equal(type(value) == "table" and value.code, 7)
end)

check.test("without a metatype nothing is there", function()
    local object = ffi.new("struct mt_plain")
    check.fails(function() return object.none end, "none")
    check.fails(function() return #object end)
    check.fails(function() return object + object end)
    check.fails(function() return object() end)
end)

check.test("a struct with a length to come", function()
    local vl_type = ffi.metatype("struct mt_vl", {
        __len = function(self) return self.n end,
        __index = {
            sum = function(self)
                local sum = 0
                for i = 0, self.n - 1 do sum = sum + self.list[i] end
                return sum
            end,
        },
    })
    local object = vl_type(3, 3, { 4, 5, 6 })
    check.equal(#object, 3)
    check.equal(object:sum(), 15)
end)

check.test("__pairs", function()
    ffi.metatype("struct mt_pairs", {
        __pairs = function(self)
            return function(n, i)
                if i < n then return i + 1, i * 10 end
            end, self.n, 0
        end,
    })
    local keys, values = 0, 0
    for i, v in pairs(ffi.new("struct mt_pairs", 3)) do
        keys, values = keys + i, values + v
    end
    check.equal(keys, 6)
    check.equal(values, 30)
    check.fails(function() pairs(ffi.new("struct mt_plain")) end)
end)

check.test("methods through a chain of tables", function()
    local base = { hello = function(self) return "hello " .. self.n end }
    local derived = setmetatable({}, { __index = base })
    ffi.metatype("struct mt_inherit", { __index = derived })
    check.equal(ffi.new("struct mt_inherit", 3):hello(), "hello 3")
    function base.later(self) return self.n + 1 end
    check.equal(ffi.new("struct mt_inherit", 3):later(), 4)
end)

check.test("an unnamed struct", function()
    local unnamed = ffi.metatype(ffi.typeof("struct { int a; }"),
                                 { __index = { twice = function(self)
                                     return self.a * 2
                                 end } })
    check.equal(unnamed(21):twice(), 42)
    if check.reference then return end
    check.fails(function() ffi.metatype("struct { int a; }", {}) end,
                "one type, unless cdef declares them")
end)

check.ours_test("a boxed fraction is compared as it is", function()
    local half = ffi.new("double", 0.5)
    check.is(half > 0 and half < 1 and ffi.new("float", 0.25) < half)
    check.is_not(half < 0.5 or half > 0.5)
end)

check.finish()
