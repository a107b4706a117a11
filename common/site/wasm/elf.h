/* What base/elf_file.h needs of the format (System V ABI, chapters 4 and 5):
   WebAssembly's own objects are no ELF files, and its library does not know
   them. */
#ifndef SITE_ELF_H
#define SITE_ELF_H

#include <stdint.h>

#define ELFMAG "\177ELF"

enum {
    SELFMAG = 4,
    EI_CLASS = 4,
    EI_DATA = 5,
    EI_NIDENT = 16,
    ELFCLASS64 = 2,
    ELFDATA2LSB = 1,
    ELFDATA2MSB = 2,
    SHT_SYMTAB = 2,
    SHT_STRTAB = 3,
    SHT_NOBITS = 8,
    SHN_XINDEX = 0xffff
};

typedef struct {
    unsigned char e_ident[EI_NIDENT];
    uint16_t e_type, e_machine;
    uint32_t e_version;
    uint64_t e_entry, e_phoff, e_shoff;
    uint32_t e_flags;
    uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

typedef struct {
    uint32_t sh_name, sh_type;
    uint64_t sh_flags, sh_addr, sh_offset, sh_size;
    uint32_t sh_link, sh_info;
    uint64_t sh_addralign, sh_entsize;
} Elf64_Shdr;

typedef struct {
    uint32_t st_name;
    unsigned char st_info, st_other;
    uint16_t st_shndx;
    uint64_t st_value, st_size;
} Elf64_Sym;

#endif /* SITE_ELF_H */
