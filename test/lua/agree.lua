-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- agree.lua SEED: prints what the implementation makes of many random and all
-- systematic conversions, a line each. agree.sh compares the lines of ours with
-- LuaJIT's. Nothing is here that differs by design, or that C leaves undefined.

local check = require "check"
local ffi, num = check.ffi, check.num

local state = tonumber(arg[1] or 1) % 2147483647 + 1
local function random(low, high)
    state = state * 48271 % 2147483647
    return low + state % (high - low + 1)
end

local function pick(list)
    return list[random(1, #list)]
end

local function number(value)
    if type(value) == "boolean" or value == nil then return tostring(value) end
    return ("%.17g"):format(num(value))
end

-- ------------------------------------------------- all kinds, all types ---

ffi.cdef [[
struct ag_one { int a; };
struct ag_two { int a; double b; };
struct ag_nested { struct ag_one in; int tail; };
union ag_union { int i; double d; };
enum ag_enum { AG_A, AG_B = 7 };
]]

local targets = {
    "int", "uint8_t", "int64_t", "double", "float", "bool", "enum ag_enum",
    "int *", "const int *", "void *", "const void *", "char *",
    "const char *", "const uint8_t *", "double *", "int **", "struct ag_one",
    "struct ag_two", "struct ag_nested", "union ag_union", "struct ag_one *",
    "const struct ag_one *", "struct ag_two *", "int[3]", "char[4]",
    "uint8_t[4]", "double[2]", "struct ag_one[2]", "int[2][2]", "int (*)(int)",
    "int (*)[3]", "double _Complex", "float _Complex", "const char *[2]",
}

local ints = ffi.new("int[3]", 1, 2, 3)
local one = ffi.new("struct ag_one", 5)
local two = ffi.new("struct ag_two", 5, 6)
-- In order, for lines to compare.
local values = {
    { "nil", nil }, { "5", 5 }, { "2.5", 2.5 }, { "true", true },
    { "text", "abc" }, { "a name", "AG_B" }, { "empty text", "" },
    { "table", {} }, { "table of 1", { 1 } }, { "table of 2", { 1, 2 } },
    { "table of 3", { 1, 2, 3 } },
    { "named", { a = 1 } }, { "nested", { { 1 }, 2 } },
    { "tables of 2", { { 1, 2 }, { 3, 4 } } }, { "texts", { "a", "b" } },
    { "int", ffi.new("int", 3) }, { "double", ffi.new("double", 2.5) },
    { "int64_t", ffi.new("int64_t", 3) }, { "bool", ffi.new("bool", true) },
    { "enum", ffi.new("enum ag_enum", 7) }, { "ints", ints },
    { "const ints", ffi.new("const int[3]") }, { "int *", ints + 0 },
    { "const int *", ffi.cast("const int *", ints) },
    { "void *", ffi.cast("void *", ints) },
    { "const void *", ffi.cast("const void *", ints) },
    { "char *", ffi.cast("char *", ints) },
    { "uint8_t *", ffi.cast("uint8_t *", ints) },
    { "char[4]", ffi.new("char[4]", "xyz") }, { "one", one }, { "two", two },
    { "nested struct", ffi.new("struct ag_nested") },
    { "union", ffi.new("union ag_union") },
    { "one *", ffi.cast("struct ag_one *", one) },
    { "const one *", ffi.cast("const struct ag_one *", one) },
    { "two *", ffi.cast("struct ag_two *", two) },
    { "ones", ffi.new("struct ag_one[2]") },
    { "complex", ffi.new("double _Complex", 1, 2) },
    { "int **", ffi.new("int *[1]", ints) + 0 },
    { "rows", ffi.new("int[2][3]") },
}

local function judge(name, target, value_name, body, ...)
    print(("%s %s from %s: %s"):format(name, target, value_name,
                                       pcall(body, ...) and "yes" or "no"))
end

local function assign(holder, value)
    holder.x = value
end

-- Where ours is stricter: an address is no number for nil and text, and a table
-- that has too much is an error, as it is for arrays in LuaJIT.
local function differs(name, target, value)
    if name == "cast" and (value == "nil" or value:find("text")
        or value == "a name") then
        return not target:find("[*%[]")
    end
    if value == "table of 2" then
        return target == "struct ag_one" or target == "union ag_union"
    end
    if value == "table of 3" then return target:find("^%l+ ag_") end
    if value == "tables of 2" then return target == "struct ag_one[2]" end
    -- arrays of the same bytes, what `&ints` is in C, and a copy of constants
    return target == "uint8_t[4]" and value == "char[4]"
        or target == "int (*)[3]" and value == "ints"
        or target == "int[3]" and value == "const ints"
end

for _, target in ipairs(targets) do
    local ct = ffi.typeof(target)
    local field = ffi.typeof("struct { $ x; }", ct)
    for _, entry in ipairs(values) do
        local value = entry[2]
        for _, attempt in ipairs {
            { "new", ffi.new, ct }, { "cast", ffi.cast, ct },
            { "assign", assign, field() },
        } do
            if not differs(attempt[1], target, entry[1]) then
                judge(attempt[1], target, entry[1], attempt[2], attempt[3],
                      value)
            end
        end
    end
end

-- ------------------------------------------------------------- numbers ---

local integers = { "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t",
                   "uint32_t", "int64_t", "uint64_t" }
local scalars = { "bool", "float", "double", unpack and unpack(integers)
                      or table.unpack(integers) }

local function random_number()
    local kind = random(1, 5)
    if kind == 1 then return random(-300, 300) end
    if kind == 2 then return random(-70000, 70000) end
    if kind == 3 then return random(-2147483648, 2147483647) end
    if kind == 4 then return random(-3000, 3000) / 8 end
    return random(0, 255)
end

local function fits(name, value)
    return name ~= "uint64_t" or value >= 0
end

for _ = 1, 2000 do
    local value = random_number()
    local name = pick(scalars)
    if fits(name, value) then
        local field = ffi.typeof("struct { $ x; }", ffi.typeof(name))()
        field.x = value
        print(("field %s %.17g: %s"):format(name, value, number(field.x)))
        print(("cast %s %.17g: %s"):format(name, value,
                                            number(ffi.cast(name, value))))
        local other = pick(scalars)
        if fits(other, num(field.x == true and 1 or field.x or 0)) then
            print(("through %s to %s %.17g: %s"):format(name, other, value,
                number(ffi.cast(other, ffi.new(name, value)))))
        end
    end
end

local operators = {
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end,
    ["%"] = function(a, b) return a % b end,
    ["<"] = function(a, b) return a < b end,
    ["<="] = function(a, b) return a <= b end,
}
local symbols = { "+", "-", "*", "%", "<", "<=" }

for _ = 1, 2000 do
    local left, right = pick(integers), pick(integers)
    local a, b = random(-100, 100), random(-100, 100)
    local symbol = pick(symbols)
    local x = random(1, 3) == 1 and a or ffi.new(left, ffi.new("int", a))
    local y = type(x) ~= "number" and random(1, 3) == 1 and b
        or ffi.new(right, ffi.new("int", b))
    -- what a negative number is as an unsigned one C does not say
    local is_unsaid = type(x) == "number" and a < 0 and right == "uint64_t"
        or type(y) == "number" and b < 0 and left == "uint64_t"
    if not is_unsaid and not (symbol == "%" and num(y) == 0) then
        local result = operators[symbol](x, y)
        print(("%s(%d) %s %s(%d): %s"):format(
            type(x) == "number" and "number" or left, a, symbol,
            type(y) == "number" and "number" or right, b,
            type(result) == "boolean" and tostring(result)
                or tostring(ffi.cast("int32_t", result) + 0):gsub("LL", "")))
    end
end

-- ------------------------------------------- layouts and initialisers ---

local members = { "char", "short", "int", "long", "int64_t", "float", "double",
                  "bool", "void *", "int *", "struct ag_one", "struct ag_two",
                  "union ag_union", "enum ag_enum" }

local function random_struct(tag)
    local text, names = {}, {}
    for i = 1, random(1, 6) do
        local name = "m" .. i
        local suffix = random(1, 4) == 1 and ("[%d]"):format(random(1, 4)) or ""
        local attribute = random(1, 8) == 1
            and (" __attribute__((aligned(%d)))"):format(2 ^ random(1, 5)) or ""
        names[i] = name
        text[i] = ("%s %s%s%s;"):format(pick(members), name, suffix, attribute)
    end
    local after = pick { "", "", "", " __attribute__((packed))",
                         " __attribute__((aligned(16)))" }
    return ("%s %s { %s }%s"):format(pick { "struct", "struct", "union" }, tag,
                                      table.concat(text, " "), after), names
end

for i = 1, 300 do
    local text, names = random_struct("ag_random_" .. i)
    ffi.cdef(text .. ";")
    local name = text:match("^%w+ [%w_]+")
    local line = { tostring(ffi.sizeof(name)), tostring(ffi.alignof(name)) }
    for _, member in ipairs(names) do
        line[#line + 1] = tostring(ffi.offsetof(name, member))
    end
    print(("%s: %s"):format(text, table.concat(line, " ")))
end

-- Tables of any shape for an aggregate; what is in it is read back.
local shapes = {
    { "struct ag_two", { "a", "b" } }, { "int[3]", { 0, 1, 2 } },
    { "double[2]", { 0, 1 } },
}

local function random_table(keys)
    local list, shown = {}, {}
    local function set(key)
        list[key] = random(1, 99)
        shown[#shown + 1] = ("[%s] = %d"):format(key, list[key])
    end
    if random(1, 2) == 1 then
        local first = type(keys[1]) == "number" and random(0, 1) or 1
        for i = 1, random(0, #keys) do set(first + i - 1) end
    elseif type(keys[1]) == "string" then
        for _, key in ipairs(keys) do
            if random(1, 2) == 1 then set(key) end
        end
    end
    return list, "{ " .. table.concat(shown, ", ") .. " }"
end

for _ = 1, 500 do
    local shape = pick(shapes)
    local list, shown = random_table(shape[2])
    local ok, object = pcall(ffi.new, shape[1], list)
    local line = { ok and "" or "error" }
    for _, key in ipairs(ok and shape[2] or {}) do
        line[#line + 1] = number(object[key])
    end
    print(("%s %s:%s"):format(shape[1], shown, table.concat(line, " ")))
end

-- ---------------------------------------------------------------- lines ---

local said = require "agree_lines"

local function compile(text)
    if not setfenv then return load(text, text, "t", said.names) end
    local body = loadstring(text)
    return body and setfenv(body, said.names)
end

-- Neither addresses nor numbers in place of tags, nor a literal's suffix.
local function told(value)
    if value ~= value then return "nan" end
    if type(value) == "number" then return ("%.17g"):format(value) end
    return type(value) == "function" and "function"
        or (tostring(value):gsub("0x%x+", "address"):gsub("(%l+ )%d+", "%1tag")
            :gsub("(%d)U?LL$", "%1"):gsub("[^ -~]", "?"))
end

local function results_of(ok, ...)
    local shown = {}
    for i = 1, ok and select("#", ...) or 0 do
        shown[i] = told((select(i, ...)))
    end
    return ok and table.concat(shown, ", ") or "error"
end

local line_number = 0
for line in said.lines:gmatch("[^\n]+") do
    line_number = line_number + 1
    local text = line:gsub("@", line_number)
    local body = compile("return " .. text) or compile(text)
    print(("%s: %s"):format(line, results_of(pcall(body))))
end
