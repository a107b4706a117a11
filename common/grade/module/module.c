/*
 * The module's memory, and what the device must know of the module. It stands
 * before all else of the program does.
 */
#define _GNU_SOURCE
#include "module.h"

#include "grade/runner/runner.h"
#include "simt/device.h"
#include "simt/recorder.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of lab.h, whose table is no variable there. */
enum {
    LAB_TYPES = 3,
    LAB_STRIDES = 9,
    LAB_BANK_RULES = 2
};

enum {
    PAGE = 65536, /* of WebAssembly, and the first that Linux gives */
    MOST = 16384, /* pages of a module: 1 GB; the next one is the device's */
    TYPES = 1024,
    TYPE_TEXT = 64
};

/* Of all addresses a module may use these, if there is memory. */
#define MEMORY_END UINT32_C(0x80000000)

struct module_layout module_layout;
uint32_t *module_stack_pointer;
const char *module_image;
struct module_range module_constants;

void module_look(uint64_t address, int size, int is_write);
void module_begin_part(const char *name, uint32_t at, uint32_t size);

static uint32_t stack_begin;
static uint32_t behind_constants; /* where the next part begins */

/* Lab 05's table, as it was: lab.h. */
extern int lab_prediction[LAB_TYPES * LAB_STRIDES * LAB_BANK_RULES];
int lab_prediction[LAB_TYPES * LAB_STRIDES * LAB_BANK_RULES];

/* Nothing of the lab has run: no report is to be expected. */
static void __attribute__((noreturn)) give_up(const char *what)
{
    fprintf(stderr, "module: %s\n", what);
    _exit(2);
}

/* --- what wasm2c's code calls --------------------------------------------- */

#ifdef WASM_RT_THREAD_LOCAL /* wasm2c behind 1.0.32 */
typedef uint64_t page_count;
#define ITS_ADDRESSES , bool is64
#define IS_64         (void)is64
_Thread_local uint32_t wasm_rt_call_stack_depth;
#else
typedef uint32_t page_count;
#define ITS_ADDRESSES
#define IS_64
uint32_t wasm_rt_call_stack_depth;
#endif

bool wasm_rt_is_initialized(void)
{
    return true;
}

/* From the second page on: the first one is nobody's, as NULL lies there. */
static int open_pages(page_count from, page_count to)
{
    const uintptr_t begin = from == 0 ? PAGE : (uintptr_t)from * PAGE;
    const size_t bytes = (uintptr_t)to * PAGE - begin;

    return to <= MOST && mmap((void *)begin, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                              -1, 0) == (void *)begin
               ? 0
               : -1;
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, page_count initial_pages,
                             page_count max_pages ITS_ADDRESSES)
{
    IS_64;
    if (open_pages(0, initial_pages) != 0)
        give_up("its memory is not to be had");
    *memory = (wasm_rt_memory_t){
        .pages = initial_pages, .max_pages = max_pages, .size = MEMORY_END};
}

page_count wasm_rt_grow_memory(wasm_rt_memory_t *memory, page_count pages)
{
    const page_count before = memory->pages;

    if (pages > MOST || (pages > 0 && open_pages(before, before + pages) != 0))
        grade_runner_no_memory();
    memory->pages += pages;
    return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory)
{
    (void)memory;
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table,
                                    uint32_t elements, uint32_t max_elements)
{
    *table = (wasm_rt_funcref_table_t){
        .data = calloc(elements + 1, sizeof *table->data),
        .size = elements,
        .max_size = max_elements};
    if (table->data == NULL)
        give_up("there is no memory for its functions");
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table)
{
    (void)table;
}

#ifndef WASM_RT_THREAD_LOCAL
/* Gives each type of function a number, from 1. */
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
    static char *types[TYPES];
    static uint32_t count;
    const uint32_t all = params + results;
    char *const type = calloc(all + 2, 1);
    va_list list;

    if (type == NULL || count == TYPES)
        give_up("its functions are of too many types");
    va_start(list, results);
    for (uint32_t i = 0; i < all; i++) {
        type[i + (i >= params)] =
            (char)('1' + (int)va_arg(list, wasm_rt_type_t));
    }
    va_end(list);
    type[params] = ' ';
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(types[i], type) == 0) {
            free(type);
            return i + 1;
        }
    }
    types[count++] = type;
    return count;
}
#endif

/* What a processor would signal. */
void wasm_rt_trap(wasm_rt_trap_t trap)
{
    const struct simt_fault fault = {
        .kind = trap == WASM_RT_TRAP_DIV_BY_ZERO   ? SIGFPE
                : trap == WASM_RT_TRAP_UNREACHABLE ? SIGILL
                                                   : SIMT_FAULT_NO_ADDRESS,
        .code = (uintptr_t)__builtin_return_address(0)};

    if (simt_self == NULL || simt_self->current == NULL)
        simt_fault_of_host(&fault, fault.kind > 0 ? fault.kind : SIGSEGV);
    simt_self->fault = fault;
    simt_abandon_block(simt_self);
}

/* A part of the memory gets what it begins with. */
void module_begin_part(const char *name, uint32_t at, uint32_t size)
{
    if (strcmp(name, "data_segment_data_w2c__rodata") == 0 ||
        strcmp(name, "data_segment_data_w2c_lab_0x2Erodata") == 0) {
        module_constants = (struct module_range){at, at + size};
    } else if (behind_constants == 0) {
        behind_constants = at;
    }
}

/* --- accesses ------------------------------------------------------------- */

enum {
    LARGEST = 8 /* bytes of an access */
};

struct module_own module_own;

void module_own_all(void)
{
    module_own = (struct module_own){.size = MEMORY_END - LARGEST + 1,
                                     .site = module_layout.site};
}

void module_own_stack(uintptr_t begin, uintptr_t top)
{
    module_own = (struct module_own){.begin = begin,
                                     .size = top - begin - LARGEST + 1,
                                     .floor = UINT64_MAX,
                                     .site = module_layout.site};
}

/* Nobody tells of a thread's indices, and it may read them. A thread whose
   local variables take more than its stack writes below that first. */
void module_look(uint64_t address, int size, int is_write)
{
    int piece = size;

    if (simt_self != NULL && module_own.begin > *module_stack_pointer) {
        simt_self->fault = (struct simt_fault){
            .kind = SIGSEGV,
            .address = (const char *)(uintptr_t)module_own.begin,
            .code = (uintptr_t)__builtin_return_address(0)};
        simt_abandon_block(simt_self);
    }
    if (address > MEMORY_END - LARGEST)
        wasm_rt_trap(WASM_RT_TRAP_OOB);
    if (simt_self == NULL || (SIMT_IS_INDEX(address) && !is_write))
        return;
    if (address - module_own.begin < SIMT_STACK) {
        if (address >= *module_stack_pointer &&
            address + (uint64_t)size <=
                module_own.begin + module_own.size + LARGEST - 1)
            return;
        /* What another thread has left there, in a block before. */
        simt_self->fault =
            (struct simt_fault){.kind = SIMT_FAULT_HOST_MEMORY,
                                .address = (const char *)address,
                                .is_write = is_write,
                                .code = (uintptr_t)__builtin_return_address(0)};
        simt_abandon_block(simt_self);
    }
    /* A structure is copied in larger pieces than it is aligned for. */
    while (address % (uint64_t)piece != 0)
        piece /= 2;
    for (int i = 0; i < size; i += piece) {
        simt_record_uninstrumented((const void *)(address + (uint64_t)i), piece,
                                   is_write, __builtin_return_address(0),
                                   __builtin_dwarf_cfa());
    }
}

void module_enter(void)
{
    *module_stack_pointer = stack_begin;
    wasm_rt_call_stack_depth = 0;
    module_own_all();
}

int module_is_on_stack(uint64_t address, uint64_t size)
{
    return address >= module_layout.shared.end && address + size <= stack_begin;
}

/* --- the beginning -------------------------------------------------------- */

/* By this a student's code does not reach what is the device's. */
static void look_at_addresses(void)
{
    static char variable;
    char on_stack;
    char *const small = malloc(1), *const large = malloc(1 << 20);
    const uintptr_t all[] = {(uintptr_t)&variable, (uintptr_t)&on_stack,
                             (uintptr_t)small, (uintptr_t)large,
                             (uintptr_t)module_enter};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] <= UINT32_MAX)
            give_up("this program lies where the lab's memory is to be");
    }
    free(small);
    free(large);
}

static __attribute__((constructor(101))) void begin(void)
{
    wasm_rt_memory_t *memory;
    char *image;
    size_t bytes;

    look_at_addresses();
    module_own_all();
    module_stack_pointer = module_begin(&memory);
    stack_begin = *module_stack_pointer;
    bytes = (size_t)memory->pages * PAGE;
    image = malloc(bytes);
    if (image == NULL)
        give_up("there is no memory for its tables");
    memset(image, 0, PAGE);
    memcpy(image + PAGE, (const void *)(uintptr_t)PAGE, bytes - PAGE);
    module_image = image;
    memcpy(&module_layout, (const void *)(uintptr_t)module_tell_layout(),
           sizeof module_layout);
    if (module_constants.end == 0 || behind_constants < module_constants.end ||
        behind_constants % SIMT_PAGE != 0 ||
        module_constants.end > module_layout.indices ||
        module_layout.indices > module_layout.thread_index ||
        module_layout.grid_size >= module_layout.data)
        give_up("its memory is not laid out as it must be");
    /* No load of a constant is counted: so none is changed. */
    mprotect((void *)(uintptr_t)PAGE, behind_constants - PAGE, PROT_READ);
    if (module_layout.prediction != 0) {
        memcpy(lab_prediction, module_image + module_layout.prediction,
               sizeof lab_prediction);
    }
}

static __attribute__((constructor)) void construct(void)
{
    module_construct();
}
