-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- page.lua PAGE: runs the Lua of a page, all its blocks as one script, and holds
-- what each block prints against its comments `--> text`. Spaces are all alike;
-- `...` in the text stands for anything. LuaJIT runs the blocks that are marked
-- ```lua both, for that is what the mark claims.

local is_luajit = rawget(_G, "jit") ~= nil
local path = arg[1]

-- The script has the line numbers of the page: what is not code is empty.
local lines, blocks, number = {}, {}, 0
local block
for line in io.lines(path) do
    number = number + 1
    local mark = line:match "^```lua(.*)$"
    lines[number] = ""
    if line:match "^```$" then
        block = nil
    elseif mark and (mark == " both" or not is_luajit) then
        block = { line = number, wanted = {}, seen = {} }
        blocks[#blocks + 1] = block
        lines[number] = ("PAGE_BLOCK(%d)"):format(#blocks)
    elseif block then
        lines[number] = line
        block.wanted[#block.wanted + 1] = line:match "%-%->%s*(.*)$"
    end
end

local function squeeze(text)
    return (text:gsub("%s+", " "))
end

local function fits(wanted, seen)
    local pattern = squeeze(wanted):gsub("%p", "%%%0")
                                   :gsub("%%%.%%%.%%%.", ".*")
    return squeeze(seen):find("^" .. pattern .. "$") ~= nil
end

local function is_right(block)
    for i = 1, math.max(#block.wanted, #block.seen) do
        if not (block.wanted[i] and block.seen[i]
                and fits(block.wanted[i], block.seen[i])) then
            return false
        end
    end
    return block.is_entered
end

local tap = print
local current
function PAGE_BLOCK(index)
    current = blocks[index]
    current.is_entered = true
end
function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    current.seen[#current.seen + 1] = table.concat(words, " ")
end

local chunk, message = (loadstring or load)(table.concat(lines, "\n"),
                                            "@" .. path)
local ok = chunk ~= nil
if ok then ok, message = xpcall(chunk, debug.traceback) end
local failures = ok and 0 or 1
for i, block in ipairs(blocks) do
    local right = is_right(block)
    if not right then failures = failures + 1 end
    tap(("%sok %d - the block at line %d"):format(right and "" or "not ", i,
                                                  block.line))
    if not right then
        tap("# wanted: " .. table.concat(block.wanted, "\n#         "))
        tap("# seen:   " .. table.concat(block.seen, "\n#         "))
    end
end
tap(("%sok %d - the page runs to its end"):format(ok and "" or "not ",
                                                  #blocks + 1))
if not ok then tap("# " .. tostring(message):gsub("\n", "\n# ")) end
tap("1.." .. #blocks + 1)
os.exit(failures == 0 and #blocks > 0 and 0 or 1, true)
