# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Headers: declared once, used by name; printed as C, JSON and Lua; held
# against the compiler.

if ! command -v cc > /dev/null; then
    tap_skip 'headers' 'no C compiler'
    return
fi

# The command prints TEXT somewhere in what it prints.
says() # TEXT ARGUMENT...
{
    local wanted=$1
    shift
    run "$@"
    if [ "$status" -eq 0 ] && [[ $output == *"$wanted"* ]] && [ -z "$errors" ]
    then
        tap_ok "says: $*"
    else
        report "says: $*" "$wanted"
    fi
}

refuses() # STATUS TEXT ARGUMENT...
{
    local code=$1 wanted=$2
    shift 2
    run "$@"
    if [ "$status" -eq "$code" ] && [[ $errors == *"$wanted"* ]]; then
        tap_ok "refuses: $*"
    else
        report "refuses: $*" "status $code, $wanted"
    fi
}

cat > "$scratch/shape.h" << 'EOF'
#ifndef SHAPE_H
#define SHAPE_H 1
#include <stddef.h>
#include <stdint.h>
#define SHAPE_MAX (sizeof(struct shape) * 4)
#define SHAPE_NAME "a \"shape\"" "?"
#define SHAPE_RATE 2.5f
#define SHAPE_ID (((uint32_t)(uint8_t)'Y') << 0)
#define SHAPE_IOC ((2U << 30) | (('c') << 8) | 101)
#define shape_last (shape_all[SHAPE_MAX])
#define SHAPE_SQUARE(x) ((x) * (x))
#define SHAPE_WAIT ((duration)1000000000ULL)
typedef uint64_t duration;
enum shape_kind { ROUND = 1, SQUARE = 1 << 4, HUGE_ONE = 1ULL << 40 };
typedef struct { int x, y; } point;
struct shape {
    point corner[2];
    enum shape_kind kind;
    unsigned filled : 1;
    struct shape *next;
};
extern const char *shape_all[];
int shape_area(const struct shape *, point by);
int shape_rename(int) __asm__("abs") __attribute__((__nothrow__));
int shape_print(const char *, __builtin_va_list);
typedef struct shape *shape_t; typedef shape_t *shapes_t;
static inline int shape_twice(int x) { return 2 * x; }
extern size_t shape_read(void *__restrict __to, size_t, const char *__restrict
                         __name) __attribute__((__nonnull__(1, 3)));
static const int SHAPE_LIMIT = 3 * 4;
static const int SHAPE_NOT = sizeof(shape_all) ? 1 : shape_twice(1);
struct item;
int shape_count = 1;
typedef int (shape_fn)(shape_t); static shape_fn *shape_of(int *__shape_fn) {}
extern int (*__shape_hook)(int n, int __n, int __size);
extern __typeof__(__shape_hook) shape_other;
extern int shape_each(int (*__each)(void *, struct item *));
struct item { struct shape *shape; };
#endif
EOF

prints 1024 --header math.h --lib m pow 2 10
prints 3 --header stdlib.h abs -3
prints 7 --header "$scratch/shape.h" shape_rename -7
prints 5 --header string.h 'size_t strlen(const char *)' hello
prints 42 'int f(int) asm("abs")' -42
prints 8 --header "$scratch/shape.h" --lib "$callee" \
    'int function(duration)' 7
fails 1 'not declared' shape_nosuch -- --header "$scratch/shape.h" shape_nosuch
fails 1 va_list shape.h:25 -- --header "$scratch/shape.h" shape_print x
fails 1 'not a function' SQUARE -- --header "$scratch/shape.h" SQUARE
refuses 1 nosuch.h call --header nosuch.h f 1
refuses 2 'wants a value' call --header
refuses 2 "'double sin' has no '('" call --header math.h 'double sin' 1
refuses 1 "'tm'; there is a struct of that name" layout --header time.h tm

says 'struct shape: 40 bytes' layout --header "$scratch/shape.h" 'struct shape'
says 'struct _IO_FILE: ' layout --header stdio.h FILE
says '#2 __y ' explain --header math.h pow
says '"size": 8' layout --json -I "$scratch" --header shape.h duration
says 'rdi' explain --header "$scratch/shape.h" \
    'void f(struct shape *, duration)' || true

# A mistake is told with the file and line that it has.
printf '#include "shape.h"\n\nint f(const uint9_t *start);\n' \
    > "$scratch/wrong.h"
refuses 1 "wrong.h:3:13: unknown type name 'uint9_t'" import "$scratch/wrong.h"
printf '#include "shape.h"\ntypedef long point;\n' > "$scratch/again.h"
refuses 1 "again.h:2:14: 'point' is declared as something else at " \
    import "$scratch/again.h"

# What is printed is C with the same layouts, for the compiler and for us.
run import "$scratch/shape.h"
printf '%s\n' "$output" > "$scratch/printed.h"
tap_run 'what import prints compiles' cc -fsyntax-only -x c "$scratch/printed.h"
says 'struct shape: 40 bytes' layout --header "$scratch/printed.h" \
    'struct shape'
says '0 differences' doctor "$scratch/printed.h"
for line in 'enum { SHAPE_MAX = 160 };' 'enum { SHAPE_ID = 89 };' \
    'enum { SHAPE_IOC = 2147509093 };' 'enum { SHAPE_WAIT = 1000000000 };' \
    'static const float SHAPE_RATE = 2.5f;' \
    'static const char SHAPE_NAME[] = "a \"shape\"\077";' \
    'extern const char *shape_all[];' 'typedef uint64_t duration;' \
    'int shape_rename(int) asm("abs");' '    HUGE_ONE = 1ULL << 40' \
    '    point corner[2];' 'int shape_area(const struct shape *, point by);' \
    'int shape_print(const char *, __builtin_va_list);' \
    'typedef struct {' '    int x, y;' '    unsigned filled : 1;' \
    'size_t shape_read(void *restrict to, size_t, const char *restrict name);' \
    'static const int SHAPE_LIMIT = 3 * 4;' 'extern int shape_count;' 'typedef int (shape_fn)(shape_t);' \
    'extern int (*__shape_hook)(int n, int __n, int size);' \
    'extern __typeof__(__shape_hook) shape_other;' \
    'int shape_each(int (*each)(void *, struct item *));' 'struct item;'
do
    if grep -qxF -- "$line" "$scratch/printed.h"; then
        tap_ok "import prints: $line"
    else
        tap_not_ok "import prints: $line" "$(< "$scratch/printed.h")"
    fi
done
for word in shape_last SHAPE_SQUARE SHAPE_H shape_twice SHAPE_NOT; do
    tap_findings "import leaves out: $word" \
        grep -w -- "$word" "$scratch/printed.h"
done

run import --only shape.h --filter 'SHAPE_I*' -I "$scratch" shape.h
if [ "$(wc -l <<< "$output")" -eq 2 ] && [ "$status" -eq 0 ]; then
    tap_ok 'import --only --filter'
else
    report 'import --only --filter' 'two lines'
fi
says 'struct shape {' import --only ./shape.h "$scratch/shape.h"
fails 1 'shape_twice' 'is static: no library has it' -- \
    --header "$scratch/shape.h" shape_twice 1
says '"name": "shape_twice", "file": ' import --json "$scratch/shape.h"
says '"symbol": null, "descriptor": {"result": "int"' \
    import --json --filter shape_twice "$scratch/shape.h"
# A word that leads to nothing is named.
refuses 0 "no name fits 'shape_tw*' but of what is static" \
    import --filter 'shape_tw*' "$scratch/shape.h"
refuses 1 "'nosuch.h' is not among the files that were read: " \
    import --only nosuch.h "$scratch/shape.h"
refuses 0 "no name fits 'nosuch*'" import --filter shape_area \
    --filter 'nosuch*' "$scratch/shape.h"
printf 'int f();\n#include "empty.h"\nint g();\n' > around.h
echo > empty.h
refuses 0 "nothing is declared in 'empty.h'" import --only empty.h around.h
for name in 'stdio.h>
int injected;
#include <stdlib.h' 'a
b' 'x>y' ''; do
    refuses 1 "cannot be a header's name" import "$name"
done
touch 'quote".h'
refuses 1 "cannot be a header's name" layout --header 'quote".h' int
# What a wanted function needs comes along.
says 'typedef struct {' import --filter shape_area "$scratch/shape.h"
says 'enum shape_kind {' import --filter shape "$scratch/shape.h"

says 'library = ffi.load "shape"' import --lua --lib shape "$scratch/shape.h"
says 'library = ffi.C' import --lua "$scratch/shape.h"
says '    SHAPE_RATE = 2.5,' import --lua "$scratch/shape.h"
says '    SHAPE_NAME = "a \"shape\"?",' import --lua "$scratch/shape.h"
if [ "${FRT_TEST_LUA-}" = yes ]; then
    "$ffi_rt" import --lua --lib "$callee" "$scratch/shape.h" > shape.lua
    cat > use.lua << 'EOF'
package.path = "./?.lua"
local shape, ffi = require "shape", require "ffi_rt"
print(shape.SHAPE_MAX, shape.SHAPE_RATE, shape.SHAPE_NAME, shape.SQUARE,
      shape.SHAPE_LIMIT, shape.shape_rename(-7),
      ffi.new("struct shape", {kind = "ROUND", filled = 1}).filled)
EOF
    run lua use.lua
    if [ "$output" = $'160\t2.5\ta "shape"?\t16\t12\t7\t1' ]; then
        tap_ok 'a Lua script uses what import prints'
    else
        report 'a Lua script uses what import prints' 'seven values'
    fi
else
    tap_skip 'a Lua script uses what import prints' 'the build has no Lua'
fi
run import --json "$scratch/shape.h"
printf '%s' "$output" > "$scratch/shape.json"
if [ -x /usr/bin/python3 ]; then
    tap_prints 'import --json' '8 40 True abs 160 2.5 a "shape"?' \
        /usr/bin/python3 -c '
import json, sys
it = json.load(open(sys.argv[1]))
types = {t["kind"] + " " + t["name"]: t for t in it["types"]}
functions = {f["name"]: f for f in it["functions"]}
constants = {c["name"]: c["value"] for c in it["constants"]}
print(types["typedef duration"]["layout"]["size"],
      types["struct shape"]["layout"]["size"],
      functions["shape_print"]["descriptor"] is None,
      functions["shape_rename"]["symbol"], constants["SHAPE_MAX"],
      constants["SHAPE_RATE"], constants["SHAPE_NAME"])' \
        "$scratch/shape.json"
else
    tap_skip 'import --json' 'no python3'
fi

# limits.h and errno.h of the system, by #include_next.
says 'enum { INT_MAX = 2147483647 };' import --filter INT_MAX limits.h
says 'enum { ENOENT = 2 };' import --filter ENOENT errno.h
run import --filter errno errno.h
if [ "$status" -eq 0 ] && [ -z "$output" ]; then
    tap_ok 'the macro errno is no constant'
else
    report 'the macro errno is no constant' 'nothing'
fi
says 'void __assert_fail(' import assert.h

# The doctor finds what is wrong, if something is: here the text is another for
# the compiler than for us.
says '0 differences' doctor \
    'struct a { unsigned x : 3; int y : 3 __attribute__((aligned(1))); };' \
    'struct b { char c; long double d; union { char e; float f; }; };' \
    '/* nothing else */ struct f { int n; char d[]; };' \
    'struct g { struct { int n; char d[]; } a; int b; };'
# In a packed struct a typedef's alignment does not count, a member's own does.
says '0 differences' doctor 'typedef int wide __attribute__((aligned(16)));
typedef int low __attribute__((aligned(2)));
struct __attribute__((packed)) h { char c; wide w; low l; char d;
    wide x __attribute__((aligned(4))); char e; struct { wide y; } z;
    wide f : 3; low g __attribute__((packed)); };
struct i { char c; wide w __attribute__((packed)); char d; low l;
    char e; wide x __attribute__((packed, aligned(2))); };
#pragma pack(push, 2)
struct j { char c; wide w; char d; low l __attribute__((aligned(8))); };
#pragma pack(pop)
union __attribute__((packed)) k { char c; wide w; low l; };'
# What the library knows without a declaration, the compiler does, too.
says '0 differences' doctor 'struct s { uint8_t a; size_t b; bool c; wchar_t d;
    va_list e; max_align_t f; };'
says '0 differences' doctor --header time.h 'struct s { char c; struct tm t; };'
mkdir 'a b'
echo 'struct s { int a; };' > 'a b/c d.h'
says 'c d.h: 1 types' doctor './a b/c d.h'
run doctor 'typedef union { double d; char c; } nullptr_t; struct a {
# 1 "x"
 char c; int : 0;
#if 0
};'
if [ "$status" -eq 1 ]; then
    tap_ok 'doctor refuses what is not preprocessed'
else
    report 'doctor refuses what is not preprocessed' 'status 1'
fi
cat > "$scratch/liar" << 'EOF'
#!/bin/sh
# A compiler whose int is aligned to 2 when it makes shared objects.
case " $* " in
    *' -shared '*) sed 's/int b/__attribute__((packed, aligned(2))) int b/' |
        exec cc "$@" ;;
    *) exec cc "$@" ;;
esac
EOF
chmod +x "$scratch/liar"
CC=$scratch/liar run doctor 'struct s { char a; int b; };'
if [ "$status" -eq 1 ] && [[ $output == *'struct s: size 8, the compiler'* ]] &&
    [[ $output == *"struct s.b: offset 4, the compiler's 2"* ]]; then
    tap_ok 'doctor tells a difference'
else
    report 'doctor tells a difference' 'size and offset differ'
fi

cat > "$scratch/crasher" << 'EOF'
#!/bin/sh
# A compiler whose functions do not come back.
case " $* " in
    *' -shared '*) sed 's/return it;/__builtin_trap();/' | exec cc "$@" ;;
    *) exec cc "$@" ;;
esac
EOF
chmod +x "$scratch/crasher"
CC=$scratch/crasher refuses 1 'struct s, passed by value, crashed: SIG' \
    doctor 'struct s { char a; int b; };'
CC=$scratch/crasher refuses 1 'struct t, passed by value, crashed: SIG' \
    doctor 'struct s { char a; int b; }; struct t { struct s s; };'
holds 'the doctor goes on after a crash' grep -q ': 2 differences$' output

# Without a compiler that is what is said.
for command in "import stdio.h" "layout --header stdio.h int" \
    "call --header stdlib.h abs 1" "doctor stdio.h"; do
    # shellcheck disable=SC2086
    output=$(PATH=$scratch CC='' "$ffi_rt" $command 2>&1)
    status=$?
    if [ "$status" -eq 1 ] &&
        [[ $output == *'neither cc nor gcc nor clang is there'* ]]; then
        tap_ok "no compiler: $command"
    else
        report "no compiler: $command" 'status 1 and the reason'
    fi
done
CC=nosuchcc refuses 1 'there is no nosuchcc' import stdio.h

usage 'wants a header' import
usage "no option '--jsn'" import --jsn stdio.h
usage 'wants a header or declarations' doctor
shows 'usage: ffi-rt import' import --help
shows 'usage: ffi-rt import' import stdio.h -h
shows 'usage: ffi-rt layout' layout -h
shows 'usage: ffi-rt doctor' doctor --help
