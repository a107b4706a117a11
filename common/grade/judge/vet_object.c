/* The second look: at what the compiler made of a source. */
#define _GNU_SOURCE
#include "grade/judge/vet.h"

#include "course/vet.h"

#include "base/elf_file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

/* Where a function begins. */
struct start {
    size_t section, at;
};

struct object {
    const struct course_lab *lab;
    const char *name, *source;
    size_t source_size;
    struct base_elf elf;
    int has_entry[COURSE_ENTRIES], has_prediction; /* it defines that */
    struct start *start;                           /* of all its functions */
    size_t starts;
    char *why;
    size_t size;
};

/* Sections whose functions run although nobody calls them. */
static int runs_by_itself(const char *section)
{
    static const char *const names[] = {".init", ".fini", ".preinit_array",
                                        ".ctors", ".dtors"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(section, names[i], strlen(names[i])) == 0)
            return 1; /* .init_array.00100 too */
    }
    return 0;
}

/* "std::terminate()" of "_ZSt9terminatev", so far as a name can be read. */
static void plain_name(const char *symbol, char *plain, size_t size)
{
    size_t length = 0;

    if (strncmp(symbol, "_ZSt", 4) == 0) {
        symbol += 4;
    } else if (strncmp(symbol, "_Z", 2) == 0) {
        symbol += 2;
    } else {
        length = strlen(symbol);
    }
    if (length == 0) {
        char *rest;
        const unsigned long digits = strtoul(symbol, &rest, 10);

        length = digits > 0 && digits <= strlen(rest) ? digits : strlen(rest);
        symbol = rest;
    }
    snprintf(plain, size, "%.*s", (int)length, symbol);
}

static int refuse_symbol(const struct object *o, const char *symbol)
{
    char plain[100];
    int line;

    plain_name(symbol, plain, sizeof plain);
    line = course_vet_find(o->source, o->source_size, plain);
    if (line > 0) {
        snprintf(o->why, o->size,
                 "%s:%d: '%s' is a function that a lab does "
                 "not need and the grader does not have.",
                 o->name, line, plain);
    } else {
        snprintf(o->why, o->size,
                 "%s: it needs '%s', a function that a lab "
                 "does not need and the grader does not "
                 "have.",
                 o->name, plain);
    }
    return -1;
}

static int keep_start(struct object *o, const Elf64_Sym *symbol)
{
    struct start *const added =
        base_list_add(&o->start, &o->starts, sizeof *added);

    if (added == NULL) {
        snprintf(o->why, o->size, "%s: out of memory", o->name);
        return 1;
    }
    *added = (struct start){symbol->st_shndx, symbol->st_value};
    return 0;
}

static int vet_symbol(struct object *o, const Elf64_Sym *symbol,
                      const char *name)
{
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
        return base_refuse(o->why, o->size,
                           "%s: '%.100s' is no plain function.", o->name, name);
    }
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
        symbol->st_shndx != SHN_UNDEF && keep_start(o, symbol) != 0)
        return 1;
    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL || name[0] == '\0')
        return 0;
    if (symbol->st_shndx == SHN_UNDEF)
        return grade_symbol_is_free(name) ? 0 : refuse_symbol(o, name);
    /* grade_build.sh has left no others that the linker sees. */
    for (int i = 0; i < o->lab->entries; i++)
        o->has_entry[i] |= strcmp(o->lab->entry[i].function, name) == 0;
    o->has_prediction |= strcmp(name, "lab_prediction") == 0;
    return 0;
}

static int vet_symbols(struct object *o, const Elf64_Shdr *table)
{
    const size_t count = base_elf_symbols(table);
    Elf64_Sym symbol;

    for (size_t i = 0; i < count; i++) {
        const char *name = base_elf_symbol(&o->elf, table, i, &symbol);
        int status;

        if (name == NULL) {
            snprintf(o->why, o->size, "%s: a symbol has no name", o->name);
            return 1;
        }
        status = vet_symbol(o, &symbol, name);
        if (status != 0)
            return status;
    }
    return 0;
}

static int vet_sections(struct object *o)
{
    Elf64_Shdr header;
    int tables = 0;

    /* The first section is none. */
    for (size_t i = 1; base_elf_section(&o->elf, i, &header) == 0; i++) {
        const char *name =
            base_elf_string(&o->elf, o->elf.names, header.sh_name);
        int status = 0;

        if (name == NULL) {
            snprintf(o->why, o->size, "%s: a section has no name", o->name);
            return 1;
        }
        if (header.sh_type == SHT_INIT_ARRAY ||
            header.sh_type == SHT_FINI_ARRAY ||
            header.sh_type == SHT_PREINIT_ARRAY || runs_by_itself(name)) {
            return base_refuse(
                o->why, o->size,
                "%s: something in it runs before the lab is called: a "
                "variable outside of functions whose value must be "
                "calculated when the program starts, or a constructor. "
                "Give such a variable its value in a function.",
                o->name);
        }
        if (header.sh_type == SHT_SYMTAB) {
            tables++;
            status = vet_symbols(o, &header);
        }
        if (status != 0)
            return status;
    }
    if (tables == 1)
        return 0;
    snprintf(o->why, o->size, "%s: its object has %d tables of symbols",
             o->name, tables);
    return 1;
}

/* --- places that may be jumped to ----------------------------------------- */

static int compare_starts(const void *left, const void *right)
{
    const struct start *a = left, *b = right;

    if (a->section != b->section)
        return (a->section > b->section) - (a->section < b->section);
    return (a->at > b->at) - (a->at < b->at);
}

/* Where these bytes stand, a pointer to functions may lead
   (runner/runner_thunk.S): within a function they are no instruction. */
static int vet_places(struct object *o)
{
    static const char endbr64[] = "\xf3\x0f\x1e\xfa";
    const size_t length = sizeof endbr64 - 1;
    Elf64_Shdr header;

    if (o->starts > 0)
        qsort(o->start, o->starts, sizeof *o->start, compare_starts);
    for (size_t i = 1; base_elf_section(&o->elf, i, &header) == 0; i++) {
        const char *const bytes = header.sh_flags & SHF_EXECINSTR
                                      ? base_elf_bytes(&o->elf, &header)
                                      : NULL;
        const char *const end = bytes != NULL ? bytes + header.sh_size : NULL;

        for (const char *at = bytes;
             at != NULL &&
             (at = memmem(at, (size_t)(end - at), endbr64, length)) != NULL;
             at += length) {
            const struct start here = {i, (size_t)(at - bytes)};

            if (o->starts == 0 ||
                bsearch(&here, o->start, o->starts, sizeof here,
                        compare_starts) == NULL) {
                return base_refuse(o->why, o->size,
                                   "%s: the number 0xfa1e0ff3 in its code is "
                                   "where a function could begin.",
                                   o->name);
            }
        }
    }
    return 0;
}

/* Is all there that the lab is called by? */
static int vet_offer(const struct object *o)
{
    for (int i = 0; i < o->lab->entries; i++) {
        const struct course_entry *entry = &o->lab->entry[i];
        const char *const missing =
            !o->has_entry[i] ? entry->function
            : entry->kind == COURSE_BANKS && !o->has_prediction
                ? "lab_prediction"
                : NULL;

        if (missing == NULL)
            continue;
        return base_refuse(
            o->why, o->size,
            "%s: it has no '%s', by which this lab is called. The "
            "skeleton has: is it the file of another lab?",
            o->name, missing);
    }
    return 0;
}

int grade_vet_object(const struct course_lab *lab, const char *name,
                     const char *source, size_t source_size, const char *object,
                     size_t size, char *why, size_t why_size)
{
    struct object o = {.lab = lab,
                       .name = name,
                       .source = source,
                       .source_size = source_size,
                       .why = why,
                       .size = why_size};
    int status = 1;

    if (base_elf_open(&o.elf, object, size) != 0 ||
        o.elf.header.e_type != ET_REL || o.elf.header.e_machine != EM_X86_64) {
        snprintf(why, why_size, "%s: what came of it is no object", name);
    } else {
        status = vet_sections(&o);
    }
    if (status == 0)
        status = vet_places(&o);
    if (status == 0)
        status = vet_offer(&o);
    free(o.start);
    return status;
}
