# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash
#
# Sourced, in the project's top folder, by test/run, examples/run and
# benchmarks/run: what they all need. Functions that fail return a status and
# have said why.

# Need by need: the Debian package, and how to see that it is there. `command`
# looks in PATH, `pkg-config` for a library with its header, `soname` for a
# library to be opened by name.
setup_needs='
gcc              command     gcc
libc6-dev        file        /usr/include/stdlib.h
meson            command     meson
ninja-build      command     ninja
pkg-config       command     pkg-config
libffi-dev       pkg-config  libffi
libjemalloc-dev  pkg-config  jemalloc
libcriterion-dev pkg-config  criterion
zlib1g           soname      libz.so.1
libsqlite3-0     soname      libsqlite3.so.0
libgsl27         soname      libgsl.so.27
libgslcblas0     soname      libgslcblas.so.0
'

# What the tests have beyond the tour: the other compiler, the watching tools,
# and hosts to load the library into.
setup_test_needs='
g++              command     g++
clang            command     clang
libclang-rt-dev  file        /usr/share/doc/libclang-rt-dev
clang-format     command     clang-format
valgrind         command     valgrind
binutils         command     nm
lua5.4           command     lua5.4
lua5.3           command     lua5.3
luajit           command     luajit
zlib1g-dev       pkg-config  zlib
libsqlite3-dev   pkg-config  sqlite3
libgsl-dev       pkg-config  gsl
liblua5.4-dev    pkg-config  lua5.4
liblua5.3-dev    pkg-config  lua5.3
libpng-dev       pkg-config  libpng
libclang1-14     soname      libclang-14.so.13
spin             command     spin
strace           command     strace
python3          file        /usr/bin/python3
python3-cffi     file        /usr/share/doc/python3-cffi
'

# What the benchmarks compare with and draw with: they go on without.
setup_bench_needs='
lua5.4           command     lua5.4
luajit           command     luajit
python3          file        /usr/bin/python3
python3-cffi     file        /usr/share/doc/python3-cffi
gnuplot-nox      command     gnuplot
'

setup_has() # KIND NAME
{
    case $1 in
        command) command -v "$2" ;;
        file) [ -e "$2" ] ;;
        pkg-config) pkg-config --exists "$2" ;;
        soname) PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -F "$2 " ;;
    esac > /dev/null 2>&1
}

# The packages of the needs that are not met, a line each.
setup_missing() # NEEDS
{
    local package kind name

    while read -r package kind name; do
        [ -z "$package" ] || setup_has "$kind" "$name" || echo "$package"
    done <<< "$1"
}

# Runs a command with its output in build/logs/NAME.log; of a failure the end
# is shown.
setup_logged() # NAME COMMAND...
{
    local log=build/logs/$1.log status=0

    shift
    mkdir -p build/logs
    "$@" > "$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        echo "set-up: '$*' failed; the end of $log:" >&2
        tail -n 40 "$log" >&2
    fi
    return "$status"
}

setup_as_root() # COMMAND...
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        echo "set-up: '$*' needs root, and there is no sudo" >&2
        return 1
    fi
}

# Installs what is missing. `tour`: without what only the tests use; `bench`:
# with what only the benchmarks use. Nothing is asked of the network when
# nothing is missing.
setup_packages() # [tour|bench]
{
    local needs=$setup_needs missing

    case ${1-} in
        tour) ;;
        bench) needs+=$setup_bench_needs ;;
        *) needs+=$setup_test_needs ;;
    esac
    mapfile -t missing < <(setup_missing "$needs")
    if [ ${#missing[@]} -eq 0 ]; then
        echo 'set-up: all packages are there'
        return
    fi
    echo "set-up: installing ${missing[*]}"
    if ! command -v apt-get > /dev/null; then
        echo 'set-up: there is no apt-get; please install them by hand' >&2
        return 1
    fi
    setup_logged packages-list setup_as_root apt-get update &&
        setup_logged packages setup_as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "${missing[@]}" &&
        setup_verify "$needs" && setup_is_new=yes
}

# A package that was installed and does not bring what it should is better
# known now than by a compiler's message.
setup_verify() # NEEDS
{
    local missing

    hash -r
    mapfile -t missing < <(setup_missing "$1")
    if [ ${#missing[@]} -gt 0 ]; then
        echo "set-up: installed, but not found: ${missing[*]}" >&2
        return 1
    fi
}

# Builds everything into build/. What was configured before packages came does
# not know of them. The options are for a new one.
setup_build() # [OPTION...]
{
    if [ ! -f build/build.ninja ]; then
        echo 'set-up: configuring build/'
        setup_logged setup meson setup build "$@" || return
    elif [ -n "${setup_is_new-}" ]; then
        echo 'set-up: configuring build/ anew'
        setup_logged setup meson setup --reconfigure build || return
    fi
    echo 'set-up: building in build/'
    setup_logged build ninja -C build
}
