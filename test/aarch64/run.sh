#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh TOP WORK GENERATE CORPUS [SEED]: builds the library for AArch64 in
# WORK and runs, under qemu-user, random signatures, the corpus, the examples,
# the plain test programs and the Lua module's scripts. GENERATE and CORPUS are
# this machine's own: they write the sources that the cross compilers read.
#
# What runs there is of arm64 packages that are unpacked into WORK/sysroot.
# apt gets them by lists of its own, so that the system never hears of a second
# architecture, whose packages could replace its own.
set -u
top=$1
work=$2
generate=$(realpath "$3")
corpus=$(realpath "$4")
count=600
most=4000 # at a time
[ -z "${FRT_TEST_NAMED-}" ] || count=3400
[ -z "${FRT_TEST_LONG-}" ] || count=20000

cd "$top" || exit 1
mkdir -p "$work" || exit 1
# shellcheck source=test/tap.sh
. test/tap.sh
seed=${5-$(tap_seed)}
# shellcheck source=test/setup.sh
. test/setup.sh

sysroot=$work/sysroot
build=$work/build
libraries=usr/lib/aarch64-linux-gnu

cross_needs='
gcc-aarch64-linux-gnu command aarch64-linux-gnu-gcc
g++-aarch64-linux-gnu command aarch64-linux-gnu-g++
qemu-user             command qemu-aarch64
'

# libc and the loader must be of one package: others spin for ever.
sysroot_packages=(libc6 libgcc-s1 libstdc++6 libffi8 libffi-dev
    zlib1g libsqlite3-0 libgsl27 libgslcblas0 liblua5.4-0 liblua5.4-dev)

give_up() # REASON
{
    tap_skip 'AArch64 under qemu-user' "$1"
    tap_end
    exit 0
}

# ------------------------------------------------------------------- set-up

install_cross_tools()
{
    local missing

    mapfile -t missing < <(setup_missing "$cross_needs")
    [ ${#missing[@]} -eq 0 ] && return
    echo "# installing ${missing[*]}"
    command -v apt-get > /dev/null &&
        setup_as_root apt-get -q update &&
        setup_as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get -q install -y --no-install-recommends "${missing[@]}" &&
        [ -z "$(setup_missing "$cross_needs")" ]
}

foreign_apt() # COMMAND...
{
    apt-get -q -o Dir::State="$work/apt/state" -o Dir::Cache="$work/apt/cache" \
        -o Dir::State::status=/dev/null -o APT::Architecture=arm64 \
        -o APT::Architectures=arm64 -o APT::Sandbox::User=root "$@"
}

download_packages()
{
    mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" \
        "$work/packages" &&
        foreign_apt update &&
        (cd "$work/packages" && foreign_apt download "${sysroot_packages[@]}")
}

# Debian's packages of this release have files in /lib and in /usr/lib.
merge_lib()
{
    [ -L "$1/lib" ] && return
    mkdir -p "$1/usr/lib" && cp -a "$1/lib/." "$1/usr/lib/" &&
        rm -r "${1:?}/lib" && ln -s usr/lib "$1/lib"
}

make_sysroot()
{
    local package

    [ "$(cat "$sysroot/packages" 2> /dev/null)" != "${sysroot_packages[*]}" ] ||
        return 0
    rm -rf "$sysroot" "$sysroot.new" "$work/packages"
    download_packages || return
    for package in "$work"/packages/*.deb; do
        dpkg -x "$package" "$sysroot.new" || return
    done
    merge_lib "$sysroot.new" &&
        echo "${sysroot_packages[*]}" > "$sysroot.new/packages" &&
        mv "$sysroot.new" "$sysroot"
}

write_cross_file()
{
    local link="'-L$sysroot/$libraries', '-Wl,-rpath-link,$sysroot/$libraries'"

    cat << END
[binaries]
c = 'aarch64-linux-gnu-gcc'
cpp = 'aarch64-linux-gnu-g++'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$sysroot']

[properties]
sys_root = '$sysroot'
pkg_config_libdir = '$sysroot/$libraries/pkgconfig'

[project options]
allocator = 'libc'
benchmarks = 'disabled'
cli = 'disabled'
lua = 'enabled'

[built-in options]
werror = true
c_args = ['-isystem', '$sysroot/usr/include/aarch64-linux-gnu']
c_link_args = [$link]
cpp_link_args = [$link]

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

configure()
{
    write_cross_file > "$work/cross.ini.new"
    if ! cmp -s "$work/cross.ini" "$work/cross.ini.new"; then
        rm -rf "$build"
        mv "$work/cross.ini.new" "$work/cross.ini"
    fi
    [ ! -f "$build/build.ninja" ] || return 0 # ninja sees to changes
    meson setup "$build" --cross-file "$work/cross.ini"
}

# ------------------------------------------------------------------- tests

# Nothing under an emulator runs without a limit of its time.
emulate() # SECONDS PROGRAM...
{
    local limit=$1

    shift
    timeout "$limit" qemu-aarch64 -L "$sysroot" "$@"
}

# The lines of a program that writes TAP are tests of ours.
tap_from() # NAME LOG STATUS
{
    local line

    while IFS= read -r line; do
        case $line in
            *'# SKIP '*)
                line=${line#*- }
                tap_skip "$1: ${line%% # SKIP *}" "${line#*# SKIP }"
                ;;
            'ok '*) tap_ok "$1: ${line#*- }" ;;
            'not ok '*) tap_not_ok "$1: ${line#*- }" 'as the next line says' ;;
            '1..'*) ;;
            *) echo "# $line" ;;
        esac
    done < "$2"
    [ "$3" -le 1 ] || tap_not_ok "$1" "status $3: $(tail -n 20 "$2")"
}

tap_program() # NAME SECONDS PROGRAM...
{
    local name=$1

    shift
    emulate "$@" > "$work/log" 2>&1
    tap_from "$name" "$work/log" $?
}

# The programs share a folder a round.
signatures() # SEED COUNT
{
    local folder=$work/signatures options=(--seed "$1" --count "$2")

    rm -rf "$folder"
    "$generate" "${options[@]}" --target aarch64 --only write --keep "$folder" &&
        "$generate" "${options[@]}" --target aarch64 --only compile \
            --keep "$folder" &&
        emulate 900 "$build/test/abi/abi_generate" "${options[@]}" \
            --only call --keep "$folder" --backend all
}

tap_signatures()
{
    local first size

    for ((first = 0; first < count; first += most)); do
        size=$((count - first < most ? count - first : most))
        if signatures $((seed + first)) "$size" > "$work/log" 2>&1; then
            tap_ok "$size random signatures, seed $((seed + first))"
            sed -n 's/^.* mismatches$/# &/p' "$work/log"
        else
            tap_not_ok "$size random signatures, seed $((seed + first))" \
                "$(tail -n 400 "$work/log")"
        fi
    done
}

tap_corpus()
{
    local backend folder=$work/corpus

    mkdir -p "$folder"
    if ! { "$corpus" --target aarch64 --only write "$folder" &&
        "$corpus" --only compile "$folder"; } > "$work/log" 2>&1; then
        tap_not_ok 'the corpus is compiled' "$(tail -n 40 "$work/log")"
        return
    fi
    for backend in libffi stub; do
        tap_program "$backend" 300 "$build/test/abi/abi_corpus" \
            --backend "$backend" --only call "$folder"
    done
}

example()
{
    local name=$1 backend=$2 arguments=()

    [ "$name" != library_by_path ] ||
        arguments=("$build/examples/plug_in.so")
    FRT_BACKEND=$backend emulate 60 "$build/examples/$name" \
        "${arguments[@]}" > "$work/log" 2>&1 &&
        diff -u "examples/$name.expected" "$work/log"
}

tap_examples()
{
    local expected name backend

    for expected in examples/*.expected; do
        name=$(basename "$expected" .expected)
        [ -x "$build/examples/$name" ] || continue
        for backend in auto libffi; do
            tap_run "example $name, $backend" example "$name" "$backend"
        done
    done
}

tap_programs()
{
    local backend stub=$build/test/stub/test_stub
    local sessions=$build/test/sessions

    # few signatures: the emulator's translations count as the program's memory
    tap_program 'many stubs' 300 "${stub}_many" 2000 4
    tap_program 'refused memory' 120 "${stub}_refuse"
    tap_program exceptions 300 "${stub}_throw"
    for backend in stub libffi; do
        FRT_BACKEND=$backend tap_program "calls left sideways, $backend" 120 \
            "$sessions/sessions_leave" "$sessions/libsessions_callee.so"
        FRT_BACKEND=$backend tap_program "exceptions in calls, $backend" 120 \
            "$sessions/sessions_exception" "$sessions/libsessions_callee.so"
    done
    tap_program sessions 120 "$sessions/sessions_cases"
    tap_program 'many upcalls' 300 "$build/test/upcall/upcall_many"
    tap_program 'exceptions in upcalls' 120 "$build/test/upcall/upcall_throw"
    tap_run 'a storm of upcalls' emulate 120 "$build/test/upcall/upcall_storm"
    tap_program 'dlopen and dlclose' 120 "$sessions/sessions_reload" \
        "$build/ffi_rt/libffi_rt.so"
}

# The Lua module in its own host: the interpreter is no package of the sysroot.
tap_lua()
{
    local script name

    export LUA_PATH="$top/test/lua/?.lua" LUA_CPATH="$build/ffi_rt/lua/?.so"
    export FRT_TEST_FUNCTIONS=$build/test/lua/test_lua_functions.so
    for script in test/lua/*.lua; do
        name=$(basename "$script" .lua)
        case $name in
            agree | check | exhaust | functions) continue ;; # no tests
        esac
        tap_program "lua $name" 120 "$build/test/lua/test_lua_host" "$script"
    done
}

echo "# seed $seed"
[ "$(uname -m)" = x86_64 ] || give_up "this machine is $(uname -m)"
install_cross_tools > "$work/install.log" 2>&1 ||
    give_up "no cross tools: $(tail -n 1 "$work/install.log")"
make_sysroot > "$work/sysroot.log" 2>&1 ||
    give_up "no arm64 packages: $(tail -n 1 "$work/sysroot.log")"

export FRT_ABI_GCC=aarch64-linux-gnu-gcc
export FRT_ABI_CLANG='clang --target=aarch64-linux-gnu'
command -v clang > /dev/null || FRT_ABI_CLANG=

tap_run 'the cross build is set up' configure
tap_run 'the library and the programs are built' ninja -C "$build"
tap_corpus
tap_signatures
tap_examples
tap_programs
tap_lua
tap_end
