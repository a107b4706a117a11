#include "base/elf_file.h"

#include <string.h>

/* Copies what lies there, since it need not be aligned. Returns 0, or -1 if it
   is not within the file. */
static int copy_bytes(const struct base_elf *elf, size_t offset, void *to,
                      size_t size)
{
    if (offset > elf->size || elf->size - offset < size)
        return -1;
    memcpy(to, elf->bytes + offset, size);
    return 0;
}

int base_elf_open(struct base_elf *elf, const void *bytes, size_t size)
{
    const unsigned short probe = 1;
    const unsigned char order =
        *(const unsigned char *)&probe ? ELFDATA2LSB : ELFDATA2MSB;
    Elf64_Shdr first;

    *elf = (struct base_elf){.bytes = bytes, .size = size};
    if (copy_bytes(elf, 0, &elf->header, sizeof elf->header) != 0 ||
        memcmp(elf->header.e_ident, ELFMAG, SELFMAG) != 0 ||
        elf->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf->header.e_ident[EI_DATA] != order ||
        elf->header.e_shentsize != sizeof(Elf64_Shdr))
        return -1;
    /* More than fit into the header are told by the first section. */
    elf->sections = 1;
    if (base_elf_section(elf, 0, &first) != 0)
        return -1;
    elf->sections = elf->header.e_shnum ? elf->header.e_shnum : first.sh_size;
    elf->names = elf->header.e_shstrndx == SHN_XINDEX ? first.sh_link
                                                      : elf->header.e_shstrndx;
    return 0;
}

int base_elf_section(const struct base_elf *elf, size_t n, Elf64_Shdr *section)
{
    if (n >= elf->sections || elf->header.e_shoff > elf->size ||
        n >= elf->size / sizeof *section)
        return -1;
    return copy_bytes(elf, elf->header.e_shoff + n * sizeof *section, section,
                      sizeof *section);
}

const char *base_elf_bytes(const struct base_elf *elf,
                           const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS || section->sh_offset > elf->size ||
        section->sh_size > elf->size - section->sh_offset)
        return NULL;
    return elf->bytes + section->sh_offset;
}

const char *base_elf_string(const struct base_elf *elf, size_t section,
                            size_t offset)
{
    Elf64_Shdr strings;
    const char *bytes;

    if (base_elf_section(elf, section, &strings) != 0 ||
        strings.sh_type != SHT_STRTAB)
        return NULL;
    bytes = base_elf_bytes(elf, &strings);
    if (bytes == NULL || offset >= strings.sh_size ||
        memchr(bytes + offset, '\0', strings.sh_size - offset) == NULL)
        return NULL;
    return bytes + offset;
}

size_t base_elf_symbols(const Elf64_Shdr *table)
{
    return table->sh_entsize == sizeof(Elf64_Sym)
               ? table->sh_size / sizeof(Elf64_Sym)
               : 0;
}

const char *base_elf_symbol(const struct base_elf *elf, const Elf64_Shdr *table,
                            size_t n, Elf64_Sym *symbol)
{
    if (n >= base_elf_symbols(table) || table->sh_offset > elf->size ||
        n >= elf->size / sizeof *symbol ||
        copy_bytes(elf, table->sh_offset + n * sizeof *symbol, symbol,
                   sizeof *symbol) != 0)
        return NULL;
    return base_elf_string(elf, table->sh_link, symbol->st_name);
}
