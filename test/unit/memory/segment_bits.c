/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Bit-fields, judged by the compiler. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/unit/memory/help.h"

static frt_place
field(const frt_layout *base, size_t offset, unsigned bit_offset,
      unsigned bit_width)
{
    return (frt_place){.name = "field",
                       .layout = base,
                       .offset = offset,
                       .bit_offset = bit_offset,
                       .bit_width = bit_width};
}

static int64_t
get(const frt_segment *segment, const frt_place *place)
{
    int64_t value = 0;

    cr_assert_eq(frt_segment_get_bits(&value, segment, 0, place), FRT_OK, "%s",
                 frt_last_detail());
    return value;
}

static void
put(const frt_segment *segment, const frt_place *place, int64_t value)
{
    cr_assert_eq(frt_segment_put_bits(segment, 0, place, value), FRT_OK, "%s",
                 frt_last_detail());
}

struct __attribute__((packed)) straddling {
    unsigned char first : 3;
    long long wide : 64;
    unsigned char last : 5;
};

Test(segment_bits, nine_bytes)
{
    struct straddling compiled = {0};
    frt_segment segment = frt_segment_of_address(&compiled, sizeof compiled);
    frt_place wide = field(FRT_LLONG, 0, 3, 64);
    static const int64_t values[] = {
        0, 1, -1, INT64_MAX, INT64_MIN, INT64_C(0x0123456789abcdef)};

    cr_assert_eq(sizeof compiled, 9);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        compiled.first = 5;
        compiled.last = 0x15;
        put(&segment, &wide, values[i]);
        cr_assert_eq(compiled.wide, values[i]);
        cr_assert_eq(compiled.first, 5);
        cr_assert_eq(compiled.last, 0x15);
        cr_assert_eq(get(&segment, &wide), values[i]);
    }
}

/* Every width at every first bit, in memory that is all ones or all zeroes:
 * the bits are those and no others. */
Test(segment_bits, every_width_at_every_bit)
{
    for (unsigned width = 1; width <= 64; width++)
        for (unsigned first = 0; first < 8; first++) {
            frt_place place = field(FRT_ULLONG, 1, first, width);
            unsigned char bytes[11];
            frt_segment segment = frt_segment_of_address(bytes, sizeof bytes);
            int64_t ones = (int64_t)(UINT64_MAX >> (64 - width));

            memset(bytes, 0, sizeof bytes);
            put(&segment, &place, ones);
            for (unsigned bit = 0; bit < 88; bit++)
                cr_assert_eq(bytes[bit / 8] >> bit % 8 & 1,
                             bit >= 8 + first && bit < 8 + first + width);
            cr_assert_eq(get(&segment, &place), ones);
            memset(bytes, 0xff, sizeof bytes);
            put(&segment, &place, 0);
            for (unsigned bit = 0; bit < 88; bit++)
                cr_assert_eq(bytes[bit / 8] >> bit % 8 & 1,
                             bit < 8 + first || bit >= 8 + first + width);
            cr_assert_eq(get(&segment, &place), 0);
        }
}

Test(segment_bits, signs)
{
    struct {
        int small : 3;
        unsigned plain : 3;
        int rest : 26;
    } compiled = {-4, 7, -1};
    frt_segment segment = frt_segment_of_address(&compiled, sizeof compiled);
    frt_place small = field(FRT_INT, 0, 0, 3);
    frt_place plain = field(FRT_UINT, 0, 3, 3);
    frt_place rest = field(FRT_INT, 0, 6, 26);

    cr_assert_eq(get(&segment, &small), -4);
    cr_assert_eq(get(&segment, &plain), 7);
    cr_assert_eq(get(&segment, &rest), -1);
    put(&segment, &small, 3);
    put(&segment, &plain, 0);
    cr_assert_eq(compiled.small, 3);
    cr_assert_eq(compiled.plain, 0u);
    cr_assert_eq(compiled.rest, -1);
}

Test(segment_bits, a_value_with_more_bits)
{
    unsigned char byte = 0x5a;
    frt_segment segment = frt_segment_of_address(&byte, 1);
    frt_place place = field(FRT_UINT, 0, 2, 3);
    frt_place whole = field(FRT_UINT, 0, 0, 1);

    cr_assert_eq(frt_segment_put_bits(&segment, 0, &place, 8), FRT_OVERFLOW);
    cr_assert_str_eq(frt_last_detail(),
                     "8 does not fit in field of 3 unsigned bits");
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &place, -1), FRT_OVERFLOW);
    whole.name = NULL;
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &whole, 2), FRT_OVERFLOW);
    cr_assert_str_eq(frt_last_detail(),
                     "2 does not fit in a bit-field of 1 unsigned bit");
    place.layout = FRT_INT;
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &place, 4), FRT_OVERFLOW);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &place, -5), FRT_OVERFLOW);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &place, INT64_MIN),
                 FRT_OVERFLOW);
    cr_assert_eq(byte, 0x5a);
    put(&segment, &place, -4);
    cr_assert_eq(get(&segment, &place), -4);
}

Test(segment_bits, refused)
{
    unsigned char bytes[4] = {1, 2, 3, 4};
    frt_segment segment = frt_segment_of_address(bytes, 4);
    frt_segment view = frt_segment_read_only(&segment);
    frt_place place = field(FRT_UINT, 3, 4, 4);
    frt_place beyond = field(FRT_UINT, 3, 4, 5);
    frt_place none = field(FRT_UINT, 0, 0, 0);
    frt_place wide = field(FRT_UINT, 0, 0, 65);
    frt_place late = field(FRT_UINT, 0, 8, 1);
    frt_place bare = field(NULL, 0, 0, 1);
    int64_t value = 77;

    cr_assert_eq(get(&segment, &place), 0);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, &beyond),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &beyond, 0),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 1, &place),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, SIZE_MAX - 1, &place),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_put_bits(&view, 0, &place, 1), FRT_READ_ONLY);
    cr_assert_eq(frt_segment_put_bits(&view, 0, &beyond, 99), FRT_READ_ONLY);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, &none),
                 FRT_BAD_ARGUMENT);
    check_detail("field is not a bit-field of 1 to 64 bits: width 0");
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &wide, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &late, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, &bare),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, NULL),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_get_bits(&value, NULL, 0, &place),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_get_bits(NULL, &segment, 0, &place),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_bits(NULL, 0, &place, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, NULL, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(value, 77);
    cr_assert_eq(memcmp(bytes, "\1\2\3\4", 4), 0);
}

#pragma pack(push, 2)
struct two_packed {
    int n;
    int a : 1;
};
#pragma pack(pop)

/* The last bytes of `size` before a page that must not be touched. */
static void *
before_a_guard(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    return pages + page - size;
}

/* A struct of 6 bytes whose bit-field has a unit of 4: only the byte that has
 * the bit may be touched. */
Test(segment_bits, before_a_guard_page)
{
    const frt_layout *bit;
    const frt_layout *layout;
    frt_segment segment;
    frt_place place;
    struct two_packed *compiled = before_a_guard(6);

    cr_assert_eq(sizeof *compiled, 6);
    cr_assert_eq(frt_layout_bit_field(&bit, FRT_INT, 1), FRT_OK);
    cr_assert_eq(frt_layout_struct(
                     &layout, (frt_member[]){{"n", FRT_INT}, {"a", bit}}, 2,
                     &(frt_aggregate_options){
                         .size = sizeof(frt_aggregate_options), .pack = 2}),
                 FRT_OK);
    cr_assert_eq(frt_layout_size(layout), 6);
    cr_assert_eq(frt_layout_find(&place, layout, "a"), FRT_OK);
    segment = frt_segment_of_address(compiled, 6);
    memset(compiled, 0x5a, 6);
    cr_assert_eq(get(&segment, &place), compiled->a);
    put(&segment, &place, -1);
    cr_assert_eq(memcmp(compiled, "\x5a\x5a\x5a\x5a\x5b\x5a", 6), 0);
    cr_assert_eq(get(&segment, &place), -1);
    put(&segment, &place, 0);
    cr_assert_eq(memcmp(compiled, "\x5a\x5a\x5a\x5a\x5a\x5a", 6), 0);
    frt_layout_drop(layout);
    frt_layout_drop(bit);
}

Test(segment_bits, each_byte_before_a_guard_page)
{
    for (unsigned width = 1; width <= 64; width++)
        for (unsigned first = 0; first < 8; first++) {
            size_t size = (first + width + 7) / 8;
            static void *end;
            frt_place place = field(FRT_ULLONG, 0, first, width);
            frt_segment segment;

            if (end == NULL)
                end = before_a_guard(0);
            segment = frt_segment_of_address((char *)end - size, size);
            put(&segment, &place, 1);
            cr_assert_eq(get(&segment, &place), 1);
        }
}
