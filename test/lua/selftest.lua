-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
-- Checks can fail, and say where.

local lines = {}
local write = print
function print(text) lines[#lines + 1] = text end

local check = require "check"
local ffi = check.ffi

local wrong = {
    equal = function() check.equal(1, 2) end,
    is = function() check.is(false) end,
    is_not = function() check.is_not(true) end,
    near = function() check.near(1, 2) end,
    num_equal = function() check.num_equal(ffi.new("int", 1), 2) end,
    matches = function() check.matches("text", "other") end,
    ["matches, of no text"] = function() check.matches(5, "5") end,
    fails = function() check.fails(function() end) end,
    null = function() check.null(ffi.cast("int *", 8)) end,
    not_null = function() check.not_null(ffi.cast("int *", 0)) end,
    cdata = function() check.cdata(5) end,
    ["an error"] = function() error("selftest.lua:1: on purpose") end,
    ["no check at all"] = function() end,
    ["the second of three"] = function()
        check.equal(1, 1)
        check.equal(1, 2)
        check.equal(1, 1)
    end,
}
if check.ours then
    wrong["fails, with another text"] = function()
        check.fails(function() error("one") end, "other")
    end
end

local results = {}
for name, body in pairs(wrong) do
    lines = {}
    check.test(name, body)
    local text = table.concat(lines, "\n")
    results[#results + 1] = {
        name = name,
        ok = text:find("^not ok %d+ %- ") and
            (name == "no check at all" or text:find("selftest.lua:%d+: ")),
        text = text,
    }
end
lines = {}
check.test("right", function() check.equal(1, 1) end)
results[#results + 1] = { name = "one that is right", text = lines[1],
                          ok = lines[1]:find("^ok") }
results[#results + 1] = { name = "the end has an error", text = "none",
                          ok = not pcall(check.finish) }

print = write
local failures = 0
table.sort(results, function(a, b) return a.name < b.name end)
for i, result in ipairs(results) do
    if not result.ok then failures = failures + 1 end
    print(("%sok %d - found wrong: %s"):format(result.ok and "" or "not ", i,
                                                result.name))
    if not result.ok then print("# " .. result.text:gsub("\n", "\n# ")) end
end
print("1.." .. #results)
if failures > 0 then error("checks that cannot fail", 0) end
