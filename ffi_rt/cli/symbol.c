/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file, mapped. It may be anything: every access is checked. */
struct symbol_file {
    const char *bytes;
    size_t size;
};

static bool
file_map(struct symbol_file *out, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    void *bytes = MAP_FAILED;

    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size > 0)
        bytes =
            mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED)
        return false;
    *out = (struct symbol_file){bytes, (size_t)status.st_size};
    return true;
}

/* The index-th of the things of `size` bytes at `offset`. */
static bool
file_copy(void *out, const struct symbol_file *file, uint64_t offset,
          uint64_t index, size_t size)
{
    uint64_t at;

    if (__builtin_mul_overflow(index, size, &at) ||
        __builtin_add_overflow(at, offset, &at) || at > file->size ||
        size > file->size - at)
        return false;
    memcpy(out, file->bytes + at, size);
    return true;
}

static bool
file_header(ElfW(Ehdr) * out, const struct symbol_file *file)
{
    return file_copy(out, file, 0, 0, sizeof *out) &&
           memcmp(out->e_ident, ELFMAG, SELFMAG) == 0 &&
           out->e_ident[EI_CLASS] == ELFCLASS64;
}

/* The address, as symbols have it, of the byte at `offset`. */
static bool
file_address(uint64_t *out, const struct symbol_file *file,
             const ElfW(Ehdr) * header, uint64_t offset)
{
    ElfW(Phdr) part;

    for (unsigned i = 0; i < header->e_phnum; i++)
        if (file_copy(&part, file, header->e_phoff, i, sizeof part) &&
            part.p_type == PT_LOAD && offset >= part.p_offset &&
            offset - part.p_offset < part.p_filesz) {
            *out = offset - part.p_offset + part.p_vaddr;
            return true;
        }
    return false;
}

static bool
symbol_is_nearer(const ElfW(Sym) * symbol, uint64_t address,
                 const struct frti_symbol_near *best, bool has_best)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           symbol->st_shndx != SHN_UNDEF && symbol->st_value <= address &&
           (!has_best || address - symbol->st_value < best->distance);
}

static bool
table_search(struct frti_symbol_near *out, const struct symbol_file *file,
             const ElfW(Shdr) * table, const ElfW(Shdr) * names,
             uint64_t address)
{
    bool has_best = false;
    ElfW(Sym) symbol;

    for (uint64_t i = 0; i < table->sh_size / sizeof symbol; i++) {
        uint64_t at = names->sh_offset;

        if (!file_copy(&symbol, file, table->sh_offset, i, sizeof symbol))
            break;
        if (!symbol_is_nearer(&symbol, address, out, has_best) ||
            __builtin_add_overflow(at, symbol.st_name, &at) || at >= file->size)
            continue;
        has_best = true;
        out->distance = address - symbol.st_value;
        snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1,
                 file->bytes + at);
    }
    return has_best;
}

/* The full table if there is one, or else that of what is exported. */
static bool
file_search(struct frti_symbol_near *out, const struct symbol_file *file,
            const ElfW(Ehdr) * header, uint64_t address)
{
    static const unsigned types[] = {SHT_SYMTAB, SHT_DYNSYM};
    ElfW(Shdr) table, names;

    for (size_t type = 0; type < 2; type++)
        for (unsigned i = 0; i < header->e_shnum; i++)
            if (file_copy(&table, file, header->e_shoff, i, sizeof table) &&
                table.sh_type == types[type] &&
                file_copy(&names, file, header->e_shoff, table.sh_link,
                          sizeof names) &&
                table_search(out, file, &table, &names, address))
                return true;
    return false;
}

bool
frti_symbol_near(struct frti_symbol_near *out, const char *path,
                 uintptr_t offset)
{
    struct symbol_file file;
    ElfW(Ehdr) header;
    uint64_t address;
    bool is_found;

    if (!file_map(&file, path))
        return false;
    is_found = file_header(&header, &file) &&
               file_address(&address, &file, &header, offset) &&
               file_search(out, &file, &header, address);
    munmap((void *)file.bytes, file.size);
    return is_found;
}
