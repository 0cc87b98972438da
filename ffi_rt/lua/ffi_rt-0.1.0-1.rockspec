-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- In the project's top folder: luarocks make ffi_rt/lua/ffi_rt-0.1.0-1.rockspec
-- It wants meson, ninja, libffi and the development package of the Lua.

rockspec_format = "3.0"
package = "ffi_rt"
version = "0.1.0-1"
source = {
    url = "file://.", -- of this folder
}
description = {
    summary = "LuaJIT's ffi for plain Lua: everything by value, safe by default",
    license = "MIT",
}
supported_platforms = { "linux" }
dependencies = {
    "lua >= 5.3, < 5.5",
}
build = {
    type = "command",
    build_command = [[
        rm -rf build-rock &&
        meson setup build-rock --buildtype=release -Dlua=enabled \
            -Dlua_version=`$(LUA) -e "io.write(_VERSION:sub(5))"` \
            -Dcli=disabled -Dtests=disabled -Dbenchmarks=disabled &&
        ninja -C build-rock ffi_rt/lua/ffi_rt.so]],
    install_command = "install -D -m 644 build-rock/ffi_rt/lua/ffi_rt.so "
        .. "$(LIBDIR)/ffi_rt.so",
}
