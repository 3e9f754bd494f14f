#define _GNU_SOURCE
#include "CAllocations.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_bool counts;
static atomic_long all_allocations, all_retains, all_switches;

static void count(atomic_long *number) {
    if (atomic_load_explicit(&counts, memory_order_relaxed)) {
        atomic_fetch_add_explicit(number, 1, memory_order_relaxed);
    }
}

#ifdef __GLIBC__

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static _Thread_local long allocations;

static void count_allocation(void) {
    allocations++;
    count(&all_allocations);
}

void *malloc(size_t size) {
    count_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count_allocation();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count_allocation();
    return __libc_realloc(memory, size);
}

long c_allocations(void) { return allocations; }

#else

long c_allocations(void) { return -1; }

#endif

#if defined(__GLIBC__) && defined(__x86_64__)

// The linker prefers these to the functions of Swift's runtime, except in the standard library
// itself. On other processors, these functions keep registers that those of C do not keep.
#define RETAIN(NAME, PARAMETERS, ARGUMENTS)                                        \
    void *NAME PARAMETERS {                                                        \
        static __typeof__(NAME) *original;                                         \
        if (!original) original = (__typeof__(NAME) *)dlsym(RTLD_NEXT, #NAME);     \
        count(&all_retains);                                                       \
        return original ARGUMENTS;                                                 \
    }

RETAIN(swift_retain, (void *object), (object))
RETAIN(swift_bridgeObjectRetain, (void *object), (object))
RETAIN(swift_retain_n, (void *object, uint32_t times), (object, times))
RETAIN(swift_bridgeObjectRetain_n, (void *object, uint32_t times), (object, times))

#endif

#if defined(__linux__)

// Called by Swift's runtime for each job of the pool.
typedef __attribute__((swiftcall)) void enqueue(void *job);
typedef __attribute__((swiftcall)) void enqueue_hook(void *job, enqueue *original);
extern enqueue_hook *swift_task_enqueueGlobal_hook;

static __attribute__((swiftcall)) void count_switch(void *job, enqueue *original) {
    count(&all_switches);
    original(job);
}

_Bool c_counts_begin(void) {
    swift_task_enqueueGlobal_hook = count_switch;
    atomic_store(&all_allocations, 0);
    atomic_store(&all_retains, 0);
    atomic_store(&all_switches, 0);
    atomic_store(&counts, true);
    return true;
}

struct c_counts c_counts_end(void) {
    atomic_store(&counts, false);
    return (struct c_counts){all_allocations, all_retains, all_switches};
}

#else

_Bool c_counts_begin(void) { return false; }

struct c_counts c_counts_end(void) { return (struct c_counts){0, 0, 0}; }

#endif
