# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Structs, unions, arrays, vectors and bit-fields, by value in and out.

point='struct point { double x, y; }'
same point "$point" '{x = 1, y = 2.5}'
same_as point "$point" '{1, 2.5}' '{x = 1, y = 2.5}'
same_as point "$point" '{ 1 ,2.5 }' '{x = 1, y = 2.5}'
same_as point "$point" '{y = 2}' '{x = 0, y = 2}'
same_as point "$point" '{.y = 2, .x = 1}' '{x = 1, y = 2}'
same_as point "$point" '{x=1,2}' '{x = 1, y = 2}'
same_as point "$point" '{}' '{x = 0, y = 0}'
same_as point "$point" '{1,}' '{x = 1, y = 0}'

small='struct small { char letter; short number; }'
same small "$small" "{letter = 'a', number = -5}" "{letter = ',', number = 1}" \
    "{letter = '}', number = 1}"

nested="struct nested { $point corner[2]; int8_t bytes[3]; char name[8]; }"
same nested "$nested" '{corner = {{x = 1, y = 2}, {x = 3, y = 4}}, '\
'bytes = {1, -2, 3}, name = "ab"}'
same_as nested "$nested" '{{{1, 2}, {3}}, [7], name = "a,}b"}' \
    '{corner = {{x = 1, y = 2}, {x = 3, y = 0}}, bytes = {7, 0, 0}, name = "a,}b"}'
same_as nested "$nested" '{corner[1].y = 9, name = abcdefgh}' \
    '{corner = {{x = 0, y = 0}, {x = 0, y = 9}}, bytes = {0, 0, 0}, name = "abcdefgh"}'
same_as nested "$nested" '{name = {1, 0, 2}}' \
    '{corner = {{x = 0, y = 0}, {x = 0, y = 0}}, bytes = {0, 0, 0}, name = "\001\000\002"}'

bits='struct bits { unsigned low : 3; int middle : 5; unsigned long high : 40; _Bool flag : 1; }'
same bits "$bits" '{low = 7, middle = -16, high = 1099511627775, flag = true}' \
    '{low = 0, middle = 15, high = 0, flag = false}'
fails 1 .low 8 '0 .. 7' -- "$callee" "$bits same_bits(struct bits)" '{8}'
fails 1 .middle 16 '-16 .. 15' -- "$callee" "$bits same_bits(struct bits)" '{0, 16}'
fails 1 .flag -- "$callee" "$bits same_bits(struct bits)" '{flag = 2}'

unnamed='struct unnamed { int before; union { int whole; float part; }; int after; }'
same_as unnamed "$unnamed" '{before = 1, part = 1, after = 3}' \
    '{before = 1, whole = 1065353216, part = 1, after = 3}'
same_as unnamed "$unnamed" '{1, {2}, 3}' \
    '{before = 1, whole = 2, part = 3e-45, after = 3}'
same_as unnamed "$unnamed" '{whole = 2, 3}' \
    '{before = 0, whole = 2, part = 3e-45, after = 3}'

word='union word { int32_t i; float f; uint8_t bytes[4]; }'
same_as word "$word" '{f = 1}' '{i = 1065353216, f = 1, bytes = {0, 0, 128, 63}}'
same_as word "$word" '{1}' '{i = 1, f = 1e-45, bytes = {1, 0, 0, 0}}'
same word "$word" '{i = 1065353216, f = 1, bytes = {0, 0, 128, 63}}'

text='struct text { const char *name; int length; }'
same text "$text" '{name = "x y", length = 3}' '{name = null, length = 0}'
same_as text "$text" '{bare word, 3}' '{name = "bare word", length = 3}'
same_as text "$text" '{0x8, 3}' '{name = 0x8, length = 3}'

four_ints='int __attribute__((vector_size(16)))'
if "$ffi_rt" call "$callee" "$four_ints same_four_ints($four_ints)" '{}' \
    > /dev/null 2>&1; then
    same four_ints "$four_ints" '{1, -2, 3, 4}'
else # the backend cannot pass such a vector, and says so
    fails 1 "$four_ints" 'by value' -- \
        "$callee" "$four_ints same_four_ints($four_ints)" '{1, -2, 3, 4}'
fi
prints '#1 = {2, 4, 6, 8}' "$callee" "void double_ints($four_ints *)" \
    '@{1, 2, 3, 4}'
prints '{1.5, 2}' "$callee" \
    'float __attribute__((vector_size(8))) same_two_floats(float __attribute__((vector_size(8))))' \
    '{1.5, 2}'

fails 1 'argument 1' .x pear 'not a number' -- \
    "$callee" "$point same_point(struct point)" '{pear}'
fails 1 .z member -- "$callee" "$point same_point(struct point)" '{z = 1}'
fails 1 'more values' -- "$callee" "$point same_point(struct point)" '{1, 2, 3}'
fails 1 'no end' -- "$callee" "$point same_point(struct point)" '{1, 2'
fails 1 list -- "$callee" "$point same_point(struct point)" 1
fails 1 'more than one' -- "$callee" "$point same_point(struct point)" '{1, 2} 3'
fails 1 '.bytes[3]' 'too long' -- \
    "$callee" "$nested same_nested(struct nested)" '{bytes = {1, 2, 3, 4}}'
fails 1 '.bytes[1]' 128 -- \
    "$callee" "$nested same_nested(struct nested)" '{bytes = {1, 128}}'
fails 1 .name 'longer than 8' -- \
    "$callee" "$nested same_nested(struct nested)" '{name = abcdefghi}'
fails 1 '.corner[1].x' -- \
    "$callee" "$nested same_nested(struct nested)" '{{{1, 2}, {x}}}'
