# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# --json: one object on one line, which a JSON reader agrees with.

prints '{"result": 1024}' --json libm.so.6 'double pow(double, double)' 2 10
prints '{"result": {"quot": 3, "rem": 2}}' --json \
    'struct { int quot; int rem; } div(int, int)' 17 5
prints '{"result": 0.5, "out": {"2": 4}}' --json \
    libm.so.6 'double frexp(double, int *)' 8 @
prints '{"result": -1, "errno": {"number": 9, "text": "Bad file descriptor"}}' \
    --json --errno 'int close(int)' -1
prints '{"result": null, "out": {"1": {"x": 2, "y": 2.5}, "2": 7, "3": "set"}}' \
    --json "$callee" \
    'void set_pair(struct { double x, y; } *, int *, const char **)' \
    '@{1, 2}' @ @
prints '{"result": 18446744073709551615}' --json \
    "$callee" 'size_t same_ulong(size_t)' 18446744073709551615
prints '{"result": "inf"}' --json "$callee" 'double same_double(double)' inf
prints '{"result": "nan"}' --json "$callee" 'double same_double(double)' nan
prints '{"result": -0.0}' --json "$callee" 'double same_double(double)' -0
prints '{"result": [1, "-inf"]}' --json "$callee" \
    'double _Complex same_double_complex(double _Complex)' '{1, -inf}'
prints '{"result": true}' --json "$callee" '_Bool same_bool(_Bool)' true
prints '{"result": 97}' --json "$callee" 'char same_char(char)' "'a'"
prints '{"result": "0x10"}' --json "$callee" 'void *same_pointer(void *)' 0x10
prints '{"result": null}' --json "$callee" 'char *same_string(char *)' null
prints '{"result": "tab\t quote\" back\\ é \ufffd1"}' --json \
    "$callee" 'const char *odd_string(void)'
prints '{"result": "\u0001\u007f/"}' --json \
    "$callee" 'char *same_string(char *)' $'\x01\x7f/'
prints '{"result": null, "out": {"1": [2, 4, 6, 8]}}' --json "$callee" \
    'void double_ints(int __attribute__((vector_size(16))) *)' '@{1, 2, 3, 4}'

reads_as() # PYTHON-VALUE ARGUMENT...
{
    local wanted=$1
    shift
    run call --json "$@"
    holds "json: $*" /usr/bin/python3 -c \
        'import json, sys
sys.exit(json.load(open("output")) != eval(sys.argv[1]))' "$wanted"
}
if [ -x /usr/bin/python3 ]; then
    reads_as '{"result": 340282366920938463463374607431768211455}' "$callee" \
        'unsigned __int128 same_u128(unsigned __int128)' \
        340282366920938463463374607431768211455
    reads_as '{"result": 5e-324}' "$callee" 'double same_double(double)' 5e-324
    reads_as '{"result": "a\"b\\\n\u00e9\U0001f600"}' \
        "$callee" 'char *same_string(char *)' '"a\"b\\\né😀"'
    reads_as '{"result": {"corner": [{"x": 0, "y": 0}, {"x": 0, "y": 1.5}],
        "bytes": [0, 0, 0], "name": "ab"}}' "$callee" \
        'struct n { struct { double x, y; } corner[2]; int8_t bytes[3]; char name[8]; } same_nested(struct n)' \
        '{corner[1].y = 1.5, name = "ab"}'
else
    tap_skip 'json as another program reads it' 'no /usr/bin/python3'
fi
