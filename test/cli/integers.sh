# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Integers: each type to its limits, and in each notation.

same bool _Bool true false
same_as bool _Bool 1 true
same_as bool _Bool 0 false
same char char "'a'" "'\\''" "'\"'" -1 127 -128 0
same schar 'signed char' 97 -128 127
same schar int8_t -5
same uchar 'unsigned char' 0 255
same short short -32768 32767
same ushort uint16_t 0 65535
same int int 0 -1 2147483647 -2147483648
same uint unsigned 4294967295
same long long -9223372036854775808 9223372036854775807
same ulong 'unsigned long' 18446744073709551615
same ulong size_t 18446744073709551615
same llong 'long long' -9223372036854775808
same ullong 'unsigned long long' 18446744073709551615
same i128 __int128 -170141183460469231731687303715884105728 \
    170141183460469231731687303715884105727
same u128 'unsigned __int128' 340282366920938463463374607431768211455
same colour 'enum colour { RED, GREEN = 5 }' 5

same_as int int 0x7fffffff 2147483647
same_as int int -0x10 -16
same_as int int +7 7
same_as int int 017 15
same_as int int 0o17 15
same_as int int 0b101 5
same_as int int "'a'" 97
same_as int int "'\\n'" 10
same_as int int "'\\x41'" 65
same_as int int "'\\101'" 65
same_as int int "'€'" 8364
same_as int wchar_t "'😀'" 128512
same_as uint uint32_t "'é'" 233
fails 1 'out of range' -- "$callee" 'char same_char(char)' "'é'"
same_as char char "'\\n'" 10
same_as char char "'\\xff'" -1
same_as uchar 'unsigned char' "'\\xff'" 255

for type in 'signed char:schar:-129:-128 .. 127' \
    'unsigned char:uchar:256:0 .. 255' \
    'unsigned char:uchar:-1:0 .. 255' \
    'short:short:32768:-32768 .. 32767' \
    'unsigned short:ushort:65536:0 .. 65535' \
    'int:int:2147483648:-2147483648 .. 2147483647' \
    'unsigned int:uint:-1:0 .. 4294967295' \
    'long:long:9223372036854775808:-9223372036854775808 .. ' \
    'unsigned long:ulong:18446744073709551616:0 .. 18446744073709551615' \
    '__int128:i128:170141183460469231731687303715884105728: .. 1701411' \
    'unsigned __int128:u128:999999999999999999999999999999999999999:0 .. 34'
do
    IFS=: read -r type function value range <<< "$type"
    fails 1 'argument 1' "$type" "$value" "$range" -- \
        "$callee" "$type same_$function($type)" "$value"
done
for word in '' pear 1.5 1e3 0x 0b2 08 - "'" "''" "'ab'" "'\\q'" 1,2 ' 1' '1 '
do
    fails 1 'argument 1' 'not an integer' -- "$callee" 'int same_int(int)' \
        "$word"
done
fails 1 'neither true nor false' -- "$callee" '_Bool same_bool(_Bool)' 2
fails 1 'neither true nor false' -- "$callee" '_Bool same_bool(_Bool)' yes
