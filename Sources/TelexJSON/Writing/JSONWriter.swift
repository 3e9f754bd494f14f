/// Writes one JSON document (RFC 8259) as compact UTF-8, and checks what it writes.
///
/// Commas are its own affair: each value, key or element sets the one before it when needed.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    /// What was found wrong with the values.
    public internal(set) var violations: [Violation] = []
    /// Whether anything sensitive has been written; such a document is for its first receiver only.
    public private(set) var holdsSensitive = false

    /// One open container.
    private struct Frame {
        /// The key written last; nil in an array.
        var key: String?
        var index = -1
        var isSensitive = false
    }

    private var frames: [Frame] = []

    /// Creates a writer without output.
    public init() {}

    // MARK: Containers

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(ASCII.openBrace)
        frames.append(Frame(key: ""))
    }

    /// Closes the object.
    public mutating func endObject() {
        guard frames.popLast() != nil else { return }
        bytes.append(ASCII.closeBrace)
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(ASCII.openBracket)
        frames.append(Frame())
    }

    /// Closes the array.
    public mutating func endArray() {
        guard frames.popLast() != nil else { return }
        bytes.append(ASCII.closeBracket)
    }

    /// Writes an element of an array.
    @inlinable
    public mutating func element<T: JSONWritable>(_ value: T) {
        beginElement()
        value.write(to: &self)
    }

    /// Says that the next value is an element of the array; needed for paths only.
    public mutating func beginElement() {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].index += 1
    }

    /// Writes a key; its value is to follow.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    public mutating func key(_ key: String, sensitive: Bool = false) {
        separate()
        append(text: key)
        bytes.append(ASCII.colon)
        if sensitive { holdsSensitive = true }
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].key = key
        frames[frames.count - 1].isSensitive = sensitive
    }

    /// Writes a member; nothing at all for nil.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    @inlinable
    public mutating func field<T: JSONWritable>(
        _ key: String, _ value: T?, sensitive: Bool = false
    ) {
        guard let value else { return skippedKey(key, sensitive) }
        self.key(key, sensitive: sensitive)
        value.write(to: &self)
    }

    /// A key that was left out; rules about it still have its path.
    @usableFromInline
    mutating func skippedKey(_ key: String, _ sensitive: Bool) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].key = key
        frames[frames.count - 1].isSensitive = sensitive
    }

    // MARK: Scalars

    /// Writes text; control characters, quotes and backslashes are escaped.
    public mutating func value(_ text: String) {
        separate()
        append(text: text)
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) {
        self.value(Int64(value))
    }

    /// Writes an integer of 64 bits.
    public mutating func value(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(ASCII.minus) }
        append(digits: value.magnitude)
    }

    /// Writes an integer that is not negative.
    public mutating func value(_ value: UInt) {
        separate()
        append(digits: UInt64(value))
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        separate()
        append(literal: value ? "true" : "false")
    }

    /// Writes the shortest number that reads as the same value. A value that is not finite is a
    /// violation of the rule `finite`, and null is written.
    public mutating func value(_ value: Double) {
        guard value.isFinite else {
            report(failure("finite", "a finite number", value.description))
            return null()
        }
        separate()
        append(number: value)
    }

    /// Writes anything that writes itself.
    @inlinable
    public mutating func value<T: JSONWritable>(_ value: T) {
        value.write(to: &self)
    }

    /// Writes a number in its own spelling; if that is none, it is a violation of its type, and null
    /// is written.
    public mutating func number(_ text: String) {
        var text = text
        let isNumber = text.withUTF8 { bytes -> Bool in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return false }
            return JSONNumber(start, start + bytes.count)?.text.count == bytes.count
        }
        guard isNumber else {
            var violation = failure("type", "a number", text)
            violation.check = .types
            report(violation)
            return null()
        }
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        append(literal: "null")
    }

    // MARK: Paths

    /// The path of the member or element that was written last.
    public var path: String {
        var path = JSONPath()
        for frame in frames {
            if let key = frame.key {
                if !key.isEmpty { path.append(key: key) }
            } else if frame.index >= 0 {
                path.append(index: frame.index)
            }
        }
        return path.description
    }

    /// Whether the member that was written last, or one around it, is sensitive.
    public var isSensitive: Bool { frames.contains(where: \.isSensitive) }

    private func failure(_ rule: String, _ expected: String, _ found: String) -> Violation {
        Violation(
            path: path, rule: rule, expected: expected,
            found: isSensitive ? Violation.redacted : found)
    }

    // MARK: Bytes

    /// Sets a comma if a value stands before: after an opening bracket or a colon there is none.
    @inline(__always)
    private mutating func separate() {
        guard let last = bytes.last else { return }
        let isFirst =
            last == ASCII.openBrace || last == ASCII.openBracket || last == ASCII.colon
        if !isFirst { bytes.append(ASCII.comma) }
    }

    private mutating func append(literal: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func append(text: String) {
        var text = text
        bytes.append(ASCII.quote)
        text.withUTF8 { JSONEscape.append($0, to: &bytes) }
        bytes.append(ASCII.quote)
    }

    private mutating func append(digits value: UInt64) {
        DecimalText.append(value, to: &bytes)
    }

    private mutating func append(number value: Double) {
        DecimalText.append(value, to: &bytes)
    }
}
