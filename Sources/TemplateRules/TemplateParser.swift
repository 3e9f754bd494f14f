/// Parses a template: JSON (RFC 8259) that may also have comments, `// …` and `/* … */`, and a comma
/// after the last element.
public struct TemplateParser {
    /// The largest text that is parsed, in bytes.
    public static let sizeLimit = 8 << 20
    /// The deepest nesting that is parsed: that of replies by default. Reading it fits on the small
    /// stack of a secondary thread.
    public static let depthLimit = 128

    private let bytes: [UInt8]
    private var next = 0
    private var depth = 0

    /// Parses a text.
    ///
    /// - Throws: a ``TemplateSyntaxError`` if it is too large, too deep, or no such JSON.
    public static func parse(_ bytes: [UInt8]) throws(TemplateSyntaxError) -> TemplateNode {
        guard bytes.count <= sizeLimit else {
            throw TemplateSyntaxError(
                "a template has at most \(sizeLimit >> 20) MiB, this one has \(bytes.count >> 20)",
                at: 0..<0, help: "keep a short reply: one or two elements of each list are enough")
        }
        var parser = TemplateParser(bytes)
        return try parser.document()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
    }

    private mutating func document() throws(TemplateSyntaxError) -> TemplateNode {
        try skipSpace()
        guard next < bytes.count else {
            throw TemplateSyntaxError("the template is empty", at: 0..<0, help: "write a reply")
        }
        let root = try value()
        try skipSpace()
        if next < bytes.count { throw unexpected("the end of the template") }
        return root
    }

    // MARK: Values

    private mutating func value() throws(TemplateSyntaxError) -> TemplateNode {
        guard next < bytes.count else { throw unexpected("a value") }
        switch bytes[next] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""):
            let start = next
            return TemplateNode(.string(try string()), at: start..<next)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default: return try word()
        }
    }

    private mutating func word() throws(TemplateSyntaxError) -> TemplateNode {
        let words: [(String, TemplateNode.Value)] = [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        for (word, value) in words where bytes[next...].starts(with: word.utf8) {
            next += word.utf8.count
            return TemplateNode(value, at: next - word.utf8.count..<next)
        }
        throw unexpected("a value")
    }

    private mutating func object() throws(TemplateSyntaxError) -> TemplateNode {
        var members: [TemplateMember] = []
        var keys: Set<[UInt8]> = []
        let start = next
        try open()
        while try !close(UInt8(ascii: "}"), after: !members.isEmpty) {
            guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else {
                throw unexpected("a key in quotes")
            }
            let keyStart = next
            let key = try string()
            let range = keyStart..<next
            guard keys.insert(Array(key.utf8)).inserted else {
                throw TemplateSyntaxError(
                    "the key `\(key)` is here twice", at: range, help: "remove one of the two")
            }
            try skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("`:`") }
            try skipSpace()
            members.append(TemplateMember(key, at: range, value: try value()))
        }
        return TemplateNode(.object(members), at: start..<next)
    }

    private mutating func array() throws(TemplateSyntaxError) -> TemplateNode {
        var items: [TemplateNode] = []
        let start = next
        try open()
        while try !close(UInt8(ascii: "]"), after: !items.isEmpty) { items.append(try value()) }
        return TemplateNode(.array(items), at: start..<next)
    }

    private mutating func open() throws(TemplateSyntaxError) {
        guard depth < Self.depthLimit else {
            throw TemplateSyntaxError(
                "the template is nested deeper than \(Self.depthLimit) levels", at: next..<next + 1,
                help: "leave the inner values out")
        }
        depth += 1
        next += 1
    }

    /// Whether the container ends here. Otherwise the reader is at its next element, behind a comma
    /// that must follow an earlier one.
    private mutating func close(
        _ bracket: UInt8, after hasElements: Bool
    ) throws(TemplateSyntaxError) -> Bool {
        try skipSpace()
        var hasComma = !hasElements
        if hasElements, take(UInt8(ascii: ",")) {
            hasComma = true
            try skipSpace()
        }
        if take(bracket) {
            depth -= 1
            return true
        }
        guard hasComma else {
            throw unexpected("`,` or `\(Character(Unicode.Scalar(bracket)))`")
        }
        return false
    }

    private mutating func number() throws(TemplateSyntaxError) -> TemplateNode {
        let start = next
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
        }
        if next < bytes.count, (0x30...0x39).contains(bytes[next]) {
            throw unexpected("a number without leading zeros")
        }
        return TemplateNode(
            .number(String(decoding: bytes[start..<next], as: UTF8.self)), at: start..<next)
    }

    private mutating func digits() throws(TemplateSyntaxError) {
        let start = next
        while next < bytes.count, (0x30...0x39).contains(bytes[next]) { next += 1 }
        if next == start { throw unexpected("a digit") }
    }

    // MARK: Texts

    private mutating func string() throws(TemplateSyntaxError) -> String {
        let start = next
        next += 1
        var text: [UInt8] = []
        while next < bytes.count, bytes[next] != UInt8(ascii: "\"") {
            let byte = bytes[next]
            guard byte >= 0x20 else { throw unexpected("an escape such as `\\n`") }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
                next += 1
            }
        }
        guard take(UInt8(ascii: "\"")) else { throw unexpected("`\"`") }
        let string = String(decoding: text, as: UTF8.self)
        guard string.utf8.elementsEqual(text) else {
            throw TemplateSyntaxError(
                "the text is no valid UTF-8", at: start..<next, help: "save the file as UTF-8")
        }
        return string
    }

    private mutating func escape(into text: inout [UInt8]) throws(TemplateSyntaxError) {
        let start = next
        next += 1
        guard next < bytes.count else { throw unexpected("an escape") }
        let byte = bytes[next]
        next += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = scalar() else {
                throw TemplateSyntaxError(
                    "expected an escape such as `\\u0041`", at: start..<min(next, bytes.count),
                    help: "a character above U+FFFF is two escapes, `\\uD83D\\uDE00`")
            }
            text += Array(String(Character(scalar)).utf8)
        default:
            next = start
            throw unexpected("an escape such as `\\n`")
        }
    }

    /// The character of `\u` and four digits, or of two surrogates (RFC 8259, section 7).
    private mutating func scalar() -> Unicode.Scalar? {
        guard let high = unit() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = unit(),
            (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func unit() -> UInt32? {
        guard next + 4 <= bytes.count else { return nil }
        let digits = bytes[next..<next + 4]
        let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        next += 4
        return isHex ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }

    // MARK: Between values

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next < bytes.count, bytes[next] == byte else { return false }
        next += 1
        return true
    }

    private mutating func skipSpace() throws(TemplateSyntaxError) {
        while next < bytes.count {
            switch bytes[next] {
            case 0x20, 0x09, 0x0A, 0x0D: next += 1
            case UInt8(ascii: "/"): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(TemplateSyntaxError) {
        let start = next
        next += 1
        if take(UInt8(ascii: "/")) {
            while next < bytes.count, bytes[next] != 0x0A, bytes[next] != 0x0D { next += 1 }
            return
        }
        guard take(UInt8(ascii: "*")) else {
            next = start
            throw unexpected("`//` or `/*`")
        }
        while next < bytes.count {
            if take(UInt8(ascii: "*")) {
                if take(UInt8(ascii: "/")) { return }
            } else {
                next += 1
            }
        }
        throw TemplateSyntaxError(
            "the comment has no end", at: start..<start + 2, help: "end it with `*/`")
    }

    private func unexpected(_ expected: String) -> TemplateSyntaxError {
        guard next < bytes.count else {
            return TemplateSyntaxError(
                "expected \(expected), found the end of the template", at: bytes.count..<bytes.count
            )
        }
        var end = next + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let character = String(decoding: bytes[next..<end], as: UTF8.self)
        let isShown = bytes[next] > 0x20 && bytes[next] != 0x7F
        let found = isShown ? "`\(character)`" : "a control character"
        return TemplateSyntaxError("expected \(expected), found \(found)", at: next..<end)
    }
}

/// Why a text is no template.
public struct TemplateSyntaxError: Error, Sendable, Equatable {
    /// What is wrong.
    public let message: String
    /// The offsets of the bytes that are.
    public let range: Range<Int>
    /// The fix, if it is known.
    public let help: String?

    init(_ message: String, at range: Range<Int>, help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }
}
