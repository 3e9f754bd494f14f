/// Parses the dialect that `PatternCompiler` describes.
struct PatternParser {
    typealias Problem = PatternCompiler.Problem

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    /// The length of the pattern in scalars.
    var count: Int { scalars.count }

    mutating func parse() throws(Problem) -> PatternNode {
        let tree = try alternatives()
        if position < scalars.count {
            throw problem("`)` without `(`; write `\\)` for the character")
        }
        return tree
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func problem(_ message: String, at offset: Int? = nil) -> Problem {
        Problem(offset: offset ?? position, message: message)
    }

    private mutating func alternatives() throws(Problem) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        if depth > 50 { throw problem("groups are nested too deeply") }
        var branches = [try sequence()]
        while peek == "|" {
            position += 1
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(Problem) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            nodes.append(try quantified())
        }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func quantified() throws(Problem) -> PatternNode {
        let start = position
        let node = try atom()
        guard let bounds = try quantifier() else { return node }
        if peek == "?" || peek == "+" || peek == "*" {
            throw problem(
                "a quantifier follows a quantifier; lazy and possessive forms are not supported")
        }
        if case .start = node { throw problem("`^` cannot be repeated", at: start) }
        if case .end = node { throw problem("`$` cannot be repeated", at: start) }
        return .repeated(node, bounds.low, bounds.high)
    }

    private mutating func quantifier() throws(Problem) -> (low: Int, high: Int?)? {
        switch peek {
        case "*":
            position += 1
            return (0, nil)
        case "+":
            position += 1
            return (1, nil)
        case "?":
            position += 1
            return (0, 1)
        case "{": return try bounds()
        default: return nil
        }
    }

    private mutating func bounds() throws(Problem) -> (low: Int, high: Int?) {
        let start = position
        position += 1
        let low = number()
        var high = low
        if peek == "," {
            position += 1
            high = number()
        }
        guard let low, peek == "}" else {
            throw problem(
                "expected `{n}`, `{n,}` or `{n,m}`; write `\\{` for the character", at: start)
        }
        position += 1
        if let high, high < low { throw problem("the upper bound is below the lower", at: start) }
        if low > 1000 || (high ?? 0) > 1000 {
            throw problem("a bound is above 1000", at: start)
        }
        return (low, high)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = peek, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return Int(digits)
    }

    private mutating func atom() throws(Problem) -> PatternNode {
        guard let scalar = peek else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return .set(try characterClass())
        case "\\": return .set(try escape())
        case "*", "+", "?", "{":
            throw problem(
                "`\(scalar)` has nothing to repeat; write `\\\(scalar)` for the character")
        default: break
        }
        position += 1
        switch scalar {
        case "^": return .start
        case "$": return .end
        case ".": return .set(PatternSet(ranges: [0xA...0xA, 0xD...0xD], isNegated: true))
        default: return .set(PatternSet(ranges: [scalar.value...scalar.value]))
        }
    }

    private mutating func group() throws(Problem) -> PatternNode {
        let start = position
        position += 1
        if peek == "?" {
            guard position + 1 < scalars.count, scalars[position + 1] == ":" else {
                throw problem("look-around, flags and named groups are not part of the dialect")
            }
            position += 2
        }
        let node = try alternatives()
        guard peek == ")" else { throw problem("this `(` is never closed", at: start) }
        position += 1
        return node
    }

    // MARK: Sets

    private mutating func escape() throws(Problem) -> PatternSet {
        let start = position
        position += 1
        guard let scalar = peek else {
            throw problem("a `\\` at the end escapes nothing", at: start)
        }
        position += 1
        if let named = Self.named[scalar] { return named }
        if let control = Self.controls[scalar] { return PatternSet(ranges: [control...control]) }
        if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
            throw problem("`\\\(scalar)` is not supported in this dialect", at: start)
        }
        return PatternSet(ranges: [scalar.value...scalar.value])
    }

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let words: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
    ]
    private static let spaces: [ClosedRange<UInt32>] = [0x9...0xD, 0x20...0x20]
    private static let named: [Unicode.Scalar: PatternSet] = [
        "d": PatternSet(ranges: digits), "D": PatternSet(ranges: digits, isNegated: true),
        "w": PatternSet(ranges: words), "W": PatternSet(ranges: words, isNegated: true),
        "s": PatternSet(ranges: spaces), "S": PatternSet(ranges: spaces, isNegated: true),
    ]
    private static let controls: [Unicode.Scalar: UInt32] = ["n": 0xA, "r": 0xD, "t": 0x9]

    private mutating func characterClass() throws(Problem) -> PatternSet {
        let start = position
        position += 1
        var set = PatternSet()
        if peek == "^" {
            set.isNegated = true
            position += 1
        }
        while let scalar = peek, scalar != "]" {
            set.ranges += try classItem(isFirst: set.ranges.isEmpty)
        }
        guard peek == "]" else { throw problem("this `[` is never closed", at: start) }
        if set.ranges.isEmpty { throw problem("a class has no characters", at: start) }
        position += 1
        return set
    }

    private mutating func classItem(isFirst: Bool) throws(Problem) -> [ClosedRange<UInt32>] {
        let start = position
        let low = try classScalar()
        guard low.isScalar, peek == "-", position + 1 < scalars.count,
            scalars[position + 1] != "]"
        else { return low.isNegated ? low.complement : low.ranges }
        position += 1
        let high = try classScalar()
        guard high.isScalar, low.ranges[0].lowerBound <= high.ranges[0].lowerBound else {
            throw problem("a range of characters runs backwards", at: start)
        }
        return [low.ranges[0].lowerBound...high.ranges[0].lowerBound]
    }

    private mutating func classScalar() throws(Problem) -> PatternSet {
        guard let scalar = peek else { throw problem("a class is never closed") }
        if scalar == "\\" { return try escape() }
        if scalar == "[" { throw problem("write `\\[` for the character inside a class") }
        position += 1
        return PatternSet(ranges: [scalar.value...scalar.value])
    }
}

extension PatternSet {
    /// Whether it holds exactly one scalar.
    fileprivate var isScalar: Bool { !isNegated && ranges.count == 1 && ranges[0].count == 1 }
}
