-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- Checks for the scripts of this folder. A test is a line of TAP; its checks
-- are counted, and one that fails tells its file and line and lets the others
-- run. The same scripts run on LuaJIT, whose ffi is the reference: what differs
-- by design is behind `check.ours`. So the syntax here is Lua 5.1's.

local check = {}

check.reference = rawget(_G, "jit") ~= nil
check.ours = not check.reference
local ffi = require(check.reference and "ffi" or "ffi_rt")
check.ffi = ffi

local tests, failures, count = 0, 0, 0
local complaints = {}

-- Where the script called a check: the first line outside this file.
local function place()
    local level = 2
    local info = debug.getinfo(level, "Sl")
    while info and info.source:find("check.lua", 1, true) do
        level = level + 1
        info = debug.getinfo(level, "Sl")
    end
    return info and info.short_src .. ":" .. info.currentline or "?"
end

local function show(value)
    local is_told, text = pcall(tostring, value)
    return (type(value) == "string" and "%q" or "%s"):format(
        is_told and text or "(a value that cannot be told)")
end

local function complain(format, ...)
    complaints[#complaints + 1] = place() .. ": " .. format:format(...)
    return false
end

-- A test that raises an error has failed there.
function check.test(name, body)
    complaints = {}
    local before = count
    local ok, message = xpcall(body, debug.traceback)
    if not ok then
        complaints[#complaints + 1] = tostring(message)
    elseif count == before then
        complaints[#complaints + 1] = "nothing was checked"
    end
    tests = tests + 1
    if #complaints == 0 then
        print(("ok %d - %s (%d checks)"):format(tests, name, count - before))
    else
        failures = failures + 1
        print(("not ok %d - %s"):format(tests, name))
        for _, text in ipairs(complaints) do
            print("# " .. text:gsub("\n", "\n# "))
        end
    end
    io.stdout:flush()
end

-- A test of what LuaJIT does not have or does in another way.
function check.ours_test(name, body)
    if check.ours then
        check.test(name, body)
    end
end

function check.skip(name, why)
    tests = tests + 1
    print(("ok %d - %s # SKIP %s"):format(tests, name, why))
end

function check.finish()
    print("1.." .. tests)
    print(("# %d checks"):format(count))
    if failures > 0 or tests == 0 then
        error(("%d of %d tests failed"):format(failures, tests), 0)
    end
end

function check.is(value, what)
    count = count + 1
    return value and true
        or complain("%s, wanted true: %s", show(value), what or "it is not so")
end

function check.is_not(value, what)
    count = count + 1
    return not value
        or complain("%s, wanted false: %s", show(value), what or "it is so")
end

function check.equal(got, wanted, what)
    count = count + 1
    return got == wanted
        or complain("%s, wanted %s%s", show(got), show(wanted),
                    what and ": " .. what or "")
end

function check.near(got, wanted, distance)
    count = count + 1
    return math.abs(got - wanted) <= (distance or 1e-6)
        or complain("%s, wanted about %s", show(got), show(wanted))
end

function check.matches(text, pattern)
    count = count + 1
    return type(text) == "string" and text:find(pattern) ~= nil
        or complain("%s does not match %q", show(text), pattern)
end

-- The error's text must have the patterns, on ours alone: LuaJIT has its own.
function check.fails(body, ...)
    count = count + 1
    local ok, message = pcall(body)
    if ok then
        return complain("no error")
    end
    for i = 1, check.ours and select("#", ...) or 0 do
        local pattern = select(i, ...)
        if not tostring(message):find(pattern) then
            return complain("the error %s does not match %q", show(message),
                            pattern)
        end
    end
    return true
end

-- A number, whether the implementation gives one or boxes it.
function check.num(value)
    if check.ours and type(value) == "userdata" then
        return ffi.tonumber(value)
    end
    return tonumber(value)
end

function check.num_equal(got, wanted, what)
    return check.equal(check.num(got), wanted, what)
end

function check.null(pointer, what)
    count = count + 1
    local is_null
    if check.reference then
        is_null = pointer == nil
    else
        is_null = pointer == ffi.nullptr
    end
    return is_null or complain("%s, wanted NULL%s", show(pointer),
                               what and ": " .. what or "")
end

function check.not_null(pointer, what)
    count = count + 1
    local is_null
    if check.reference then
        is_null = pointer == nil
    else
        is_null = pointer == ffi.nullptr
    end
    return not is_null or complain("NULL%s", what and ": " .. what or "")
end

function check.cdata(value)
    count = count + 1
    local wanted = check.reference and "cdata" or "userdata"
    return type(value) == wanted
        or complain("a %s, wanted cdata", type(value))
end

-- How often, where each time takes long: with a collection at every step.
function check.rounds(count)
    return os.getenv "FRT_TEST_SLOW" and math.floor(count / 20) or count
end

-- Everything that can be collected is; what finalizers let go, too. If memory
-- is refused to a finalizer, Lua's collection ends there: the others run in those
-- that follow.
function check.collect()
    for _ = 1, os.getenv "FRT_TEST_SLOW" and 40 or 3 do
        collectgarbage()
    end
end

check.count = function() return count end

return check
