-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- zlib: a checksum, and a text that is compressed and comes back.

local ffi = require "ffi_rt"
local z = ffi.load "z"

ffi.cdef [[
unsigned long crc32(unsigned long crc, const unsigned char *data, unsigned size);
unsigned long compressBound(unsigned long size);
int compress2(unsigned char *to, unsigned long *to_size,
              const unsigned char *from, unsigned long from_size, int level);
int uncompress(unsigned char *to, unsigned long *to_size,
               const unsigned char *from, unsigned long from_size);
const char *zError(int);
]]

local function check(status)
    if status ~= 0 then error(ffi.string(z.zError(status)), 0) end
end

-- A Lua string is a `const unsigned char *`; memory to be written to is an
-- array, and a value to be written an array of one.
local function compress(text, level)
    local room = tonumber(z.compressBound(#text))
    local to, size = ffi.new("unsigned char[?]", room),
                     ffi.new("unsigned long[1]", room)
    check(z.compress2(to, size, text, #text, level))
    return ffi.string(to, size[0])
end

local function uncompress(data, room)
    local to, size = ffi.new("unsigned char[?]", room),
                     ffi.new("unsigned long[1]", room)
    check(z.uncompress(to, size, data, #data))
    return ffi.string(to, size[0])
end

print(("crc32 of 123456789: %x"):format(tonumber(z.crc32(0, "123456789", 9))))

local text = ("a text that says the same again and again, "):rep(100)
local packed = compress(text, 9)
print(#text .. " bytes become under 100: " .. tostring(#packed < 100))
print("and come back: " .. tostring(uncompress(packed, #text) == text))

local ok, message = pcall(uncompress, packed:sub(1, -20), #text)
print("cut short: " .. tostring(ok) .. ", " .. message)
