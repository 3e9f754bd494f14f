extension JSONReader {
    /// Reads a `JSONReadable` value.
    ///
    /// - Returns: false, with the variable unchanged, if it cannot be read; a violation was
    ///   recorded.
    @inlinable
    @discardableResult
    public mutating func read<T: JSONReadable>(_ value: inout T?) -> Bool {
        guard let read: T = self.value() else {
            markFailed()
            return false
        }
        value = read
        return true
    }

    /// Reads a `JSONReadable` value into a variable that has a default.
    @inlinable
    @discardableResult
    public mutating func read<T: JSONReadable>(_ value: inout T) -> Bool {
        guard let read: T = self.value() else {
            markFailed()
            return false
        }
        value = read
        return true
    }

    /// Reads a `JSONReadable` value; nil if it cannot be read, with a violation recorded.
    @inlinable
    public mutating func value<T: JSONReadable>() -> T? {
        readValue(T.read)
    }

    /// Reads a model; the same as ``value()``.
    @inlinable
    public mutating func model<T: JSONReadable>() -> T? {
        value()
    }

    /// The kind of the value at the current position; nil if there is none.
    public var kind: JSONKind? {
        guard next < end else { return nil }
        switch next.pointee {
        case ASCII.quote: return .string
        case ASCII.openBrace: return .object
        case ASCII.openBracket: return .array
        case ASCII.minus, 0x30...0x39: return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        default: return nil
        }
    }
}

/// The kinds of JSON values.
public enum JSONKind: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number of any size.
    case number
    /// Text.
    case string
    /// An ordered list of values.
    case array
    /// Members: keys with values.
    case object
}
