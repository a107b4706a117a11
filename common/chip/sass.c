#define _GNU_SOURCE
#include "sass.h"

#include "base/elf_file.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- instructions --------------------------------------------------------- */

enum {
    BYTES = 16,       /* of an instruction */
    NO_REGISTER = 255 /* RZ: reads as zero */
};

/* Which operands are registers: bits, and the forms in which the second is. */
enum {
    A = 1,
    B = 2,
    C = 4
};

static const struct {
    uint16_t opcode;
    uint8_t opclass, sources;
    const char *name;
} known[] = {
    {0x002, SASS_ARITHMETIC, B, "MOV"},
    {0x005, SASS_OTHER, 0, "CS2R"},
    {0x007, SASS_ARITHMETIC, A | B, "SEL"},
    {0x008, SASS_ARITHMETIC, A | B, "FSEL"},
    {0x00b, SASS_ARITHMETIC, A | B, "FSETP"},
    {0x00c, SASS_ARITHMETIC, A | B, "ISETP"},
    {0x010, SASS_ARITHMETIC, A | B | C, "IADD3"},
    {0x011, SASS_ARITHMETIC, A | B | C, "LEA"},
    {0x012, SASS_ARITHMETIC, A | B | C, "LOP3"},
    {0x013, SASS_ARITHMETIC, B, "IABS"},
    {0x016, SASS_ARITHMETIC, A | B | C, "PRMT"},
    {0x017, SASS_ARITHMETIC, A | B, "IMNMX"},
    {0x019, SASS_ARITHMETIC, A | B | C, "SHF"},
    {0x01c, SASS_OTHER, 0, "PLOP3"},
    {0x020, SASS_FMA, A | B, "FMUL"},
    {0x021, SASS_ARITHMETIC, A | B, "FADD"},
    {0x023, SASS_FMA, A | B | C, "FFMA"},
    {0x024, SASS_ARITHMETIC, A | B | C, "IMAD"},
    {0x025, SASS_ARITHMETIC, A | B | C, "IMAD.WIDE"},
    {0x027, SASS_ARITHMETIC, A | B | C, "IMAD.HI"},
    {0x035, SASS_ARITHMETIC, A | B, "VIADD"},
    {0x036, SASS_ARITHMETIC, A | B, "VIADD"},
    {0x048, SASS_ARITHMETIC, A | B, "VIMNMX"},
    {0x082, SASS_OTHER, 0, "UMOV"},
    {0x08c, SASS_OTHER, 0, "UISETP"},
    {0x090, SASS_OTHER, 0, "UIADD3"},
    {0x091, SASS_OTHER, 0, "ULEA"},
    {0x092, SASS_OTHER, 0, "ULOP3"},
    {0x099, SASS_OTHER, 0, "USHF"},
    {0x0a4, SASS_OTHER, 0, "UIMAD"},
    {0x0b9, SASS_OTHER, 0, "ULDC"},
    {0x0c3, SASS_OTHER, 0, "S2UR"},
    {0x105, SASS_OTHER, 0, "F2I"},
    {0x106, SASS_OTHER, 0, "I2F"},
    {0x108, SASS_OTHER, 0, "MUFU"},
    {0x118, SASS_OTHER, 0, "NOP"},
    {0x119, SASS_OTHER, 0, "S2R"},
    {0x11a, SASS_WAIT_ASYNC, 0, "DEPBAR"},
    {0x11d, SASS_BARRIER, 0, "BAR"},
    {0x141, SASS_OTHER, 0, "BSYNC"},
    {0x145, SASS_OTHER, 0, "BSSY"},
    {0x147, SASS_BRANCH, 0, "BRA"},
    {0x148, SASS_OTHER, 0, "WARPSYNC"},
    {0x14d, SASS_OTHER, 0, "EXIT"},
    {0x181, SASS_LOAD_GLOBAL, A, "LDG"},
    {0x182, SASS_OTHER, 0, "LDC"},
    {0x183, SASS_LOCAL, 0, "LDL"},
    {0x184, SASS_LOAD_SHARED, A, "LDS"},
    {0x186, SASS_STORE_GLOBAL, A | B, "STG"},
    {0x187, SASS_LOCAL, 0, "STL"},
    {0x188, SASS_STORE_SHARED, A | B, "STS"},
    {0x1a3, SASS_STORE_GLOBAL, A | B, "ATOMG"},
    {0x1a6, SASS_STORE_GLOBAL, A | B, "RED"},
    {0x1ae, SASS_COPY_ASYNC, A | B, "LDGSTS"},
    {0x1af, SASS_OTHER, 0, "LDGDEPBAR"},
    {0x1c2, SASS_OTHER, 0, "R2UR"},
};

/* `count` bits of x from bit `from` on. */
static unsigned bits(uint64_t x, int from, int count)
{
    return (unsigned)(x >> from & ((UINT64_C(1) << count) - 1));
}

static uint8_t width_of(uint64_t high)
{
    const unsigned code = bits(high, 9, 3);

    return code == 4 ? 4 : code == 5 ? 8 : code == 6 ? 16 : 1;
}

/* A branch's distance stands in two pieces, in units of 4 bytes. */
static unsigned target_of(unsigned address, uint64_t low, uint64_t high)
{
    uint64_t distance =
        (low >> 34 | (high & 0x3ffff) << 30) & ((UINT64_C(1) << 48) - 1);

    distance = distance << 8 | bits(low, 16, 8);
    /* Two's complement in 56 bits; the sum wraps as it should. */
    return address + BYTES + (unsigned)(distance * 4);
}

static void decode(unsigned address, uint64_t low, uint64_t high,
                   struct sass_instruction *i)
{
    const unsigned form = bits(low, 9, 3); /* 1: all operands are registers */
    unsigned sources = 0;

    *i = (struct sass_instruction){.address = address,
                                   .opcode = (uint16_t)bits(low, 0, 9),
                                   .rd = (uint8_t)bits(low, 16, 8),
                                   .stall = (uint8_t)bits(high, 41, 4),
                                   .set_write = (uint8_t)bits(high, 46, 3),
                                   .set_read = (uint8_t)bits(high, 49, 3),
                                   .wait = (uint8_t)bits(high, 52, 6),
                                   .reuse = (uint8_t)bits(high, 58, 3)};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (known[k].opcode == i->opcode) {
            i->name = known[k].name;
            i->opclass = known[k].opclass;
            sources = known[k].sources;
        }
    }
    if (form != 1 && i->opclass != SASS_STORE_GLOBAL &&
        i->opclass != SASS_STORE_SHARED && i->opclass != SASS_COPY_ASYNC)
        sources &= ~(unsigned)B;
    i->source[0] = sources & A ? (uint8_t)bits(low, 24, 8) : NO_REGISTER;
    i->source[1] = sources & B ? (uint8_t)bits(low, 32, 8) : NO_REGISTER;
    i->source[2] = sources & C ? (uint8_t)bits(high, 0, 8) : NO_REGISTER;
    if (i->opclass >= SASS_LOAD_GLOBAL && i->opclass <= SASS_COPY_ASYNC)
        i->width = width_of(high);
    if (i->opclass == SASS_BRANCH)
        i->target = target_of(address, low, high);
}

/* --- the file ------------------------------------------------------------- */

static struct sass_kernel *kernel_named(struct sass_file *file,
                                        const char *name)
{
    struct sass_kernel *kernel;

    for (size_t i = 0; i < file->kernels; i++) {
        if (strcmp(file->kernel[i].name, name) == 0)
            return &file->kernel[i];
    }
    kernel = base_list_add(&file->kernel, &file->kernels, sizeof *kernel);
    if (kernel == NULL)
        return NULL;
    kernel->name = strdup(name);
    return kernel->name != NULL ? kernel : NULL;
}

static int add_code(struct sass_kernel *kernel, const char *bytes,
                    const Elf64_Shdr *section)
{
    const size_t count = section->sh_size / BYTES;

    free(kernel->instruction);
    kernel->instruction = calloc(count + 1, sizeof *kernel->instruction);
    if (kernel->instruction == NULL)
        return -1;
    kernel->count = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t word[2];

        memcpy(word, bytes + i * BYTES, sizeof word);
        decode((unsigned)(i * BYTES), word[0], word[1],
               &kernel->instruction[i]);
    }
    return 0;
}

/*
 * .nv.info: attributes of a byte for the format, a byte for what it is, and two
 * for a value or, in format 4, for the number of bytes that follow. Registers
 * are number 0x2f, for a symbol (elf.h of NVIDIA's cuda-gdb: EIATTR_REGCOUNT).
 */
static int read_registers(const struct base_elf *elf, const char *at,
                          const Elf64_Shdr *info, struct sass_file *file)
{
    enum {
        WITH_BYTES = 4,
        REGISTERS = 0x2f
    };
    const char *const end = at + info->sh_size;
    Elf64_Shdr symbols;

    if (base_elf_section(elf, info->sh_link, &symbols) != 0)
        return -1;
    while (end - at >= 4) {
        const unsigned char format = (unsigned char)at[0];
        const unsigned char attribute = (unsigned char)at[1];
        uint16_t count;
        uint32_t value[2];

        memcpy(&count, at + 2, sizeof count);
        at += 4;
        if (format != WITH_BYTES)
            continue;
        if (end - at < count)
            return -1;
        if (attribute == REGISTERS && count == sizeof value) {
            struct sass_kernel *kernel;
            Elf64_Sym symbol;
            const char *name;

            memcpy(value, at, sizeof value);
            name = base_elf_symbol(elf, &symbols, value[0], &symbol);
            kernel = name != NULL ? kernel_named(file, name) : NULL;
            if (kernel == NULL)
                return -1;
            kernel->registers = (int)value[1];
        }
        at += count;
    }
    return 0;
}

/* Of one section, what it says of a kernel. */
static int read_section(const struct base_elf *elf, const Elf64_Shdr *section,
                        struct sass_file *file)
{
    const char *const name = base_elf_string(elf, elf->names, section->sh_name);
    const char *const bytes = base_elf_bytes(elf, section);
    const int is_code = name != NULL && strncmp(name, ".text.", 6) == 0;
    struct sass_kernel *kernel;

    if (name == NULL || (bytes == NULL && section->sh_type != SHT_NOBITS))
        return -1;
    if (bytes != NULL && strcmp(name, ".nv.info") == 0)
        return read_registers(elf, bytes, section, file);
    if (!is_code && (strncmp(name, ".nv.shared.", 11) != 0 ||
                     strncmp(name, ".nv.shared.reserved", 19) == 0))
        return 0;
    kernel = kernel_named(file, name + (is_code ? 6 : 11));
    if (kernel == NULL)
        return -1;
    if (!is_code)
        kernel->shared_bytes = (int)section->sh_size;
    return is_code && bytes != NULL ? add_code(kernel, bytes, section) : 0;
}

static int read_sections(const char *bytes, size_t size, struct sass_file *file)
{
    struct base_elf elf;
    Elf64_Shdr section;

    errno = EINVAL;
    if (base_elf_open(&elf, bytes, size) != 0)
        return -1;
    /* The first section is none. */
    for (size_t i = 1; base_elf_section(&elf, i, &section) == 0; i++) {
        if (read_section(&elf, &section, file) != 0)
            return -1;
    }
    return 0;
}

int sass_read(const char *path, struct sass_file *file, char *why, size_t size)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    void *const bytes = base_map_file(descriptor, &length);
    int failed = bytes == NULL;

    *file = (struct sass_file){0};
    if (!failed)
        failed = read_sections(bytes, length, file);
    if (failed) {
        snprintf(why, size, "%s: %s", path,
                 errno == EINVAL ? "not a cubin" : strerror(errno));
        sass_free(file);
    }
    if (bytes != NULL)
        munmap(bytes, length);
    if (descriptor >= 0)
        close(descriptor);
    return failed ? -1 : 0;
}

void sass_free(struct sass_file *file)
{
    for (size_t i = 0; i < file->kernels; i++) {
        free(file->kernel[i].name);
        free(file->kernel[i].instruction);
    }
    free(file->kernel);
    *file = (struct sass_file){0};
}

const struct sass_kernel *sass_find(const struct sass_file *file,
                                    const char *name)
{
    const struct sass_kernel *found = NULL;
    char length_and_name[300];
    const int length = (int)strcspn(name, "<");

    /* As it is mangled: 13matmul_tiling. */
    snprintf(length_and_name, sizeof length_and_name, "%d%.*s", length, length,
             name);
    for (size_t i = 0; i < file->kernels; i++) {
        const struct sass_kernel *kernel = &file->kernel[i];

        if (kernel->count > 0 &&
            (strstr(kernel->name, length_and_name) != NULL ||
             strcmp(kernel->name, name) == 0) &&
            (found == NULL || strcmp(kernel->name, found->name) > 0))
            found = kernel;
    }
    return found;
}

/* --- loops ---------------------------------------------------------------- */

/* From the instruction at `first` to the branch back at `last`. */
struct range {
    size_t first, last;
};

static int products_in(const struct sass_kernel *k, struct range r)
{
    int products = 0;

    for (size_t i = r.first; i <= r.last; i++)
        products += k->instruction[i].opclass == SASS_FMA;
    return products;
}

static int barriers_in(const struct sass_kernel *k, struct range r)
{
    int barriers = 0;

    for (size_t i = r.first; i <= r.last; i++)
        barriers += k->instruction[i].opclass == SASS_BARRIER;
    return barriers;
}

/* The loop, if any, that the branch at i goes back to begin. */
static int loop_at(const struct sass_kernel *k, size_t i, struct range *r)
{
    const struct sass_instruction *branch = &k->instruction[i];

    if (branch->opclass != SASS_BRANCH || branch->target >= branch->address)
        return 0;
    *r = (struct range){branch->target / BYTES, i};
    return 1;
}

/* The loop with most products of those within `in` but for itself. */
static int largest_loop(const struct sass_kernel *k, struct range in,
                        struct range *found)
{
    int most = 1;
    struct range r;

    *found = (struct range){SIZE_MAX, SIZE_MAX - 1};
    for (size_t i = in.first; i <= in.last && i < k->count; i++) {
        if (!loop_at(k, i, &r) || r.first < in.first ||
            (r.first == in.first && r.last == in.last))
            continue;
        /* An outer one has the products of all those within it. */
        if (products_in(k, r) > most ||
            (products_in(k, r) == most && r.first <= found->first)) {
            most = products_in(k, r);
            *found = r;
        }
    }
    return found->first != SIZE_MAX;
}

/* 1 if instruction i lies in a loop within `in`, but not in `but`. */
static int in_other_loop(const struct sass_kernel *k, struct range in,
                         struct range but, size_t i)
{
    struct range r;

    for (size_t j = i; j < in.last; j++) {
        if (loop_at(k, j, &r) && r.first >= in.first && r.first <= i &&
            (r.first < but.first || r.first > but.last) &&
            products_in(k, r) > 0)
            return 1;
    }
    return 0;
}

/* Adds what a warp meets from r.first to r.last, that loop's rounds included.
 */
static int expand(const struct sass_kernel *k, struct range r,
                  struct range within, int rounds, struct sass_loop *loop)
{
    const size_t length = within.last - within.first + 1;
    const size_t most = r.last - r.first + 1 + length * (size_t)rounds;

    loop->instruction = malloc(most * sizeof(struct sass_instruction *));
    if (loop->instruction == NULL)
        return -1;
    for (size_t i = r.first; i <= r.last; i++) {
        if (i == within.first) {
            for (int round = 0; round < rounds; round++) {
                for (size_t j = within.first; j <= within.last; j++)
                    loop->instruction[loop->count++] = &k->instruction[j];
            }
        }
        if ((i < within.first || i > within.last) &&
            !in_other_loop(k, r, within, i))
            loop->instruction[loop->count++] = &k->instruction[i];
    }
    return 0;
}

/* 1 if there is a loop of global loads, and no products, within. */
static int has_copies(const struct sass_kernel *k, struct range in)
{
    struct range r;

    for (size_t i = in.first; i < in.last; i++) {
        if (!loop_at(k, i, &r) || r.first <= in.first || products_in(k, r) > 0)
            continue;
        for (size_t j = r.first; j <= r.last; j++) {
            if (k->instruction[j].opclass == SASS_LOAD_GLOBAL)
                return 1;
        }
    }
    return 0;
}

int sass_loop_find(const struct sass_kernel *kernel, double products,
                   double barriers, struct sass_loop *loop)
{
    struct range all = {0, kernel->count - 1}, outer, inner;
    double direct, wanted;
    int rounds = 0;

    *loop = (struct sass_loop){0};
    if (kernel->count == 0 || !largest_loop(kernel, all, &outer))
        return 1;
    loop->first = kernel->instruction[outer.first].address;
    loop->last = kernel->instruction[outer.last].address;
    loop->has_copies = has_copies(kernel, outer);
    direct = products_in(kernel, outer);
    /* How many steps a round makes is told by its barriers, if it has any, else
       by its products. Loops within it make the products that are lacking. */
    if (barriers > 0.0 && barriers_in(kernel, outer) > 0) {
        loop->steps = barriers_in(kernel, outer) / barriers;
    } else {
        loop->steps = direct / products;
    }
    wanted = loop->steps * products;
    if (largest_loop(kernel, outer, &inner)) {
        const double each = products_in(kernel, inner);
        struct range r;

        for (size_t i = outer.first; i < outer.last; i++) {
            if (loop_at(kernel, i, &r) && r.first > outer.first)
                direct -= products_in(kernel, r);
        }
        rounds = (int)lround((wanted - direct) / each);
        if (rounds < 0)
            rounds = 0;
    }
    if (loop->steps <= 0.0 || wanted > 1e6)
        return 1;
    return expand(kernel, outer, inner, rounds, loop);
}

/* What follows a copy's load, up to the next one: its address and its store. */
static int ends_copy(const struct sass_instruction *i, int opclass)
{
    return i->opclass == opclass || i->opclass == SASS_BARRIER ||
           i->opclass == SASS_FMA || i->opclass == SASS_LOAD_SHARED;
}

int sass_loop_fit(struct sass_loop *loop, int opclass, double wanted)
{
    const struct sass_instruction **fitted;
    size_t has = 0, count = 0, seen = 0;

    for (size_t i = 0; i < loop->count; i++)
        has += loop->instruction[i]->opclass == opclass;
    /* A guard may leave out some. */
    if (!loop->has_copies || has == 0 ||
        (wanted > 0.8 * (double)has && wanted < 1.25 * (double)has))
        return 0;
    wanted /= (double)has;
    fitted = malloc((size_t)((double)loop->count * (wanted + 2.0)) *
                    sizeof(struct sass_instruction *));
    if (fitted == NULL)
        return -1;
    for (size_t i = 0, end; i < loop->count; i = end) {
        size_t times = 1;

        end = i + 1;
        if (loop->instruction[i]->opclass == opclass) {
            while (end < loop->count &&
                   !ends_copy(loop->instruction[end], opclass))
                end++;
            times = (size_t)(wanted * (double)(seen + 1) + 1e-6) -
                    (size_t)(wanted * (double)seen + 1e-6);
            seen++;
        }
        while (times-- > 0) {
            memcpy(&fitted[count], &loop->instruction[i],
                   (end - i) * sizeof(struct sass_instruction *));
            count += end - i;
        }
    }
    free(loop->instruction);
    loop->instruction = fitted;
    loop->count = count;
    return 1;
}

void sass_loop_free(struct sass_loop *loop)
{
    free(loop->instruction);
    free(loop->own);
    *loop = (struct sass_loop){0};
}
