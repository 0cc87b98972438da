# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# explain and layout: pictures that are the same on every host.

# The whole command prints TEXT.
shows() # TEXT ARGUMENT...
{
    local wanted=$1
    shift
    run "$@"
    if [ "$status" -eq 0 ] && [ "$output" = "$wanted" ] && [ -z "$errors" ]
    then
        tap_ok "$*"
    else
        report "$*" "$wanted"
    fi
}

# It fails with STATUS and a sentence that has the WORD.
refuses() # STATUS WORD ARGUMENT...
{
    local wanted=$1 word=$2
    shift 2
    run "$@"
    if [ "$status" -eq "$wanted" ] && [[ $errors == 'ffi-rt: '*"$word"* ]]; then
        tap_ok "refuses: $*"
    else
        report "$*" "status $wanted and the word '$word'"
    fi
}

shows 'struct { char c; double d; }: 16 bytes, aligned to 8, class INTEGER SSE
    offset   size    member
         0      1    c  char
         1      7    (padding)
         8      8    d  double' \
    layout --target x86_64 'struct { char c; double d; }'
shows 'struct s: 4 bytes, aligned to 4, class general
    offset   size    member
         0   :3     a  int, from bit 0
         0   :7     b  int, from bit 3
         2      2    (padding)' \
    layout --target=aarch64 'struct s { int a : 3; int b : 7; }'
shows 'struct v: 16 bytes, aligned to 8, class HFA of 2 double
    offset   size    member
         0     16    in  struct { double x; double y; }
         0      8    in.x  double
         8      8    in.y  double' \
    layout --target aarch64 'struct v { struct { double x, y; } in; }'

# However long a name is, all of it is there, but for a column.
long=$(printf 'x%.0s' {1..300})
shows "struct v: 4 bytes, aligned to 4, class INTEGER
    offset   size    member
         0      4    $long  union u
         0      4    $long.y  int" \
    layout --target x86_64 "struct v { union u { int y; } $long; }"
type="struct { int $long; }"
run explain --target x86_64 "void f($type, $type)"
holds 'a long prototype is whole' test "${output%%$'\n'*}" = \
    "void f($type, $type)"
holds 'a cut type ends in dots' grep -q '  struct { int xxxxxxxx\.\.\. bytes' \
    output
run layout --json --target x86_64 "struct { struct { int $long$long; } a[2]; }"
holds 'a long type in JSON is whole' \
    grep -q "\"type\": \"struct { struct { int $long$long; } a\[2\]; }\"" output

shows 'long double: 16 bytes, aligned to 16, class X87 X87UP' \
    layout --target x86_64 'long double'
shows 'long double: 8 bytes, aligned to 8, class vector' \
    layout --target aarch64-apple 'long double'
char='{"type": "char", "complete": true, "size": 1, "alignment": 1, '
char+='"class": "INTEGER"}'
struct='{"type": "struct p", "complete": true, "size": 2, "alignment": 1, '
struct+='"class": "INTEGER", "members": ['
shows "$struct{\"name\": \"a\", \"offset\": 0, \"layout\": $char}, \
{\"name\": \"b\", \"offset\": 1, \"layout\": $char}]}" \
    layout --json --target x86_64 'struct p { char a, b; }'

shows 'double f(struct p { char c; double d; }, int, struct { long x[3]; }, ...)
System V x86-64

struct p: 16 bytes, aligned to 8, class INTEGER SSE
    offset   size    member
         0      1    c  char
         1      7    (padding)
         8      8    d  double

struct { long x[3]; }: 24 bytes, aligned to 8, class MEMORY
    offset   size    member
         0     24    x  long [3]

  #1 s         struct p                 bytes 0-7      -> rdi
                                        bytes 8-15     -> xmm0
  #2 n         int                      bytes 0-3      -> rsi, sign-extended
  #3           struct { long x[3]; }    bytes 0-23     -> stack+0
  #4           float                    bytes 0-3      -> xmm1, promoted to double
  result       double                   bytes 0-7      <- xmm0
  stack        24 bytes, aligned to 16' \
    explain --target x86_64 \
    'double f(struct p { char c; double d; } s, int n, struct { long x[3]; }, ...)' \
    float
shows 'struct v { float x; float y; float z; } f(struct { long x[3]; }, struct v)
AAPCS64

struct { long x[3]; }: 24 bytes, aligned to 8, class by reference
    offset   size    member
         0     24    x  long [3]

struct v: 12 bytes, aligned to 4, class HFA of 3 float
    offset   size    member
         0      4    x  float
         4      4    y  float
         8      4    z  float

  #1 big       struct { long x[3]; }    copy'\''s address -> x0
  #2           struct v                 bytes 0-3      -> v0
                                        bytes 4-7      -> v1
                                        bytes 8-11     -> v2
  result       struct v                 bytes 0-3      <- v0
                                        bytes 4-7      <- v1
                                        bytes 8-11     <- v2
  stack        0 bytes, aligned to 16' \
    explain --target aarch64 \
    'struct v { float x, y, z; } f(struct { long x[3]; } big, struct v)'
shows 'int f(int, ...)
Apple'\''s AAPCS64

  #1           int                      bytes 0-3      -> x0, sign-extended
  #2           double                   bytes 0-7      -> stack+0
  result       int                      bytes 0-3      <- x0
  stack        8 bytes, aligned to 16' \
    explain --target aarch64-apple 'int f(int, ...)' double

if [ -x /usr/bin/python3 ]; then
    run explain --json --target aarch64 \
        'struct { double d[4]; } f(int a, struct { char c : 3; } b, ...)' 'char *'
    holds 'explain --json is JSON' /usr/bin/python3 -c '
import json, sys
told = json.loads(sys.argv[1])
assert told["name"] == "f" and told["target"] == "aarch64"
assert told["variadic"] and len(told["arguments"]) == 3
assert told["arguments"][0]["pieces"][0]["register"] == "x0"
assert told["arguments"][1]["layout"]["members"][0]["bit_width"] == 3
assert told["result"]["way"] == "value" and len(told["result"]["pieces"]) == 4
' "$output"
fi

refuses 2 vax layout --target vax int
refuses 2 '--target wants a value' layout --target
refuses 2 "'--no-such'" explain --no-such 'int f(void)'
refuses 2 declaration layout
refuses 1 oid explain 'int f(oid)'
refuses 1 oid layout 'struct { oid x; }'
refuses 1 "f has no '...' for 'double'" explain 'int f(int)' double
run explain --help
holds 'explain --help' [ "$status" -eq 0 ]
run layout --help
holds 'layout --help' [ "$status" -eq 0 ]
