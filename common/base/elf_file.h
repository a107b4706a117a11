/*
 * elf_file.h: which sections and symbols has an object or a program?
 *
 * Of an ELF file of 64 bits in this machine's order of bytes, which lies in
 * memory and need not be a sound one: what is not within it is not there. The
 * format: System V ABI, chapters 4 and 5, and elf(5).
 */
#ifndef BASE_ELF_FILE_H
#define BASE_ELF_FILE_H

#include <elf.h>
#include <stddef.h>

struct base_elf {
    const char *bytes; /* the caller's, who keeps them */
    size_t size;
    Elf64_Ehdr header;
    size_t sections; /* how many there are */
    size_t names;    /* the section that holds their names */
};

/* Returns 0, or -1 if it is no such file. */
int base_elf_open(struct base_elf *elf, const void *bytes, size_t size);

/* The header of section n. Returns 0, or -1 if there is none. */
int base_elf_section(const struct base_elf *elf, size_t n, Elf64_Shdr *section);

/* The bytes of a section; NULL if it has none in the file. */
const char *base_elf_bytes(const struct base_elf *elf,
                           const Elf64_Shdr *section);

/* The text at an offset into a section of strings; NULL if there is none. */
const char *base_elf_string(const struct base_elf *elf, size_t section,
                            size_t offset);

/* How many symbols a table of them holds. */
size_t base_elf_symbols(const Elf64_Shdr *table);

/* Symbol n of a table, and its name. NULL if there is none. */
const char *base_elf_symbol(const struct base_elf *elf, const Elf64_Shdr *table,
                            size_t n, Elf64_Sym *symbol);

#endif /* BASE_ELF_FILE_H */
