import SpecDiagnostics

/// Reads a type that is written as text: `string`, `int?`, `[User]`, `{string: int}`, `Page<User>`,
/// `T | null`, `User | string`.
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

    /// Alternatives between `|`, of which one may be `null`. A `?` belongs to all of them and stands
    /// after the last type.
    private mutating func union() -> TypeSyntax {
        skipSpaces()
        let start = position
        var types: [TypeSyntax] = []
        var null: Span?
        var endOfTypes = start
        var bar: Int?
        repeat {
            if types.last?.optional != nil, !isNullNext {
                fail("`?` after the last alternative", at: endOfTypes - 1)
            }
            let type = suffixed()
            if type.isNull, bar != nil || isBarNext, null == nil {
                null = span((bar ?? start)..<position)
            } else {
                types.append(type)
                endOfTypes = position
            }
            skipSpaces()
            bar = position
        } while problem == nil && take(UInt8(ascii: "|"))
        return joined(types, null, at: start..<endOfTypes)
    }

    /// A single type, or a union of several.
    private func joined(_ types: [TypeSyntax], _ null: Span?, at range: Range<Int>) -> TypeSyntax {
        guard var type = types.last else { return TypeSyntax(.invalid, at: node.span) }
        if types.count > 1 {
            let optional = type.optional
            let span = span(range)
            let alternatives = types.map { type in
                var type = type
                type.optional = nil
                return AlternativeSyntax(type)
            }
            type = TypeSyntax(.union(UnionSyntax(alternatives, at: span)), at: span)
            type.optional = optional
        }
        type.nullable = null
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

    private var isBarNext: Bool {
        bytes[position...].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "|")
    }

    private var isNullNext: Bool {
        let rest = bytes[position...].drop { $0 == UInt8(ascii: " ") }
        return rest.starts(with: "null".utf8) && rest.dropFirst(4).first.map(isNameByte) != true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

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
        byte.isNamePart || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
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

extension TypeSyntax {
    /// Whether it is the word `null` alone.
    fileprivate var isNull: Bool {
        if case .named("null") = form { optional == nil } else { false }
    }
}
