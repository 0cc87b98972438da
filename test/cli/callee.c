/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What the tests of the command call: functions that give back what they get,
 * of every type, and functions that end in every bad way.
 */
#include <complex.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each is declared and then defined, for the sake of -Wmissing-prototypes. */
#define SAME(name, ...)                                                        \
    __VA_ARGS__ same_##name(__VA_ARGS__ value);                                \
    __VA_ARGS__ same_##name(__VA_ARGS__ value)                                 \
    {                                                                          \
        return value;                                                          \
    }

struct point {
    double x, y;
};

struct small {
    char letter;
    short number;
};

struct nested {
    struct point corner[2];
    int8_t bytes[3];
    char name[8];
};

struct bits {
    unsigned low : 3;
    int middle : 5;
    unsigned long high : 40;
    bool flag : 1;
};

struct unnamed {
    int before;
    union {
        int whole;
        float part;
    };
    int after;
};

union word {
    int32_t i;
    float f;
    uint8_t bytes[4];
};

struct text {
    const char *name;
    int length;
};

enum colour { RED, GREEN = 5 };

typedef int four_ints __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));

SAME(bool, bool)
SAME(char, char)
SAME(schar, signed char)
SAME(uchar, unsigned char)
SAME(short, short)
SAME(ushort, unsigned short)
SAME(int, int)
SAME(uint, unsigned)
SAME(long, long)
SAME(ulong, unsigned long)
SAME(llong, long long)
SAME(ullong, unsigned long long)
SAME(i128, __int128)
SAME(u128, unsigned __int128)
SAME(float, float)
SAME(double, double)
SAME(long_double, long double)
SAME(float_complex, float _Complex)
SAME(double_complex, double _Complex)
SAME(long_double_complex, long double _Complex)
SAME(colour, enum colour)
SAME(pointer, void *)
SAME(string, char *)
SAME(four_ints, four_ints)
SAME(two_floats, two_floats)
SAME(point, struct point)
SAME(small, struct small)
SAME(nested, struct nested)
SAME(bits, struct bits)
SAME(unnamed, struct unnamed)
SAME(word, union word)
SAME(text, struct text)

int sum_first(const int *numbers, int count);
int sum_last(const struct point *points, int count);
void fill(char *out, size_t size);
void count_up(int *number);
void set_pair(struct point *out, int *count, const char **name);
const char *second_word(char *const *words);
int five_ints(const int numbers[static 5]);
void double_ints(four_ints *ints);
int touches_errno(int value);
int function(int value);
int call_back(int (*back)(int, double, const char *));
void call_back_void(void (*back)(void));
void say(const char *text);
void say_without_end(const char *text);
int die_by_null(void);
int die_by_wild_pointer(void);
int die_by_division(int by);
void die_by_abort(void);
void die_by_kill(int number);
int die_by_depth(int depth);
int die_by_large_frame(void);
int die_in_thread(void);
int die_in_small_thread(void);
void jump_to(void (*place)(void));
void leave(int status);
void leave_at_once(int status);
int jump_inside(void);
void jump_nowhere(void);
int fork_inside(void);
void close_output(void);
const char *bad_string(void);
const char *odd_string(void);
int old_meaning(void);
int new_meaning(void);

int some_data = 5;

int
sum_first(const int *numbers, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

int
sum_last(const struct point *points, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += points[i].y;
    return (int)sum;
}

void
fill(char *out, size_t size)
{
    memset(out, 'x', size);
}

void
count_up(int *number)
{
    ++*number;
}

void
set_pair(struct point *out, int *count, const char **name)
{
    out->x += 1;
    out->y = 2.5;
    *count = 7;
    *name = "set";
}

const char *
second_word(char *const *words)
{
    return words[0] == NULL ? NULL : words[1];
}

int
five_ints(const int numbers[static 5])
{
    return numbers[4];
}

void
double_ints(four_ints *ints)
{
    *ints *= 2;
}

int
touches_errno(int value)
{
    int before = errno;

    errno = value;
    return before;
}

int
function(int value)
{
    return value + 1;
}

void
say(const char *text)
{
    puts(text);
}

void
say_without_end(const char *text)
{
    printf("%s", text);
}

static volatile int *volatile null_pointer;

/* Not exported: its name is in the file's full table alone. */
static __attribute__((noinline)) int
read_null_pointer(void)
{
    return *null_pointer;
}

int
die_by_null(void)
{
    return read_null_pointer() + 1;
}

int
die_by_wild_pointer(void)
{
    return *(volatile int *)(uintptr_t)0xdead000000000000;
}

int
die_by_division(int by)
{
    volatile int one = 1;

    return one / by;
}

void
die_by_abort(void)
{
    abort();
}

void
die_by_kill(int number)
{
    kill(getpid(), number);
    pause();
}

int
die_by_depth(int depth)
{
    volatile char room[1000];

    room[0] = 1;
    return depth < 0 ? 0 : die_by_depth(depth + 1) + room[0];
}

int
die_by_large_frame(void)
{
    char room[4 << 20];
    char *volatile place = room;

    fill(place, sizeof room);
    return place[0] == 'x';
}

static void *
thread_run(void *context)
{
    (void)context;
    return (void *)(intptr_t)read_null_pointer();
}

int
die_in_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, thread_run, NULL);
    pthread_join(thread, NULL);
    return 0;
}

static void *
small_thread_run(void *context)
{
    (void)context;
    return (void *)(intptr_t)die_by_large_frame();
}

/* A frame of 4 MiB on a stack of 1 MiB. */
int
die_in_small_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_create(&thread, &attributes, small_thread_run, NULL);
    pthread_join(thread, NULL);
    return 0;
}

void
jump_to(void (*place)(void))
{
    place();
}

void
leave(int status)
{
    printf("before the exit\n");
    exit(status);
}

void
leave_at_once(int status)
{
    _exit(status);
}

static jmp_buf jump_buffer;

int
jump_inside(void)
{
    int times = setjmp(jump_buffer);

    if (times < 3)
        longjmp(jump_buffer, times + 1);
    return times;
}

/* The frame that set this has long returned. */
static __attribute__((noinline)) void
set_jump(void)
{
    (void)setjmp(jump_buffer);
}

void
jump_nowhere(void)
{
    volatile char room[4096];

    set_jump();
    memset((char *)room, 0, sizeof room);
    longjmp(jump_buffer, 1);
}

int
fork_inside(void)
{
    return fork() == 0 ? 0 : 1;
}

void
close_output(void)
{
    close(STDOUT_FILENO);
}

const char *
bad_string(void)
{
    return (const char *)8;
}

const char *
odd_string(void)
{
    return "tab\t quote\" back\\ \xc3\xa9 \xff"
           "1";
}

/* versioned@V1 and versioned@@V2 */
int
old_meaning(void)
{
    return 1;
}

int
new_meaning(void)
{
    return 2;
}

__asm__(".symver old_meaning, versioned@V1");
__asm__(".symver new_meaning, versioned@@V2");

int
call_back(int (*back)(int, double, const char *))
{
    return back(1, 2.5, "text");
}

void
call_back_void(void (*back)(void))
{
    back();
}
