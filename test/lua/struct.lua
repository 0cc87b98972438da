-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Structs and unions: fields, nested and unnamed ones, initialisers, copies.

local check = require "check"
local ffi, num = check.ffi, check.num

ffi.cdef [[
struct st_inner { int a, b; };
struct st_outer { char tag; struct st_inner in; struct st_inner two[2]; };
struct st_unnamed {
    int kind;
    union { int number; float real; struct { short low, high; }; };
    struct { int tail; };
};
union st_union { int i; float f; uint8_t bytes[4]; struct { short a, b; } s; };
struct st_pointer { struct st_pointer *next; int n; };
struct st_all { bool b; char c; double d; float f; int64_t i; void *p; };
typedef struct { int x; } st_no_tag;
struct st_packed { char c; int i; short s; } __attribute__((packed));
#pragma pack(push, 2)
struct st_pack_two { char c; int i; };
#pragma pack(pop)
struct st_after { char c; int i; };
struct st_flexible { int n; double d[]; };
]]

check.test("fields are read and written", function()
    local inner = ffi.new("struct st_inner")
    inner.a = 5
    inner.b = -5
    check.equal(inner.a, 5)
    check.equal(inner.b, -5)
    check.equal(inner["a"], 5)
    local name = "b"
    check.equal(inner[name], -5)
    check.fails(function() return inner.c end, "st_inner", "c")
    check.fails(function() inner.c = 1 end, "st_inner", "c")
    check.fails(function() return inner[1] end)
    check.fails(function() inner[1] = 1 end)
    check.fails(function() inner.a = {} end)
    check.equal(inner.a, 5, "a refused value changes nothing")
end)

check.test("all kinds of fields", function()
    local all = ffi.new("struct st_all", true, 65, 0.5, 0.25, -3, nil)
    check.equal(all.b, true)
    check.equal(all.c, 65)
    check.equal(all.d, 0.5)
    check.equal(all.f, 0.25)
    check.num_equal(all.i, -3)
    check.null(all.p)
end)

check.test("a nested struct is a reference", function()
    local outer = ffi.new("struct st_outer")
    local inner = outer["in"]
    inner.a = 7
    check.equal(outer["in"].a, 7)
    outer["in"].b = 8
    check.equal(inner.b, 8)
    outer.two[1].a = 9
    check.equal(outer.two[1].a, 9)
    check.equal(outer.two[0].a, 0)
    check.is(ffi.istype("struct st_inner", inner))
    check.equal(ffi.sizeof(inner), 8)
end)

check.test("a struct assigned is copied", function()
    local outer = ffi.new("struct st_outer")
    local inner = ffi.new("struct st_inner", 1, 2)
    outer["in"] = inner
    inner.a = 100
    check.equal(outer["in"].a, 1)
    check.equal(outer["in"].b, 2)
    outer.two[0] = inner
    check.equal(outer.two[0].a, 100)
    outer.two = ffi.new("struct st_inner[2]", { { 3, 4 }, { 5, 6 } })
    check.equal(outer.two[1].b, 6)
    outer["in"] = outer.two[0]
    check.equal(outer["in"].a, 3)
    check.fails(function() outer["in"] = ffi.new("st_no_tag") end, "st_inner")
    check.fails(function() outer["in"] = 5 end)
    check.fails(function() outer["in"] = "text" end)
    check.fails(function() outer["in"] = nil end)
end)

check.test("I02: a table assigned sets the fields", function()
    local outer = ffi.new("struct st_outer")
    outer["in"] = { 1, 2 }
    check.equal(outer["in"].b, 2)
    outer["in"] = { b = 5, a = 4 }
    check.equal(outer["in"].a, 4)
    check.equal(outer["in"].b, 5)
    outer.two[1] = { a = 6 }
    check.equal(outer.two[1].a, 6)
    outer.two = { { 1, 2 }, { 3, 4 } }
    check.equal(outer.two[1].a, 3)
    check.equal(outer.two[0].b, 2)
end)

check.test("initialisers by position", function()
    local outer = ffi.new("struct st_outer", { 65, { 1, 2 },
                                               { { 3, 4 }, { 5, 6 } } })
    check.equal(outer.tag, 65)
    check.equal(outer["in"].b, 2)
    check.equal(outer.two[1].b, 6)
    check.equal(ffi.new("struct st_outer", 66).tag, 66)
    check.equal(ffi.new("struct st_outer", { 67 })["in"].a, 0)
    check.equal(ffi.new("struct st_outer", 1, { 2 })["in"].a, 2)
    check.equal(ffi.new("struct st_outer", 1, { 2 })["in"].b, 0)
end)

check.test("initialisers by name", function()
    local outer = ffi.new("struct st_outer",
                          { tag = 1, two = { { b = 2 }, { a = 3 } } })
    check.equal(outer.tag, 1)
    check.equal(outer.two[0].a, 0)
    check.equal(outer.two[0].b, 2)
    check.equal(outer.two[1].a, 3)
    check.equal(ffi.new("struct st_inner", {}).a, 0)
    check.equal(ffi.new("struct st_inner", { b = 9 }).b, 9)
    local other = ffi.new("struct st_inner", 3, 4)
    check.equal(ffi.new("struct st_outer", { ["in"] = other })["in"].b, 4)
end)

check.test("a name in a table that is no field is passed over", function()
    check.equal(ffi.new("struct st_inner", { a = 1, z = 2 }).a, 1)
end)

check.test("initialisers that do not fit", function()
    check.fails(function() ffi.new("struct st_inner", { a = "x" }) end)
    check.fails(function() ffi.new("struct st_inner", { a = {} }) end)
    check.fails(function() ffi.new("struct st_outer", 1, 2) end)
end)

check.test("unnamed members lend their names", function()
    local object = ffi.new("struct st_unnamed")
    object.kind = 1
    object.number = 0x00020001
    check.equal(object.low, 1)
    check.equal(object.high, 2)
    object.real = 1
    check.equal(object.number, 0x3f800000)
    object.tail = 9
    check.equal(object.tail, 9)
    check.equal(ffi.offsetof("struct st_unnamed", "high"), 6)
    check.equal(ffi.offsetof("struct st_unnamed", "tail"), 8)
    check.equal(ffi.new("struct st_unnamed", { kind = 1, low = 3 }).low, 3)
    check.equal(ffi.new("struct st_unnamed", { kind = 1, tail = 4 }).tail, 4)
end)

check.test("unions", function()
    local union = ffi.new("union st_union")
    union.f = 1
    check.equal(union.i, 0x3f800000)
    check.equal(union.bytes[3], 0x3f)
    union.s.a = 0x1234
    check.equal(union.bytes[0], 0x34)
    check.equal(ffi.new("union st_union", 5).i, 5)
    check.equal(ffi.new("union st_union", { f = 1 }).i, 0x3f800000)
    check.equal(ffi.new("union st_union", { 7 }).i, 7)
    check.equal(ffi.new("union st_union", { s = { 1, 2 } }).i, 0x20001)
    check.equal(ffi.sizeof("union st_union"), 4)
    local copy = ffi.new("union st_union", union)
    check.equal(copy.s.a, 0x1234)
end)

check.test("structs that point to themselves", function()
    local first = ffi.new("struct st_pointer")
    local second = ffi.new("struct st_pointer", { first, 2 })
    first.next = second
    first.n = 1
    check.equal(first.next.n, 2)
    check.equal(first.next.next.n, 1)
    check.equal(first.next.next.next.next.n, 1)
    check.is(first.next.next == ffi.cast("struct st_pointer *", first))
end)

check.test("packed structs", function()
    check.equal(ffi.sizeof("struct st_packed"), 7)
    check.equal(ffi.offsetof("struct st_packed", "i"), 1)
    check.equal(ffi.offsetof("struct st_packed", "s"), 5)
    local packed = ffi.new("struct st_packed", 1, -2, 3)
    check.equal(packed.c, 1)
    check.equal(packed.i, -2)
    check.equal(packed.s, 3)
    packed.i = 0x12345678
    check.equal(ffi.cast("uint8_t *", packed)[1], 0x78)
    check.equal(packed.s, 3)
    check.equal(ffi.sizeof("struct st_pack_two"), 6)
    check.equal(ffi.offsetof("struct st_pack_two", "i"), 2)
    check.equal(ffi.sizeof("struct st_after"), 8)
end)

check.test("layouts of nested structs", function()
    check.equal(ffi.sizeof("struct st_outer"), 28)
    check.equal(ffi.offsetof("struct st_outer", "in"), 4)
    check.equal(ffi.offsetof("struct st_outer", "two"), 12)
    check.equal(ffi.sizeof("struct st_all"), 40)
    check.equal(ffi.sizeof("struct st_unnamed"), 12)
    check.equal(ffi.sizeof("struct st_flexible"), 8)
    check.equal(ffi.offsetof("struct st_flexible", "d"), 8)
end)

check.test("equality of structs is identity", function()
    local a, b = ffi.new("struct st_inner"), ffi.new("struct st_inner")
    check.is(a == a)
    check.is_not(a == b)
end)

check.test("H32: two unnamed structs do not clash", function()
    ffi.cdef [[
    typedef struct { int a; struct { int x; } in; union { int u; }; } st_one;
    typedef struct { long a; struct { long y; } in; union { long w; }; } st_two;
    ]]
    local one, two = ffi.new("st_one"), ffi.new("st_two")
    check.equal(ffi.sizeof(one), 12)
    check.equal(ffi.sizeof(two), 24)
    one["in"].x, two["in"].y = 1, 2
    one.u, two.w = 3, 4
    check.equal(one["in"].x, 1)
    check.num_equal(two["in"].y, 2)
    check.equal(one.u, 3)
    check.num_equal(two.w, 4)
    check.fails(function() return one["in"].y end)
    check.fails(function() return two.u end)
end)

check.test("each that is declared without a tag is a type of its own", function()
    ffi.cdef [[
    typedef struct { double x, y; } st_point;
    typedef struct { double x, y; } st_size, *st_size_p;
    typedef union __attribute__((packed)) { char c; int i; } st_union;
    typedef union
        __attribute__ ((packed)) /* struct { */ { char c; int i; } st_other;
    typedef struct { struct { int in; }; struct { int x; } at; } st_holder;
    ]]
    local point = ffi.metatype("st_point", { __index = { name = "point" } })
    local size = ffi.metatype("st_size", { __index = { name = "size" } })
    check.equal(point().name, "point")
    check.equal(size(1, 2).name, "size")
    check.equal(ffi.new("st_size_p", size()).name, "size")
    check.equal(ffi.typeof("struct { $ of; }", point)().of.name, "point")
    check.is(ffi.typeof("st_union") ~= ffi.typeof("st_other"))
    check.is_not(ffi.istype(point, size()))
    check.fails(function() ffi.new("st_size_p", point()) end)
    check.fails(function() ffi.new("st_size[1]", { point() }) end)
    check.equal(ffi.sizeof("st_other"), 4)
    check.equal(ffi.alignof("st_other"), 1)
    check.equal(ffi.new("st_holder", { 1, { 2 } })["in"], 1)
    check.equal(ffi.new("st_holder", { 1, { 2 } }).at.x, 2)
end)

-- For minutes, if each were looked at to the end.
check.ours_test("much text that ends nowhere is refused", function()
    for _, text in ipairs { "struct (", "struct { int x; } ", "union __attribute__((",
                            "enum [" } do
        check.fails(function() ffi.cdef(text:rep(50000)) end)
    end
end)

check.ours_test("the same without a tag may be declared twice", function()
    ffi.cdef "typedef struct { int a[2]; } st_again; enum { ST_AGAIN = 4 };"
    ffi.cdef [[
    typedef struct /* as above */ { int a [2]; }
        st_again; enum { ST_AGAIN = 4 };]]
    check.equal(ffi.C.ST_AGAIN, 4)
    ffi.cdef("enum { ST_SPLIT = 1'000 }; typedef struct { $ x; } st_behind;",
             ffi.typeof("st_again"))
    check.equal(ffi.new("st_behind", { { { 1, 2 } } }).x.a[1], 2)
    check.equal(ffi.C.ST_SPLIT, 1000)
    check.fails(function()
        ffi.cdef "typedef struct { int b[2]; } st_again;"
    end, "^[^\n]*1:30: 'st_again' is declared as something else",
       "\n +typedef struct { int b%[2%]; } st_again;\n")
    for _, text in ipairs { "struct", "struct {", "struct (", "struct [", "enum :",
                            "struct __attribute__((",
                            "struct { int x; /*", "}}} struct { int x; } a;" } do
        check.fails(function() ffi.cdef(text) end)
    end
end)

check.finish()
