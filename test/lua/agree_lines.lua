-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- What a program may say to ffi, a line each: an expression, or statements. The
-- result, or that it is an error, is the same on both: agree.lua prints it. An
-- @ is the line's number, which makes names new.

local check = require "check"
local ffi = check.ffi

ffi.cdef [[
typedef struct { int a; double b; } S1;
struct T1 { int x, y; };
typedef union { int i; float f; unsigned char b[8]; } U1;
enum E1 { A1, B1 = 5, C1 };
enum E2 { EA2 = -1, EB, EC2 = 0x7fffffff };
enum E3 { EA = -1, EB3, EC = 0x7fffffff };
typedef struct { int n; int v[?]; } VLS1;
struct Bf { int a:3; unsigned b:5; int c:20; unsigned d:32; bool e:1; };
struct Nest {
    struct T1 t;
    int arr[3];
    struct { int p; union { int q; float r; }; };
    const char *s;
};
typedef int (*fn1)(int);
struct Fp { fn1 f; int (*g)(int, int); };
typedef struct P { int x, y; } P;
typedef struct Inc Inc;
struct CP { const int c; int *p; const char *s; void *v; };
enum { ANON1 = 3, ANON2 };
static const int KONST = 42;
static const char CHR = 'x';
int abs(int);
double fabs(double);
float fabsf(float);
long labs(long);
int toupper(int);
size_t strlen(const char *);
int strcmp(const char *, const char *);
char *strchr(const char *, int);
int snprintf(char *, size_t, const char *, ...);
void qsort(void *, size_t, size_t, int cmp(const void *, const void *));
char *strpbrk(const char s[], const char accept[]);
double strtod(const char *, char **);
long strtol(const char *, char **, int);
typedef struct { int quot, rem; } div_t2;
div_t2 div(int, int);
typedef struct { long quot, rem; } ldiv_t2;
ldiv_t2 ldiv(long, long);
int sscanf(const char *, const char *, ...);
void *memchr(const void *, int, size_t);
int isatty(int);
void *memset(void *, int, size_t);
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
struct tm *gmtime_r(const long *, struct tm *);
double modf(double, double *);
double frexp(double, int *);
float sqrtf(float);
enum EE { E0, E1, E2 };
unsigned char tolower_uc(int) __asm__("tolower");
short abs_short(int) __asm__("abs");
unsigned abs_unsigned(int) __asm__("abs");
int8_t abs8(int) __asm__("abs");
bool abs_b(int) __asm__("abs");
char abs_c(int) __asm__("abs");
enum EE abs_e(int) __asm__("abs");
uint64_t labs_u(int64_t) __asm__("labs");
void *abs_p(intptr_t) __asm__("labs");
typedef struct { int x; } A6;
typedef struct { int x; } B6;
typedef int (*fn6)(int);
typedef struct { int x, y; } P7;
typedef struct { P7 a; int n; } Q7;
]]

local names = setmetatable({}, { __index = _G })
names.ffi, names.num, names.cd = ffi, check.num, ffi.cdef
names.NULL = ffi.nullptr or ffi.cast("void *", 0)
names.arr = ffi.new("int[5]", 10, 20, 30, 40, 50)
names.p = ffi.new("P", 3, 4)
names.buf = ffi.new("char[32]")
names.list = ffi.new("int[5]", 5, 2, 4, 1, 3)
function names.lt(a, b)
    return ffi.cast("const int *", a)[0] - ffi.cast("const int *", b)[0]
end
function names.can(...) return (pcall(ffi.new, ...)) end
function names.ll(x) return ffi.cast("int64_t", x) end
function names.ull(x) return ffi.cast("uint64_t", x) end
function names.fmt(...)
    ffi.C.snprintf(names.buf, 32, ...)
    return ffi.string(names.buf)
end

local lines = [==[
ffi.new("int", 2^31)
ffi.new("int", -2^31)
ffi.new("int", 2.9)
ffi.new("int", -2.9)
num(ffi.new("int8_t", 200))
num(ffi.new("uint8_t", -1))
num(ffi.new("uint8_t", 256.5))
num(ffi.new("int16_t", 40000))
num(ffi.new("uint32_t", 2^32-1))
num(ffi.new("uint32_t", 2^31))
num(ffi.new("int64_t", 2^53))
ffi.new("int64_t", -2^63)
ffi.new("uint64_t", 2^63)
ffi.new("uint64_t", 2^63 + 2048)
num(ffi.new("float", 0.1))
num(ffi.new("double", 0.1))
num(ffi.new("float", 1e300))
num(ffi.new("float", -1e300))
1/num(ffi.new("double", -0.0))
1/num(ffi.new("float", -0.0))
num(ffi.new("double", 0/0))
num(ffi.new("float", 0/0))
ffi.new("bool", 0)
ffi.new("bool", 1)
ffi.new("bool", 0.5)
ffi.new("bool", true)
ffi.new("bool", false)
num(ffi.new("bool", true))
ffi.new("bool")
ffi.cast("bool", 2)
ffi.cast("bool", ffi.new("int", 0))
num(ffi.cast("int", true))
num(ffi.new("int", true))
num(ffi.new("double", true))
num(ffi.cast("uint8_t", 300))
num(ffi.cast("int8_t", -129))
num(ffi.cast("char", 200))
num(ffi.cast("int", 3.999))
ffi.cast("uint64_t", ffi.new("int", -1))
ffi.cast("uint64_t", ffi.new("int8_t", -1))
ffi.cast("int64_t", ffi.new("uint32_t", 2^32-1))
num(ffi.cast("enum E1", 5))
tostring(ffi.cast("enum E1", 5))
ffi.new("enum E1", "B1")
ffi.new("enum E1", "NOPE")
ffi.new("enum E1")
num(ffi.new("enum E1", 77))
ffi.cast("enum E1", "C1")
num(ffi.cast("int", ffi.new("enum E1", "C1")))
num(ffi.new("int", "B1"))
ffi.new("int", nil)
ffi.new("int", {})
ffi.new("int", {1})
ffi.new("int", 1, 2)
ffi.new("double", "1.5")
ffi.new("int", "5")
ffi.new("void")
ffi.new("void *")
ffi.new("void *", nil)
ffi.new("int *", nil) == NULL
ffi.new("int *", 0)
ffi.new("char *", "abc")
ffi.new("const char *", "abc") ~= NULL
ffi.string(ffi.new("const char *", "abc"))
ffi.new("int *", ffi.new("int[3]")) ~= NULL
ffi.new("int *", ffi.new("double[3]"))
ffi.new("int *", ffi.new("unsigned[3]")) ~= NULL
ffi.new("int *", ffi.new("const int[3]"))
ffi.new("const int *", ffi.new("const int[3]")) ~= NULL
ffi.new("void *", ffi.new("const int[3]"))
ffi.new("struct T1 *", ffi.new("struct T1")) ~= NULL
ffi.new("S1 *", ffi.new("struct T1"))
ffi.new("struct T1", 1, 2).y
ffi.new("struct T1", {1, 2}).y
ffi.new("struct T1", {y = 2}).y
ffi.new("struct T1", {y = 2}).x
ffi.new("struct T1", {x = 1, 2}).y
ffi.new("struct T1", {[0] = 7, 8}).x
ffi.new("struct T1", {[0] = 7, 8}).y
ffi.new("struct T1", 5).x
ffi.new("struct T1", 5).y
ffi.new("struct T1", nil)
ffi.new("struct T1", "x")
ffi.new("struct T1", ffi.new("struct T1", 3, 4)).y
ffi.new("struct T1", ffi.new("S1"))
ffi.new("struct T1", 1, 2, 3)
ffi.new("struct T1", {z = 5}).x
ffi.new("struct T1", {nil, 2}).y
ffi.new("struct T1", {"1", 2})
ffi.new("struct T1", {{1}, 2})
ffi.new("struct Nest", {{1, 2}, {3, 4}, 5}).t.y
ffi.new("struct Nest", {{1, 2}, {3, 4}, 5}).arr[1]
ffi.new("struct Nest", {{1, 2}, {3, 4}, 5}).arr[2]
ffi.new("struct Nest", {{1, 2}, {3, 4}, 5}).p
ffi.new("struct Nest", {{1, 2}, {3, 4}, 5, 6}).q
ffi.new("struct Nest", {{1, 2}, 9}).arr[2]
ffi.new("struct Nest", {{1, 2}, {9}}).arr[2]
ffi.new("struct Nest", {t = {y = 1}, p = 3, q = 4}).q
ffi.new("struct Nest", {t = {y = 1}, p = 3, q = 4}).r == 0
ffi.new("struct Nest", {p = 3, r = 1}).q
ffi.string(ffi.new("struct Nest", {s = "hello"}).s)
ffi.new("struct Nest").s == NULL
ffi.new("struct Nest", {{1,2},{3},1,2,"str"}).s ~= NULL
ffi.new("struct Nest", ffi.new("struct T1", 1, 2)).t.y
ffi.new("struct Nest", ffi.new("struct T1", 1, 2), ffi.new("int[3]", 7)).arr[2]
ffi.new("U1", 5).i
ffi.new("U1", {5}).i
ffi.new("U1", {f = 1}).i
ffi.new("U1", {b = {1, 2, 3}}).i
ffi.new("U1", {b = {1}}).i
ffi.new("U1", 5, 6)
ffi.new("int[3]", 1)[2]
ffi.new("int[3]", 1, 2)[2]
ffi.new("int[3]", {1})[2]
ffi.new("int[3]", {1, 2})[2]
ffi.new("int[3]", {[0] = 1})[2]
ffi.new("int[3]", {[0] = 1, 2})[1]
ffi.new("int[3]", {[0] = 1, 2})[2]
ffi.new("int[3]", {[1] = 1, [2] = 2, [3] = 3})[2]
ffi.new("int[3]", {[0] = 0, [2] = 2})[2]
ffi.new("int[3]", {[0] = 0, 1, 2, 3})
ffi.new("int[3]", {1, 2, 3, 4})
ffi.new("int[3]", 1, 2, 3, 4)
ffi.new("int[3]", {})[0]
ffi.new("int[3]", ffi.new("int[3]", 1, 2, 3))[2]
ffi.new("int[3]", ffi.new("int[2]", 1, 2))
ffi.new("int[3]", "abc")
ffi.new("char[3]", "abc")[2]
ffi.new("char[4]", "abc")[3]
ffi.new("char[2]", "abcdef")[1]
ffi.new("int8_t[4]", "ab")[1]
ffi.new("uint8_t[4]", "\200b")[0]
ffi.new("char[4]", "\200b")[0]
ffi.new("char[4]", {"a"})
ffi.new("char[4]", 65)[3]
ffi.new("char[4]", 65, 66)[3]
ffi.new("char[2][3]", {"ab", "cd"})[1][0]
ffi.new("char[2][3]", {"ab"})[1][0]
ffi.new("int[2][2]", {{1, 2}, {3, 4}})[1][0]
ffi.new("int[2][2]", {{1}})[1][1]
ffi.new("int[2][2]", {{1, 2}})[1][1]
ffi.new("int[2][2]", 5)
ffi.new("int[2][2]", {5})
ffi.new("struct T1[2]", {{1, 2}, {3, 4}})[1].x
ffi.new("struct T1[2]", {{1, 2}})[1].x
ffi.new("struct T1[2]", {x = 1})[0].x
ffi.new("struct T1[2]", {{x = 1}})[1].x
ffi.new("struct T1[2]", ffi.new("struct T1", 5, 6))[1].y
ffi.new("struct T1[3]", {1, 2})
ffi.new("struct T1[1]", {1, 2})
ffi.new("int[?]", 3, 7)[2]
ffi.new("int[?]", 3, 7, 8)[2]
ffi.sizeof(ffi.new("int[?]", 0))
ffi.sizeof(ffi.new("int[?]", 5))
ffi.new("int[?]")
ffi.new("int[?]", -1)
ffi.new("int[?]", "3")
ffi.sizeof(ffi.new("int[?]", 2.7))
ffi.new("int[?]", {1,2,3})
ffi.new("int[]")
ffi.new("VLS1", 3).n
ffi.sizeof(ffi.new("VLS1", 3))
ffi.sizeof("VLS1", 3)
ffi.sizeof("VLS1", 0)
ffi.sizeof("int[?]")
ffi.sizeof("int[?]", 4)
ffi.sizeof("int[]")
ffi.sizeof("void")
ffi.sizeof("int(int)")
ffi.new("VLS1", 3, 7).n
ffi.new("VLS1", 3, {7, {1, 2, 3}}).v[2]
ffi.new("VLS1", 3, {n = 7, v = {1, 2}}).v[1]
ffi.new("VLS1", 3, 7, {1, 2}).v[1]
ffi.new("VLS1", 0).n
ffi.new("VLS1", -1)
ffi.new("VLS1")
ffi.new("struct Bf", 1, 2, 3).c
ffi.new("struct Bf", {a = -4}).a
ffi.new("struct Bf", {a = 4}).a
ffi.new("struct Bf", {b = 33}).b
ffi.new("struct Bf", {c = -1}).c
ffi.new("struct Bf", {d = -1}).d
ffi.new("struct Bf", {e = true}).e
ffi.new("struct Bf", {e = 2}).e
ffi.new("struct Bf", {e = false}).e
ffi.sizeof("struct Bf")
ffi.offsetof("struct Bf", "a")
ffi.offsetof("struct Bf", "b")
ffi.offsetof("struct Bf", "c")
ffi.offsetof("struct Bf", "e")
ffi.offsetof("struct Bf", "zz")
ffi.offsetof("struct Nest", "q")
ffi.offsetof("struct Nest", "r")
ffi.offsetof("struct Nest", "t")
ffi.offsetof("struct Nest", "x")
ffi.offsetof("int", "x")
ffi.offsetof("struct T1 *", "y")
ffi.alignof("struct T1")
ffi.alignof("char")
ffi.alignof("long double")
ffi.alignof("void")
ffi.alignof("int[3]")
ffi.alignof("int[?]")
ffi.new("struct Fp").f == NULL
ffi.new("struct Fp").f
local s = ffi.new("struct Fp"); s.f = 5
local s = ffi.new("struct Fp"); s.f = nil; return s.f == NULL
ffi.alignof("struct Inc")
ffi.sizeof("struct Inc")
ffi.new("struct Inc")
ffi.new("Inc *") == NULL
ffi.typeof("struct Inc *") == ffi.typeof("Inc *")
tostring(ffi.typeof("int"))
tostring(ffi.typeof("unsigned long long"))
tostring(ffi.typeof("long"))
tostring(ffi.typeof("const char *"))
tostring(ffi.typeof("char **"))
tostring(ffi.typeof("const char *const *"))
tostring(ffi.typeof("int[3][4]"))
tostring(ffi.typeof("int (*)[3]"))
tostring(ffi.typeof("int (*)(int, char)"))
tostring(ffi.typeof("struct P"))
tostring(ffi.typeof("P *"))
tostring(ffi.typeof("enum E2"))
tostring(ffi.typeof("void *"))
tostring(ffi.typeof("bool"))
tostring(ffi.typeof("float"))
tostring(ffi.typeof("signed char"))
tostring(ffi.typeof("unsigned char"))
tostring(ffi.typeof("short"))
tostring(ffi.typeof("unsigned"))
tostring(ffi.typeof("int *[4]"))
tostring(ffi.typeof("int (*[4])(void)"))
tostring(ffi.typeof("complex"))
tostring(ffi.typeof("complex float"))
tostring(ffi.typeof("int[?]"))
tostring(ffi.typeof("const int"))
tostring(ffi.typeof("int __attribute__((vector_size(16)))"))
tostring(ffi.typeof(arr))
tostring(ffi.typeof(p))
tostring(ffi.typeof(ffi.C.abs))
tostring(ffi.typeof(1))
tostring(ffi.typeof(ffi.typeof("int")))
ffi.typeof("int") == ffi.typeof("int")
ffi.typeof("int") == ffi.typeof("signed int")
ffi.typeof("int") == ffi.typeof("unsigned")
ffi.typeof("P") == ffi.typeof("struct P")
ffi.typeof("int*") == ffi.typeof("const int*")
ffi.typeof("int") == "int"
ffi.istype("int", ffi.new("int"))
ffi.istype("int", 5)
ffi.istype("P", p)
ffi.istype("P *", p)
ffi.istype("P", ffi.new("P*", p))
ffi.istype("const P", p)
ffi.istype("P[1]", ffi.new("P[1]"))
ffi.istype("P", ffi.new("P[1]")[0])
ffi.istype("int[5]", arr)
ffi.istype("int*", arr)
ffi.istype("int[?]", ffi.new("int[?]", 5))
ffi.istype("int[5]", ffi.new("int[?]", 5))
ffi.istype("int64_t", ll(5))
ffi.istype("long", ll(5))
ffi.istype("uint64_t", ll(5))
ffi.istype("void*", ffi.new("int*"))
ffi.istype(ffi.typeof("int"), ffi.typeof("int"))
ffi.istype("nosuch", 5)
ffi.istype("int", nil)
ffi.istype("int", "x")
ffi.istype("enum E2", ffi.new("enum E2"))
ffi.istype("int", ffi.new("enum E2"))
ffi.istype("unsigned", ffi.new("enum E2"))
ll(7) + 1
ll(7) - 8
ll(7) * -3
num(ll(7) / ll(2))
num(ll(-7) / ll(2))
num(ll(-7) % ll(3))
num(ll(7) % ll(-3))
num(ll(2) ^ ll(10))
num(ll(2) ^ ll(-1))
num(ll(-2) ^ ll(3))
num(ll(1) ^ ll(-5))
num(ull(2) ^ ull(63))
num(-ll(5))
-ull(5)
ull(5) - 6
ull(5) / 2
ull(5) % 3
ll(5) + ull(1)
ll(-5) + ull(1)
ll(5) + 1.5
ll(5) + "1"
ll(5) .. "x"
ll(5) + nil
ll(5) + {}
ll(5) + true
#ll(5)
ll(5) < 6
ll(5) <= 5
ll(5) > 5.5
ll(5) == ll(5)
ll(5) == ull(5)
ll(5) ~= ll(6)
ll(-1) < ull(1)
ll(5) < "6"
ll(5) < nil
ll(5) < {}
ffi.new("double", 5) == ll(5)
ffi.new("int", 5) == ffi.new("int8_t", 5)
ffi.new("bool", true) == ffi.new("int", 1)
num(ffi.new("int", 5) + ffi.new("int", 6))
num(ffi.new("double", 1.5) + ffi.new("int", 1))
num(ffi.new("double", 1.5) + 1)
num(ffi.new("int8_t", 100) + ffi.new("int8_t", 100))
num(ffi.new("uint32_t", 2^32 - 1) + 1)
num(ffi.new("uint8_t", 1) - 2)
num(ffi.new("bool", true) + 1)
num(ffi.new("enum E2", 5) + 1)
ffi.new("enum E2", "EB") == ffi.new("enum E2", "EB")
arr + 1 == arr + 1
(arr + 2) - arr
arr - (arr + 2)
arr[0], (arr + 1)[0], (arr + 4)[-4]
1 + arr == arr + 1
arr - 1 < arr
1 - arr
arr + arr
arr * 2
-arr
arr + 1.5 == arr + 1
arr + ll(2) == arr + 2
arr + "1"
arr + nil
arr < arr + 1
arr < 5
arr == 5
arr == nil
arr == "x"
arr == p
arr < p
p == p
p == ffi.new("P", 3, 4)
p < p
p + 1
p.x, p.y
p.z
p[0]
p["x"]
p[nil]
p[true]
p[{}]
arr["x"]
arr["0"]
arr[1.9]
arr[ll(2)]
arr[ull(2)]
arr[ffi.new("int", 3)]
arr[ffi.new("enum E2", "EB")]
arr[nil]
arr[true]
(ffi.new("P*", p)).x
(ffi.new("P*", p))[0].y
(ffi.new("P*", p) + 0).y
(ffi.new("P*[1]", {p}))[0].y
ffi.new("void*", arr)[0]
ffi.new("void*", arr) + 1
ffi.new("void*", arr) - ffi.new("void*", arr)
ffi.new("void*", arr) == arr
ffi.new("char*", ffi.cast("char*", arr)) == arr
ffi.cast("char*", arr) - ffi.cast("char*", arr + 2)
ffi.cast("char*", arr) - arr
ffi.cast("int*", arr) - ffi.cast("unsigned*", arr)
ffi.cast("intptr_t", arr) == ffi.cast("intptr_t", arr)
num(ffi.cast("intptr_t", arr + 1) - ffi.cast("intptr_t", arr))
ffi.cast("int*", 0) == NULL
ffi.cast("int*", 16)
ffi.cast("int*", ffi.cast("intptr_t", 16)) == ffi.cast("int*", 16)
ffi.cast("int*", nil) == NULL
ffi.cast("int*", "abc")
ffi.cast("int*", {})
ffi.cast("int*", true)
ffi.cast("int*", 1.5)
ffi.cast("P*", arr).x
ffi.cast("P", arr)
ffi.cast("P", p)
ffi.cast("int[2]", arr)
ffi.cast("const char*", "abc")[1]
ffi.cast("uint8_t*", "abc")[1]
ffi.cast("void", 5)
ffi.cast("float", 0.1)
ffi.cast("complex", 2)
ffi.cast("complex", ffi.new("complex", 1, 2)).im
ffi.new("complex", 1, 2)
ffi.new("complex", 1, -2)
ffi.new("complex", 1)
ffi.new("complex", {1, 2})
ffi.new("complex", 1, 2).re
ffi.new("complex", 1, 2)[1]
ffi.new("complex float", 1.5, 2).im
ffi.new("complex", 1, 2, 3)
ffi.new("complex", 1, 2) + 1
ffi.new("complex", ffi.new("complex float", 1, 2)).im
ffi.string("abc")
ffi.string("abc", 2)
ffi.string("a\0c")
ffi.string("abc", 0)
ffi.string("abc", -1)
ffi.string(ffi.new("char[8]", "ab\0cd"), 5)
ffi.string(ffi.new("int[2]", 1))
ffi.string(ffi.new("int[2]", 1), 2)
ffi.string(ffi.cast("void*", "abc"), 2)
ffi.string(ffi.cast("void*", "abc"))
ffi.string(ffi.new("P"), 4)
ffi.string(ffi.new("P"))
ffi.string(5)
ffi.string({})
ffi.string(ffi.new("char*[1]"))
ffi.string(ffi.new("char", 65))
ffi.string(ffi.new("char[4]", 65), 2.9)
ffi.string(ffi.new("char[4]", 65), ffi.new("int", 2))
ffi.string(ffi.new("char[4]", 65), "2")
ffi.copy(buf, "abc")
ffi.copy(buf, "abc") return ffi.string(buf), buf[3]
buf[3] = 9 ffi.copy(buf, "abc", 3) return buf[3]
ffi.copy(buf, ffi.new("char[4]", "xyz"), 2) return ffi.string(buf)
ffi.copy(buf, ffi.new("char[4]", "xyz"))
ffi.copy(buf, 5, 1)
ffi.copy("abc", buf, 1)
ffi.copy(buf, "abc", 0)
ffi.fill(buf, 0)
ffi.fill(buf, 4, 65) return ffi.string(buf)
ffi.fill(buf, 4) return buf[0]
ffi.fill(buf, 2, 321) return buf[0]
ffi.fill(buf, 2, -1) return buf[0]
ffi.fill(5, 1)
ffi.fill(buf)
ffi.C.abs(-5)
ffi.C.abs(-5.9)
ffi.C.abs("5")
ffi.C.abs(nil)
ffi.C.abs()
ffi.C.abs(1, 2)
ffi.C.abs(true)
ffi.C.abs(ffi.new("int", -3))
ffi.C.abs(ffi.new("double", -3.5))
ffi.C.abs(ffi.cast("int64_t", -3))
ffi.C.abs(ffi.new("enum E3", "EA"))
ffi.C.abs(ffi.new("int[1]", 1))
ffi.C.fabs(-2)
ffi.C.fabs(ffi.new("int", -2))
ffi.C.fabs(ffi.new("float", -0.5))
ffi.C.fabsf(-0.1)
ffi.C.fabs("x")
num(ffi.C.labs(-5))
num(ffi.C.strlen("hello"))
num(ffi.C.strlen("he\0llo"))
num(ffi.C.strlen(buf))
ffi.C.strlen(5)
num(ffi.C.strlen(ffi.cast("const char *", "abc")))
num(ffi.C.strlen(ffi.cast("uint8_t *", "abc")))
num(ffi.C.strlen(ffi.cast("void *", "abc")))
num(ffi.C.strlen(ffi.cast("int *", "abc")))
ffi.string(ffi.C.strchr("hello", 108))
ffi.C.strchr("hello", 122) == NULL
ffi.C.strcmp("a", "b") < 0
ffi.C.KONST
ffi.C.CHR
ffi.C.ANON2
ffi.C.EC
ffi.C.EA
ffi.C.nope
ffi.C.nosuchfunc
ffi.C[1]
ffi.C[nil]
ffi.C.abs = 5
ffi.C.KONST = 5
ffi.C.nope = 5
fmt("%d", ffi.new("int", 5))
fmt("%d", ffi.new("int8_t", -5))
fmt("%d", ffi.new("bool", true))
fmt("%d", true)
fmt("%s", "x")
fmt("%s", ffi.new("char[4]", "abc"))
fmt("%g", 1.5)
fmt("%g", ffi.new("float", 1.5))
fmt("%g", ffi.new("double", 1.5))
fmt("%ld", ffi.cast("int64_t", -2^40))
fmt("%lu", ffi.cast("uint64_t", 2^40))
fmt("%d", ffi.new("enum E3", "EC"))
fmt("%s", nil)
fmt("%p", nil)
fmt("%p", NULL)
fmt("%d %d", ffi.new("int", 1), ffi.new("uint16_t", 2))
fmt("%c", ffi.new("char", 65))
fmt("%g", {})
fmt("%g", print)
fmt("%u", ffi.new("uint32_t", 2^32-1))
fmt("%.3f", 2/3)
local c = ffi.new("struct CP") c.c = 5
local c = ffi.new("struct CP") c.p = ffi.new("int[1]", 7) return c.p[0]
local c = ffi.new("struct CP") c.p = 5
local c = ffi.new("struct CP") c.p = "x"
local c = ffi.new("struct CP") c.s = "x" return ffi.string(c.s)
local c = ffi.new("struct CP") c.v = "x"
local c = ffi.new("struct CP") c.p = c
local c = ffi.new("struct CP") c.v = c return c.v == c
local c = ffi.new("struct CP") c.p = NULL return c.p == NULL
ffi.new("struct CP", 7).c
ffi.new("const int", 5) + 0 == 5
local a = ffi.new("const int[2]", 1, 2) a[0] = 5
local a = ffi.new("const P", 1, 2) a.x = 5
local a = ffi.cast("const P *", ffi.new("P")) a.x = 5
local a = ffi.new("int[2]") a[2] = nil
local a = ffi.new("int[2]") a[0] = "x"
local a = ffi.new("int[2]") a[0] = 1e10 return 1
local a = ffi.new("uint8_t[2]") a[0] = 257 return a[0]
local a = ffi.new("int8_t[2]") a[0] = 128 return a[0]
local a = ffi.new("bool[2]") a[0] = 5 return a[0]
local a = ffi.new("bool[2]") a[0] = "x"
local a = ffi.new("bool[2]") a[0] = nil
local a = ffi.new("float[2]") a[0] = 0.1 return a[0]
local a = ffi.new("P[2]") a[0] = {1, 2} return a[0].y
local a = ffi.new("P[2]") a[0] = ffi.new("P", 3, 4) return a[0].y
local a = ffi.new("P[2]") a[0] = 5
local a = ffi.new("P[2]") a[0] = nil
local a = ffi.new("int[2][2]") a[0] = {1, 2} return a[0][1]
local a = ffi.new("int[2][2]") a[0] = ffi.new("int[2]", 5) return a[0][1]
local a = ffi.new("char[2][4]") a[0] = "abc" return ffi.string(a[0])
local a = ffi.new("enum E3[2]") a[0] = "EC" return num(a[0])
local a = ffi.new("enum E3[2]") a[0] = "KONST"
local a = ffi.new("void*[2]") a[0] = ffi.new("int[1]") return a[0] ~= NULL
local a = ffi.new("complex[2]") a[0] = 5 return a[0].re
local a = ffi.new("complex[2]") a[0] = {1, 2} return a[0].im
local cb = ffi.cast("int(*)(...)", function(x) return x.y end)
local cb = ffi.cast("int*", function(x) return x.y end)
local cb = ffi.new("int(*)(int)", function(x) return 9 end) return cb(1)
ffi.cast("int(*)(int)", ffi.C.abs)(-7)
ffi.cast("int(*)(int)", ffi.C.abs) == ffi.cast("void*", ffi.C.abs)
ffi.cast("void*", ffi.C.abs) == ffi.cast("void*", ffi.C.abs)
ffi.new("int(*)(int)", ffi.C.abs)(-7)
ffi.new("int(*[2])(int)", {ffi.C.abs, ffi.C.toupper})[1](97)
cd "struct R@ { int a; };" cd "struct R@ { int b; };"
cd "struct R@;" cd "struct R@ { int b; };" return ffi.sizeof("struct R@")
cd "typedef int t1@;" cd "typedef int t1@;"
cd "int abs(int);" cd "int abs(int);"
cd "enum E@ { A@, B@ };" cd "struct E@ { int x; };"
cd "int x"
cd "int x;"
cd "int x; ;"
cd ";"
cd ""
cd "int f(int) { return 1; }"
cd "#define X 5"
cd "#include <stdio.h>"
cd "/* comment */ // x\n int y1@;"
cd "typedef struct { int a; } x1@, *x2@;"
cd "typedef int fun_t@(int);" return ffi.sizeof("fun_t@*")
cd "static const int K1@ = 1 << 4 | 3;" return ffi.C.K1@
cd "static const int K1@ = 'a';" return ffi.C.K1@
cd "static const int K1@ = -1;" return ffi.C.K1@
cd "static const unsigned K1@ = -1;" return num(ffi.C.K1@)
cd "enum { K1@ = sizeof(int) };" return ffi.C.K1@
cd "enum { K1@ = 1 ? 5 : 6, K2@ };" return ffi.C.K2@
cd "enum { K1@ = 0xffffffff };" return num(ffi.C.K1@)
cd "struct B1@ { int a : 33; };"
cd "struct B1@ { int a : 0; };"
cd "struct B1@ { int : 3; int b : 4; };" return ffi.offsetof("struct B1@", "b")
cd "struct B1@ { int n; int a[0]; };" return ffi.sizeof("struct B1@")
cd "struct B1@ { };" return ffi.sizeof("struct B1@")
cd "union B1@ { };" return ffi.sizeof("union B1@")
ffi.sizeof("int[0]")
return #{ffi.new("int[0]")}
ffi.typeof("$ *", ffi.typeof("int")) == ffi.typeof("int *")
ffi.typeof("$[$]", ffi.typeof("int"), 3) == ffi.typeof("int[3]")
ffi.new(ffi.typeof("struct { int $; }", "field")).field
ffi.typeof("$ *")
ffi.typeof("int", 5)
cd("struct $ { int x; };", "newtag2@") return ffi.sizeof("struct newtag2@")
cd("typedef $ mytd@;", ffi.typeof("double")) return ffi.sizeof("mytd@")
cd("enum { $ = $ };", "PARK@", 77) return ffi.C.PARK@
ffi.typeof("int[$]", -1)
ffi.typeof("int[$]", ffi.new("int", 3))
ffi.typeof("$", ffi.new("int[2]")) == ffi.typeof("int[2]")
ffi.new("$", 5)
ffi.sizeof("$", ffi.typeof("int"))
ffi.cast("$", 5)
ffi.typeof("int(*)[$]", 3) == ffi.typeof("int(*)[3]")
ffi.typeof("nosuch")
ffi.typeof("int x")
ffi.typeof("")
ffi.typeof(" int ")
ffi.typeof("int /*c*/ *") == ffi.typeof("int*")
ffi.typeof("int int")
ffi.typeof("int(int)") ~= nil
ffi.typeof("int(*(*)(int))[3]") ~= nil
ffi.typeof("int[-1]")
ffi.typeof("int[1.5]")
ffi.typeof("int[2+3]") == ffi.typeof("int[5]")
ffi.typeof("int[sizeof(int)]") == ffi.typeof("int[4]")
ffi.typeof("int[3][]")
ffi.typeof("int[][3]") ~= nil
ffi.typeof("int[?][3]")
ffi.typeof("int[3][?]")
ffi.typeof("void[3]")
ffi.typeof("int()[3]")
ffi.typeof("int[3]()")
ffi.typeof("struct { void a; }")
ffi.typeof("struct { int f(int); }")
ffi.typeof("struct { int a[?]; int b; }")
ffi.typeof("struct { int a[]; int b; }")
ffi.typeof("union { int a[?]; }")
ffi.sizeof("struct { char c; double d; }")
ffi.sizeof("struct { char c; long double d; }")
ffi.sizeof("struct { char c; complex d; }")
ffi.sizeof("struct { char c; int v __attribute__((aligned(16))); }")
ffi.sizeof("struct { char c; int v __attribute__((vector_size(16))); }")
ffi.sizeof("int __attribute__((mode(DI)))")
ffi.sizeof("int __attribute__((aligned(64)))")
ffi.alignof("int __attribute__((aligned(64)))")
ffi.sizeof(5)
ffi.sizeof(nil)
ffi.sizeof({})
ffi.sizeof("abc")
ffi.sizeof(ffi.new("char[9]"))
ffi.sizeof(ffi.typeof("char[9]"))
ffi.sizeof("char[9]", 4)
ffi.new("int[?]", 0/0)
ffi.abi()
ffi.os, ffi.arch
ffi.gc(5, print)
ffi.gc(ffi.new("int"))
ffi.gc(ffi.typeof("int"), print)
ffi.new(ffi.new("int[2]"), 7)[1]
ffi.new(5)
ffi.new(nil)
ffi.typeof("int")(5) == ffi.new("int", 5)
ffi.typeof("int[?]")(3, 7)[2]
ffi.typeof("struct { int a, b; }")(1, 2).b
ffi.typeof("int").x
ffi.typeof("int").x = 5
#ffi.typeof("int")
cd "struct AB@ { unsigned a:4; };" local s = ffi.new("struct AB@") s.a = "x"
cd "struct AB@ { unsigned a:4; };" local s = ffi.new("struct AB@") s.a = nil
ffi.C.qsort(list, 5, 4, lt) return list[0], list[4]
ffi.C.qsort(list + 1, 3, 4, lt) return list[0], list[1], list[4]
ffi.C.qsort({5, 4}, 2, 4, lt)
ffi.C.qsort(nil, 0, 4, lt)
ffi.C.qsort(nil, 0, 4, nil)
ffi.C.qsort(list, 5, 4, {})
ffi.C.qsort(list, 5, 4, 5)
ffi.C.qsort(list, 5, 4, "x")
ffi.C.qsort("abc", 3, 1, lt)
ffi.C.qsort(ffi.new("const int[2]"), 2, 4, lt)
ffi.string(ffi.C.strpbrk("hello", "ol"))
ffi.C.strpbrk({"x"}, "a")
local e = ffi.new("const char*[1]") return ffi.C.strtod("1.5abc", e)
local e = ffi.new("char[4]") return ffi.C.strtod("1.5abc", e)
ffi.C.strtod("1.5", nil)
num(ffi.C.strtol("ff", nil, 16))
ffi.C.div(7, 2).quot, ffi.C.div(7, 2).rem
num(ffi.C.ldiv(-7, 2).quot), num(ffi.C.ldiv(-7, 2).rem)
ffi.istype("div_t2", ffi.C.div(7, 2))
local i = ffi.new("double[1]") return ffi.C.modf(3.25, i), i[0]
local i = ffi.new("int[1]") return ffi.C.frexp(8, i), i[0]
local i = ffi.new("unsigned[1]") return ffi.C.frexp(8, i), i[0]
local i = ffi.new("float[1]") return ffi.C.frexp(8, i), i[0]
local i = ffi.new("struct { int x; }") return ffi.C.frexp(8, i)
local i = ffi.new("int[1][1]") return ffi.C.frexp(8, i)
local i = ffi.new("int") return ffi.C.frexp(8, i)
ffi.C.sqrtf(2)
ffi.C.tolower_uc(65)
ffi.C.abs_short(-40000)
ffi.C.abs_short(-70000)
ffi.C.abs_unsigned(-2147483648)
ffi.C.abs8(-200)
ffi.C.abs_b(-2)
ffi.C.abs_b(0)
ffi.C.abs_c(-200)
num(ffi.C.abs_e(-1))
num(ffi.C.labs_u(-5))
ffi.C.abs_p(0) == NULL
ffi.C.abs_p(-16) == ffi.cast("void*", 16)
num(ffi.C.labs_u(ffi.cast("int64_t", -2^62)))
ffi.C.isatty(true)
ffi.C.isatty("0")
ffi.C.memset(list, 0, 20) == list
ffi.C.memset(list, 0, "20")
ffi.C.memchr("hello", 108, 5) ~= NULL
ffi.string(ffi.cast("char*", ffi.C.memchr("hello", 108, 5)), 2)
local p = ffi.C.memset(list, 0, 20) return p[0]
local p = ffi.cast("int*", ffi.C.memset(list, 1, 20)) return p[4]
ffi.C.memset(ffi.new("P"), 0, 8) ~= NULL
ffi.C.memset(5, 0, 8)
ffi.C.memset(io.stdout, 0, 0) ~= NULL
ffi.C.gmtime_r(list, nil)
ffi.C.gmtime_r(ffi.new("unsigned long[1]"), ffi.new("struct tm")) ~= NULL
ffi.C.gmtime_r(ffi.new("long long[1]"), ffi.new("struct tm")) ~= NULL
ffi.C.gmtime_r(ffi.new("long[1]"), ffi.new("struct tm[1]")) ~= NULL
ffi.C.gmtime_r(ffi.new("long[1]"), ffi.new("P"))
ffi.C.gmtime_r({0}, ffi.new("struct tm"))
ffi.C.frexp(8, ffi.new("enum EE[1]"))
ffi.C.strpbrk(ffi.new("char[4]", "abc"), ffi.new("uint8_t[2]", "b")) ~= NULL
ffi.C.strpbrk(ffi.new("int8_t[4]", "abc"), "b") ~= NULL
ffi.cast("P*", list).y, ffi.cast("P*", list)[1].x
ffi.cast("int(*)[2]", list)[1][0]
ffi.cast("int*", ffi.cast("void*", list))[1]
ffi.cast("char*", list)[4]
ffi.cast("int**", ffi.new("int*[1]", list))[0][1]
ffi.new("int*[2]", list, list + 1)[1][0]
ffi.new("int*[2]", {list})[1] == list
ffi.new("P*[2]", {ffi.new("P", 1, 2)})[0].y
ffi.new("const char*[3]", {"a", "b"})[2] == NULL
ffi.string(ffi.new("const char*[3]", {"a", "b"})[1])
ffi.new("const char*[2]", "ab")
ffi.new("char[3][4]", "abc")
ffi.new("struct { char a[4]; int b; }", "abc", 5).b
ffi.new("struct { char a[4]; int b; }", {"abc", 5}).b
ffi.new("struct { int a[2]; int b; }", {1, 2}, 5).b
ffi.new("struct { int a[2]; int b; }", 1, 2)
ffi.new("struct { int a[2]; int b; }", {{1, 2}, 5}).b
ffi.new("struct { P p; int b; }", {{1, 2}, 5}).b
ffi.new("struct { P p; int b; }", 1, 2, 5)
ffi.new("struct { P p[2]; }", {{{1, 2}, {3, 4}}}).p[1].y
ffi.new("struct { P p[2]; }", {{{1, 2}}}).p[1].y
ffi.new("struct { struct { int a; int b; }; int c; }", 1, 2, 3).c
ffi.new("struct { union { int a; float b; }; int c; }", 1, 2).c
ffi.new("union { struct { int a, b; }; int64_t c; }", 1, 2)
ffi.new("union { struct { int a, b; }; int64_t c; }", {1, 2}).b
ffi.new("union { struct { int a, b; }; int64_t c; }", {a = 1, b = 2}).b
ffi.new("union { int64_t c; struct { int a, b; }; }", {b = 2}).a
ffi.new("struct { int; int x; }", 5).x
ffi.new("struct { int :4; int x:4; }", 5).x
ffi.new("struct { const int x; }", 5).x
ffi.new("struct { volatile int x; }", 5).x
local s = ffi.new("struct { const P p; }", {{1, 2}}) s.p.x = 5
local s = ffi.new("struct { const int a[2]; }", {{1, 2}}) s.a[0] = 5
local s = ffi.new("struct { int *const p; }", list) s.p = list
local s = ffi.new("struct { int *const p; }", list) s.p[0] = 7 return list[0]
local s = ffi.new("const struct { int *p; }", list) s.p[0] = 7 return list[0]
local s = ffi.new("const struct { int *p; }", list) s.p = list
local a = ffi.new("P[2]") local r = a[0] r.x = 5 return a[0].x
local a = ffi.new("P[2]") local r = ffi.new("P", a[0]) r.x = 5 return a[0].x
local a = ffi.new("int[2][3]") a[1] = a[0] a[0][0] = 1 return a[1][0]
local p = ffi.new("P", 1, 2) local q = p q.x = 5 return p.x
local p = ffi.new("P[1]", {{1, 2}}) local q = p[0] p[0] = {3, 4} return q.x
local t = {} t[ffi.new("int", 1)] = 1 return t[ffi.new("int", 1)]
local k = ffi.new("int", 1) local t = {[k] = 1} return t[k]
local x = ffi.new("int64_t[1]", 5) x[0] = x[0] + 1 return num(x[0])
local x = ffi.new("uint8_t[1]", 255) x[0] = x[0] + 1 return x[0]
local x = ffi.new("uint32_t[1]", 0) x[0] = x[0] - 1 return x[0]
local x = ffi.new("float[1]", 0.1) return x[0] == 0.1
local x = ffi.new("int[1]", 3) return x[0] / 2
local x = ffi.new("int[1]", 3) x[0] = x[0] / 2 return x[0]
local x = ffi.new("int[1]", 7) return x[0] % 4, -x[0] % 4
not ffi.new("int", 0)
not NULL
ffi.new("int", 0) and 1 or 2
ffi.nullptr2
ffi.foo
type(ffi.new)
pcall(error, ffi.new("int", 5))
select("#", ffi.new("int", 5), nil)
tostring(ffi.new("char", 65))
tostring(ffi.new("bool", true))
tostring(ffi.new("int", 65)):match "^cdata<int>: 0x" ~= nil
tostring(ffi.new("int*"))
tostring(ffi.new("P*"))
tostring(ffi.new("int(*)(int)"))
tostring(ffi.new("int64_t", -1)), tostring(ffi.new("uint64_t", 1))
tostring(ffi.new("complex", 1, 0/0)), tostring(ffi.new("complex", 1/0, -1/0))
can("char**", ffi.new("void*[1]"))
can("void**", ffi.new("char*[1]"))
can("void**", ffi.new("void*[1]"))
can("char**", ffi.new("char*[1]"))
can("void*", ffi.new("char*[1]"))
can("char**", ffi.new("void*"))
can("char***", ffi.new("void**"))
can("char**", ffi.new("uint8_t*[1]"))
can("char**", ffi.new("int*[1]"))
can("A6**", ffi.new("A6*[1]"))
can("A6**", ffi.new("B6*[1]"))
can("A6*", ffi.new("B6"))
can("A6*", ffi.new("A6[2]"))
can("A6(*)[2]", ffi.new("A6[2][2]"))
can("int(*)[2]", ffi.new("int[2][2]"))
can("int(*)[2]", ffi.new("int[2][3]"))
can("int(*)[2]", ffi.new("unsigned[2][2]"))
can("int(*)[2]", ffi.new("float[2][2]"))
can("fn6*", ffi.new("fn6[1]"))
can("void(**)(void)", ffi.new("fn6[1]"))
can("fn6", ffi.new("void(*)(void)"))
can("void*", ffi.new("fn6"))
can("fn6", ffi.new("void*"))
can("fn6", ffi.new("char*"))
can("int**", ffi.new("int(*)[2]"))
can("char**", ffi.new("const char*[1]"))
can("const void*", ffi.new("const char*[1]"))
can("bool*", ffi.new("uint8_t[1]"))
can("float*", ffi.new("int[1]"))
can("long*", ffi.new("long long[1]"))
can("int*", ffi.new("int"))
local a = ffi.new("P7[?]", 2, {{1,2},{3,4}}) return a[1].y
local a = ffi.new("Q7") a.a = {5} return a.a.x, a.a.y
local a = ffi.new("Q7") a.a = {y = 5} return a.a.x, a.a.y
local a = ffi.new("Q7", {{1, 2}, 3}) a.a = {y = 5} return a.a.x, a.a.y
local a = ffi.new("Q7", {{1, 2}, 3}) a.a = ffi.new("P7", 8) return a.a.x, a.a.y
local f = ffi.new("float[1]", 1) return ffi.cast("uint32_t*", f)[0]
local u = ffi.new("uint64_t", 1) u = u * 2 ^ 3 return tostring(u)
local u = ffi.cast("uint64_t", 10) return tostring(u - 11 > u)
local i = ffi.cast("int64_t", 2^62) * 2 return tostring(ffi.cast("int64_t", i))
local x = ffi.gc(ffi.new("int[1]", 5), nil) return x[0]
local cb = ffi.cast("int(*)(int)", function(x) end) return (pcall(cb, 1))
local cb = ffi.cast("int(*)(int)", function(x) return 3.7 end) return cb(1)
local cb = ffi.cast("int(*)(int)", function(x) return true end) return cb(1)
local cb = ffi.cast("int(*)(int)", function(x) return x, 5 end) return cb(1)
local cb = ffi.cast("bool(*)(void)", function(x) return 0 end) return cb()
local cb = ffi.cast("int(*)(int)", ffi.C.abs) return cb(-5)
]==]

return { names = names, lines = lines }
