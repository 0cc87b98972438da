-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- libpng, without a declaration of ours. The module png_h is its header:
--
--     ffi-rt import --lua --lib png16 png.h > png_h.lua

local ffi = require "ffi_rt"
local png = require "png_h"

local function new_image(width, height)
    local image = ffi.new "png_image" -- zero, as libpng wants it
    image.version = png.PNG_IMAGE_VERSION
    image.format = png.PNG_FORMAT_RGB
    image.width, image.height = width or 0, height or 0
    return image
end

local function check(image, status)
    if status == 0 then error("libpng: " .. ffi.string(image.message), 0) end
end

-- The pixels as the text of a PNG file.
local function write(width, height, pixels)
    local image, size = new_image(width, height), ffi.new "png_alloc_size_t[1]"
    check(image, png.png_image_write_to_memory(image, nil, size, 0, pixels, 0,
                                               nil))
    local file = ffi.new("char[?]", size[0])
    check(image, png.png_image_write_to_memory(image, file, size, 0, pixels, 0,
                                               nil))
    return ffi.string(file, size[0])
end

-- Width, height and pixels of a PNG file.
local function read(file)
    local image = ffi.gc(new_image(), png.png_image_free)
    check(image, png.png_image_begin_read_from_memory(image, file, #file))
    image.format = png.PNG_FORMAT_RGB
    local pixels = ffi.new("uint8_t[?]", 3 * image.width * image.height)
    check(image, png.png_image_finish_read(image, nil, pixels, 0, nil))
    return image.width, image.height, pixels
end

-- Red grows to the right and green downwards.
local width, height = 64, 48
local pixels = ffi.new("uint8_t[?]", 3 * width * height)
for y = 0, height - 1 do
    for x = 0, width - 1 do
        local at = 3 * (y * width + x)
        pixels[at], pixels[at + 1] = 4 * x, 5 * y
    end
end

local file = write(width, height, pixels)
print("a PNG file: " .. tostring(file:sub(2, 4) == "PNG"))
local width_read, height_read, pixels_read = read(file)
print(("%d x %d pixels"):format(width_read, height_read))
print("the same: " .. tostring(
    ffi.string(pixels_read, 3 * width * height)
        == ffi.string(pixels, 3 * width * height)))
print(pcall(read, "no such picture"))
