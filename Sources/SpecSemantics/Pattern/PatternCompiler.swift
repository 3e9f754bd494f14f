/// Compiles a pattern to a program for the runtime's matcher.
///
/// The dialect is I-Regexp (RFC 9485) without Unicode properties, with `^` and `$` as assertions of
/// the text's start and end, `(?:…)`, and the ASCII classes `\d`, `\w`, `\s` and their negations.
/// It is case-sensitive, works on Unicode scalars and searches anywhere in the text unless
/// anchored; it behaves the same on every platform and matches in linear time.
package struct PatternCompiler {
    /// An error of a pattern, with the index of its scalar.
    package struct Problem: Error {
        let offset: Int
        let message: String
    }

    private enum Instruction {
        case set(String)
        case jump(Int)
        case split(Int, Int)
        case start, end, match

        var token: String {
            switch self {
            case .set(let ranges): ranges
            case .jump(let target): "j\(target)"
            case .split(let first, let second): "s\(first),\(second)"
            case .start: "^"
            case .end: "$"
            case .match: "m"
            }
        }
    }

    /// The highest total of instructions and ranges in a program.
    private static let maximumSize = 5000

    /// The program of a pattern: instructions separated by spaces.
    package static func compile(_ source: String) throws(Problem) -> String {
        var parser = PatternParser(source)
        let tree = try parser.parse()
        var compiler = PatternCompiler()
        try compiler.emit(tree, parser.count)
        compiler.program.append(.match)
        return compiler.program.map(\.token).joined(separator: " ")
    }

    private var program: [Instruction] = []
    /// The number of ranges in the program's sets.
    private var ranges = 0
    /// The number of calls of `emit`. Repeating an empty pattern takes time without growing the
    /// program.
    private var steps = 0

    private mutating func emit(_ node: PatternNode, _ offset: Int) throws(Problem) {
        steps += 1
        if case .set(let set) = node { ranges += set.ranges.count }
        guard program.count + ranges < Self.maximumSize, steps < 4 * Self.maximumSize else {
            throw Problem(offset: offset, message: "the pattern is too large")
        }
        switch node {
        case .empty: break
        case .start: program.append(.start)
        case .end: program.append(.end)
        case .set(let set): program.append(.set(set.token))
        case .sequence(let nodes): for node in nodes { try emit(node, offset) }
        case .alternatives(let nodes): try emit(alternatives: nodes[...], offset)
        case .repeated(let node, let low, let high):
            try emit(node, low: low, high: high, offset: offset)
        }
    }

    private mutating func emit(
        alternatives nodes: ArraySlice<PatternNode>, _ offset: Int
    ) throws(Problem) {
        var jumps: [Int] = []
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            let split = program.count
            if !isLast { program.append(.split(0, 0)) }
            try emit(node, offset)
            if isLast { break }
            jumps.append(program.count)
            program.append(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func emit(
        _ node: PatternNode, low: Int, high: Int?, offset: Int
    ) throws(Problem) {
        for _ in 0..<low { try emit(node, offset) }
        guard let high else {
            let loop = program.count
            program.append(.split(0, 0))
            try emit(node, offset)
            program.append(.jump(loop))
            program[loop] = .split(loop + 1, program.count)
            return
        }
        var splits: [Int] = []
        for _ in low..<high {
            splits.append(program.count)
            program.append(.split(0, 0))
            try emit(node, offset)
        }
        for split in splits { program[split] = .split(split + 1, program.count) }
    }
}

/// The syntax tree of a pattern.
indirect enum PatternNode {
    case empty, start, end
    case set(PatternSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repeated(PatternNode, Int, Int?)
}

/// A set of Unicode scalars.
struct PatternSet {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    var token: String {
        let text = ranges.map {
            let low = String($0.lowerBound, radix: 16)
            return $0.count == 1 ? low : low + "-" + String($0.upperBound, radix: 16)
        }
        return (isNegated ? "n" : "c") + text.joined(separator: ",")
    }

    /// The scalars outside of the set's ranges.
    var complement: [ClosedRange<UInt32>] {
        var next: UInt32 = 0
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = max(next, range.upperBound + 1)
        }
        return next <= 0x10FFFF ? result + [next...0x10FFFF] : result
    }
}
