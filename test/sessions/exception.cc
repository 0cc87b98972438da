/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* exception CALLEE: C++ exceptions that pass through calls. */
#include <stdexcept>
#include <string>

#include "test/sessions/check.h"

static struct scene scene;
static bool was_held;

static int
throw_it(void *memory)
{
    was_held = scene_is_held(&scene);
    throw std::runtime_error(static_cast<const char *>(memory));
}

/* Called by native code, calls again, and lets it pass. */
static int
throw_from_below(void *memory)
{
    static int depth;
    int result;

    if (++depth % 20 == 0)
        return throw_it(memory);
    (void)!scene_call(&scene, throw_from_below, &result);
    return 0;
}

static int
throw_and_catch_inside(void *memory)
{
    int result;

    try {
        (void)!scene_call(&scene, throw_it, &result);
    } catch (const std::runtime_error &) {
        return 7 + scene_is_held(&scene); /* by the outer call */
    }
    (void)memory;
    return 0;
}

static std::string
what_is_thrown(int (*function)(void *))
{
    int result = 0;

    was_held = false;
    try {
        (void)!scene_call(&scene, function, &result);
    } catch (const std::runtime_error &error) {
        return error.what();
    }
    return std::to_string(result);
}

int
main(int argc, char **argv)
{
    need(argc == 2, "usage: exception CALLEE");
    scene_open(&scene, argv[1], 16);
    need(frt_segment_put_string(&scene.block, 0, "thrown") == FRT_OK, "text");
    check(what_is_thrown(throw_it) == "thrown", "an exception passes a call");
    check(was_held && !scene_is_held(&scene), "which releases");
    check(what_is_thrown(throw_from_below) == "thrown", "twenty calls as well");
    check(was_held && !scene_is_held(&scene), "which all release");
    check(what_is_thrown(throw_and_catch_inside) == "8",
          "what is caught between two calls leaves the outer one's hold");
    for (int i = 0; i < 1000; i++)
        what_is_thrown(throw_it);
    check(!scene_is_held(&scene), "a thousand of them leave nothing");
    check(frt_arena_close(scene.arena) == FRT_OK, "the arena can be closed");
    frt_function_free(scene.apply);
    return check_end();
}
