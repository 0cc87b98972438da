-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- libclang: prints the functions that a C header declares. All of its functions
-- take and return structs by value, and so does the callback that visits the
-- declarations.
--
-- clang.lua HEADER [OPTION OF THE COMPILER]...

local ffi = require "ffi_rt"

ffi.cdef [[
typedef struct { const void *data; unsigned private_flags; } CXString;
typedef struct { int kind; int xdata; const void *data[3]; } CXCursor;
typedef struct { int kind; void *data[2]; } CXType;
typedef struct { const void *data[2]; unsigned offset; } CXSourceLocation;

enum { CXCursor_FunctionDecl = 8 };
enum { CXChildVisit_Break, CXChildVisit_Continue, CXChildVisit_Recurse };

void *clang_createIndex(int exclude_pch, int show_diagnostics);
void clang_disposeIndex(void *index);
void *clang_parseTranslationUnit(void *index, const char *path,
                                 const char *const *arguments, int count,
                                 void *unsaved, unsigned unsaved_count,
                                 unsigned options);
void clang_disposeTranslationUnit(void *unit);

CXCursor clang_getTranslationUnitCursor(void *unit);
unsigned clang_visitChildren(CXCursor parent,
                             int (*visit)(CXCursor cursor, CXCursor parent,
                                          void *context),
                             void *context);
int clang_getCursorKind(CXCursor);
CXString clang_getCursorSpelling(CXCursor);
CXType clang_getCursorType(CXCursor);
CXType clang_getResultType(CXType);
int clang_Cursor_getNumArguments(CXCursor);
CXCursor clang_Cursor_getArgument(CXCursor, unsigned index);
unsigned clang_isFunctionTypeVariadic(CXType);
CXString clang_getTypeSpelling(CXType);
CXSourceLocation clang_getCursorLocation(CXCursor);
int clang_Location_isFromMainFile(CXSourceLocation);
const char *clang_getCString(CXString);
void clang_disposeString(CXString);
]]

-- The library has its version in its name.
local function load_clang()
    for _, name in ipairs { "clang", "clang-14", "clang-15", "clang-16" } do
        local ok, library = pcall(ffi.load, name)
        if ok then return library end
    end
    error "there is no libclang"
end
local clang = load_clang()

local function text(cxstring)
    local result = ffi.string(clang.clang_getCString(cxstring))
    clang.clang_disposeString(cxstring)
    return result
end

local function type_of(cursor)
    return clang.clang_getCursorType(cursor)
end

-- "double x, ...": the parameters of a function's cursor.
local function parameters(cursor)
    local list = {}
    for i = 1, clang.clang_Cursor_getNumArguments(cursor) do
        local argument = clang.clang_Cursor_getArgument(cursor, i - 1)
        list[i] = text(clang.clang_getTypeSpelling(type_of(argument))) .. " "
            .. text(clang.clang_getCursorSpelling(argument))
    end
    if clang.clang_isFunctionTypeVariadic(type_of(cursor)) ~= 0 then
        list[#list + 1] = "..."
    end
    return table.concat(list, ", ")
end

local function print_function(cursor)
    local result = clang.clang_getResultType(type_of(cursor))
    print(("%s(%s) -> %s"):format(text(clang.clang_getCursorSpelling(cursor)),
                                  parameters(cursor),
                                  text(clang.clang_getTypeSpelling(result))))
end

-- Calls `visit` with each declaration of the file.
local function each_declaration(unit, visit)
    local callback = ffi.cast(
        "int (*)(CXCursor, CXCursor, void *)",
        function(cursor)
            local location = clang.clang_getCursorLocation(cursor)
            if clang.clang_Location_isFromMainFile(location) ~= 0 then
                visit(cursor)
            end
            return ffi.C.CXChildVisit_Continue
        end)
    local root = clang.clang_getTranslationUnitCursor(unit)
    local ok, message = pcall(clang.clang_visitChildren, root, callback, nil)
    callback:free()
    if not ok then error(message, 0) end
end

local path = assert(arg[1], "which header?")
local options = ffi.new("const char *[?]", #arg)
for i = 2, #arg do options[i - 2] = arg[i] end

local index = ffi.gc(clang.clang_createIndex(0, 1), clang.clang_disposeIndex)
local unit = clang.clang_parseTranslationUnit(index, path, options, #arg - 1,
                                              nil, 0, 0)
assert(unit ~= ffi.nullptr, "the header cannot be read")
each_declaration(unit, function(cursor)
    if clang.clang_getCursorKind(cursor) == ffi.C.CXCursor_FunctionDecl then
        print_function(cursor)
    end
end)
clang.clang_disposeTranslationUnit(unit)
