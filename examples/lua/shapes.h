/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Something to look at for clang.lua. */
#ifndef EXAMPLES_LUA_SHAPES_H
#define EXAMPLES_LUA_SHAPES_H

struct point {
    double x, y;
};
typedef struct shape shape;

shape *shape_new(const struct point *corners, unsigned count);
void shape_free(shape *shape);
struct point shape_centre(const shape *shape);
int shape_print(const shape *shape, const char *format, ...);

#endif
