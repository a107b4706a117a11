/*
 * module_end.h: what does the device call in a module? Read behind all that
 * wasm2c has made of it. A lab has of the lab_ functions those that INDEX says.
 */
#ifdef WASM_RT_THREAD_LOCAL /* wasm2c behind 1.0.32 */
#define OF_LAB(name) w2c_lab_##name
typedef w2c_lab instance_of_lab;
#else
#define OF_LAB(name) Z_labZ_##name
typedef Z_lab_instance_t instance_of_lab;
#endif

static instance_of_lab module_instance;

uint32_t *module_begin(wasm_rt_memory_t **memory)
{
#ifdef WASM_RT_THREAD_LOCAL
    wasm2c_lab_instantiate(&module_instance, NULL);
    *memory = w2c_lab_memory(&module_instance);
    return w2c_lab_0x5F_stack_pointer(&module_instance);
#else
    Z_lab_init_module();
    Z_lab_instantiate(&module_instance, NULL);
    *memory = Z_labZ_memory(&module_instance);
    return Z_labZ___stack_pointer(&module_instance);
#endif
}

uint32_t module_tell_layout(void)
{
    return OF_LAB(module_tell_layout)(&module_instance);
}

void module_construct(void)
{
    OF_LAB(module_construct)(&module_instance);
}

void module_call(uint32_t function, uint32_t closure)
{
    OF_LAB(module_call)(&module_instance, function, closure);
}

uint32_t module_shared_of(uint32_t function, uint32_t threads, uint32_t data)
{
    return OF_LAB(module_shared_of)(&module_instance, function, threads, data);
}

#define ENTRY(name)                                                  \
    __attribute__((weak)) void OF_LAB(name)(instance_of_lab *, u32); \
    int module_##name(uint32_t p)                                    \
    {                                                                \
        if (OF_LAB(name) == NULL)                                    \
            return -1;                                               \
        OF_LAB(name)(&module_instance, p);                           \
        return 0;                                                    \
    }

ENTRY(lab_host)
ENTRY(lab_launch)
ENTRY(lab_launch_b)
ENTRY(lab_launch_arrays)

__attribute__((weak)) void OF_LAB(lab_read)(instance_of_lab *, u32, u32, u32,
                                            u32, u32);
void module_lab_read(uint32_t type, uint32_t stride, uint32_t repeat,
                     uint32_t out, uint32_t cycles)
{
    if (OF_LAB(lab_read) != NULL)
        OF_LAB(lab_read)(&module_instance, type, stride, repeat, out, cycles);
}
