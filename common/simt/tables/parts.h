/*
 * parts.h: who does what in simt_tables. For its own files only.
 *
 *   tables.c    goes through the assembly line by line
 *   flops.c     gives operations to basic blocks; flops_of.c: of an instruction
 *   debug.c     keeps the debug information, as g++ -dA comments it
 *   places.c    gives instructions to lines of the source
 *   shapes.c    shapes of variables and names of parameters
 *   host.c      which functions run on the host alone
 *   constants.c which stores write a constant
 *   text.c      numbers and names
 *   wasm.c      all of it, from clang's assembly for WebAssembly
 *   wasm_debug.c  its debug information
 */
#ifndef SIMT_PARTS_H
#define SIMT_PARTS_H

#include "tables.h"

#include <stddef.h>
#include <stdint.h>

/* --- text.c --------------------------------------------------------------- */

/* 1 if text begins with this word and not with a longer one. */
int simt_tables_is_word(const char *text, const char *word);

int simt_tables_is_one_of(const char *text, const char *const *words);

/* The comment at the end of a line: what stands behind "#" (x86-64) or two
   slashes (AArch64) outside of quotes. NULL: there is none. */
const char *simt_tables_comment(const char *line);

/* The text between the first quote and the next, its escapes undone; behind it
   *text goes on. It is the caller's to free. NULL with errno ENOMEM without
   memory, else with errno 0: there is no such text. */
char *simt_tables_unquote(const char **text);

/* Writes .string "text" with all that is unusual as octal numbers. */
void simt_tables_put_string(FILE *to, const char *text);

/* Is it a header of the device, the system or the course? Nobody looks for a
   mistake there. */
int simt_tables_is_header(const char *file);

/* Goes on in a section of a table that the linker keeps or drops with the
   group, if there is one, as it does the code; .popsection goes back. */
void simt_tables_open(FILE *to, const char *section, const char *group);

/* --- flops.c -------------------------------------------------------------- */

struct simt_flops_entry;

/* What is known between two instructions of a function. */
struct simt_flops_walk {
    FILE *to;
    int blocks, codes; /* labels given out so far */
    int block;         /* whose call came last in this function; 0: none */
    int is_traced;     /* the call came since the beginning of the block */
    int is_open;       /* the last entry may be added to */
    int is_converted;  /* the last instruction converted 64-bit integers */
    struct simt_flops_entry *entry; /* of this function */
    size_t count;
    size_t waiting; /* the first entry whose block is not known */
};

/* 1 if the instruction calls the function that names a block. */
int simt_flops_is_trace_call(const char *instruction);

/* Behind a label or a jump. */
void simt_flops_begin_block(struct simt_flops_walk *w);

/* Before an instruction is copied. Returns 0, or -1 without memory. */
int simt_flops_before(struct simt_flops_walk *w, const char *instruction);

/* Behind it. */
void simt_flops_behind(struct simt_flops_walk *w, const char *instruction);

/* The end of a function, whose section is in that group; NULL: in none. */
void simt_flops_end(struct simt_flops_walk *w, const char *group);

/* --- debug.c -------------------------------------------------------------- */

enum simt_tag {
    SIMT_TAG_OTHER,
    SIMT_TAG_ARRAY,
    SIMT_TAG_SUBRANGE,
    SIMT_TAG_POINTER,
    SIMT_TAG_QUALIFIER, /* const, volatile, typedef and their like */
    SIMT_TAG_NAMESPACE, /* or the compilation unit */
    SIMT_TAG_VARIABLE,
    SIMT_TAG_PARAMETER,
    SIMT_TAG_FUNCTION,
    SIMT_TAG_INLINED
};

/* A debugging information entry of DWARF 5, section 2.1. */
struct simt_die {
    uint64_t offset;       /* from the beginning of the unit */
    uint64_t type, origin; /* offsets of others; 0: none */
    uint64_t bytes;        /* of a type; 0: not told */
    uint64_t count;        /* of a subrange; 0: not told */
    char *name;            /* NULL: none */
    int parent;            /* -1: none */
    int call_file, call_line;
    enum simt_tag tag;
    int operations;     /* of the expression that tells its address */
    int is_static;      /* the expression is an address of the linker's */
    int is_declaration; /* it stands elsewhere */
    int is_copy;        /* code of a function that has an entry of its own */
    int is_artificial;  /* the compiler's own: nobody has written it */
    char *symbol;       /* clang's: of the variable; NULL: none */
    uint64_t end;       /* likewise: the offset behind it and its children */
};

/* Code between the labels .LBBn and .LBEn belongs to an entry, or to a list of
   ranges, .LLRLn, which in turn does. */
struct simt_range {
    unsigned long number; /* n */
    unsigned long owner;  /* the index of an entry, or the number of a list */
};

struct simt_ranges {
    struct simt_range *range; /* sorted by number by simt_debug_finish */
    size_t count;
};

struct simt_debug {
    struct simt_die *die; /* by offset */
    size_t count;
    int *open; /* those whose parent is not known yet */
    size_t open_count;
    char *folder;  /* the compiler's working directory; NULL: not told */
    char **symbol; /* of thread-local variables */
    size_t symbols;
    int in_location;           /* the lines are the expression of an address */
    int is_broken;             /* no more is read: it is not g++'s */
    unsigned long list;        /* whose ranges the lines are; 0: none */
    struct simt_ranges blocks; /* of entries, */
    struct simt_ranges lists;  /* lists of entries, */
    struct simt_ranges listed; /* and blocks of lists */
};

/* One line of .debug_info or of .debug_rnglists. Return 0, or -1 without
   memory. */
int simt_debug_read_info(struct simt_debug *d, const char *line);
int simt_debug_read_ranges(struct simt_debug *d, const char *line);

/* The label of a thread-local variable. Returns 0, or -1 without memory. */
int simt_debug_add_thread_local(struct simt_debug *d, const char *label);

enum simt_tag simt_debug_tag(const char *name); /* "variable" */

/* All was read. */
void simt_debug_finish(struct simt_debug *d);

/* The inlined call that block n is code of, or NULL. */
const struct simt_die *simt_debug_inlined(const struct simt_debug *d,
                                          unsigned long n);

/* The name or the type of an entry, or of what it is a copy or the definition
   of. NULL: there is none. The type is the one behind const and typedef. */
const char *simt_debug_name(const struct simt_debug *d,
                            const struct simt_die *die);
const struct simt_die *simt_debug_type(const struct simt_debug *d,
                                       const struct simt_die *die);

/* 1 for what the compiler adds, as how a structure is copied. */
int simt_debug_is_artificial(const struct simt_debug *d,
                             const struct simt_die *die);

/* 1 if the variable is at an address that the linker gives it. */
int simt_debug_is_static(const struct simt_debug *d,
                         const struct simt_die *variable);

/* 1 for a function of its own, which is no class's. A copy has not all of its
   parameters: the compiler leaves out what is not used. */
int simt_debug_is_plain_function(const struct simt_debug *d,
                                 const struct simt_die *die);

/* A file's name as the compiler was told: without its working directory. */
const char *simt_debug_as_told(const struct simt_debug *d, const char *file);

void simt_debug_free(struct simt_debug *d);

/* --- places.c ------------------------------------------------------------- */

struct simt_event;

struct simt_places {
    FILE *to;
    struct simt_event *event; /* in the order of the text */
    size_t count;
    char **file; /* by the number that .file gives it; NULL: none */
    size_t files;
    int labels;        /* given out so far */
    int current, line; /* file and line; 0: none */
    int is_open;       /* code follows whose line is known */
};

/* .file 1 "tiling.cu" and .loc 1 34 1; the group is that of the section. They
   return 0, or -1 without memory, as the next two do. */
int simt_places_file(struct simt_places *p, const char *line);
int simt_places_line(struct simt_places *p, const char *line,
                     const char *group);

/* A label within a function: .LBB7 and .LBE7 are looked at. */
int simt_places_label(struct simt_places *p, const char *label,
                      const char *group);

/* Another section goes on, whose code is still that of the function, or the
   function is over: what follows is on no line that is known. */
int simt_places_resume(struct simt_places *p, const char *group);
int simt_places_leave(struct simt_places *p, int is_over, const char *group);

/* Writes the table. Returns 0, or -1 without memory. */
int simt_places_write(const struct simt_places *p, const struct simt_debug *d);

void simt_places_free(struct simt_places *p);

/* --- host.c --------------------------------------------------------------- */

struct simt_symbol_use;

/* The names of an assembly. All 0: none is read. */
struct simt_host {
    void *by_name; /* a tree of <search.h> */
    struct simt_symbol_use **symbol;
    size_t count;
};

/* Reads the whole assembly and goes back to its beginning. Returns 0, or -1
   with errno: without memory, or of a file that cannot be read twice. */
int simt_host_read(struct simt_host *host, FILE *from);

/* 1 if the function with that label was read, and no thread of the device can
   come to it. */
int simt_host_alone(const struct simt_host *host, const char *label);

void simt_host_release(struct simt_host *host);

/* --- constants.c ---------------------------------------------------------- */

struct simt_constants {
    FILE *to;
    int calls;          /* labels given out so far */
    int is_waiting;     /* the store that the last call tells of is to come */
    uint64_t constants; /* registers that have one since then, as bits */
    int *found;         /* labels of this function */
    size_t count;
};

/* Behind the call that tells of a store; behind any other instruction, of which
   it returns 0, or -1 without memory; at a label. */
void simt_constants_call(struct simt_constants *c);
int simt_constants_behind(struct simt_constants *c, const char *instruction);
void simt_constants_forget(struct simt_constants *c);

/* As simt_flops_end. */
void simt_constants_end(struct simt_constants *c, const char *group);

/* --- shapes.c ------------------------------------------------------------- */

void simt_shapes_write(const struct simt_debug *d, FILE *to);

/* The bytes of what a parameter points to; 0: of nothing that has a size. */
int simt_pointed_bytes(const struct simt_debug *d,
                       const struct simt_die *parameter);

/* Returns 0, or -1 if the variable's shape is not known. */
int simt_shape_of(const struct simt_debug *d, const struct simt_die *variable,
                  struct simt_shape_entry *shape);

/* --- wasm_debug.c --------------------------------------------------------- */

/* Keeps the debug information of clang's assembly for WebAssembly. Returns 0,
   or -1 without memory or with a file that cannot be read. */
int simt_wasm_read_debug(struct simt_debug *d, FILE *from);

#endif /* SIMT_PARTS_H */
