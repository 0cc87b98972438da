/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The library that library_by_path opens. */

extern const int plug_in_version;
const int plug_in_version = 7;

int plug_in_add(int one, int other);

int
plug_in_add(int one, int other)
{
    return one + other;
}
