// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The ffi_rt authors
//
// java -Dfrt.bench.build=BUILD Peer.java [--quick] [CASE...]: calls from Java
// by java.lang.foreign, as it is since Java 22. BUILD is the folder of the
// benchmarks' libraries. Handles and segments are static and final: the
// just-in-time compiler sees what is called, and with what.

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

public final class Peer {
    static final String BUILD = System.getProperty("frt.bench.build");
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup FUNCTIONS = library("libfrt_bench_functions.so");
    static final SymbolLookup HARNESS = library("peers/libfrt_bench_peer.so");

    static final StructLayout POINT = MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("x"), JAVA_DOUBLE.withName("y"));
    static final StructLayout BIG = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(4, JAVA_DOUBLE).withName("d"));

    static final MethodHandle NOOP =
            function("noop", FunctionDescriptor.ofVoid());
    static final MethodHandle ADD2 = function("add2",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle FMA3 = function("fma3", FunctionDescriptor.of(
            JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE));
    static final MethodHandle IDENTITY = function("identity",
            FunctionDescriptor.of(ADDRESS, ADDRESS));
    static final MethodHandle IDENTITY3 = function("identity3",
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    static final MethodHandle UNIT =
            function("unit", FunctionDescriptor.of(POINT));
    static final MethodHandle UNIT_PTR =
            function("unit_ptr", FunctionDescriptor.ofVoid(ADDRESS));
    static final MethodHandle BIGRET =
            function("bigret", FunctionDescriptor.of(BIG));
    static final MethodHandle PADD =
            function("padd", FunctionDescriptor.of(POINT, POINT, POINT));
    static final MethodHandle SUM8 = function("sum8", FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG));
    static final MethodHandle MIX10 = function("mix10", FunctionDescriptor.of(
            JAVA_DOUBLE, JAVA_INT, JAVA_DOUBLE, JAVA_INT, JAVA_DOUBLE,
            JAVA_INT, JAVA_DOUBLE, JAVA_INT, JAVA_DOUBLE, JAVA_INT,
            JAVA_DOUBLE));
    static final MethodHandle VSUM = function("vsum", FunctionDescriptor.of(
            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(1));
    static final MethodHandle CALLCB = function("callcb",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    static final MemorySegment PLACE = Arena.global().allocate(POINT);
    static final MemorySegment A = point(1, 2);
    static final MemorySegment B = point(3, 4);
    static final MemorySegment CALLBACK =
            HARNESS.find("peer_callback").orElseThrow();
    // Results by value go into memory that is there, one after the other.
    static final SegmentAllocator POINT_PLACE =
            SegmentAllocator.prefixAllocator(Arena.global().allocate(POINT));
    static final SegmentAllocator BIG_PLACE =
            SegmentAllocator.prefixAllocator(Arena.global().allocate(BIG));
    static final MemorySegment SHARED_A = Arena.ofShared().allocate(POINT);
    static final MemorySegment SHARED_B = Arena.ofShared().allocate(POINT);
    static final MemorySegment SHARED_C = Arena.ofShared().allocate(POINT);

    // Where results go: the compiler may not leave a call's out.
    static int intSink;
    static long longSink;
    static double doubleSink;

    static SymbolLookup library(String name) {
        return SymbolLookup.libraryLookup(Path.of(BUILD, name),
                Arena.global());
    }

    static MethodHandle function(String name, FunctionDescriptor descriptor,
            Linker.Option... options) {
        return LINKER.downcallHandle(FUNCTIONS.find(name).orElseThrow(),
                descriptor, options);
    }

    static MemorySegment point(double x, double y) {
        return Arena.global().allocateFrom(JAVA_DOUBLE, x, y);
    }

    // ------------------------------------------------------------ loops ---

    static void noop(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            NOOP.invokeExact();
    }

    static void add2(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            intSink = (int) ADD2.invokeExact(3, 4);
    }

    static void fma3(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            doubleSink = (double) FMA3.invokeExact(1.5, 2.5, 3.5);
    }

    static void identity(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            longSink =
                    ((MemorySegment) IDENTITY.invokeExact(PLACE)).address();
    }

    static void identity3(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            longSink = ((MemorySegment) IDENTITY3.invokeExact(PLACE, PLACE, PLACE))
                    .address();
    }

    static void one_arena(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            longSink = ((MemorySegment) IDENTITY3.invokeExact(SHARED_A, SHARED_A,
                    SHARED_A))
                    .address();
    }

    static void three_arenas(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            longSink = ((MemorySegment) IDENTITY3.invokeExact(SHARED_A, SHARED_B,
                    SHARED_C))
                    .address();
    }

    static void unit(int count) throws Throwable {
        for (int i = 0; i < count; i++) {
            MemorySegment r = (MemorySegment) UNIT.invokeExact(POINT_PLACE);
            doubleSink = r.get(JAVA_DOUBLE, 0);
        }
    }

    static void unit_ptr(int count) throws Throwable {
        for (int i = 0; i < count; i++) {
            UNIT_PTR.invokeExact(PLACE);
            doubleSink = PLACE.get(JAVA_DOUBLE, 0);
        }
    }

    static void bigret(int count) throws Throwable {
        for (int i = 0; i < count; i++) {
            MemorySegment r = (MemorySegment) BIGRET.invokeExact(BIG_PLACE);
            doubleSink = r.get(JAVA_DOUBLE, 24);
        }
    }

    static void padd(int count) throws Throwable {
        for (int i = 0; i < count; i++) {
            MemorySegment r =
                    (MemorySegment) PADD.invokeExact(POINT_PLACE, A, B);
            doubleSink = r.get(JAVA_DOUBLE, 0);
        }
    }

    static void sum8(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            longSink = (long) SUM8.invokeExact(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    static void mix10(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            doubleSink = (double) MIX10.invokeExact(3, 1.5, 4, 2.5, 5, 3.5, 6,
                    4.5, 7, 5.5);
    }

    static void vsum(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            intSink = (int) VSUM.invokeExact(3, 4, 5, 6);
    }

    static void callcb(int count) throws Throwable {
        for (int i = 0; i < count; i++)
            intSink = (int) CALLCB.invokeExact(CALLBACK, 3);
    }

    // What C calls.
    static int back(int a) {
        return a + 1;
    }

    interface Loop {
        void run(int count) throws Throwable;
    }

    // A loop, and whether the right result is left after it.
    record Case(String name, Loop loop, BooleanSupplier isRight) {}

    static final List<Case> CASES = List.of(
            new Case("noop", Peer::noop, () -> true),
            new Case("add2", Peer::add2, () -> intSink == 7),
            new Case("fma3", Peer::fma3, () -> doubleSink == 7.25),
            new Case("identity", Peer::identity,
                    () -> longSink == PLACE.address()),
            new Case("identity3", Peer::identity3,
                    () -> longSink == PLACE.address()),
            new Case("unit", Peer::unit, () -> doubleSink == 1),
            new Case("unit_ptr", Peer::unit_ptr, () -> doubleSink == 1),
            new Case("bigret", Peer::bigret, () -> doubleSink == 4),
            new Case("padd", Peer::padd, () -> doubleSink == 4),
            new Case("sum8", Peer::sum8, () -> longSink == 36),
            new Case("mix10", Peer::mix10, () -> doubleSink == 42.5),
            new Case("vsum", Peer::vsum, () -> intSink == 15),
            new Case("callcb", Peer::callcb, () -> intSink == 4));

    // Raw segments; those of one shared arena; of three.
    static final Case THREE_RAW = new Case("call_3", Peer::identity3,
            () -> longSink == PLACE.address());
    static final Case ONE_ARENA = new Case("call_3", Peer::one_arena,
            () -> longSink == SHARED_A.address());
    static final Case THREE_ARENAS = new Case("call_3", Peer::three_arenas,
            () -> longSink == SHARED_A.address());

    // ---------------------------------------------------------- harness ---

    static final MethodHandle OPEN = harness("peer_open",
            FunctionDescriptor.ofVoid(JAVA_INT));
    static final MethodHandle ADD = harness("peer_add",
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS));
    static final MethodHandle ADD_FLOOR = harness("peer_add_floor",
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    static final MethodHandle ADD_UPCALL = harness("peer_add_upcall",
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS));
    static final MethodHandle RUN = harness("peer_run",
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_INT));
    static final MethodHandle MISSING = harness("peer_missing",
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    static final MemorySegment FLOOR = text("java_floor");

    static MethodHandle harness(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(HARNESS.find(name).orElseThrow(),
                descriptor);
    }

    static MemorySegment text(String text) {
        return Arena.global().allocateFrom(text);
    }

    static MemorySegment pointer(MethodHandle target,
            FunctionDescriptor descriptor) {
        return LINKER.upcallStub(target, descriptor, Arena.global());
    }

    // What C calls may not throw.
    static void run(Loop loop, int count) {
        try {
            loop.run(count);
        } catch (Throwable failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    // Calls the loop often enough to have it compiled before it is timed.
    static void add(String suite, String system, String over, Case what)
            throws Throwable {
        MethodHandle run = MethodHandles.lookup().findStatic(Peer.class, "run",
                MethodType.methodType(void.class, Loop.class, int.class));

        intSink = 0;
        longSink = 0;
        doubleSink = 0;
        what.loop.run(1);
        if (!what.isRight.getAsBoolean()) {
            MISSING.invokeExact(text(suite), text(what.name), text(system),
                    text("it gives a wrong result"));
            return;
        }
        for (int i = 0; i < 50; i++)
            what.loop.run(20000);
        ADD.invokeExact(text(system), text(over),
                pointer(MethodHandles.insertArguments(run, 0, what.loop),
                        FunctionDescriptor.ofVoid(JAVA_INT)));
    }

    static void call(Case what) throws Throwable {
        ADD_FLOOR.invokeExact(FLOOR, text(what.name));
        add("call", "java", "java_floor", what);
        RUN.invokeExact(text("call"), text(what.name), 1);
    }

    static void session(int threads) throws Throwable {
        add("session", "java_none", "java_none", THREE_RAW);
        add("session", "java_one", "java_none", ONE_ARENA);
        add("session", "java", "java_none", THREE_ARENAS);
        RUN.invokeExact(text("session"), text("call_3"), threads);
    }

    static void upcall() throws Throwable {
        MethodHandle back = MethodHandles.lookup().findStatic(Peer.class,
                "back", MethodType.methodType(int.class, int.class));

        ADD_FLOOR.invokeExact(FLOOR, text("callcb"));
        ADD_UPCALL.invokeExact(text("java"), FLOOR,
                pointer(back, FunctionDescriptor.of(JAVA_INT, JAVA_INT)));
        RUN.invokeExact(text("upcall"), text("callcb"), 1);
    }

    public static void main(String[] words) throws Throwable {
        List<String> all = List.of(words);
        List<String> wanted =
                all.stream().filter(word -> !word.startsWith("--")).toList();
        Predicate<String> isWanted =
                name -> wanted.isEmpty() || wanted.contains(name);

        OPEN.invokeExact(all.contains("--quick") ? 1 : 0);
        for (Case what : CASES)
            if (isWanted.test(what.name))
                call(what);
        if (isWanted.test("session"))
            for (int threads = 1; threads <= 2; threads++)
                session(threads);
        if (isWanted.test("upcall"))
            upcall();
    }
}
