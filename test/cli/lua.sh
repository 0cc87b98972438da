# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Scripts. FRT_TEST_LUA says whether the build has Lua.

# The script on standard input, run with ARGUMENTs, ends with STATUS and prints
# TEXT.
script() # NAME STATUS TEXT [ARGUMENT]...
{
    local name=$1 wanted=$2 text=$3
    shift 3
    cat > script.lua
    run lua script.lua "$@"
    if [ "$status" -eq "$wanted" ] && [ "$output" = "$text" ]; then
        tap_ok "lua: $name"
    else
        report "lua: $name" "status $wanted and $text"
    fi
}

# The same for one that fails: what it printed before, and a sentence with each
# of the WORDs.
script_fails() # NAME TEXT WORD...
{
    local name=$1 text=$2 word
    shift 2
    cat > script.lua
    run lua script.lua
    if [ "$status" -ne 1 ] || [ "$output" != "$text" ] ||
        [[ $errors != 'ffi-rt: '* ]]; then
        report "lua: $name" "status 1, $text and a sentence"
        return
    fi
    for word; do
        if [[ $errors != *"$word"* ]]; then
            report "lua: $name" "the word '$word'"
            return
        fi
    done
    tap_ok "lua: $name"
}

lua_scripts()
{
    script 'the module is inside' 0 '3 1.5 function' << 'END'
local ffi = require "ffi_rt"
ffi.cdef "int abs(int); double sqrt(double);"
print(ffi.C.abs(-3) .. " " .. ffi.C.sqrt(2.25) .. " "
          .. type(package.preload.ffi_rt))
END
    script 'no file is preferred to it' 0 table << 'END'
package.cpath, package.path = "", ""
print(type(require "ffi_rt"))
END
    script 'arguments' 0 'script.lua|one|two words||3|3' one 'two words' '' \
        << 'END'
print(table.concat({ arg[0], arg[1], arg[2], arg[3], #arg, select("#", ...) },
                   "|"))
assert(arg[1] == ... and arg[-1] == "lua" and arg[-2]:match "ffi%-rt$")
END
    script 'arguments that look like options' 0 $'--help\t-x' --help -x << 'END'
print(...)
END
    output=$(printf 'print("read", ...)' | "$ffi_rt" lua - a b 2>&1)
    holds 'lua: standard input' test "$output" = $'read\ta\tb'
    script 'os.exit' 7 before << 'END'
print "before"
os.exit(7)
END
    script 'os.exit(false)' 1 '' <<< 'os.exit(false)'
    script 'os.exit closes the state' 3 'closed' << 'END'
setmetatable({}, { __gc = function() print "closed" end })
os.exit(3, true)
END
    script 'the state is closed at the end' 0 'closed' << 'END'
setmetatable({}, { __gc = function() print "closed" end })
END
    script 'a first line for the shell' 0 1 << 'END'
#!/usr/bin/env -S ffi-rt lua
print(1)
END
    if "$ffi_rt" version | grep -q '^allocator: jemalloc'; then
        script 'jemalloc underneath' 0 true << 'END'
local ffi = require "ffi_rt"
ffi.cdef "int mallctl(const char *, void *, size_t *, void *, size_t);"
local count, size = ffi.new("uint64_t[1]"), ffi.new("size_t[1]", 8)
local function allocated()
    assert(ffi.C.mallctl("thread.allocated", count, size, nil, 0) == 0)
    return count[0]
end
local before = allocated()
local text = ("x"):rep(1000000)
print(allocated() - before >= #text)
END
    else
        tap_skip 'lua: jemalloc underneath' 'the build has none'
    fi

    script_fails 'an error' before 'script.lua:3: too deep' 'stack traceback' \
        "'deep'" << 'END'
local function deep()
    print "before"
    error "too deep"
end
deep()
END
    script_fails 'an error that is a table' '' 'is a table' 'traceback' \
        <<< 'error {}'
    script_fails 'an error that can tell itself' '' 'told so' 'traceback' \
        <<< 'error(setmetatable({}, { __tostring = function() return "told so" end }))'
    script_fails 'an error of a call' '' 'abs' 'script.lua:2' << 'END'
local ffi = require "ffi_rt"
ffi.cdef "int abs(int)"; ffi.C.abs()
END
    script_fails 'an error of syntax' '' 'script.lua:' 'near' <<< 'print('
    holds 'lua: it has no traceback' test "${errors/traceback/}" = "$errors"
    script_fails 'NULL' '' NULL << 'END'
local ffi = require "ffi_rt"
print(ffi.cast("int *", 0)[0])
END

    usage 'wants a script' lua
    usage "no option '-e'" lua -e 'print(1)'
    shows 'usage: ffi-rt lua' lua --help
    shows 'usage: ffi-rt lua' lua -h
    echo 'print(...)' > ./-dash.lua
    run lua -- -dash.lua one
    holds 'lua: options end' test "$status$output" = 0one
    run lua nosuch.lua
    holds 'lua: no such file' test "$status" -eq 1 -a \
        "${errors#ffi-rt: *nosuch.lua}" != "$errors"
    echo 'print(1)' > script.lua
    if [ -c /dev/full ]; then
        full lua script.lua
    else
        tap_skip 'a full disk: lua' 'no /dev/full'
    fi
}

if [ "${FRT_TEST_LUA-}" = yes ]; then
    lua_scripts
else
    run lua script.lua
    holds 'lua: a build without it says so' test "$status" -eq 1 -a \
        "${errors#ffi-rt: this build has no Lua}" != "$errors"
    tap_skip 'lua: scripts' 'the build has no Lua'
fi
