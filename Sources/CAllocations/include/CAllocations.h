#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

/// The number of times that the calling thread has allocated memory; -1 where it is not counted.
///
/// With glibc, a program that links this module has its own `malloc`, which counts.
long c_allocations(void);

/// What all threads of the program have done since `c_counts_begin`.
struct c_counts {
    /// The number of times that memory was allocated.
    long allocations;
    /// The number of times that code outside Swift's standard library retained an object. Counted
    /// only with glibc on x86-64; 0 elsewhere.
    long retains;
    /// The number of times that a task, or what remains of it, was given to a thread of the pool.
    long switches;
};

/// Begins to count. Not to be called while other threads run tasks.
///
/// - Returns: Whether this system can count; otherwise the counts are 0.
_Bool c_counts_begin(void);

/// Ends counting.
struct c_counts c_counts_end(void);

#endif
