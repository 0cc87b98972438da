/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/operand.h"

void
frti_operand_read(lua_State *L, struct frti_module *m, struct frti_operand *out,
                  int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    *out = (struct frti_operand){.cdata = cdata};
    if (lua_type(L, index) == LUA_TBOOLEAN)
        return;
    out->is_number = frti_number_read(L, m, &out->number, index);
    if (cdata == NULL ||
        (cdata->type->form != FRTI_POINTER && cdata->type->form != FRTI_ARRAY))
        return;
    out->is_pointer = true;
    out->target = frti_ctype_inner(L, m, cdata->type);
    out->address = cdata->type->form == FRTI_POINTER
                       ? frti_cdata_pointer(cdata)->value
                       : cdata->address;
}

static const char *
operand_name(lua_State *L, const struct frti_module *m, int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    return cdata != NULL ? frti_ctype_name(L, cdata->type)
                         : luaL_typename(L, index);
}

int
frti_operand_error(lua_State *L, const struct frti_module *m, const char *verb,
                   const char *preposition)
{
    const char *one = operand_name(L, m, 1);

    return luaL_error(L, "attempt to %s '%s' %s '%s'", verb, one, preposition,
                      operand_name(L, m, 2));
}
