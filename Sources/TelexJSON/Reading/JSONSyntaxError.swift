/// The reason and place at which bytes are not a JSON document (RFC 8259).
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// The reason of an error.
    public enum Reason: Sendable, Hashable {
        /// The document has no value.
        case noValue
        /// The document ends inside a value.
        case unexpectedEnd
        /// An unexpected byte, with the expectation in words.
        case unexpectedByte(UInt8, expected: String)
        /// A number with a leading zero, a lone sign, a bare dot and the like.
        case malformedNumber
        /// A control character inside a string; it must be escaped.
        case controlCharacter(UInt8)
        /// An unknown escape, or `\u` without four hexadecimal digits.
        case malformedEscape
        /// Half of a surrogate pair, which is not a character.
        case loneSurrogate
        /// Bytes that are not UTF-8 (RFC 3629).
        case malformedUTF8
        /// More bytes after the end of the document.
        case trailingData
        /// Objects and arrays are nested deeper than this limit.
        case tooDeep(limit: Int)
        /// Objects and arrays are nested so deep that the stack of the reading thread would
        /// overflow; with the depth that was reached.
        case stackTooSmall(depth: Int)
        /// The document has more bytes than this limit.
        case tooLarge(limit: Int)
        /// The tags of unions come behind so much of nested unions that finding them takes more than
        /// 16 times ``JSONLimits/bytes``.
        case lookAheadTooLong
    }

    /// The reason.
    public var reason: Reason
    /// The offset in bytes from the start of the document.
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
        case .lookAheadTooLong: "too much of nested unions comes before their tags"
        }
    }

    private static func name(_ byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "`\(Character(UnicodeScalar(byte)))`" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
