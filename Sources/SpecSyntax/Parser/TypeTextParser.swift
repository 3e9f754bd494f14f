import SpecDiagnostics

/// Reads a type that is written as text: `string`, `int?`, `[User]`, `{string: int}`, `Page<User>`,
/// `T | null`.
struct TypeTextParser {
    private let bytes: [UInt8]
    private let node: YAMLNode
    private var position = 0
    private var depth = 0
    /// The expected token and its offset, if parsing failed.
    private(set) var problem: (offset: Int, expected: String)?
    private(set) var isTooDeep = false

    /// The deepest nesting of lists and maps.
    static let maximumDepth = 50

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

    /// The span of a part of the text, as exact as its notation allows.
    func span(_ range: Range<Int>) -> Span { node.place(ofText: range) }

    /// The span of the character at an offset; empty at the end of the text.
    func character(at offset: Int) -> Span {
        var end = min(offset + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return span(offset..<end)
    }

    private mutating func union() -> TypeSyntax {
        var type = suffixed()
        skipSpaces()
        if peek == UInt8(ascii: "|") {
            let start = position
            position += 1
            skipSpaces()
            let other = position
            guard word() == "null" else {
                fail("`null` after `|`", at: other)
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
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth {
            isTooDeep = true
            fail("fewer brackets")
        }
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
            var type = TypeSyntax(.named(name), at: span(start..<position))
            if peek == UInt8(ascii: "<") {
                type.arguments = arguments()
                type.span = span(start..<position)
            }
            return type
        }
    }

    /// `<A, B>`
    private mutating func arguments() -> [TypeSyntax] {
        var arguments: [TypeSyntax] = []
        repeat {
            position += 1
            arguments.append(union())
            skipSpaces()
        } while peek == UInt8(ascii: ",")
        expect(">")
        return arguments
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

    private mutating func fail(_ expected: String, at offset: Int? = nil) {
        if problem == nil { problem = (offset ?? position, expected) }
        position = bytes.count
    }
}
