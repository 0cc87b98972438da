/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/gdb.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"

#if defined(__aarch64__)
#define GDB_MACHINE EM_AARCH64
#else
#define GDB_MACHINE EM_X86_64
#endif

enum gdb_section {
    GDB_NONE,
    GDB_TEXT,
    GDB_FRAMES,
    GDB_SYMBOLS,
    GDB_STRINGS,
    GDB_SECTIONS
};

/* Names of sections and of the one symbol; 0 is the empty one. */
static const char gdb_strings[] = "\0.text\0.eh_frame\0.symtab\0.strtab\0"
                                  "frt_stub";
enum gdb_string {
    GDB_NAME_TEXT = 1,
    GDB_NAME_FRAMES = 7,
    GDB_NAME_SYMBOLS = 17,
    GDB_NAME_STRINGS = 25,
    GDB_NAME_STUB = 33
};
_Static_assert(sizeof gdb_strings == GDB_NAME_STUB + sizeof "frt_stub",
               "the names are where they are said to be");

/* An object file without code of its own: its text is where the code is. */
struct gdb_file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[GDB_SECTIONS];
    Elf64_Sym symbols[2];
    struct frti_frame_description frames;
    char strings[sizeof gdb_strings];
};

/* What gdb reads; the names of members are ours. */
struct gdb_entry {
    struct gdb_entry *next;
    struct gdb_entry *previous;
    const void *file;
    uint64_t size;
};

struct frti_gdb_object {
    struct gdb_entry entry;
    struct gdb_file file;
};

struct gdb_list {
    uint32_t version;
    uint32_t action;
    struct gdb_entry *changed;
    struct gdb_entry *first;
};

enum gdb_action { GDB_NOTHING, GDB_ADDED, GDB_REMOVED };

/* gdb looks for these two names in each library's symbol table, and finds
 * static ones too: those of another library are not met. */
static struct gdb_list __jit_debug_descriptor
    __attribute__((used)) = {.version = 1};

static void __attribute__((noinline, used)) __jit_debug_register_code(void)
{
    __asm__ volatile("" : : : "memory");
}

static void
gdb_tell(enum gdb_action action, struct gdb_entry *entry)
{
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.changed = entry;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = GDB_NOTHING;
    __jit_debug_descriptor.changed = NULL;
}

static void
gdb_fill_header(struct gdb_file *file)
{
    Elf64_Ehdr *header = &file->header;

    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_type = ET_EXEC;
    header->e_machine = GDB_MACHINE;
    header->e_version = EV_CURRENT;
    header->e_ehsize = sizeof *header;
    header->e_shoff = offsetof(struct gdb_file, sections);
    header->e_shentsize = sizeof(Elf64_Shdr);
    header->e_shnum = GDB_SECTIONS;
    header->e_shstrndx = GDB_STRINGS;
}

static void
gdb_fill_sections(struct gdb_file *file, const void *code, size_t size)
{
    file->sections[GDB_TEXT] =
        (Elf64_Shdr){.sh_name = GDB_NAME_TEXT,
                     .sh_type = SHT_NOBITS,
                     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                     .sh_addr = (uintptr_t)code,
                     .sh_size = size,
                     .sh_addralign = 16};
    file->sections[GDB_FRAMES] =
        (Elf64_Shdr){.sh_name = GDB_NAME_FRAMES,
                     .sh_type = SHT_PROGBITS,
                     .sh_flags = SHF_ALLOC,
                     .sh_addr = (uintptr_t)&file->frames,
                     .sh_offset = offsetof(struct gdb_file, frames),
                     .sh_size = sizeof file->frames,
                     .sh_addralign = 8};
    file->sections[GDB_SYMBOLS] =
        (Elf64_Shdr){.sh_name = GDB_NAME_SYMBOLS,
                     .sh_type = SHT_SYMTAB,
                     .sh_offset = offsetof(struct gdb_file, symbols),
                     .sh_size = sizeof file->symbols,
                     .sh_link = GDB_STRINGS,
                     .sh_info = 1,
                     .sh_addralign = 8,
                     .sh_entsize = sizeof(Elf64_Sym)};
    file->sections[GDB_STRINGS] =
        (Elf64_Shdr){.sh_name = GDB_NAME_STRINGS,
                     .sh_type = SHT_STRTAB,
                     .sh_offset = offsetof(struct gdb_file, strings),
                     .sh_size = sizeof file->strings,
                     .sh_addralign = 1};
}

static void
gdb_fill(struct gdb_file *file, const void *code, size_t size,
         const struct frti_frame_description *frames)
{
    gdb_fill_header(file);
    gdb_fill_sections(file, code, size);
    file->symbols[1] =
        (Elf64_Sym){.st_name = GDB_NAME_STUB,
                    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                    .st_shndx = GDB_TEXT,
                    .st_value = (uintptr_t)code,
                    .st_size = size};
    file->frames = *frames;
    memcpy(file->strings, gdb_strings, sizeof gdb_strings);
}

struct frti_gdb_object *
frti_gdb_announce(const void *code, size_t size,
                  const struct frti_frame_description *frames)
{
    const char *word = secure_getenv("FRT_GDB");
    struct frti_gdb_object *object;

    if (word == NULL || strcmp(word, "1") != 0)
        return NULL;
    object = frti_allocate(sizeof *object, _Alignof(struct frti_gdb_object));
    if (object == NULL)
        return NULL;
    gdb_fill(&object->file, code, size, frames);
    object->entry.file = &object->file;
    object->entry.size = sizeof object->file;
    object->entry.next = __jit_debug_descriptor.first;
    if (object->entry.next != NULL)
        object->entry.next->previous = &object->entry;
    __jit_debug_descriptor.first = &object->entry;
    gdb_tell(GDB_ADDED, &object->entry);
    return object;
}

void
frti_gdb_withdraw(struct frti_gdb_object *object)
{
    struct gdb_entry *entry;

    if (object == NULL)
        return;
    entry = &object->entry;
    if (entry->next != NULL)
        entry->next->previous = entry->previous;
    if (entry->previous != NULL)
        entry->previous->next = entry->next;
    else
        __jit_debug_descriptor.first = entry->next;
    gdb_tell(GDB_REMOVED, entry);
    frti_free(object, sizeof *object, _Alignof(struct frti_gdb_object));
}
