import SpecDiagnostics

/// Reads a type that is written as text: `string`, `int?`, `[User]`, `{string: int}`, `T | null`.
struct TypeTextParser {
    private let bytes: [UInt8]
    private let node: YAMLNode
    private var position = 0
    private(set) var problem: (offset: Int, expected: String)?

    init(_ node: YAMLNode) {
        self.node = node
        bytes = Array(node.text.utf8)
    }

    /// The type, or `nil` with `problem` set.
    mutating func parse() -> TypeSyntax? {
        let type = union()
        guard problem == nil else { return nil }
        if position < bytes.count {
            problem = (position, "the end of the type")
            return nil
        }
        return type
    }

    /// The place of a piece of the text, as exactly as the way it was written allows.
    func span(_ range: Range<Int>) -> Span {
        if node.isVerbatim { return node.span.part(range) }
        let isQuoted = !node.isPlain && !node.isAlias
        if isQuoted, Int(node.span.end - node.span.start) == bytes.count + 2 {
            return node.span.part(range.lowerBound + 1..<range.upperBound + 1)
        }
        return node.span
    }

    private mutating func union() -> TypeSyntax {
        var type = suffixed()
        skipSpaces()
        if peek == UInt8(ascii: "|") {
            let start = position
            position += 1
            skipSpaces()
            guard word() == "null" else {
                fail("`null` after `|`")
                return type
            }
            type.nullable = span(start..<position)
            skipSpaces()
        }
        return type
    }

    private mutating func suffixed() -> TypeSyntax {
        var type = primary()
        if problem == nil, peek == UInt8(ascii: "?") {
            type.optional = span(position..<position + 1)
            position += 1
        }
        return type
    }

    private mutating func primary() -> TypeSyntax {
        skipSpaces()
        let start = position
        switch peek {
        case UInt8(ascii: "["):
            position += 1
            let element = union()
            expect("]")
            return TypeSyntax(.list(element), at: span(start..<position))
        case UInt8(ascii: "{"):
            position += 1
            let key = union()
            expect(":")
            let value = union()
            expect("}")
            return TypeSyntax(.map(key: key, value: value), at: span(start..<position))
        default:
            guard let name = word() else {
                fail("a type")
                return TypeSyntax(.invalid, at: node.span)
            }
            if peek == UInt8(ascii: "<") { fail("the end: generic types are not supported yet") }
            return TypeSyntax(.named(name), at: span(start..<position))
        }
    }

    // MARK: Characters

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpaces() {
        while peek == UInt8(ascii: " ") { position += 1 }
    }

    private mutating func word() -> String? {
        let start = position
        while let byte = peek, isNameByte(byte) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private mutating func expect(_ character: Unicode.Scalar) {
        skipSpaces()
        if peek == UInt8(ascii: character) {
            position += 1
        } else {
            fail("`\(character)`")
        }
    }

    private mutating func fail(_ expected: String) {
        if problem == nil { problem = (position, expected) }
        position = bytes.count
    }
}
