import SpecDiagnostics

/// Reads the expression of a rule: `start < end and (count(tags) > 0 or not present(note))`.
struct ExpressionParser {
    private let bytes: [UInt8]
    private let node: YAMLNode
    private var position = 0
    private var depth = 0
    /// The place of a mistake, and the expected token.
    private(set) var problem: (place: Range<Int>, expected: String)?

    /// The deepest nesting of parentheses and operators.
    private static let maximumDepth = 30
    /// The largest number of bytes.
    static let maximumLength = 500

    init(_ node: YAMLNode) {
        self.node = node
        bytes = Array(node.text.utf8)
    }

    /// The expression, or `nil` with `problem` set.
    mutating func parse() -> ExpressionSyntax? {
        if bytes.count > Self.maximumLength {
            problem = (0..<bytes.count, "at most \(Self.maximumLength) characters")
            return nil
        }
        let result = expression(above: 0)
        if position < bytes.count { fail("an operator") }
        return problem == nil ? result : nil
    }

    /// An expression whose operators bind closer than `precedence`.
    private mutating func expression(above precedence: Int) -> ExpressionSyntax {
        depth += 1
        defer { depth -= 1 }
        skipSpaces()
        let start = position
        guard depth <= Self.maximumDepth else {
            fail("fewer parentheses")
            return made(.text(""), from: start)
        }
        var left = term()
        skipSpaces()
        while problem == nil, let next = nextOperator, next.precedence > precedence {
            if next.isComparison, left.isComparison {
                fail("`and`, as in `a < b and b < c`")
                break
            }
            position += next.rawValue.utf8.count
            let right = expression(above: next.precedence)
            left = made(.binary(next, left, right), from: start)
            skipSpaces()
        }
        return left
    }

    private mutating func term() -> ExpressionSyntax {
        let start = position
        switch peek {
        case UInt8(ascii: "("):
            position += 1
            let inner = expression(above: 0)
            expect(")")
            return made(inner.form, from: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            let isName = peek == UInt8(ascii: "`")
            let text = quoted()
            return made(isName ? .name(text) : .text(text), from: start)
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): return number()
        default:
            return word()
        }
    }

    private mutating func word() -> ExpressionSyntax {
        let start = position
        let word = takeWhile(\.isNameByte)
        if word.isEmpty { fail("a name, a number or a text in quotes") }
        if word == "and" || word == "or" { fail("a name before `\(word)`", at: start) }
        if word == "not" {
            let inner = expression(above: ExpressionSyntax.Operator.and.precedence)
            return made(.not(inner), from: start)
        }
        guard peek == UInt8(ascii: "(") else { return made(.name(word), from: start) }
        let name = Located(word, at: span(start..<position))
        position += 1
        let argument = expression(above: 0)
        expect(")")
        return made(.call(name, argument), from: start)
    }

    private mutating func number() -> ExpressionSyntax {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        var digits = takeWhile(\.isDigit)
        if digits.isEmpty { fail("digits") }
        if peek == UInt8(ascii: ".") {
            position += 1
            let fraction = takeWhile(\.isDigit)
            if fraction.isEmpty { fail("digits") }
            digits += "." + fraction
        }
        if digits.count > 18 { fail("a number of at most 18 digits", at: start) }
        let sign = bytes[start] == UInt8(ascii: "-") ? "-" : ""
        return made(.number(sign + digits), from: start)
    }

    /// A text between two quotes, which it cannot contain.
    private mutating func quoted() -> String {
        let quote = bytes[position]
        let start = position
        position += 1
        let text = takeWhile { $0 != quote }
        if peek == quote { position += 1 } else { fail("the closing quote", at: start) }
        return text
    }

    // MARK: Characters

    /// The operator at the current position.
    private var nextOperator: ExpressionSyntax.Operator? {
        ExpressionSyntax.Operator.allCases.first { next in
            let text = next.rawValue.utf8
            guard bytes[position...].starts(with: text) else { return false }
            // A word ends where its letters do.
            let behind = bytes[position...].dropFirst(text.count).first
            return text.first?.isNameByte != true || behind?.isNameByte != true
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpaces() {
        _ = takeWhile { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    }

    private mutating func takeWhile(_ isTaken: (UInt8) -> Bool) -> String {
        let part = bytes[position...].prefix(while: isTaken)
        position = part.endIndex
        return String(decoding: part, as: UTF8.self)
    }

    private mutating func expect(_ character: Unicode.Scalar) {
        skipSpaces()
        if peek == UInt8(ascii: character) { position += 1 } else { fail("`\(character)`") }
    }

    private mutating func fail(_ expected: String, at start: Int? = nil) {
        guard problem == nil else { return }
        let start = start ?? position
        var end = max(position, min(start + 1, bytes.count))
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        problem = (start..<end, expected)
    }

    private func span(_ range: Range<Int>) -> Span { node.place(ofText: range) }

    private func made(_ form: ExpressionSyntax.Form, from start: Int) -> ExpressionSyntax {
        ExpressionSyntax(form: form, span: span(start..<position))
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool { isNamePart || self >= 0x80 }
}

extension ExpressionSyntax.Operator {
    /// How close it binds.
    fileprivate var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .unequal, .less, .greater, .atMost, .atLeast: 3
        case .sum, .difference: 4
        case .product: 5
        }
    }

    fileprivate var isComparison: Bool { precedence == 3 }
}

extension ExpressionSyntax {
    fileprivate var isComparison: Bool {
        if case .binary(let name, _, _) = form { name.isComparison } else { false }
    }
}
