/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Functions that call back, from here and from threads of their own. */
#include "test/lua/functions.h"

#include <pthread.h>
#include <stdlib.h>

EXPORT int call_int(int (*)(int), int);
EXPORT double call_double(double (*)(double, double), double, double);
EXPORT const char *call_text(const char *(*)(const char *), const char *);
EXPORT void call_void(void (*)(void), int);
EXPORT bool call_bool(bool (*)(bool), bool);
EXPORT float call_float(float (*)(float), float);
EXPORT int64_t call_i64(int64_t (*)(int64_t), int64_t);
EXPORT uint64_t call_u64(uint64_t (*)(uint64_t), uint64_t);
EXPORT int call_i8(int8_t (*)(int8_t), int8_t);
EXPORT void *call_pointer(void *(*)(void *), void *);
EXPORT double call_wide(double (*)(int, double, int, double, int, double, int,
                                   double, int, double, int, double, int,
                                   double, int, double, int, double));
EXPORT int each_int(const int *, int, void (*)(const int *, void *), void *);
EXPORT int call_point_at(void (*)(struct point *), struct point *);
EXPORT int call_cleaned(int (*)(int), int, int *);
EXPORT int call_twice(int (*)(int), int (*)(int), int);
EXPORT int call_holder(struct holder *);
EXPORT void keep_handler(int (*)(int));
EXPORT int call_kept(int);
EXPORT int (*kept_handler(void))(int);
EXPORT int (*adder(void))(int, int);
EXPORT struct point call_point(struct point (*)(struct point), struct point);
EXPORT struct longs call_longs(struct longs (*)(struct longs), struct longs);
EXPORT struct bytes call_bytes(struct bytes (*)(struct bytes), struct bytes);
EXPORT uint32_t call_count(uint32_t (*)(struct longs), long);
EXPORT long double call_long_double(long double (*)(long double), long double);
EXPORT double complex call_complex(double complex (*)(double complex),
                                   double complex);
EXPORT enum colour call_colour(enum colour (*)(enum colour), enum colour);
EXPORT __int128 call_int128(__int128 (*)(__int128), __int128);
EXPORT floats4 call_floats4(floats4 (*)(floats4), floats4);

int
call_int(int (*handler)(int), int value)
{
    return handler(value);
}

double
call_double(double (*handler)(double, double), double a, double b)
{
    return handler(a, b);
}

const char *
call_text(const char *(*handler)(const char *), const char *text)
{
    return handler(text);
}

void
call_void(void (*handler)(void), int times)
{
    while (times-- > 0)
        handler();
}

bool
call_bool(bool (*handler)(bool), bool value)
{
    return handler(value);
}

float
call_float(float (*handler)(float), float value)
{
    return handler(value);
}

int64_t
call_i64(int64_t (*handler)(int64_t), int64_t value)
{
    return handler(value);
}

uint64_t
call_u64(uint64_t (*handler)(uint64_t), uint64_t value)
{
    return handler(value);
}

int
call_i8(int8_t (*handler)(int8_t), int8_t value)
{
    return handler(value);
}

void *
call_pointer(void *(*handler)(void *), void *value)
{
    return handler(value);
}

double
call_wide(double (*handler)(int, double, int, double, int, double, int, double,
                            int, double, int, double, int, double, int, double,
                            int, double))
{
    return handler(1, 0.5, 2, 0.5, 3, 0.5, 4, 0.5, 5, 0.5, 6, 0.5, 7, 0.5, 8,
                   0.5, 9, 0.5);
}

int
each_int(const int *ints, int count, void (*handler)(const int *, void *),
         void *context)
{
    for (int i = 0; i < count; i++)
        handler(&ints[i], context);
    return count;
}

int
call_point_at(void (*handler)(struct point *), struct point *point)
{
    handler(point);
    return point->x + point->y;
}

/* What stands after the call must run, whatever the handler does. */
int
call_cleaned(int (*handler)(int), int value, int *cleaned)
{
    int result = handler(value);

    ++*cleaned;
    return result;
}

int
call_twice(int (*first)(int), int (*second)(int), int value)
{
    return first(value) * 1000 + second(value);
}

int
call_holder(struct holder *holder)
{
    return holder->handler(holder->value);
}

static int (*kept)(int);

void
keep_handler(int (*handler)(int))
{
    kept = handler;
}

int
call_kept(int value)
{
    return kept(value);
}

int (*kept_handler(void))(int)
{
    return kept;
}

int (*adder(void))(int, int)
{
    return add2;
}

struct point
call_point(struct point (*handler)(struct point), struct point point)
{
    return handler(point);
}

struct longs
call_longs(struct longs (*handler)(struct longs), struct longs longs)
{
    return handler(longs);
}

struct bytes
call_bytes(struct bytes (*handler)(struct bytes), struct bytes bytes)
{
    return handler(bytes);
}

uint32_t
call_count(uint32_t (*handler)(struct longs), long from)
{
    return handler(count_longs(from));
}

long double
call_long_double(long double (*handler)(long double), long double value)
{
    return handler(value);
}

double complex
call_complex(double complex (*handler)(double complex), double complex value)
{
    return handler(value);
}

enum colour
call_colour(enum colour (*handler)(enum colour), enum colour colour)
{
    return handler(colour);
}

__int128
call_int128(__int128 (*handler)(__int128), __int128 value)
{
    return handler(value);
}

floats4
call_floats4(floats4 (*handler)(floats4), floats4 value)
{
    return handler(value);
}

/* ----------------------------------------------------------- threads --- */

struct caller {
    pthread_t thread;
    int (*handler)(int);
    void (*post)(int); /* instead */
    int count;
    int sum; /* of what the handler returned */
    int done;
};

EXPORT struct caller *thread_start(int (*)(int), int);
EXPORT struct caller *thread_post(void (*)(int), int);
EXPORT int thread_is_done(struct caller *);
EXPORT int thread_join(struct caller *);
EXPORT int call_in_thread(int (*)(int), int);

static void *
caller_run(void *argument)
{
    struct caller *caller = argument;

    for (int i = 1; i <= caller->count; i++) {
        if (caller->post)
            caller->post(i);
        else
            caller->sum += caller->handler(i);
    }
    /* pairs with the load in thread_is_done */
    __atomic_store_n(&caller->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static struct caller *
caller_start(struct caller with)
{
    struct caller *caller = malloc(sizeof *caller);

    if (!caller)
        return NULL;
    *caller = with;
    if (pthread_create(&caller->thread, NULL, caller_run, caller)) {
        free(caller);
        return NULL;
    }
    return caller;
}

/* Calls the handler with 1 to `count` from a thread of its own. */
struct caller *
thread_start(int (*handler)(int), int count)
{
    return caller_start((struct caller){.handler = handler, .count = count});
}

struct caller *
thread_post(void (*post)(int), int count)
{
    return caller_start((struct caller){.post = post, .count = count});
}

int
thread_is_done(struct caller *caller)
{
    /* pairs with the store in caller_run */
    return __atomic_load_n(&caller->done, __ATOMIC_ACQUIRE);
}

int
thread_join(struct caller *caller)
{
    int sum;

    pthread_join(caller->thread, NULL);
    sum = caller->sum;
    free(caller);
    return sum;
}

/* Waits for it: nobody can answer the calls meanwhile. */
int
call_in_thread(int (*handler)(int), int count)
{
    struct caller *caller = thread_start(handler, count);

    return caller ? thread_join(caller) : -1;
}
