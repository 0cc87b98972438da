/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* _Float16, for compilers that have it. */
struct halves {
    _Float16 one, other;
};

_Float16 same_half(_Float16 value);
struct halves swap_halves(struct halves value);

_Float16
same_half(_Float16 value)
{
    return value;
}

struct halves
swap_halves(struct halves value)
{
    return (struct halves){.one = value.other, .other = value.one};
}
