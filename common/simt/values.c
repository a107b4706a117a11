/*
 * Do all threads that race to store an element store the same value there? The
 * recorder hears of a store before it is made. So what a store finds in memory
 * is what the one before it has left, and the last one's value is there when
 * the race is judged. Only for make run: labs are wrong either way.
 *
 * A place is forgotten when another takes its slot; then nothing is said of it.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 1 << 16,
    LOCKS = 64
};

/* The stores to one address in one launch; in shared memory, in one interval.
 */
struct slot {
    uintptr_t address;
    uint64_t time;
    uint64_t value; /* that the first has left */
    int size, worker;
    int has_value; /* a second one has come */
    int differs;   /* or nobody knows */
};

static struct slot *slots; /* SLOTS of them, or NULL: no memory was left */
static atomic_flag locks[LOCKS];

static void make_slots(void)
{
    slots = calloc(SLOTS, sizeof *slots);
}

/* The slot of an address, for the caller alone, or NULL. */
static struct slot *lock_slot(uintptr_t address)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const uint64_t mixed = (address >> 2) * UINT64_C(0x9E3779B97F4A7C15) >> 48;

    pthread_once(&once, make_slots);
    if (slots == NULL)
        return NULL;
    while (atomic_flag_test_and_set_explicit(&locks[mixed % LOCKS],
                                             memory_order_acquire)) {
    }
    return &slots[mixed % SLOTS];
}

static void unlock_slot(const struct slot *slot)
{
    atomic_flag_clear_explicit(&locks[(slot - slots) % LOCKS],
                               memory_order_release);
}

static uint64_t value_at(uintptr_t address, int size)
{
    uint64_t value = 0;

    memcpy(&value, (const void *)address, (size_t)size);
    return value;
}

static uint64_t time_of(const struct simt_worker *worker, int is_shared)
{
    return is_shared ? UINT64_C(1) << 63 | worker->recorder->interval
                     : worker->grid->number;
}

void simt_values_note(const struct simt_worker *worker, uintptr_t address,
                      int size, int is_shared)
{
    const uint64_t now = time_of(worker, is_shared);
    struct slot *slot;

    if (size > 8 || (!is_shared && !simt_memory_is_open((void *)address)))
        return;
    slot = lock_slot(address);
    if (slot == NULL)
        return;
    if (slot->time != now) {
        *slot = (struct slot){.address = address,
                              .time = now,
                              .size = size,
                              .worker = worker->number};
    } else if (slot->address != address) {
        *slot = (struct slot){.address = address, .time = now, .differs = 1};
    } else if (slot->size == size && slot->worker == worker->number &&
               !slot->has_value) {
        slot->value = value_at(address, size);
        slot->has_value = 1;
    } else if (slot->size != size || slot->worker != worker->number ||
               slot->value != value_at(address, size)) {
        slot->differs = 1;
    }
    unlock_slot(slot);
}

int simt_values_are_equal(const struct simt_worker *worker, uintptr_t address,
                          int size, int is_shared)
{
    const struct slot *slot;
    int equal;

    if (!simt_record_in_step || size > 8)
        return 0;
    slot = lock_slot(address);
    if (slot == NULL)
        return 0;
    equal = slot->address == address && slot->size == size &&
            slot->time == time_of(worker, is_shared) && slot->has_value &&
            !slot->differs && slot->value == value_at(address, size);
    unlock_slot(slot);
    return equal;
}
