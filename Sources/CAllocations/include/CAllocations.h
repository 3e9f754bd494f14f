#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

/// The number of times that the calling thread has allocated memory; -1 where it is not counted.
///
/// With glibc, a program that links this module has its own `malloc`, which counts.
long c_allocations(void);

#endif
