-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- The library of test functions, declared and loaded. What LuaJIT cannot pass
-- stands apart.

local check = require "check"
local ffi = check.ffi

ffi.cdef [[
struct point { int x, y; };
struct size { double width, height; };
struct rectangle { struct point corner; struct size size; };
struct mixed { double d; int i; };
struct tiny { char c; short s; };
struct floats { float x, y, z; };
struct bytes { char b[32]; };
struct longs { long v[5]; };
struct single { float f; };
struct tagged { char tag; double value; };
struct arrays { float v[3]; short n; };
struct bits { int low : 3; unsigned middle : 9; int high : 20; };
struct holder { int (*handler)(int); int value; };
union number { int64_t i; double d; char text[8]; };
union real { float f; double d; };
struct packed { char c; short s; double d; } __attribute__((packed));
struct aligned { long a, b; } __attribute__((aligned(16)));
struct variant { int tag : 8; union { int64_t i; double d; void *p; } u; };
enum colour { RED, GREEN = 5, BLUE };

int8_t same_i8(int8_t);
uint8_t same_u8(uint8_t);
int16_t same_i16(int16_t);
uint16_t same_u16(uint16_t);
int32_t same_i32(int32_t);
uint32_t same_u32(uint32_t);
int64_t same_i64(int64_t);
uint64_t same_u64(uint64_t);
float same_float(float);
double same_double(double);
bool same_bool(bool);
char same_char(char);
void *same_pointer(void *);
const char *same_text(const char *);
enum colour same_colour(enum colour);

int add2(int, int);
double fma3(double a, double b, double c);
void nothing(void);
double sum_many(int, double, int, double, int64_t, float, int, double, double,
                double, int16_t, double, double, double, double, uint8_t);
int sum_chars(int8_t, int8_t, int8_t, int8_t, int8_t, int8_t, int8_t, int8_t);

int fail_with(int);
int read_errno(void);
int text_length(const char *);
const char *greeting(void);
char *greeting_null(void);
int fill_text(char *, int, char);
int sum_ints_at(const int *, int);
void double_ints_at(int *, int);
int count_pointers(const char *const *);
void *allocate(int);
void release(void *);
int released(void);
void move_point(struct point *, int, int);
int is_null(const void *);

extern int counter;
extern const int limit;
extern double ratio;
extern int primes[5];
extern struct point origin;
extern const char *motto;
extern enum colour favourite;
extern int64_t large;
extern uint64_t largest;
extern bool is_ready;
int read_counter(void);
int plus(int, int) __asm__("functions_real_plus");
extern int renamed __asm__("functions_real_variable");
int functions_that_is_missing(int);

struct point add_points(struct point, struct point);
struct size scale_size(struct size, double);
double area(struct rectangle);
struct rectangle rectangle_of(int, int, double, double);
double sum_mixed(struct mixed, struct mixed, struct mixed, struct mixed);
int sum_tiny(struct tiny, int);
struct floats add_floats(struct floats, struct floats);
struct bytes reverse_bytes(struct bytes);
int sum_bytes(struct bytes);
struct longs count_longs(long);
long sum_longs(struct longs, int);
void spoil_longs(struct longs);
struct single add_single(struct single, float, double);
float sum_arrays(struct arrays);
struct arrays arrays_of(float, float, float, short);
struct bits add_bits(struct bits, int);
int sum_bits(struct bits);
union number number_of_double(double);
double double_of_number(union number);
union real add_real(union real, double);
int sum_union_between(int, int, union number, int, int);
int64_t variant_value(struct variant);
struct variant variant_of(int, int64_t);
long sum_pointed(void *, struct holder, struct holder, struct holder);
float _Complex twice_float(float _Complex);
double _Complex twice_double(double _Complex);
double _Complex mix_complex(float _Complex, int, double _Complex, double);

int sum_ints(int, ...);
double sum_doubles(int, ...);
int call_of(int, ...);
int count_texts(const char *, ...);

int call_int(int (*)(int), int);
double call_double(double (*)(double, double), double, double);
const char *call_text(const char *(*)(const char *), const char *);
void call_void(void (*)(void), int);
bool call_bool(bool (*)(bool), bool);
float call_float(float (*)(float), float);
int64_t call_i64(int64_t (*)(int64_t), int64_t);
uint64_t call_u64(uint64_t (*)(uint64_t), uint64_t);
int call_i8(int8_t (*)(int8_t), int8_t);
void *call_pointer(void *(*)(void *), void *);
double call_wide(double (*)(int, double, int, double, int, double, int, double,
                            int, double, int, double, int, double, int, double,
                            int, double));
int each_int(const int *, int, void (*)(const int *, void *), void *);
int call_point_at(void (*)(struct point *), struct point *);
int call_cleaned(int (*)(int), int, int *);
int call_twice(int (*)(int), int (*)(int), int);
int call_holder(struct holder *);
void keep_handler(int (*)(int));
int call_kept(int);
int (*kept_handler(void))(int);
int (*adder(void))(int, int);
enum colour call_colour(enum colour (*)(enum colour), enum colour);

struct caller *thread_start(int (*)(int), int);
struct caller *thread_post(void (*)(int), int);
int thread_is_done(struct caller *);
int thread_join(struct caller *);
int call_in_thread(int (*)(int), int);
]]

if check.ours then
    ffi.cdef [[
    struct wide { long double l; int i; };
    struct nothing {};
    typedef float floats4 __attribute__((vector_size(16)));
    typedef double doubles2 __attribute__((vector_size(16)));
    typedef int ints4 __attribute__((vector_size(16)));

    long double same_long_double(long double);
    __int128 same_int128(__int128);
    unsigned __int128 same_uint128(unsigned __int128);
    int64_t halves(__int128, bool);
    long double thirds(long double, int, long double);

    double sum_packed(struct packed, int);
    struct packed packed_of(char, short, double);
    long sum_aligned(long, long, long, long, long, long, long, struct aligned,
                     long);
    struct aligned aligned_of(long, long);
    struct wide double_wide(struct wide);
    int add_around(int, struct nothing, int);
    long double _Complex twice_long_double(long double _Complex);
    floats4 add_floats4(floats4, floats4);
    doubles2 swap_doubles2(doubles2);
    ints4 scale_ints4(ints4, int);

    double sum_tagged(int, ...);
    long sum_longs_of(int, ...);

    struct point call_point(struct point (*)(struct point), struct point);
    struct longs call_longs(struct longs (*)(struct longs), struct longs);
    struct bytes call_bytes(struct bytes (*)(struct bytes), struct bytes);
    uint32_t call_count(uint32_t (*)(struct longs), long);
    long double call_long_double(long double (*)(long double), long double);
    double _Complex call_complex(double _Complex (*)(double _Complex),
                                 double _Complex);
    __int128 call_int128(__int128 (*)(__int128), __int128);
    floats4 call_floats4(floats4 (*)(floats4), floats4);
    ]]
end

-- The build tells where it is.
local path = assert(os.getenv "FRT_TEST_FUNCTIONS",
                    "FRT_TEST_FUNCTIONS is not set")
return { path = path, C = ffi.load(path) }
