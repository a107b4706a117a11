/*
 * A launch: looks at its configuration and arguments as CUDA does, then lets
 * OS threads take one block after the other. Workers keep their stacks from
 * launch to launch; their OS threads are begun anew, which costs some ten
 * microseconds and leaves nothing behind between launches.
 */
#define _GNU_SOURCE
#include "base/language.h"
#include "device.h"
#include "simt.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void simt_fence(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

/* Ends the program, `blocks` blocks of the launch being counted. */
static void leave(const struct simt_launch *launch, uint64_t blocks)
{
    fflush(stdout);
    fprintf(stderr,
            "counted for %d s, and no further: up to block %llu of a "
            "launch of %s (make run LIMIT=0 counts all)\n",
            simt_seconds_to_count(), (unsigned long long)blocks,
            launch->kernel);
    exit(EXIT_SUCCESS);
}

static int refused;
static unsigned asked_before; /* the last of them */

int simt_refused_launches(uint64_t ran)
{
    return ran > 0 && simt_times_asked() > asked_before ? 0 : refused;
}

/* Says why CUDA refuses the launch and keeps its error. */
static int refuse_launch(const struct simt_launch *launch, cudaError_t error,
                         const char *reason)
{
    simt_say(launch->file, launch->line, N_("launch of %s: %s"), launch->kernel,
             reason);
    simt_set_error(error);
    refused++;
    asked_before = simt_times_asked();
    return -1;
}

/* Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute
   Capability". */
static int check_configuration(const struct simt_launch *launch)
{
    const struct dim3 g = launch->grid, b = launch->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    char reason[250];

    if (g.x == 0 || g.y == 0 || g.z == 0) {
        snprintf(reason, sizeof reason,
                 N_("the grid is %u x %u x %u blocks: no side may be 0"), g.x,
                 g.y, g.z);
    } else if (g.x > 2147483647U || g.y > 65535 || g.z > 65535) {
        snprintf(
            reason, sizeof reason,
            N_("the grid is %u x %u x %u blocks, the limits are 2147483647 x "
               "65535 x 65535"),
            g.x, g.y, g.z);
    } else if (threads == 0) {
        snprintf(reason, sizeof reason,
                 N_("the block is %u x %u x %u threads: no side may be 0"), b.x,
                 b.y, b.z);
    } else if (threads > SIMT_MAX_THREADS) {
        snprintf(
            reason, sizeof reason,
            N_("the block is %u x %u x %u = %llu threads, the limit is %d; "
               "it stands second in <<<grid, block>>>"),
            b.x, b.y, b.z, (unsigned long long)threads, SIMT_MAX_THREADS);
    } else if (b.z > 64) {
        snprintf(
            reason, sizeof reason,
            N_("the block is %u x %u x %u threads, and the limit of z is 64"),
            b.x, b.y, b.z);
    } else if (launch->is_cooperative &&
               (uint64_t)g.x * g.y * g.z > SIMT_MOST_RESIDENT) {
        snprintf(reason, sizeof reason,
                 "%llu blocks of a cooperative launch, of which at most %d "
                 "run at once on the CPU device",
                 (unsigned long long)g.x * g.y * g.z, SIMT_MOST_RESIDENT);
        return refuse_launch(launch, cudaErrorCooperativeLaunchTooLarge,
                             reason);
    } else if (launch->dynamic_shared > simt_dynamic_limit()) {
        snprintf(
            reason, sizeof reason,
            N_("%zu bytes of dynamic shared memory, the limit is %zu (more "
               "only after cudaFuncSetAttribute with "
               "cudaFuncAttributeMaxDynamicSharedMemorySize)"),
            launch->dynamic_shared, simt_dynamic_limit());
        return refuse_launch(launch, cudaErrorInvalidValue, reason);
    } else {
        return 0;
    }
    return refuse_launch(launch, cudaErrorInvalidConfiguration, reason);
}

/* Of a launch that a host function made, or a kernel. */
static int check_arguments(const struct simt_launch *launch, int is_child)
{
    for (size_t i = 0; i < launch->pointer_count; i++) {
        const void *pointer = launch->pointers[i];
        const struct simt_allocation *a = simt_memory_find(pointer);
        char reason[200];

        if (pointer == NULL || (a != NULL && !a->freed) ||
            simt_variable_kind(pointer) != SIMT_NO_VARIABLE ||
            simt_memory_registered(pointer))
            continue;
        if (a != NULL) {
            snprintf(reason, sizeof reason,
                     N_("argument %zu points to device memory that was freed"),
                     i + 1);
        } else if (is_child) {
            snprintf(reason, sizeof reason,
                     "argument %zu points to no global memory: a kernel that a "
                     "kernel launches reaches neither its shared memory nor "
                     "its local variables",
                     i + 1);
        } else {
            snprintf(reason, sizeof reason,
                     N_("argument %zu points to host memory, which a kernel "
                        "cannot reach: pass what cudaMalloc gave"),
                     i + 1);
        }
        return refuse_launch(launch, cudaErrorIllegalAddress, reason);
    }
    return 0;
}

/* The body of each OS thread. */
static void *run_worker(void *argument)
{
    struct simt_worker *worker = argument;
    struct simt_grid *grid = worker->grid;

    if (simt_worker_begin(worker, worker->number, grid) != 0) {
        atomic_store(&grid->failed, cudaErrorMemoryAllocation);
        return NULL;
    }
    simt_self = worker;
    simt_watch_begin(worker);
    while (atomic_load(&grid->failed) == 0 && !simt_is_late()) {
        const uint64_t block = atomic_fetch_add(&grid->next_block, 1);

        if (block >= grid->blocks)
            break;
        simt_run_block(worker, block);
        atomic_fetch_add(&grid->over, 1);
    }
    simt_watch_end();
    simt_worker_end(worker);
    return NULL;
}

static struct simt_worker *workers[SIMT_MOST_RESIDENT];

/* Runs the grid on `count` workers, this OS thread among them. An OS thread
   that cannot be had is no error: the others do its work, unless they wait for
   what it would have done. */
static int run_grid(struct simt_grid *grid, int count)
{
    pthread_t thread[SIMT_MOST_RESIDENT];
    int begun = 0;

    for (int i = 0; i < count; i++) {
        if (workers[i] == NULL) {
            workers[i] = calloc(1, sizeof *workers[i]);
            if (workers[i] == NULL)
                return -1;
        }
        workers[i]->grid = grid;
        workers[i]->number = i;
    }
    for (int i = 1; i < count; i++) {
        if (pthread_create(&thread[i], NULL, run_worker, workers[i]) != 0)
            break;
        begun = i;
    }
    if (grid->launch->is_cooperative && begun + 1 < count)
        atomic_store(&grid->failed, cudaErrorMemoryAllocation);
    run_worker(workers[0]);
    for (int i = 1; i <= begun; i++)
        pthread_join(thread[i], NULL);
    if (grid->failed == 0 && grid->next_block < grid->blocks)
        grid->blocks = grid->next_block;
    if (simt_recording)
        simt_recorder_end(workers, begun + 1, grid);
    return 0;
}

/* Leaves an error if anything but the grid's threads wrote next to an array. */
static void check_overrun(struct simt_grid *grid)
{
    const struct simt_launch *launch = grid->launch;
    const struct simt_allocation *overrun = simt_memory_overrun();

    if (overrun == NULL)
        return;
    simt_say(launch->file, launch->line,
             "kernel %s wrote next to device array %s (%zu bytes), "
             "outside of it: check its index against the array's size",
             launch->kernel, overrun->name[0] ? overrun->name : "(unnamed)",
             overrun->size);
    grid->failed = cudaErrorIllegalAddress;
}

/* A thread launches a kernel. */
static void launch_child(const struct simt_launch *launch)
{
    struct simt_grid *grid = simt_self->grid;

    if (launch->can_wait && simt_child_keep(simt_self, launch) == 0)
        return;
    simt_say(
        launch->file, launch->line, "launch of %s: %s", launch->kernel,
        launch->can_wait
            ? "there is no memory to keep it"
            : "a kernel cannot launch one through a pointer, or with arguments "
              "that have constructors of their own, on the CPU device");
    atomic_store(&grid->failed, launch->can_wait ? cudaErrorMemoryAllocation
                                                 : cudaErrorNotSupported);
}

/* Runs one grid. Returns the launches that its kernel made, with `later` behind
   them; after a failure none. */
static struct simt_child *run_launch(const struct simt_launch *launch,
                                     struct simt_child *later)
{
    static uint64_t launches;
    const struct dim3 g = launch->grid, b = launch->block;
    struct simt_grid grid = {
        .launch = launch,
        .number = ++launches,
        .size = {g.x, g.y, g.z},
        .block = {b.x, b.y, b.z},
        .threads = (int)(b.x * b.y * b.z),
        .blocks = simt_recording && getenv("SIMT_FIRST_BLOCK") != NULL
                      ? 1
                      : (uint64_t)g.x * g.y * g.z,
    };
    const uint64_t blocks = grid.blocks;
    int count = simt_worker_count();

    if (launch->is_cooperative || (uint64_t)count > grid.blocks)
        count = (int)grid.blocks;
    if (simt_is_late())
        leave(launch, 0);
    simt_host_calls_add_launch(launch);
    blockDim = grid.block;
    gridDim = grid.size;
    simt_fault_catch();
    if (simt_recording)
        simt_interval_launch();
    if (simt_memory_prepare() != 0 || run_grid(&grid, count) != 0)
        atomic_store(&grid.failed, cudaErrorMemoryAllocation);
    if (grid.failed == 0)
        check_overrun(&grid);
    if (grid.failed == 0 && (grid.blocks < blocks || grid.is_cut))
        leave(launch, grid.blocks);
    later = simt_children_before(&grid, later);
    if (grid.failed == 0)
        return later;
    simt_set_error((cudaError_t)grid.failed);
    simt_children_drop(later);
    return NULL;
}

void simt_launch_kernel(const struct simt_launch *launch)
{
    struct simt_child *child, captured = {.launch = *launch};
    const struct simt_step step = {.launch = &captured};

    if (simt_self != NULL) {
        launch_child(launch);
        return;
    }
    simt_memory_open();
    if (simt_enter("kernel launch", __builtin_return_address(0)) != 0) {
        simt_launch_failed_at(launch->line);
        simt_memory_close();
        return;
    }
    child =
        check_configuration(launch) == 0 && check_arguments(launch, 0) == 0 &&
                (simt_capture == NULL || !simt_capture(launch->stream, &step))
            ? run_launch(launch, NULL)
            : NULL;
    while (child != NULL) {
        struct simt_child *next = child->next;

        if (check_configuration(&child->launch) == 0 &&
            check_arguments(&child->launch, 1) == 0)
            next = run_launch(&child->launch, next);
        free(child);
        child = next;
    }
    simt_memory_close();
}
