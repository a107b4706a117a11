/*
 * access.h: what is each load and each store of a module? Read by what wasm2c
 * has made, before it defines these: so none is made in any other way.
 *
 * An address that is neither the one that the running code has just told of nor
 * plainly its own, as a thread's variables are, goes to module.c first, which
 * ends the code if there is no memory, and records what the compiler has not
 * told of.
 */
extern struct module_own {
    uint64_t begin, size; /* where a load or a store may begin */
    uint64_t floor;       /* and not below the stack pointer: all ones; or 0 */
    uint64_t told;        /* once: 0 behind it */
    uint64_t told_size;   /* bytes */
    uint64_t site;        /* the number of the call that follows */
} module_own;
extern uint32_t *module_stack_pointer;
void module_look(uint64_t address, int size, int is_write);
void module_begin_part(const char *name, uint32_t at, uint32_t size);

#undef LOAD_DATA
#define LOAD_DATA(m, o, i, s)                    \
    do {                                         \
        module_begin_part(#i, (o), (s));         \
        load_data((void *)(uintptr_t)(o), i, s); \
    } while (0)

#define MODULE_CHECK(address, type, is_write)                       \
    do {                                                            \
        if ((address) == module_own.site)                           \
            break;                                                  \
        if ((address) == module_own.told &&                         \
            sizeof(type) <= module_own.told_size) {                 \
            module_own.told = 0;                                    \
            break;                                                  \
        }                                                           \
        if ((address)-module_own.begin >= module_own.size ||        \
            (address) < (*module_stack_pointer & module_own.floor)) \
            module_look((address), sizeof(type), (is_write));       \
    } while (0)

#undef DEFINE_LOAD
#define DEFINE_LOAD(name, t1, t2, t3, ...)                       \
    static inline t3 name(wasm_rt_memory_t *mem, u64 addr)       \
    {                                                            \
        t1 result;                                               \
                                                                 \
        (void)mem;                                               \
        MODULE_CHECK(addr, t1, 0);                               \
        wasm_rt_memcpy(&result, (const void *)addr, sizeof(t1)); \
        __asm__("" ::"r"(result));                               \
        return (t3)(t2)result;                                   \
    }

#undef DEFINE_STORE
#define DEFINE_STORE(name, t1, t2)                                     \
    static inline void name(wasm_rt_memory_t *mem, u64 addr, t2 value) \
    {                                                                  \
        const t1 wrapped = (t1)value;                                  \
                                                                       \
        (void)mem;                                                     \
        MODULE_CHECK(addr, t1, 1);                                     \
        wasm_rt_memcpy((void *)addr, &wrapped, sizeof(t1));            \
    }
