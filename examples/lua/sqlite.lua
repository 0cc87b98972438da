-- SPDX-License-Identifier: MIT
-- SPDX-FileCopyrightText: The ffi_rt authors
--
-- SQLite: Lua functions that it calls, for each row of a query and as functions
-- of SQL.

local ffi = require "ffi_rt"
local sqlite = ffi.load "sqlite3"

ffi.cdef [[
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;
enum { SQLITE_OK = 0, SQLITE_UTF8 = 1 };

int sqlite3_open(const char *path, sqlite3 **db);
int sqlite3_close(sqlite3 *);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_exec(sqlite3 *, const char *sql,
                 int (*row)(void *, int count, char **values, char **names),
                 void *context, char **message);
int sqlite3_create_function(sqlite3 *, const char *name, int count, int text,
                            void *context,
                            void (*call)(sqlite3_context *, int count,
                                         sqlite3_value **arguments),
                            void *step, void *final);
const char *sqlite3_value_text(sqlite3_value *);
void sqlite3_result_text(sqlite3_context *, const char *, int size, void *free);
]]

local COPY_IT = ffi.cast("void *", -1) -- SQLITE_TRANSIENT

local place = ffi.new("sqlite3 *[1]")
assert(sqlite.sqlite3_open(":memory:", place) == sqlite.SQLITE_OK)
local db = ffi.gc(place[0], sqlite.sqlite3_close)

local function check(status)
    if status ~= sqlite.SQLITE_OK then
        error(ffi.string(sqlite.sqlite3_errmsg(db)), 2)
    end
end

-- `row`, if there is one, gets each row as a table by column.
local function exec(sql, row)
    local callback = row and ffi.cast(
        "int (*)(void *, int, char **, char **)",
        function(_, count, values, names)
            local columns = {}
            for i = 0, count - 1 do
                if values[i] ~= ffi.nullptr then -- what NULL is in SQL, too
                    columns[ffi.string(names[i])] = ffi.string(values[i])
                end
            end
            row(columns)
            return 0
        end)
    local ok, status = pcall(sqlite.sqlite3_exec, db, sql, callback, nil, nil)
    if callback then callback:free() end
    if not ok then error(status, 0) end
    check(status)
end

-- A function of SQL, from one text to another. It is a callback as long as the
-- database may call it.
local function define(name, body)
    local callback = ffi.cast(
        "void (*)(sqlite3_context *, int, sqlite3_value **)",
        function(context, _, arguments)
            local text = sqlite.sqlite3_value_text(arguments[0])
            if text ~= ffi.nullptr then
                local result = body(ffi.string(text))
                sqlite.sqlite3_result_text(context, result, #result, COPY_IT)
            end
        end)
    check(sqlite.sqlite3_create_function(db, name, 1, sqlite.SQLITE_UTF8, nil,
                                         callback, nil, nil))
    return callback
end

exec [[
create table words (word text);
insert into words values ('drawer'), ('stressed'), ('level'), (null);
]]
local reverse = define("reverse", string.reverse)
exec("select word, reverse(word) as back from words", function(row)
    print(row.word, row.back)
end)

-- An error in Lua, called by SQL, called by Lua: C ends first, then it is
-- raised here, with its traceback.
local refuse = define("refuse", function(text)
    error("the word '" .. text .. "' is refused", 0)
end)
local ok, message = pcall(exec, "select refuse(word) from words limit 1")
print(ok, message:match "^[^\n]*")

db = nil -- closed, when it is collected; before its functions are freed
collectgarbage()
reverse:free()
refuse:free()
