/// A compiled pattern: a program that runs over the Unicode scalars of a text.
///
/// All alternatives are followed at the same time (Pike; see Russ Cox, "Regular expression
/// matching: the virtual machine approach"). So the time is linear in the length of the text,
/// whatever the pattern.
///
/// The instructions of a program are separated by spaces:
///
/// | instruction | meaning |
/// |--|--|
/// | `c61-7a,5f` | one scalar of these hexadecimal ranges |
/// | `n61-7a` | one scalar outside of these ranges |
/// | `j5` | go on at instruction 5 |
/// | `s3,7` | go on at both instructions |
/// | `^` `$` | only at the start, only at the end of the text |
/// | `m` | the pattern matches |
///
/// A malformed program matches nothing.
public struct Pattern: Sendable, Hashable {
    /// The source text of the pattern.
    public let source: String
    package let instructions: [Instruction]

    /// Creates a pattern from its source, for messages, and its program.
    public init(_ source: String, program: String) {
        self.source = source
        instructions = Self.parse(program) ?? []
    }

    /// Whether the pattern matches somewhere in the text.
    public func matches(_ text: String) -> Bool {
        guard !instructions.isEmpty else { return false }
        var machine = PatternMachine(instructions)
        machine.begin(isAtStart: true, isAtEnd: text.isEmpty)
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next, !machine.hasMatched {
            next = scalars.next()
            machine.step(scalar.value, isAtEnd: next == nil)
        }
        return machine.hasMatched
    }

    private static func parse(_ program: String) -> [Instruction]? {
        let words = program.split(separator: " ")
        var instructions: [Instruction] = []
        for word in words {
            guard let instruction = Instruction(word, count: words.count) else { return nil }
            instructions.append(instruction)
        }
        return instructions
    }
}

/// One instruction of a pattern's program.
package enum Instruction: Sendable, Hashable {
    case scalar(ScalarClass)
    case jump(Int)
    case split(Int, Int)
    case start, end, match

    init?(_ word: Substring, count: Int) {
        let rest = word.dropFirst()
        switch word.first {
        case "^" where rest.isEmpty: self = .start
        case "$" where rest.isEmpty: self = .end
        case "m" where rest.isEmpty: self = .match
        case "c", "n":
            guard let scalars = ScalarClass(rest, isNegated: word.first == "n") else { return nil }
            self = .scalar(scalars)
        case "j", "s":
            let targets = rest.split(separator: ",", omittingEmptySubsequences: false)
                .map { Int($0) ?? -1 }
            guard targets.allSatisfy((0..<count).contains) else { return nil }
            switch (word.first, targets.count) {
            case ("j", 1): self = .jump(targets[0])
            case ("s", 2): self = .split(targets[0], targets[1])
            default: return nil
            }
        default: return nil
        }
    }
}

/// A set of scalars.
package struct ScalarClass: Sendable, Hashable {
    /// The scalars in the set; those outside of it if `isNegated`.
    package let ranges: [ClosedRange<UInt32>]
    package let isNegated: Bool
    /// Whether each of the first 128 scalars is in the set, one bit each, with negation applied.
    private let ascii: SIMD2<UInt64>

    init?(_ text: Substring, isNegated: Bool) {
        var ranges: [ClosedRange<UInt32>] = []
        for part in text.split(separator: ",") {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { UInt32($0, radix: 16) }
            guard
                bounds.count <= 2, let low = bounds[0], let high = bounds[bounds.count - 1],
                low <= high
            else { return nil }
            ranges.append(low...high)
        }
        var bits = SIMD2<UInt64>(repeating: 0)
        for value in 0..<128 {
            let isIn = ranges.contains { $0.contains(UInt32(value)) }
            if isIn != isNegated { bits[value / 64] |= 1 << UInt64(value % 64) }
        }
        self.ranges = ranges
        self.isNegated = isNegated
        ascii = bits
    }

    func contains(_ value: UInt32) -> Bool {
        if value < 128 { return ascii[Int(value / 64)] >> UInt64(value % 64) & 1 == 1 }
        return ranges.contains { $0.contains(value) } != isNegated
    }
}

/// The state of a running pattern: its threads are the instructions that wait for a scalar.
private struct PatternMachine {
    private let instructions: [Instruction]
    private var threads: [Int] = []
    private var waiting: [Int] = []
    /// The step in which each instruction was last reached, so that it runs once per step.
    private var reached: [Int]
    private var step = 0
    private var pending: [Int] = []
    private(set) var hasMatched = false

    init(_ instructions: [Instruction]) {
        self.instructions = instructions
        reached = Array(repeating: -1, count: instructions.count)
    }

    /// Starts the program at the start of the text.
    mutating func begin(isAtStart: Bool, isAtEnd: Bool) {
        follow(0, isAtStart: isAtStart, isAtEnd: isAtEnd)
    }

    /// Consumes a scalar. The program then starts again after it, because a match may begin
    /// anywhere.
    mutating func step(_ scalar: UInt32, isAtEnd: Bool) {
        swap(&threads, &waiting)
        waiting.removeAll(keepingCapacity: true)
        step += 1
        for thread in threads {
            if case .scalar(let scalars) = instructions[thread], scalars.contains(scalar) {
                follow(thread + 1, isAtStart: false, isAtEnd: isAtEnd)
            }
        }
        follow(0, isAtStart: false, isAtEnd: isAtEnd)
    }

    /// Runs the instructions that consume no scalar, starting with `first`.
    private mutating func follow(_ first: Int, isAtStart: Bool, isAtEnd: Bool) {
        pending.append(first)
        while let index = pending.popLast() {
            guard index < instructions.count, reached[index] != step else { continue }
            reached[index] = step
            switch instructions[index] {
            case .scalar: waiting.append(index)
            case .jump(let target): pending.append(target)
            case .split(let one, let other): pending += [other, one]
            case .start: if isAtStart { pending.append(index + 1) }
            case .end: if isAtEnd { pending.append(index + 1) }
            case .match: hasMatched = true
            }
        }
    }
}
