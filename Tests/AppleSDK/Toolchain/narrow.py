#!/usr/bin/env python3
"""Makes an interface of the standard library, whose `Int` has 64 bits, one for watches (arm64_32),
where it has 32. Only the literals of `Int` and `UInt` have to be right: they tell which numbers of the
package are too large. So a body that does not compile then is replaced.

narrow.py types FILE        gives `Int`, `UInt` and their atomics 32 bits
narrow.py bodies FILE LOG   replaces the bodies in which the log of the compiler has an error
"""
import re
import sys

TYPES = re.compile(
    r'(@\S+ )*(public struct (Int|UInt) |extension Swift\.(Int|UInt) '
    r'|extension Synchronization\.Atomic where Value == Swift\.(Int|UInt) )')
BODY = re.compile(r'\b(func|init|get|set|_read|_modify|subscript|deinit)\b.*\{\s*$')


def narrowed(line):
    line = re.sub(r'(?<=Builtin\.Int)64\b|(?<=_Int)64(?=\b|_)|(?<=_Atomic)64(?=Bit)', '32', line)
    return re.sub(r'\b6([34])\b', lambda bits: str(int(bits[0]) - 32), line)


def with_narrow_types(lines):
    depth = 0
    for line in lines:
        if depth or TYPES.match(line):
            depth += line.count('{') - line.count('}')
            line = narrowed(line)
        # A constant of `Hasher` and `Set` that is a literal of `Int`.
        yield line.replace('0x4000_0000_0000_0000', '2')


def without_bodies(lines, log):
    for error in sorted({int(n) for n in re.findall(r':(\d+):\d+: error:', log)}, reverse=True):
        first = error - 1
        while first > 0 and not BODY.search(lines[first]):
            first -= 1
        if first == 0 or first >= len(lines):
            continue
        last, depth = first, 1
        while depth > 0:
            last += 1
            depth += lines[last].count('{') - lines[last].count('}')
        if error - 1 <= last:
            lines[first + 1:last] = ['    fatalError()']
    return lines


action, file = sys.argv[1:3]
with open(file) as input:
    lines = input.read().split('\n')
if action == 'types':
    lines = list(with_narrow_types(lines))
else:
    with open(sys.argv[3]) as log:
        lines = without_bodies(lines, log.read())
with open(file, 'w') as output:
    output.write('\n'.join(lines))
