/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Callbacks as a host in C sees them: called by threads that Lua does not know,
 * while their state waits, polls, fails or is closed, by its own thread or by
 * another one.
 */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLERS = 4, STATES = 7500, LIMIT = 120 };

typedef int handler(int);

/* Makes `callback` of the function that the text at `...` returns. */
static const char states_prelude[] =
    "local ffi = require 'ffi_rt'\n"
    "local body = ...\n"
    "ffi.cdef 'int call_int(int (*)(int), int);'\n"
    "local C = ffi.load(os.getenv 'FRT_TEST_FUNCTIONS')\n"
    "call_int, poll = C.call_int, ffi.poll\n"
    "callback = ffi.cast('int (*)(int)', load(body, '=host')())\n"
    "arena = ffi.arena 'shared'\n"
    "kept = arena:new('int[?]', 1000)\n";

/* ----------------------------------------------------------------- TAP -- */

static int states_count, states_failures;

static void
check(bool is_right, const char *name)
{
    printf("%sok %d - %s\n", is_right ? "" : "not ", ++states_count, name);
    fflush(stdout);
    states_failures += !is_right;
}

/* --------------------------------------------------------------- states -- */

static void
state_run(lua_State *L, const char *text)
{
    if (luaL_dostring(L, text) != LUA_OK) {
        printf("Bail out! %s\n", lua_tostring(L, -1));
        exit(1);
    }
}

/* The code of the global `callback`, which Lua tells as "cdata<...>: 0x...". */
static handler *
state_handler(lua_State *L)
{
    const char *text;
    void *code = NULL;

    lua_getglobal(L, "callback");
    text = strrchr(luaL_tolstring(L, -1, NULL), 'x');
    if (text == NULL || sscanf(text + 1, "%p", &code) != 1) {
        printf("Bail out! no address in '%s'\n", lua_tostring(L, -1));
        exit(1);
    }
    lua_pop(L, 2);
    return (handler *)code;
}

/* A state with a callback of the function that `body` returns. */
static lua_State *
state_new(handler **out, const char *body)
{
    lua_State *L = luaL_newstate();

    luaL_openlibs(L);
    if (luaL_loadstring(L, states_prelude) == LUA_OK) {
        lua_pushstring(L, body);
        if (lua_pcall(L, 1, 0, 0) == LUA_OK) {
            *out = state_handler(L);
            return L;
        }
    }
    printf("Bail out! %s\n", lua_tostring(L, -1));
    exit(1);
}

static long
state_number(lua_State *L, const char *name)
{
    long number;

    lua_getglobal(L, name);
    number = (long)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number;
}

/* -------------------------------------------------------------- callers -- */

/* A thread of C's that calls a handler. */
struct caller {
    pthread_t thread;
    handler *handler;
    int times;
    int sum;
    int done; /* set by the thread, with release */
};

static void *
caller_run(void *context)
{
    struct caller *caller = context;

    for (int i = 1; i <= caller->times; i++)
        caller->sum += caller->handler(i);
    /* pairs with the acquire of callers_are_done */
    __atomic_store_n(&caller->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void
callers_start(struct caller *callers, handler *called, int times)
{
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.handler = called, .times = times};
        if (pthread_create(&callers[i].thread, NULL, caller_run, &callers[i]))
            exit(1);
    }
}

static bool
callers_are_done(struct caller *callers)
{
    for (int i = 0; i < CALLERS; i++)
        /* pairs with the release of caller_run */
        if (!__atomic_load_n(&callers[i].done, __ATOMIC_ACQUIRE))
            return false;
    return true;
}

static int
callers_join(struct caller *callers)
{
    int sum = 0;

    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        sum += callers[i].sum;
    }
    return sum;
}

/* Long enough that callers wait in the queue. */
static void
callers_settle(void)
{
    usleep(50000);
}

static void *
close_run(void *L)
{
    lua_close(L);
    return NULL;
}

/* --------------------------------------------------------------- tests -- */

static void
test_closed_under_callers(void)
{
    struct caller callers[CALLERS];
    handler *called;
    lua_State *L = state_new(&called, "return function() return 7 end");

    callers_start(callers, called, 1);
    callers_settle();
    check(!callers_are_done(callers), "calls of other threads wait");
    lua_close(L);
    check(callers_join(callers) == 0,
          "and get 0 when the state is closed by its own thread");
}

static void
test_closed_by_another(void)
{
    struct caller callers[CALLERS];
    handler *called;
    lua_State *L = state_new(&called, "return function() return 7 end");
    pthread_t closer;

    callers_start(callers, called, 1);
    callers_settle();
    if (pthread_create(&closer, NULL, close_run, L))
        exit(1);
    pthread_join(closer, NULL);
    check(callers_join(callers) == 0, "or by another one");
}

/* Callers that go on after the close are told so on standard error. */
static void
test_called_after(void)
{
    char text[1000] = "";
    FILE *file = tmpfile();
    int error = dup(STDERR_FILENO);
    handler *called;
    lua_State *L = state_new(&called, "return function() return 7 end");

    lua_close(L);
    if (file == NULL || error < 0)
        exit(1);
    dup2(fileno(file), STDERR_FILENO);
    check(called(1) == 0, "a call after the close gets 0");
    dup2(error, STDERR_FILENO);
    close(error);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    check(strstr(text, "after it was closed") != NULL &&
              strstr(text, "int host:1(int)") != NULL,
          "and a sentence, which names the function's place");
    printf("# %s", text);
}

static void
test_polled_by_another_state(void)
{
    struct caller callers[CALLERS];
    handler *one, *other;
    lua_State *L = state_new(&one, "return function() return 1 end");
    lua_State *M = state_new(&other, "return function(i)\n"
                                     "if i == 2 then error 'two' end\n"
                                     "return 10 end");

    callers_start(callers, other, 3);
    while (!callers_are_done(callers))
        state_run(L, "polled = (polled or 0) + poll(10)");
    check(callers_join(callers) == CALLERS * 20 &&
              state_number(L, "polled") == CALLERS * 3,
          "a thread's states share its queue; an error is not the other's");
    state_run(M, "assert(call_int(callback, 1) == 10)");
    check(one(1) == 1, "and nothing is left of it");
    lua_close(L);
    lua_close(M);
}

static void
test_called_by_the_host(void)
{
    handler *called;
    lua_State *L =
        state_new(&called, "return function(i)\n"
                           "calls = (calls or 0) + 1\n"
                           "if i == 1 then error 'one' end\n"
                           "if i == 2 then coroutine.yield() end\n"
                           "if i == 3 then return call_int(callback, 4) end\n"
                           "return i * 10 end");

    check(called(4) == 40, "the host calls, without any call of Lua's");
    check(called(1) == 0 && called(2) == 0, "errors and yields end there");
    check(called(3) == 40, "calls within it");
    state_run(L, "assert(call_int(callback, 5) == 50)");
    check(state_number(L, "calls") == 6, "no error is raised later");
    lua_close(L);
}

static void *
moved_run(void *context)
{
    lua_State *L = context;

    state_run(L, "sum = sum + call_int(double, 1) + call_int(double, 2)\n"
                 "callback:free()");
    return NULL;
}

/* A thread would wait for the other one to take its own call. */
static void
test_moved(void)
{
    handler *called;
    lua_State *L = state_new(&called, "return function() return 7 end");
    pthread_t other;

    state_run(L, "function double(i) return i * 2 end\n"
                 "sum = call_int(double, 10)");
    if (pthread_create(&other, NULL, moved_run, L))
        exit(1);
    pthread_join(other, NULL);
    state_run(L, "sum = sum + call_int(double, 100)");
    check(state_number(L, "sum") == 226,
          "a state that moves has callbacks of its new thread");
    lua_close(L);
}

/* One of several threads with states, callers and an end of their own. */
static void *
lives_run(void *context)
{
    long *right = context;

    for (int i = 0; i < 20; i++) {
        struct caller callers[CALLERS];
        handler *called;
        lua_State *L = state_new(&called, "return function(i) return i end");

        callers_start(callers, called, 10);
        while (!callers_are_done(callers))
            state_run(L, "poll(5)");
        *right += callers_join(callers) == CALLERS * 55;
        lua_close(L);
    }
    return NULL;
}

static void
test_many_at_once(void)
{
    pthread_t threads[CALLERS];
    long right[CALLERS] = {0}, sum = 0;

    for (int i = 0; i < CALLERS; i++)
        if (pthread_create(&threads[i], NULL, lives_run, &right[i]))
            exit(1);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        sum += right[i];
    }
    check(sum == CALLERS * 20L, "states in threads, each with callers");
}

static size_t
bytes_alive(void)
{
    return mallinfo2().uordblks;
}

static void
test_no_leak(void)
{
    /* a sanitizer has an allocator of its own, which is slow */
    const char *watched = getenv("FRT_TEST_SANITIZED");
    bool is_watched = watched && strcmp(watched, "1") == 0;
    int count = is_watched ? STATES / 20 : STATES;
    size_t before = 0;
    handler *called;
    bool is_right = true;

    for (int i = 0; i < count; i++) {
        lua_State *L = state_new(&called, "return function(i) return i end");

        is_right &= called(i) == i;
        lua_close(L);
        /* the library has grown: the first 4,096 upcalls have slots of their
         * own, so that late calls of them are told */
        if (i == STATES * 2 / 3)
            before = bytes_alive();
    }
    check(is_right, "many states, one after the other");
    if (is_watched)
        return;
    printf("# %zd bytes more\n", (ssize_t)(bytes_alive() - before));
    /* a block that each left would be 24 bytes at least, with its head */
    check(bytes_alive() < before + STATES / 3 * 16, "and their memory is back");
}

int
main(void)
{
    alarm(LIMIT); /* what hangs has failed */
    test_closed_under_callers();
    test_closed_by_another();
    test_called_after();
    test_polled_by_another_state();
    test_called_by_the_host();
    test_moved();
    test_many_at_once();
    test_no_leak();
    printf("1..%d\n", states_count);
    return states_failures > 0;
}
