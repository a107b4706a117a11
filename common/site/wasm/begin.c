/*
 * Where do the parts of a program lie in memory? The linker lays parts of one
 * name out together, in the order in which it first meets their names; so this
 * file comes first. What any thread may read begins here, constants and then
 * indices, and ends where the next part begins.
 */
#define PART(name) __attribute__((section(name), used))

const char __executable_start[16] PART(".rodata") = "";
char simt_indices_first[16] PART("simt_indices") = ""; /* threadIdx and so on */
char __data_start[16] PART("simt_data_start") = "";

/* As the first of shared memory elsewhere; so there is always some. */
char simt_shared_first[16] PART("simt_shared") = "";
