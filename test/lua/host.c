/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * host [--refuse] [--exhaust] [--collect N] [--threads N] SCRIPT [ARGUMENT]...
 *
 * Runs a script as plain `lua` does, in circumstances that it has seldom:
 *   --refuse     the state's allocator refuses the first try of each request,
 *                so that Lua collects everything it can and asks again
 *   --exhaust    the script runs again and again, with one request more that
 *                is refused for good: memory is out there, and only there
 *   --collect N  a full collection after every N instructions: finalizers run,
 *                and what is not held is gone
 *   --threads N  in N threads, each with states of its own, one after another:
 *                states end while others run. Script by script is a line of
 *                TAP; all arguments are scripts
 *
 * A script can ask for `starve(N)`: from now on each N-th request fails for
 * good; 0: none does.
 *
 * After its state is closed, all of Lua's memory must have come back.
 */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_THREADS = 16 };
/* More is not there, so that a sanitizer has nothing to say about it. */
static const size_t host_most = (size_t)1 << 32;

struct host_memory {
    size_t alive; /* bytes */
    size_t blocks;
    bool refuses;
    bool has_refused; /* the request before this one: it is tried again */
    size_t refusals;
    size_t requests; /* for more */
    size_t out;      /* this one and its second try fail; 0: none does */
    size_t every;    /* and each such; 0: none does */
};

static struct {
    bool refuses;
    bool exhausts;
    int step; /* instructions from a collection to the next; 0: none */
    int threads;
} host_options;

/* Smaller is never refused: Lua relies on it. Nor is what may be the box of a
 * luaL_Buffer, larger than the buffer itself: that asks once. `kind` is that of
 * a new object; 0: none. */
static bool
host_may_refuse(size_t old_size, size_t size, size_t kind)
{
    return size > old_size && (kind > 0 || size <= LUAL_BUFFERSIZE);
}

/* The request whose turn it is to fail, and its second try. */
static bool
host_is_out(struct host_memory *memory)
{
    memory->requests++;
    if (memory->every > 0 && memory->requests % memory->every < 2)
        return true;
    return memory->out > 0 && (memory->requests == memory->out ||
                               memory->requests == memory->out + 1);
}

static void *
host_allocate(void *context, void *old, size_t old_size, size_t size)
{
    struct host_memory *memory = context;
    size_t kind = old ? 0 : old_size;
    void *new;

    if (!old)
        old_size = 0;
    if (size == 0) {
        memory->alive -= old_size;
        memory->blocks -= old != NULL;
        free(old);
        return NULL;
    }
    if (memory->refuses && host_may_refuse(old_size, size, kind)) {
        memory->has_refused = !memory->has_refused;
        memory->refusals += memory->has_refused;
        if (memory->has_refused)
            return NULL;
    }
    if (size > host_most || (size > old_size && host_is_out(memory)))
        return NULL;
    new = realloc(old, size);
    if (new) {
        memory->alive += size - old_size;
        memory->blocks += old == NULL;
    }
    return new;
}

static void
host_collect(lua_State *L, lua_Debug *event)
{
    (void)event;
    lua_gc(L, LUA_GCCOLLECT, 0);
}

static int
host_explain(lua_State *L)
{
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

static int
host_starve(lua_State *L)
{
    void *memory;

    (void)lua_getallocf(L, &memory);
    ((struct host_memory *)memory)->every = (size_t)luaL_checkinteger(L, 1);
    return 0;
}

static int
host_silent(lua_State *L)
{
    (void)L;
    return 0;
}

/* Protected: the script's name is the first argument, `arg` the second. */
static int
host_prepare(lua_State *L)
{
    luaL_openlibs(L);
    lua_setglobal(L, "arg");
    lua_register(L, "starve", host_starve);
    if (host_options.threads > 0)
        lua_register(L, "print", host_silent);
    return 0;
}

static bool
host_call(lua_State *L, int arguments)
{
    int explain = lua_gettop(L) - arguments;
    int status;

    lua_pushcfunction(L, host_explain);
    lua_insert(L, explain);
    status = lua_pcall(L, arguments, 0, explain);
    lua_remove(L, explain);
    if (status != LUA_OK)
        fprintf(stderr, "# %s\n", lua_tostring(L, -1));
    return status == LUA_OK;
}

static bool
host_run(lua_State *L, char **arguments)
{
    lua_pushcfunction(L, host_prepare);
    lua_newtable(L);
    for (int i = 0; arguments[i]; i++) {
        lua_pushstring(L, arguments[i]);
        lua_rawseti(L, -2, i);
    }
    if (!host_call(L, 1))
        return false;
    if (luaL_loadfile(L, arguments[0]) != LUA_OK) {
        fprintf(stderr, "# %s\n", lua_tostring(L, -1));
        return false;
    }
    if (host_options.step > 0)
        lua_sethook(L, host_collect, LUA_MASKCOUNT, host_options.step);
    return host_call(L, 0);
}

static bool
host_is_empty(const struct host_memory *memory)
{
    if (memory->alive == 0 && memory->blocks == 0)
        return true;
    fprintf(stderr, "# %zu bytes in %zu blocks were not given back\n",
            memory->alive, memory->blocks);
    return false;
}

/* A state from its beginning to its end. */
static bool
host_live(char **arguments)
{
    struct host_memory memory = {0};
    lua_State *L = lua_newstate(host_allocate, &memory);
    bool is_right;

    if (!L) {
        fprintf(stderr, "# no memory for a state\n");
        return false;
    }
    memory.refuses = host_options.refuses;
    is_right = host_run(L, arguments);
    lua_close(L);
    is_right &= host_is_empty(&memory);
    if (host_options.refuses && memory.refusals == 0) {
        fprintf(stderr, "# no request was refused\n");
        is_right = false;
    }
    return is_right;
}

/* ---------------------------------------------------------- exhausted --- */

/* With the request `out` of the script refused. Tells whether the script came
 * to one as late as that. */
static bool
host_exhaust_at(char **arguments, size_t out, bool *is_right)
{
    struct host_memory memory = {0};
    lua_State *L = lua_newstate(host_allocate, &memory);
    bool is_reached, has_run;

    if (!L)
        exit(1);
    luaL_openlibs(L);
    if (luaL_loadfile(L, arguments[0]) != LUA_OK) {
        fprintf(stderr, "# %s\n", lua_tostring(L, -1));
        exit(1);
    }
    memory.requests = 0;
    memory.out = out;
    has_run = lua_pcall(L, 0, 0, 0) == LUA_OK;
    is_reached = memory.requests >= out;
    memory.out = 0;
    /* nothing is out where the script has all that it asked for */
    if (!has_run && !is_reached) {
        fprintf(stderr, "# %s\n", lua_tostring(L, -1));
        *is_right = false;
    }
    lua_close(L);
    *is_right &= host_is_empty(&memory);
    return is_reached;
}

static int
host_exhaust(char **arguments)
{
    bool is_right = true;
    size_t out = 1;

    while (host_exhaust_at(arguments, out, &is_right))
        out++;
    printf("%sok 1 - %zu requests, each refused once\n1..1\n",
           is_right && out > 100 ? "" : "not ", out - 1);
    return is_right ? 0 : 1;
}

/* --------------------------------------------------------- in threads --- */

struct host_thread {
    pthread_t thread;
    int rounds; /* they differ, so that states end at different times */
    char *script;
    bool is_right;
};

static void *
host_thread_run(void *context)
{
    struct host_thread *thread = context;
    char *arguments[] = {thread->script, NULL};

    thread->is_right = true;
    for (int i = 0; i < thread->rounds; i++)
        thread->is_right &= host_live(arguments);
    return NULL;
}

static bool
host_script(char *script, int number)
{
    struct host_thread threads[HOST_THREADS];
    const char *name = strrchr(script, '/');
    bool is_right = true;

    for (int i = 0; i < host_options.threads; i++) {
        threads[i] = (struct host_thread){.rounds = i + 1, .script = script};
        if (pthread_create(&threads[i].thread, NULL, host_thread_run,
                           &threads[i])) {
            fprintf(stderr, "host: no thread\n");
            exit(1);
        }
    }
    for (int i = 0; i < host_options.threads; i++) {
        pthread_join(threads[i].thread, NULL);
        is_right &= threads[i].is_right;
    }
    printf("%sok %d - %s in %d threads\n", is_right ? "" : "not ", number,
           name ? name + 1 : script, host_options.threads);
    fflush(stdout);
    return is_right;
}

static int
host_scripts(char **scripts)
{
    bool is_right = true;
    int count = 0;

    while (scripts[count]) {
        is_right &= host_script(scripts[count], count + 1);
        count++;
    }
    printf("1..%d\n", count);
    return is_right ? 0 : 1;
}

static int
host_usage(void)
{
    fprintf(stderr, "usage: host [--refuse] [--exhaust] [--collect N] "
                    "[--threads N] SCRIPT [ARGUMENT]...\n");
    return 2;
}

int
main(int count, char **arguments)
{
    int i = 1;

    for (; i < count && arguments[i][0] == '-'; i++) {
        if (strcmp(arguments[i], "--refuse") == 0)
            host_options.refuses = true;
        else if (strcmp(arguments[i], "--exhaust") == 0)
            host_options.exhausts = true;
        else if (strcmp(arguments[i], "--collect") == 0 && i + 1 < count)
            host_options.step = atoi(arguments[++i]);
        else if (strcmp(arguments[i], "--threads") == 0 && i + 1 < count)
            host_options.threads = atoi(arguments[++i]);
        else
            return host_usage();
    }
    if (i == count || host_options.threads > HOST_THREADS)
        return host_usage();
    if (host_options.exhausts)
        return host_exhaust(arguments + i);
    if (host_options.threads > 0)
        return host_scripts(arguments + i);
    return host_live(arguments + i) ? 0 : 1;
}
