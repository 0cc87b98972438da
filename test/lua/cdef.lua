-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- ffi.cdef: what is declared and what is refused.

local check = require "check"
local ffi = check.ffi

check.test("it returns nothing and takes one text", function()
    check.equal(select("#", ffi.cdef "typedef int cd_int;"), 0)
    check.equal(ffi.sizeof("cd_int"), 4)
    check.equal(select("#", ffi.cdef ""), 0)
    check.fails(function() ffi.cdef() end)
    check.fails(function() ffi.cdef(nil) end)
    check.fails(function() ffi.cdef({}) end)
end)

check.test("typedefs", function()
    ffi.cdef [[
    typedef unsigned char cd_byte;
    typedef cd_byte cd_bytes[4];
    typedef int (*cd_function)(int, const char *);
    typedef struct cd_node { struct cd_node *next; cd_bytes bytes; } cd_node;
    typedef cd_node *cd_list;
    typedef long cd_long, *cd_long_pointer;
    ]]
    check.equal(ffi.sizeof("cd_byte"), 1)
    check.equal(ffi.sizeof("cd_bytes"), 4)
    check.equal(ffi.sizeof("cd_function"), 8)
    check.equal(ffi.sizeof("cd_node"), 16)
    check.is(ffi.typeof("cd_list") == ffi.typeof("struct cd_node *"))
    check.is(ffi.typeof("cd_long_pointer") == ffi.typeof("long *"))
end)

check.test("comments, line ends and attributes", function()
    ffi.cdef [[
    /* a comment */ typedef int cd_after; // another
    typedef struct {
        char c; /* of
        two lines */
        int i;
    } __attribute__((packed)) cd_packed;
    typedef int cd_aligned __attribute__((aligned(16)));
    extern int cd_fun(int) __attribute__((unused));
    ]]
    check.equal(ffi.sizeof("cd_after"), 4)
    check.equal(ffi.sizeof("cd_packed"), 5)
    check.equal(ffi.alignof("cd_aligned"), 16)
end)

check.test("orders of the words of a type", function()
    check.is(ffi.typeof("long unsigned int") == ffi.typeof("unsigned long"))
    check.is(ffi.typeof("int long") == ffi.typeof("long"))
    check.is(ffi.typeof("char unsigned") == ffi.typeof("unsigned char"))
    check.is(ffi.typeof("short int") == ffi.typeof("short"))
    check.is(ffi.typeof("unsigned") == ffi.typeof("unsigned int"))
    check.is(ffi.typeof("char const *") == ffi.typeof("const char *"))
    check.is(ffi.typeof("const int *const") == ffi.typeof("const int *const"))
end)

check.test("declarators", function()
    check.equal(ffi.sizeof("int *[3]"), 24)
    check.equal(ffi.sizeof("int (*)[3]"), 8)
    check.equal(ffi.sizeof("int (*[3])(void)"), 24)
    check.equal(ffi.sizeof("int *(*(*)(void))[2]"), 8)
    check.equal(ffi.sizeof("char[2][3][4]"), 24)
    check.equal(ffi.sizeof("double (**)(int (*)(int))"), 8)
    ffi.cdef "void (*cd_signal(int, void (*)(int)))(int);"
    check.is(true)
end)

check.test("incomplete structs are completed later", function()
    ffi.cdef "struct cd_later; typedef struct cd_later cd_later;"
    local pointer = ffi.new("cd_later *[1]")
    check.fails(function() ffi.new("cd_later") end, "cd_later")
    ffi.cdef "struct cd_later { int x; };"
    check.equal(ffi.sizeof("struct cd_later"), 4)
    local object = ffi.new("struct cd_later", 5)
    pointer[0] = object
    check.equal(pointer[0].x, 5, "known before it was whole")
    check.equal(ffi.new("cd_later", 6).x, 6)
end)

check.test("common types are there", function()
    for name, size in pairs {
        int8_t = 1, uint8_t = 1, int16_t = 2, uint16_t = 2, int32_t = 4,
        uint32_t = 4, int64_t = 8, uint64_t = 8, intptr_t = 8, uintptr_t = 8,
        ptrdiff_t = 8, size_t = 8, ssize_t = 8, wchar_t = 4, bool = 1,
        _Bool = 1, va_list = false,
    } do
        if size then check.equal(ffi.sizeof(name), size, name) end
    end
end)

check.test("what is wrong is refused", function()
    check.fails(function() ffi.cdef "int int cd_twice;" end)
    check.fails(function() ffi.cdef "cd_unknown x;" end, "cd_unknown")
    check.fails(function() ffi.cdef "struct cd_open { int a;" end)
    check.fails(function() ffi.cdef "typedef int;;; ]" end)
    check.fails(function() ffi.cdef "int cd_f(cd_oid *);" end, "cd_oid")
    check.fails(function() ffi.cdef "struct cd_void { void x; };" end)
    check.fails(function() ffi.cdef "struct cd_self { struct cd_self s; };" end)
    check.fails(function() ffi.cdef "hello world" end, "hello")
    check.fails(function() ffi.cdef "int cd_array[-1];" end)
    check.fails(function()
        ffi.cdef "struct cd_dup { int a; }; struct cd_dup { char b; };"
    end, "cd_dup")
    check.fails(function() ffi.typeof("struct cd_nothing {") end)
    check.fails(function() ffi.typeof("") end)
    check.fails(function() ffi.typeof("int x") end)
end)

check.test("after an error all goes on", function()
    pcall(ffi.cdef, "struct cd_broken { int a; } oops oops;")
    ffi.cdef "typedef short cd_works;"
    check.equal(ffi.sizeof("cd_works"), 2)
end)

check.test("parameters", function()
    ffi.cdef("typedef $ cd_of; struct cd_with { $ a; $ b; };",
             ffi.typeof("double"), ffi.typeof("short"), ffi.typeof("int *"))
    check.equal(ffi.sizeof("cd_of"), 8)
    check.equal(ffi.sizeof("struct cd_with"), 16)
    ffi.cdef("enum { $ = $ };", "CD_FIVE", 5)
    check.equal(ffi.C.CD_FIVE, 5)
end)

check.test("declarations of functions are not looked for before use", function()
    ffi.cdef "int cd_there_is_no_such_function(int);"
    check.fails(function() return ffi.C.cd_there_is_no_such_function end,
                "cd_there_is_no_such_function")
    check.fails(function() return ffi.C.cd_not_even_declared end,
                "cd_not_even_declared")
end)

check.ours_test("H34: the same again is accepted, another is not", function()
    local text = [[
    struct cd_again { int a; char b; };
    typedef struct cd_again cd_again_name;
    enum cd_again_enum { CD_AGAIN_A, CD_AGAIN_B = 4 };
    int cd_again_function(struct cd_again *);
    extern int cd_again_variable;
    ]]
    ffi.cdef(text)
    ffi.cdef(text)
    check.equal(ffi.sizeof("struct cd_again"), 8)
    check.fails(function() ffi.cdef "struct cd_again { long a; };" end,
                "cd_again", "otherwise")
    check.fails(function()
        ffi.cdef "enum cd_again_enum { CD_AGAIN_A = 7 };"
    end, "cd_again_enum")
    check.fails(function() ffi.cdef "typedef long cd_again_name;" end,
                "cd_again_name")
    check.fails(function() ffi.cdef "int cd_again_function(int);" end,
                "cd_again_function")
    check.equal(ffi.sizeof("struct cd_again"), 8, "the first one stays")
end)

check.ours_test("a text with an error declares nothing", function()
    check.fails(function()
        ffi.cdef "typedef int cd_before; struct cd_before_s { int a; }; oops x;"
    end, "oops")
    check.fails(function() ffi.typeof("cd_before") end)
    check.fails(function() ffi.new("struct cd_before_s") end)
end)

check.ours_test("more of C", function()
    ffi.cdef [[
    _Static_assert(sizeof(int) == 4, "four");
    struct cd_eleven { _Alignas(16) int a; };
    typedef __typeof__(1 + 1L) cd_typeof;
    struct cd_epoll { uint32_t events; union { void *p; int i; uint64_t u; }; }
        __attribute__((packed));
    ]]
    check.equal(ffi.alignof("struct cd_eleven"), 16)
    check.equal(ffi.sizeof("cd_typeof"), 8)
    check.equal(ffi.sizeof("struct cd_epoll"), 12)
    check.fails(function() ffi.cdef "_Static_assert(0, \"no four\");" end,
                "no four")
end)

check.finish()
