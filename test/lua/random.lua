-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- Random use of the whole interface. Every object has a model, a Lua value that
-- it must equal at any time; besides, there are calls with arguments of no
-- sense, which may fail but end nothing. The seed is printed, and given again
-- the steps are the same:
--   FRT_TEST_SEED     the seed (a new one when the suite is asked for by name or
--                     with --long)
--   FRT_TEST_SECONDS  how long (10; with FRT_TEST_LONG 600; half of that where
--                     memory is refused or collected at each step)
--   FRT_TEST_STEPS    how many steps instead
--   FRT_TEST_STARVED  N: each N-th request for memory fails for good; of the
--                     steps nothing is asked then but that they end nothing

local check = require "check"
local ffi, num = check.ffi, check.num
local C = require("functions").C

local is_asked = os.getenv "FRT_TEST_NAMED" or os.getenv "FRT_TEST_LONG"
local seed = tonumber(os.getenv "FRT_TEST_SEED")
    or (is_asked and os.time() % 1000000 or 1)
local seconds = tonumber(os.getenv "FRT_TEST_SECONDS")
    or (os.getenv "FRT_TEST_LONG" and 600 or 10)
        / (os.getenv "FRT_TEST_SLOW" and 2 or 1)
local wanted_steps = tonumber(os.getenv "FRT_TEST_STEPS") or math.huge
local starved = tonumber(os.getenv "FRT_TEST_STARVED") or 0
local step, what = 0, "start"

-- One generator of its own: math.random is another in each Lua.
local state = seed % 2147483647 + 1
local function random(low, high)
    state = state * 48271 % 2147483647
    return low + state % (high - low + 1)
end

-- nil, if there is nothing
local function pick(list)
    return list[random(1, math.max(1, #list))]
end

local function must(is_right, format, ...)
    if not is_right then
        error(("%s, step %d (seed %d): "):format(what, step, seed)
                  .. format:format(...), 2)
    end
end

-- ------------------------------------------------------------- types ---
-- A type has `name`, `random()` for a model, `init(model)` for what ffi.new
-- takes, `verify(value, model)`. Aggregates have `parts`: key and type.

local function scalar(name, random_value, is_float)
    return {
        name = name,
        random = random_value,
        init = function(model) return model end,
        verify = function(value, model)
            if type(model) ~= "boolean" and not is_float then
                -- the 64 bits of an unsigned one that is no Lua integer
                value = num(type(value) == "userdata"
                    and ffi.cast("int64_t", value) or value)
            end
            must(value == model, "%s is %s, not %s", name, tostring(value),
                 tostring(model))
        end,
    }
end

local function integer(name, bits, is_signed)
    return scalar(name, function()
        if bits == 64 then
            return (random(0, 65535) << 48) ~ (random(0, 2147483645) << 17)
                ~ random(0, 65535)
        end
        local value = random(0, 65535) * 65536 + random(0, 65535)
        value = value & ((1 << bits) - 1)
        return is_signed and value >> (bits - 1) == 1 and value - (1 << bits)
            or value
    end)
end

local function quarter()
    return random(-100000, 100000) / 4
end

local scalars = {
    integer("int8_t", 8, true), integer("uint8_t", 8),
    integer("int16_t", 16, true), integer("uint16_t", 16),
    integer("int32_t", 32, true), integer("uint32_t", 32),
    integer("int64_t", 64, true), integer("uint64_t", 64),
    scalar("float", quarter, true), scalar("double", quarter, true),
    scalar("bool", function() return random(0, 1) == 1 end),
}

local function array(element, count)
    local of = { parts = {}, element = element, count = count }
    for i = 0, count - 1 do of.parts[i + 1] = { i, element } end
    of.random = function()
        local model = {}
        for i = 0, count - 1 do model[i] = element.random() end
        return model
    end
    of.init = function(model)
        local list, first = {}, random(0, 1)
        for i = 0, count - 1 do list[first + i] = element.init(model[i]) end
        return list
    end
    of.verify = function(value, model)
        for i = 0, count - 1 do element.verify(value[i], model[i]) end
    end
    return of
end

local type_count = 0

-- `declare(NAME, SUFFIX)`: a field of this type as C has it.
local function declarator(of, name)
    if of.element then
        return declarator(of.element, name .. "[" .. of.count .. "]")
    end
    return of.name .. " " .. name
end

local function bit_field(width, is_signed)
    local of = integer(is_signed and "int" or "unsigned", width, is_signed)
    of.width = width
    return of
end

local function structure(fields)
    type_count = type_count + 1
    local of = { name = "struct rnd_" .. type_count, parts = {} }
    local text = {}
    for i, field in ipairs(fields) do
        local name = "f" .. i
        of.parts[i] = { name, field }
        text[i] = declarator(field, name)
            .. (field.width and " : " .. field.width or "") .. ";"
    end
    local packed = random(1, 5) == 1 and " __attribute__((packed))" or ""
    ffi.cdef(of.name .. " { " .. table.concat(text, " ") .. " }" .. packed
                 .. ";")
    of.random = function()
        local model = {}
        for _, part in ipairs(of.parts) do model[part[1]] = part[2].random() end
        return model
    end
    of.init = function(model)
        local list, by_name = {}, random(0, 1) == 1
        for i, part in ipairs(of.parts) do
            list[by_name and part[1] or i] = part[2].init(model[part[1]])
        end
        return list
    end
    of.verify = function(value, model)
        for _, part in ipairs(of.parts) do
            part[2].verify(value[part[1]], model[part[1]])
        end
    end
    return of
end

local structs = {}
local function random_type(depth)
    local kind = random(1, 10)
    if depth == 0 or kind <= 5 then return pick(scalars) end
    if kind <= 7 then return array(random_type(depth - 1), random(2, 5)) end
    if kind == 8 and #structs > 0 then return pick(structs) end
    local fields = {}
    for i = 1, random(1, 6) do
        if random(1, 5) == 1 then
            fields[i] = bit_field(random(2, 31), random(0, 1) == 1)
        else
            fields[i] = random_type(depth - 1)
        end
    end
    return structure(fields)
end

for i = 1, 30 do
    local of
    repeat of = random_type(3) until of.name and of.parts
    of.ctype = ffi.typeof(of.name)
    -- types are for good: there is a number of them
    of.holder = ffi.typeof("struct { $ *to; const char *text; }", of.ctype)
    structs[i] = of
end

-- ------------------------------------------------------------ objects ---
-- { value, of, model, arena, is_pointer }. What is one in memory has one model:
-- parts, and pointers (to structs), of which `value` is one. Of an arena that
-- was closed nothing can be read.

local objects, arenas = {}, {}
local finalizers = { made = 0, run = 0 }

local function forget()
    if #objects > 0 then table.remove(objects, random(1, #objects)) end
end

local function remember(object)
    if #objects >= 60 then forget() end
    objects[#objects + 1] = object
    return object
end

local function is_closed(object)
    return object.arena and object.arena.closed
end

local function verify(object)
    if is_closed(object) then
        local key = object.of.parts[1][1]
        must(not pcall(function() return object.value[key] end),
             "%s can be read after its arena is closed", object.of.name)
    else
        object.of.verify(object.value, object.model)
    end
end

local function copy_model(model)
    if type(model) ~= "table" then return model end
    local copy = {}
    for key, value in pairs(model) do copy[key] = copy_model(value) end
    return copy
end

-- In place: another object may have the same table.
local function assign(model, key, value)
    if type(value) ~= "table" then
        model[key] = value
        return
    end
    for inner, v in pairs(value) do assign(model[key], inner, v) end
end

local function living(test)
    for _ = 1, 5 do
        local object = pick(objects)
        if object and not is_closed(object)
            and (not test or test(object)) then
            return object
        end
    end
end

local steps = {}

function steps.new()
    local of = pick(structs)
    local model = of.random()
    local value
    if random(1, 2) == 1 then
        value = ffi.new(random(1, 2) == 1 and of.name or of.ctype,
                        of.init(model))
    else
        value = of.ctype(of.init(model))
    end
    remember { value = value, of = of, model = model }
end

function steps.new_array()
    local of = array(pick(structs), random(2, 6))
    local model = of.random()
    local name = of.element.name .. "[" .. of.count .. "]"
    local value
    if random(1, 2) == 1 then
        value = ffi.new(of.element.name .. "[?]", of.count, of.init(model))
    else
        value = ffi.new(name, of.init(model))
    end
    remember { value = value, of = of, model = model }
end

function steps.new_in_arena()
    local arena = pick(arenas)
    if not arena or arena.closed then return end
    local of = pick(structs)
    local model = of.random()
    remember { value = arena.value:new(of.name, of.init(model)), of = of,
               model = model, arena = arena }
end

function steps.open_arena()
    if #arenas >= 5 then table.remove(arenas, random(1, 5)) end
    arenas[#arenas + 1] = { value = ffi.arena() }
end

function steps.close_arena()
    local arena = pick(arenas)
    if arena and not arena.closed then
        arena.value:close()
        arena.closed = true
    end
end

function steps.copy()
    local from = living(function(o) return o.of.ctype end)
    if not from then return end
    local copy = { of = from.of, model = copy_model(from.model) }
    if random(1, 2) == 1 then
        copy.value = ffi.new(from.of.ctype,
                             from.is_pointer and from.value[0] or from.value)
    else
        copy.value = ffi.new(from.of.ctype)
        ffi.copy(copy.value, from.value, ffi.sizeof(from.of.ctype))
    end
    remember(copy)
end

-- Down to a scalar, written by its last aggregate.
function steps.write()
    local object = living()
    if not object then return end
    local value, of, model = object.value, object.of, object.model
    while true do
        local part = pick(of.parts)
        local key, inner = part[1], part[2]
        if not inner.parts or random(1, 4) == 1 then
            local fresh = inner.random()
            value[key] = inner.init(fresh)
            assign(model, key, fresh)
            return
        end
        value, of, model = value[key], inner, model[key]
    end
end

-- A part of an object is one, and keeps the whole.
function steps.part()
    local object = living()
    if not object then return end
    local part = pick(object.of.parts)
    if part[2].parts then
        remember { value = object.value[part[1]], of = part[2],
                   model = object.model[part[1]], arena = object.arena }
    end
end

function steps.pointer()
    local object = living(function(o) return o.of.ctype end)
    if not object then return end
    local pointer = ffi.cast(object.of.name .. " *", object.value)
    if random(1, 2) == 1 then
        pointer = ffi.cast(object.of.name .. " *", ffi.cast("void *", pointer))
    end
    remember { value = pointer, of = object.of, model = object.model,
               arena = object.arena, is_pointer = true }
end

function steps.element()
    local object = living(function(o) return o.of.element end)
    if not object or not object.of.element.parts then return end
    local i = random(0, object.of.count - 1)
    local pointer = object.value + i
    must(num(pointer - object.value) == i, "a difference")
    local is_array = object.of.element.element
    remember { value = is_array and pointer[0] or pointer,
               of = object.of.element, model = object.model[i],
               arena = object.arena, is_pointer = not is_array }
    for _, outside in ipairs { -1, object.of.count, object.of.count + 100 } do
        must(not pcall(function() return object.value[outside] end),
             "element %d of %d", outside, object.of.count)
    end
end

function steps.verify()
    local object = pick(objects)
    if object then verify(object) end
end

function steps.finalizer()
    local of = pick(structs)
    local model = of.random()
    finalizers.made = finalizers.made + 1
    remember {
        value = ffi.gc(ffi.new(of.name, of.init(model)), function(value)
            finalizers.run = finalizers.run + 1
            of.verify(value, model)
        end),
        of = of,
        model = model,
    }
end

function steps.collect()
    if random(1, 10) == 1 then
        collectgarbage()
    else
        collectgarbage("step", random(0, 100))
    end
end

steps.forget = forget

function steps.call()
    local a, b = random(-1000, 1000), random(-1000, 1000)
    must(C.add2(a, b) == a + b, "add2")
    must(C.fma3(a, 0.5, b) == a * 0.5 + b, "fma3")
    local sum = C.add_points({ a, b }, ffi.new("struct point", b, a))
    must(sum.x == a + b and sum.y == a + b, "add_points")
    local longs = C.count_longs(a)
    must(num(C.sum_longs(longs, b)) == 5 * a + 10 + b, "longs")
    local bytes = ffi.new("struct bytes")
    bytes.b[random(0, 31)] = 5
    must(C.sum_bytes(C.reverse_bytes(bytes)) == 5, "bytes")
    must(C.text_length(("x"):rep(a & 63)) == a & 63, "text")
    must(C.sum_doubles(3, a + 0.0, 0.5, b + 0.0) == a + b + 0.5, "variadic")
end

local function call_back(depth)
    local value = random(-100, 100)
    local kind = random(1, 4)
    local callback = ffi.cast("int (*)(int)", function(i)
        must(i == value, "a callback's argument")
        if random(1, 3) == 1 then collectgarbage("step") end
        if depth > 0 and random(1, 2) == 1 then call_back(depth - 1) end
        if kind == 1 then error("on purpose") end
        return kind == 2 and "nothing of sense" or i + 1
    end)
    local ok, result = pcall(C.call_int, callback, value)
    if kind <= 2 then
        must(not ok, "a callback that fails")
        must(tostring(result):find(kind == 1 and "on purpose" or "int"),
             "the error %s", tostring(result))
    else
        must(ok and result == value + 1, "a callback gave %s", tostring(result))
    end
    callback:free()
end

function steps.callback()
    call_back(3)
end

local kept_callbacks = {}
function steps.kept_callback()
    if #kept_callbacks > 20 then
        table.remove(kept_callbacks, random(1, #kept_callbacks)).value:free()
    end
    local add = random(1, 1000)
    local entry = {
        add = add,
        value = ffi.cast("int (*)(int)", function(i) return i + add end),
    }
    kept_callbacks[#kept_callbacks + 1] = entry
    entry = pick(kept_callbacks)
    must(C.call_int(entry.value, 1) == entry.add + 1, "a kept callback")
    if random(1, 4) == 1 then
        entry.add = entry.add + 1
        local new = entry.add
        entry.value:set(function(i) return i + new end)
    end
end

-- A pointer in a struct keeps what it points to.
local holders = {}
function steps.holder()
    if #holders > 10 then table.remove(holders, random(1, #holders)) end
    local of = pick(structs)
    local model = of.random()
    local value = of.holder()
    value.to = ffi.new(of.name, of.init(model))
    local text = ("text %d"):format(random(1, 1000000))
    value.text = text
    holders[#holders + 1] = { value = value, of = of, model = model,
                              text = text }
    -- what it points to stays with a copy, too
    local from = pick(holders)
    local copy = { of = from.of, model = from.model, text = from.text }
    local kind = random(1, 4)
    if kind == 1 then
        copy.value = from.of.holder(from.value)
    elseif kind == 2 then
        copy.value = from.of.holder()
        ffi.copy(copy.value, from.value, ffi.sizeof(from.of.holder))
    else
        local list = ffi.new(ffi.typeof("$[3]", from.of.holder))
        if kind == 3 then
            list[1] = from.value
        else
            list[0] = from.value
            list[1] = list[0]
            list[0] = {}
        end
        copy.value = list[1]
    end
    holders[random(1, #holders)] = copy
    local holder = pick(holders)
    holder.of.verify(holder.value.to, holder.model)
    must(ffi.string(holder.value.text) == holder.text, "a held text")
end

function steps.text()
    local text = ("t"):rep(random(0, 40))
    local chars = ffi.new("char[?]", #text + 1, text)
    must(ffi.string(chars) == text, "ffi.string")
    ffi.fill(chars, #text, 65)
    must(ffi.string(chars) == ("A"):rep(#text), "ffi.fill")
    must(not pcall(ffi.copy, chars, text .. "x"), "a copy that is too long")
    must(not pcall(ffi.fill, chars, #text + 2), "a fill that is too long")
end

-- Bytes, written with offsets and lengths that may be outside.
function steps.bytes()
    local size = random(1, 24)
    local bytes, model = ffi.new("uint8_t[?]", size), {}
    for i = 0, size - 1 do model[i] = 0 end
    for _ = 1, 10 do
        local offset, length = random(-3, size + 3), random(0, size + 3)
        local value, kind = random(0, 255), random(1, 4)
        local fits = offset >= 0 and offset + length <= size
        local text, source = string.char(value):rep(length), nil
        local ok
        if kind == 1 then
            ok = pcall(ffi.fill, bytes + offset, length, value)
        elseif kind == 2 then
            ok = pcall(ffi.copy, bytes + offset, text, length)
        elseif kind == 3 then
            source = ffi.new("uint8_t[?]", length + 1)
            ffi.fill(source, length, value)
            ok = pcall(ffi.copy, bytes + offset, source, length)
        else
            local seen
            ok, seen = pcall(ffi.string, bytes + offset, length)
            for i = 0, ok and length - 1 or -1 do
                must(seen:byte(i + 1) == model[offset + i], "ffi.string")
            end
        end
        -- of nothing nothing is asked
        must(ok == fits or length == 0, "%d bytes at %d of %d, way %d: %s",
             length, offset, size, kind, tostring(ok))
        for i = 0, ok and kind < 4 and length - 1 or -1 do
            model[offset + i] = value
        end
    end
    for i = 0, size - 1 do must(bytes[i] == model[i], "byte %d", i) end
end

-- Callbacks in coroutines; a yield must not go over C.
function steps.coroutine()
    local thread = coroutine.wrap(function(depth)
        local inner
        inner = ffi.cast("int (*)(int)", function(i)
            if i > 0 then return C.call_int(inner, i - 1) + 1 end
            local ok, message = pcall(coroutine.yield, "over C")
            must(not ok and message:find "yield", "a yield over C")
            return 0
        end)
        must(C.call_int(inner, depth) == depth, "nested calls")
        inner:free()
        local object = ffi.new("struct point", depth, 1)
        coroutine.yield(C.add_points(object, object))
        return object
    end)
    local sum = thread(random(0, 5))
    must(sum.y == 2, "from a coroutine")
    if random(1, 2) == 1 then must(thread().y == 1, "its end") end
end

-- An arena that is used by a call stays open.
function steps.arena_in_call()
    local arena = ffi.arena(random(1, 2) == 1 and "shared" or nil)
    local ints = arena:new("int[3]", 1, 2, 3)
    local closed
    local callback = ffi.cast("void (*)(const int *, void *)", function()
        closed = closed or pcall(arena.close, arena)
        if random(1, 4) == 1 then collectgarbage("step") end
    end)
    C.each_int(ints, 3, callback, nil)
    callback:free()
    must(not closed and ints[2] == 3, "an arena closed in a call")
    if random(1, 2) == 1 then
        arena:close()
        must(not pcall(function() return ints[2] end), "a closed arena")
    end
end

function steps.thread()
    -- one that is starved would leave its thread behind
    if starved > 0 or random(1, 10) > 1 then return end
    local callback = ffi.cast("int (*)(int)", function(i)
        if random(1, 3) == 1 then collectgarbage("step") end
        return i * 2
    end)
    local caller = C.thread_start(callback, 5)
    while C.thread_is_done(caller) == 0 do ffi.poll(1) end
    must(C.thread_join(caller) == 30, "calls from a thread")
    callback:free()
end

-- No number is among them that could become an address and be looked at.
local function nonsense()
    local kind = random(1, 14)
    local object = pick(objects)
    if kind == 1 then return nil end
    if kind == 2 then return random(-5, 5) end
    if kind == 3 then return random(0, 1) == 1 end
    if kind == 4 then return pick { "int", "", "x", "f1", "struct rnd_1", "$",
                                    "int[?]", "double", "struct {", "\0" } end
    if kind == 5 then return {} end
    if kind == 6 then return { 1, "two", { 3 } } end
    if kind == 7 then return function() return 1 end end
    if kind == 8 then return 0 / 0 end
    if kind == 9 then return 1e300 end
    if kind == 10 then return ffi.typeof("int") end
    if kind == 11 then return pick(structs).ctype end
    if kind == 12 then return ffi.C end
    return object and object.value
end

local functions = { "new", "sizeof", "alignof", "offsetof", "typeof", "istype",
                    "string", "errno", "abi", "gc", "cdef" }
local operators = {
    function(a, b) return a + b end,
    function(a, b) return a - b end,
    function(a, b) return a * b end,
    function(a, b) return a < b end,
    function(a, b) return a <= b end,
    function(a, b) return a == b end,
    function(a, b) return a .. b end,
    function(a, b) return a[b] end,
    function(a, b) return a & b end,
    function(a, b) return a // b end,
    function(a) return -a end,
    function(a) return #a end,
    function(a) return tostring(a) end,
    function(a, b) return a(b) end,
}

function steps.nonsense()
    local name = pick(functions)
    local a, b, c = nonsense(), nonsense(), nonsense()
    -- a finalizer that is no function fails later, elsewhere; and those of
    -- objects are counted
    if name == "gc" and type(a) == "userdata" then a, b = nil, nil end
    if name == "cdef" and type(a) == "string" then a = a .. " no_such" end
    pcall(ffi[name], a, b, c)
    if type(a) ~= "function" and a ~= ffi.C then
        pcall(pick(operators), a, b)
    end
    pcall(C.add2, b, c)
    pcall(C.same_double, a)
    pcall(C.add_points, b, a)
    pcall(C.same_bool, c)
    pcall(ffi.cast, pick { "int", "int *", "double", "struct rnd_1 *", "bool",
                           "int (*)(int)" }, type(a) ~= "function" and a or nil)
end

-- ---------------------------------------------------------------- run ---

local names = {}
for name in pairs(steps) do names[#names + 1] = name end
table.sort(names)
local weights = { write = 6, verify = 6, new = 3, part = 2, pointer = 2 }
local list = {}
for _, name in ipairs(names) do
    for _ = 1, weights[name] or 1 do list[#list + 1] = name end
end

local function resident_pages()
    local file = io.open "/proc/self/statm"
    if not file then return 0 end
    local pages = file:read("n", "n")
    file:seek "set"
    pages = select(2, file:read("n", "n"))
    file:close()
    return pages
end

local function drop_all()
    objects, arenas, holders = {}, {}, {}
    for _, entry in ipairs(kept_callbacks) do entry.value:free() end
    kept_callbacks = {}
    check.collect()
    return collectgarbage "count"
end

local function take(step_function)
    if starved == 0 then return step_function() end
    starve(starved)
    local ok = pcall(step_function)
    starve(0)
    -- it may have left its object between two values
    if not ok then objects, arenas, holders = {}, {}, {} end
end

local function run()
    local deadline = os.time() + seconds
    local first_count, first_pages
    local count
    while step < wanted_steps
        and (wanted_steps < math.huge or step % 100 ~= 0
             or os.time() < deadline) do
        step = step + 1
        what = pick(list)
        take(steps[what])
        if step % 20000 == 0 then
            for _, object in ipairs(objects) do verify(object) end
            count = drop_all()
            if step == 40000 then
                first_count, first_pages = count, resident_pages()
            end
        end
    end
    what = "end"
    count = drop_all()
    if starved > 0 then return end
    must(finalizers.run == finalizers.made, "%d of %d finalizers ran",
         finalizers.run, finalizers.made)
    if first_count then
        must(count < first_count * 1.05 + 50,
             "Lua's memory grew from %.0f to %.0f KiB", first_count, count)
        -- what a sanitizer keeps back is no leak
        local pages = resident_pages()
        if os.getenv "FRT_TEST_SANITIZED" ~= "1" then
            must(pages < first_pages * 1.2 + 500,
                 "the process grew from %d to %d pages", first_pages, pages)
        end
    end
end

check.test(("random use, seed %d, %g s"):format(seed, seconds), function()
    run()
    check.is(step > 0)
    print(("# %d steps"):format(step))
end)
check.finish()
