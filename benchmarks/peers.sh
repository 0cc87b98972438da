# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2034
#
# Sourced, in the project's top folder, by benchmarks/run and test/bench/peers:
# which peers there are, and how each is found and run. A peer is a script in
# peers/; it takes --quick and names of cases, and writes rows.

peers='lua luajit luajit_interpreted python java'

# Sets peer_command, or peer_why: what is missing.
peer_find() # NAME BUILD
{
    peer_command=()
    peer_why=
    "peer_find_$1" "$2"
    [ -z "$peer_why" ]
}

peer_find_lua()
{
    local module=$1/ffi_rt/lua/ffi_rt.so

    if ! command -v lua5.4 > /dev/null; then
        peer_why='there is no lua5.4'
    elif [ ! -f "$module" ]; then
        peer_why='the module for Lua is not built'
    else
        peer_command=(env LUA_CPATH="${module%/*}/?.so" lua5.4
            benchmarks/peers/peer.lua "$1/benchmarks" lua)
    fi
}

peer_find_luajit()
{
    if command -v luajit > /dev/null; then
        peer_command=(luajit benchmarks/peers/peer.lua "$1/benchmarks" luajit)
    else
        peer_why='there is no luajit'
    fi
}

peer_find_luajit_interpreted()
{
    peer_find_luajit "$1"
    [ -n "$peer_why" ] ||
        peer_command=(luajit -joff benchmarks/peers/peer.lua "$1/benchmarks"
            luajit_interpreted)
}

peer_find_python()
{
    if [ -x /usr/bin/python3 ]; then
        peer_command=(/usr/bin/python3 benchmarks/peers/peer.py "$1/benchmarks")
    else
        peer_why='there is no /usr/bin/python3'
    fi
}

# The newest of those in JAVA_HOME, PATH and Debian's folder: since 22 it has
# java.lang.foreign as it stays.
peer_find_java()
{
    local java version newest=0

    for java in "${JAVA_HOME-}/bin/java" "$(command -v java)" \
        /usr/lib/jvm/*/bin/java; do
        [ -x "$java" ] || continue
        version=$("$java" -version 2>&1 |
            sed -nE 's/.* version "([0-9]+).*/\1/p')
        [ "${version:-0}" -gt "$newest" ] || continue
        newest=$version
        peer_command=("$java" --enable-native-access=ALL-UNNAMED
            "-Dfrt.bench.build=$1/benchmarks" benchmarks/peers/Peer.java)
    done
    [ "$newest" -ge 22 ] ||
        peer_why="there is no JDK 22 or later (the newest found: $newest)"
}

# After peer_find of the same one.
peer_version() # NAME
{
    case $1 in
        lua) lua5.4 -v ;;
        luajit) luajit -v ;;
        python)
            /usr/bin/python3 -c '
import sys
try:
    import cffi
    version = cffi.__version__
except ImportError:
    version = "missing"
print(f"CPython {sys.version.split()[0]}, cffi {version}")'
            ;;
        java) "${peer_command[0]}" -version 2>&1 | grep Runtime ;;
    esac | head -n 1
}
