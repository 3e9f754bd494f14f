/// Why bytes are not a JSON document (RFC 8259), and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// There is no value at all.
        case noValue
        /// The document ends inside a value.
        case unexpectedEnd
        /// A byte that cannot stand here; what can, in words.
        case unexpectedByte(UInt8, expected: String)
        /// A number with a leading zero, a lone sign, a bare dot and the like.
        case malformedNumber
        /// A control character inside a string; it has to be escaped.
        case controlCharacter(UInt8)
        /// An unknown escape, or `\u` without four hexadecimal digits.
        case malformedEscape
        /// Half of a surrogate pair, which is no character.
        case loneSurrogate
        /// Bytes that are not UTF-8 (RFC 3629).
        case malformedUTF8
        /// Something after the end of the document.
        case trailingData
        /// Objects and arrays are nested deeper than this limit.
        case tooDeep(limit: Int)
        /// Objects and arrays are nested so deep that the stack of the thread that reads them would
        /// overflow; how deep they were read.
        case stackTooSmall(depth: Int)
        /// The document has more bytes than this limit.
        case tooLarge(limit: Int)
    }

    /// What is wrong.
    public var reason: Reason
    /// The place, in bytes from the start of the document.
    public var offset: Int
    /// The path of the value that was being read.
    public var path: String

    /// Creates an error.
    public init(_ reason: Reason, offset: Int, path: String) {
        self.reason = reason
        self.offset = offset
        self.path = path
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One line: ``not JSON at byte 17 (response.id): the document ends inside a value``.
    public var description: String { "not JSON at byte \(offset) (\(path)): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .noValue: "there is no value"
        case .unexpectedEnd: "the document ends inside a value"
        case .unexpectedByte(let byte, let expected):
            "expected \(expected), found \(Self.name(byte))"
        case .malformedNumber: "a malformed number"
        case .controlCharacter(let byte): "an unescaped control character \(Self.name(byte))"
        case .malformedEscape: "a malformed escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .malformedUTF8: "malformed UTF-8"
        case .trailingData: "more data after the end of the document"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .stackTooSmall(let depth):
            "nested deeper than the \(depth) levels that this thread's stack has room for"
        case .tooLarge(let limit): "more than \(limit) bytes"
        }
    }

    private static func name(_ byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "`\(Character(UnicodeScalar(byte)))`" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
