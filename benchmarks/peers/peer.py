#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
"""peer.py BUILD [--quick] [CASE...]: calls from CPython, by ctypes and, where
it is installed, by cffi (in its ABI mode, which needs no compiler). BUILD is
the folder of the benchmarks' libraries."""

import ctypes
import sys
from itertools import repeat

try:
    import cffi
except ImportError:
    cffi = None

DECLARATIONS = """
struct point { double x, y; };
struct big { double d[4]; };
void noop(void);
int add2(int a, int b);
double fma3(double a, double b, double c);
void *identity(void *a);
void *identity3(void *a, void *b, void *c);
struct point unit(void);
void unit_ptr(struct point *out);
struct big bigret(void);
struct point padd(struct point a, struct point b);
long sum8(long a, long b, long c, long d, long e, long f, long g, long h);
double mix10(int a, double b, int c, double d, int e, double f, int g,
             double h, int i, double j);
int vsum(int n, ...);
int callcb(int (*callback)(int), int a);
"""

CASES = ("noop", "add2", "fma3", "identity", "identity3", "unit", "unit_ptr",
         "bigret", "padd", "sum8", "mix10", "vsum", "callcb")
LONGS = tuple(range(1, 9))
MIXED = (3, 1.5, 4, 2.5, 5, 3.5, 6, 4.5, 7, 5.5)
FLOOR = b"python_floor"

LOOP = ctypes.CFUNCTYPE(None, ctypes.c_int)
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]


class Big(ctypes.Structure):
    _fields_ = [("d", ctypes.c_double * 4)]


class Ctypes:
    name = b"ctypes"

    def __init__(self, library, callback):
        self.lib = ctypes.CDLL(library)
        self.place = Point()
        self.callback = ctypes.cast(callback, CALLBACK)
        pointer = ctypes.c_void_p
        integer, real = ctypes.c_int, ctypes.c_double
        for name, result, *parameters in (
                ("noop", None),
                ("add2", integer, integer, integer),
                ("fma3", real, real, real, real),
                ("identity", pointer, pointer),
                ("identity3", pointer, pointer, pointer, pointer),
                ("unit", Point),
                ("unit_ptr", None, ctypes.POINTER(Point)),
                ("bigret", Big),
                ("padd", Point, Point, Point),
                ("sum8", ctypes.c_long, *[ctypes.c_long] * 8),
                ("mix10", real, *[integer, real] * 5),
                ("vsum", integer, integer),
                ("callcb", integer, CALLBACK, integer)):
            function = getattr(self.lib, name)
            function.restype = result
            function.argtypes = parameters

    def arguments(self, case):
        pointer = ctypes.c_void_p(ctypes.addressof(self.place))
        return {"add2": (3, 4), "fma3": (1.5, 2.5, 3.5),
                "identity": (pointer,), "identity3": (pointer,) * 3,
                "unit_ptr": (ctypes.byref(self.place),),
                "padd": (Point(1, 2), Point(3, 4)),
                "sum8": LONGS, "mix10": MIXED,
                "vsum": (3, *map(ctypes.c_int, (4, 5, 6))),
                "callcb": (self.callback, 3)}.get(case, ())

    def address(self):
        return ctypes.addressof(self.place)

    def pointer(self, function):
        return CALLBACK(function)


class Cffi:
    name = b"cffi"

    def __init__(self, library, callback):
        self.ffi = cffi.FFI()
        self.ffi.cdef(DECLARATIONS)
        self.lib = self.ffi.dlopen(library)
        self.place = self.ffi.new("struct point *")
        self.callback = self.ffi.cast(
            "int (*)(int)", ctypes.cast(callback, ctypes.c_void_p).value)
        self.points = [self.ffi.new("struct point *", value)
                       for value in ((1, 2), (3, 4))]

    def arguments(self, case):
        pointer = self.ffi.cast("void *", self.place)
        return {"add2": (3, 4), "fma3": (1.5, 2.5, 3.5),
                "identity": (pointer,), "identity3": (pointer,) * 3,
                "unit_ptr": (self.place,),
                "padd": tuple(point[0] for point in self.points),
                "sum8": LONGS, "mix10": MIXED,
                "vsum": (3, *(self.ffi.cast("int", n) for n in (4, 5, 6))),
                "callcb": (self.callback, 3)}.get(case, ())

    def address(self):
        return self.ffi.cast("void *", self.place)

    def pointer(self, function):
        self.kept = self.ffi.callback("int (*)(int)", function)
        return ctypes.cast(int(self.ffi.cast("intptr_t", self.kept)), CALLBACK)


def is_right(case, system, result):
    if case == "padd":
        return (result.x, result.y) == (4, 6)
    if case == "unit":
        return (result.x, result.y) == (1, 0)
    if case == "bigret":
        return list(result.d) == [1, 2, 3, 4]
    if case == "unit_ptr":
        return system.place.x == 1
    if case in ("identity", "identity3"):
        return result == system.address()
    return result == {"noop": None, "add2": 7, "fma3": 7.25, "sum8": 36,
                      "mix10": 42.5, "vsum": 15, "callcb": 4}[case]


def loop_of(function, arguments):
    """A loop with the call written out, its operands as local variables."""
    names = [f"a{i}" for i in range(len(arguments))]
    operands = dict(zip(names, arguments), function=function, repeat=repeat)
    scope = {}
    exec(f"def loop(count, {', '.join(f'{n}={n}' for n in operands)}):\n"
         f"    for _ in repeat(None, count):\n"
         f"        function({', '.join(names)})\n", operands, scope)
    return scope["loop"]


def measure(peer, case, systems):
    """The loops live until the run has ended."""
    loops = []
    peer.peer_add_floor(FLOOR, case.encode())
    for system in systems:
        function = getattr(system.lib, case)
        arguments = system.arguments(case)
        if is_right(case, system, function(*arguments)):
            loops.append(LOOP(loop_of(function, arguments)))
            peer.peer_add(system.name, FLOOR, loops[-1])
        else:
            peer.peer_missing(b"call", case.encode(), system.name,
                              b"it gives a wrong result")
    peer.peer_run(b"call", case.encode(), 1)


def measure_upcall(peer, systems):
    pointers = [system.pointer(lambda a: a + 1) for system in systems]
    peer.peer_add_floor(FLOOR, b"callcb")
    for system, pointer in zip(systems, pointers):
        peer.peer_add_upcall(system.name, FLOOR, pointer)
    peer.peer_run(b"upcall", b"callcb", 1)


def main():
    build, *words = sys.argv[1:]
    wanted = [word for word in words if word != "--quick"]
    peer = ctypes.CDLL(f"{build}/peers/libfrt_bench_peer.so")
    library = f"{build}/libfrt_bench_functions.so"
    systems = [Ctypes(library, peer.peer_callback)]
    peer.peer_open("--quick" in words)
    if cffi:
        systems.append(Cffi(library, peer.peer_callback))
    else:
        peer.peer_missing(b"call", b"all", b"cffi", b"it is not installed")
    for case in CASES:
        if not wanted or case in wanted:
            measure(peer, case, systems)
    if not wanted or "upcall" in wanted:
        measure_upcall(peer, systems)


main()
