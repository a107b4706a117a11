#define _GNU_SOURCE
#include "lines.h"
#include "own_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The linker's: where the program begins in memory. */
extern const char __executable_start[];

/* libdw may be used by one thread at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Opened by the first question and never closed: the names of files that were
   handed out lie in it. NULL if there is no debug information. */
static Dwarf *dwarf;
static uintptr_t bias; /* address in memory - address in the file */

/* The lowest address of the program according to its file. */
static uintptr_t first_address(Elf *elf)
{
    uintptr_t first = UINTPTR_MAX;
    size_t count = 0;
    GElf_Phdr segment;

    elf_getphdrnum(elf, &count);
    for (int i = 0; i < (int)count; i++) {
        if (gelf_getphdr(elf, i, &segment) != NULL &&
            segment.p_type == PT_LOAD && segment.p_vaddr < first)
            first = segment.p_vaddr;
    }
    return first;
}

/* Opens the program's own file, once. The lock is held. */
static void open_file(void)
{
    static int is_tried;
    int file;

    if (is_tried)
        return;
    is_tried = 1;
    file = simt_open_own_file();
    if (file < 0)
        return;
    dwarf = dwarf_begin(file, DWARF_C_READ);
    if (dwarf == NULL) {
        close(file);
        return;
    }
    bias = (uintptr_t)__executable_start - first_address(dwarf_getelf(dwarf));
}

/* --- lines ---------------------------------------------------------------- */

/* What was found for an address, in a hash table. */
struct place {
    uintptr_t code; /* 0: free */
    const char *file;
    int line;
};

static struct place *places;
static size_t room, used; /* room is a power of two */

/* Where code is in the table, or would be. */
static struct place *find_place(uintptr_t code)
{
    size_t at = (size_t)((code * UINT64_C(0x9E3779B97F4A7C15)) >> 32);

    while (places[at & (room - 1)].code != 0 &&
           places[at & (room - 1)].code != code)
        at++;
    return &places[at & (room - 1)];
}

/* Makes room for one more. Returns 0, or -1 without memory. */
static int make_room(void)
{
    struct place *old = places;
    const size_t old_room = room;

    if (2 * (used + 1) <= room)
        return 0;
    places = calloc(old_room ? 2 * old_room : 256, sizeof *places);
    if (places == NULL) {
        places = old;
        return -1;
    }
    room = old_room ? 2 * old_room : 256;
    for (size_t i = 0; i < old_room; i++) {
        if (old[i].code != 0)
            *find_place(old[i].code) = old[i];
    }
    free(old);
    return 0;
}

/* libdw puts the compiler's working directory before a name without a folder;
   other versions of it before each relative name. */
static const char *as_told(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *folder =
        dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const size_t length = folder ? strlen(folder) : 0;

    if (length > 0 && strncmp(file, folder, length) == 0 && file[length] == '/')
        return file + length + 1;
    return file;
}

static int is_header(const char *file)
{
    return strstr(file, "simt/include/") != NULL ||
           strncmp(file, "/usr/include/", 13) == 0 ||
           strncmp(file, "/usr/lib/", 9) == 0;
}

/* The number that an attribute of a DIE holds; 0 if it has none. */
static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;

    if (dwarf_attr_integrate(die, name, &attribute) == NULL ||
        dwarf_formudata(&attribute, &number) != 0)
        return 0;
    return number;
}

/* Goes from the innermost function that was inlined at `address` outwards,
   until the call stands in no header. */
static void leave_headers(Dwarf_Die *unit, Dwarf_Addr address,
                          struct place *place)
{
    Dwarf_Die *scopes = NULL, *parents = NULL;
    Dwarf_Files *files;
    int count = 0;

    if (dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return;
    /* Behind an inlined function dwarf_getscopes goes on with the place where
       that function is defined; the parents of the innermost DIE are the
       functions that it was inlined into. */
    if (dwarf_getscopes(unit, address, &scopes) > 0)
        count = dwarf_getscopes_die(&scopes[0], &parents);
    for (int i = 0; i < count && is_header(place->file); i++) {
        const char *file;

        if (dwarf_tag(&parents[i]) != DW_TAG_inlined_subroutine)
            continue;
        file = dwarf_filesrc(files, number_of(&parents[i], DW_AT_call_file),
                             NULL, NULL);
        if (file == NULL)
            break;
        place->file = as_told(unit, file);
        place->line = (int)number_of(&parents[i], DW_AT_call_line);
    }
    free(parents);
    free(scopes);
}

/* Asks libdw. The lock is held. */
static struct place look_up(uintptr_t code)
{
    const Dwarf_Addr address = code - bias - 1; /* within the call itself */
    struct place place = {code, "", 0};
    Dwarf_Line *line;
    Dwarf_Die unit;
    const char *file;

    if (dwarf == NULL || dwarf_addrdie(dwarf, address, &unit) == NULL)
        return place;
    line = dwarf_getsrc_die(&unit, address);
    file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file == NULL || dwarf_lineno(line, &place.line) != 0)
        return place;
    place.file = as_told(&unit, file);
    if (is_header(place.file))
        leave_headers(&unit, address, &place);
    return place;
}

int simt_line_of(uintptr_t code, const char **file, int *line)
{
    struct place place = {0, "", 0};

    pthread_mutex_lock(&lock);
    open_file();
    if (room > 0)
        place = *find_place(code);
    if (place.code == 0) {
        place = look_up(code);
        if (make_room() == 0) { /* else it is looked up again */
            *find_place(code) = place;
            used++;
        }
    }
    pthread_mutex_unlock(&lock);
    *file = place.line > 0 ? place.file : "";
    *line = place.line;
    return place.line > 0 ? 0 : -1;
}

/* --- variables ------------------------------------------------------------ */

struct variable {
    const char *name;
    size_t bytes;
    int dimension[SIMT_DIMENSIONS];
    int dimensions; /* -1: too many */
    int element_bytes;
};

static struct variable *variables;
static size_t variable_count, variable_room;

/* 1 if the variable lies at a place that the linker gives it: what lies in a
   register or on the stack is not asked for. */
static int is_static(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;

    if (dwarf_attr_integrate(variable, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &operation, &count) != 0 || count == 0)
        return 0;
    if (count == 1)
        return operation[0].atom == DW_OP_addr;
    /* The offset of a thread-local variable. */
    return operation[1].atom == DW_OP_form_tls_address ||
           operation[1].atom == DW_OP_GNU_push_tls_address;
}

/* Adds the dimensions of one array type. 0, or -1 if one is not known. */
static int add_dimensions(Dwarf_Die *array, struct variable *variable)
{
    Dwarf_Die range;

    if (dwarf_child(array, &range) != 0)
        return -1;
    do {
        Dwarf_Word count;

        if (dwarf_tag(&range) != DW_TAG_subrange_type)
            continue;
        count = dwarf_hasattr(&range, DW_AT_count)
                    ? number_of(&range, DW_AT_count)
                    : number_of(&range, DW_AT_upper_bound) + 1;
        if (variable->dimensions == SIMT_DIMENSIONS)
            return -1;
        variable->dimension[variable->dimensions++] = (int)count;
    } while (dwarf_siblingof(&range, &range) == 0);
    return 0;
}

/* The type of a DIE behind const, volatile and typedef. NULL: none. */
static Dwarf_Die *type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == NULL ||
        dwarf_formref_die(&attribute, type) == NULL ||
        dwarf_peel_type(type, type) != 0)
        return NULL;
    return type;
}

/* Keeps a variable if it is a static one. Returns 0, or -1 without memory. */
static int keep_variable(Dwarf_Die *die)
{
    struct variable variable = {.name = dwarf_diename(die),
                                .dimension = {1, 1, 1}};
    Dwarf_Die type;
    Dwarf_Word bytes;

    if (variable.name == NULL || !is_static(die) ||
        type_of(die, &type) == NULL || dwarf_aggregate_size(&type, &bytes) != 0)
        return 0;
    variable.bytes = bytes;
    while (dwarf_tag(&type) == DW_TAG_array_type) {
        if (add_dimensions(&type, &variable) != 0)
            variable.dimensions = -1;
        if (variable.dimensions < 0 || type_of(&type, &type) == NULL)
            break;
    }
    if (dwarf_aggregate_size(&type, &bytes) == 0)
        variable.element_bytes = (int)bytes;
    if (variable_count == variable_room) {
        const size_t more = variable_room ? 2 * variable_room : 64;
        struct variable *larger = realloc(variables, more * sizeof *variables);

        if (larger == NULL)
            return -1;
        variables = larger;
        variable_room = more;
    }
    variables[variable_count++] = variable;
    return 0;
}

/* Keeps the variables of a DIE and of all below it. */
static int walk(Dwarf_Die *die)
{
    Dwarf_Die child;
    int more;

    if (dwarf_tag(die) == DW_TAG_variable && keep_variable(die) != 0)
        return -1;
    for (more = dwarf_child(die, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        if (walk(&child) != 0)
            return -1;
    }
    return 0;
}

/* Lists the variables of all compilation units, once. The lock is held. */
static void list_variables(void)
{
    static int is_listed;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;

    if (is_listed || dwarf == NULL)
        return;
    is_listed = 1;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (walk(&die) != 0)
            return; /* the rest has no known shape */
    }
}

static int is_same_shape(const struct variable *a, const struct variable *b)
{
    return a->dimensions == b->dimensions &&
           a->element_bytes == b->element_bytes &&
           memcmp(a->dimension, b->dimension, sizeof a->dimension) == 0;
}

int simt_variable_shape(const char *name, size_t bytes,
                        int dimension[SIMT_DIMENSIONS], int *element_bytes)
{
    const struct variable *found = NULL;
    int differ = 0, dimensions = -1;

    pthread_mutex_lock(&lock);
    open_file();
    list_variables();
    for (size_t i = 0; i < variable_count; i++) {
        const struct variable *v = &variables[i];

        if (v->bytes != bytes || strcmp(v->name, name) != 0)
            continue;
        differ |= found != NULL && !is_same_shape(v, found);
        found = v;
    }
    if (found != NULL && !differ) {
        memcpy(dimension, found->dimension, sizeof found->dimension);
        *element_bytes = found->element_bytes;
        dimensions = found->dimensions;
    }
    pthread_mutex_unlock(&lock);
    return dimensions;
}

/* --- parameters ----------------------------------------------------------- */

/* 1 if `name` is the function's name as a program writes it: blanks do not
   matter, nor do template arguments that are left out. */
static int is_name_of(const char *name, const char *function)
{
    for (;; name++, function++) {
        while (*name == ' ')
            name++;
        while (*function == ' ')
            function++;
        if (*name != *function || *name == '\0')
            return *name == '\0' && (*function == '\0' || *function == '<');
    }
}

/* Looks for the function below a DIE. Returns 1 if it is found with that many
   parameters or more; then *parameter is the nth of them. */
static int find_parameter(Dwarf_Die *die, const char *function, size_t n,
                          Dwarf_Die *parameter)
{
    const char *name = dwarf_diename(die);
    Dwarf_Die child;
    size_t at = 0;
    int more;
    const int is_it = dwarf_tag(die) == DW_TAG_subprogram && name != NULL &&
                      is_name_of(function, name);

    for (more = dwarf_child(die, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        if (is_it && dwarf_tag(&child) == DW_TAG_formal_parameter &&
            at++ == n) {
            *parameter = child;
            return 1;
        }
        if (dwarf_tag(&child) == DW_TAG_namespace &&
            find_parameter(&child, function, n, parameter))
            return 1;
        if (dwarf_tag(die) != DW_TAG_subprogram &&
            dwarf_tag(&child) == DW_TAG_subprogram &&
            find_parameter(&child, function, n, parameter))
            return 1;
    }
    return 0;
}

const char *simt_parameter_name(const char *function, size_t n)
{
    const char *name = NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, parameter;

    pthread_mutex_lock(&lock);
    open_file();
    while (name == NULL && dwarf != NULL &&
           dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (find_parameter(&die, function, n, &parameter))
            name = dwarf_diename(&parameter);
    }
    pthread_mutex_unlock(&lock);
    return name;
}
