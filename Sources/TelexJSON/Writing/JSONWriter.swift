/// Writes one JSON document (RFC 8259) as compact UTF-8 and checks its values.
///
/// The writer inserts commas itself: each value, key or element adds one before it if needed.
public struct JSONWriter: Sendable {
    /// A copy of the bytes written so far.
    public var bytes: [UInt8] { buffer.bytes }

    /// Returns the bytes written so far without a copy, and begins a new document.
    package mutating func takeBytes() -> [UInt8] { buffer.take() }

    /// The violations of the written values.
    public internal(set) var violations: [Violation] = []
    /// Whether a sensitive value has been written. Such a document may be sent only to its original
    /// receiver.
    public private(set) var holdsSensitive = false
    /// The ranges of the completed values of sensitive members in ``bytes``, in order. A member
    /// inside a sensitive one has no range of its own.
    public private(set) var sensitiveRanges: [Range<Int>] = []

    /// One open container. Nothing in it is counted by reference, so that opening one is cheap.
    private struct Frame {
        /// The start of the last written key; -1 before the first, and in an array.
        var keyStart = -1
        var index = -1
        var isSensitive = false
        /// The start of the value of a sensitive member that has not ended; -1 for none.
        var sensitiveStart = -1
        /// In a list of members without their keys, how many were omitted last; otherwise -1.
        var omitted = -1
    }

    private var buffer = ByteBuffer()
    /// The containers around the innermost one.
    private var frames: [Frame] = []
    /// The innermost container.
    private var top = Frame()
    /// The last omitted key of the innermost container, if no key was written since.
    private var omittedKey: String?
    /// The tag of a union, which is the first member of the next object.
    private var pendingTag: (key: String, tag: JSONValue)?

    /// Creates an empty writer.
    public init() {}

    // MARK: Containers

    /// Opens an object.
    public mutating func beginObject() {
        open(ASCII.openBrace)
    }

    /// Closes the object.
    public mutating func endObject() {
        close(ASCII.closeBrace)
    }

    /// Opens an array.
    public mutating func beginArray() {
        open(ASCII.openBracket)
    }

    /// Closes the array.
    public mutating func endArray() {
        close(ASCII.closeBracket)
    }

    private mutating func open(_ bracket: UInt8) {
        buffer.writeValue(atMost: 1) { place in
            place.pointee = bracket
            return place + 1
        }
        frames.append(top)
        top = Frame()
        if omittedKey != nil { omittedKey = nil }
        if let (key, tag) = pendingTag {
            pendingTag = nil
            self.key(key)
            tag.write(to: &self)
        }
    }

    /// Writes a member at the start of the next object: the tag of a union whose alternatives do
    /// not have it.
    public mutating func tag(_ key: String, _ tag: String) {
        pendingTag = (key, .string(tag))
    }

    /// Writes a member at the start of the next object: the tag of a union whose tags are integers.
    public mutating func tag(_ key: String, _ tag: Int) {
        pendingTag = (key, .int(Int64(tag)))
    }

    private mutating func close(_ bracket: UInt8) {
        if top.sensitiveStart >= 0 { endSensitiveValue() }
        guard let outer = frames.popLast() else { return }
        top = outer
        if omittedKey != nil { omittedKey = nil }
        buffer.append(bracket)
    }

    /// Writes an element of an array.
    @inlinable
    public mutating func element<T: JSONWritable>(_ value: T) {
        beginElement()
        value.write(to: &self)
    }

    /// Marks the next value as an element of the array; needed for paths only.
    public mutating func beginElement() {
        top.index += 1
    }

    /// Writes a key; its value must follow.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    public mutating func key(_ key: String, sensitive: Bool = false) {
        if top.sensitiveStart >= 0 { endSensitiveValue() }
        if top.omitted >= 0 { return position(sensitive) }
        top.isSensitive = sensitive
        if omittedKey != nil { omittedKey = nil }
        let start = buffer.count
        TextSearch.withBytes(key) { text in
            buffer.writeValue(atMost: TextWriter.limit(text) + 1) { place in
                let end = TextWriter.write(text, to: place)
                end.pointee = ASCII.colon
                return end + 1
            }
        }
        // Behind the comma, if there is one.
        top.keyStart = start + (buffer[start] == ASCII.comma ? 1 : 0)
        if sensitive {
            holdsSensitive = true
            top.sensitiveStart = buffer.count
        }
    }

    /// Opens an array of members that are written without their keys. An omitted member is null;
    /// the last ones are left out.
    public mutating func beginPositions() {
        beginArray()
        top.omitted = 0
    }

    /// Begins a member of an array without keys.
    @inline(never)
    private mutating func position(_ sensitive: Bool) {
        top.index += top.omitted + 1
        for _ in 0..<top.omitted { null() }
        top.omitted = 0
        top.isSensitive = sensitive
        guard sensitive else { return }
        holdsSensitive = true
        top.sensitiveStart = buffer.count + (buffer.last == ASCII.openBracket ? 0 : 1)
    }

    /// Records the range of a sensitive member's value, which replaces the ranges inside it.
    @inline(never)
    private mutating func endSensitiveValue() {
        let place = top.sensitiveStart
        top.sensitiveStart = -1
        while let last = sensitiveRanges.last, last.lowerBound >= place {
            sensitiveRanges.removeLast()
        }
        sensitiveRanges.append(place..<buffer.count)
    }

    /// Writes a member; writes nothing for nil.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    @inlinable
    public mutating func field<T: JSONWritable>(
        _ key: String, _ value: T?, sensitive: Bool = false
    ) {
        guard let value else { return omit(key, sensitive) }
        self.key(key, sensitive: sensitive)
        value.write(to: &self)
    }

    /// Records an omitted key, so that rules about it have its path.
    @usableFromInline
    mutating func omit(_ key: String, _ sensitive: Bool) {
        top.isSensitive = sensitive
        if top.omitted >= 0 {
            top.omitted += 1
        } else {
            omittedKey = key
        }
    }

    // MARK: Scalars

    /// Writes text; control characters, quotes and backslashes are escaped.
    public mutating func value(_ text: String) {
        TextSearch.withBytes(text) { text in
            buffer.writeValue(atMost: TextWriter.limit(text)) { TextWriter.write(text, to: $0) }
        }
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) {
        self.value(Int64(value))
    }

    /// Writes an integer of 64 bits.
    public mutating func value(_ value: Int64) {
        buffer.writeValue(atMost: DecimalText.limit) { place in
            if value < 0 { place.pointee = ASCII.minus }
            return DecimalText.write(value.magnitude, to: place + (value < 0 ? 1 : 0))
        }
    }

    /// Writes an integer that is not negative.
    public mutating func value(_ value: UInt) {
        buffer.writeValue(atMost: DecimalText.limit) { DecimalText.write(UInt64(value), to: $0) }
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        append(literal: value ? "true" : "false")
    }

    /// Writes the shortest number that reads as the same value. A value that is not finite violates
    /// the rule `finite`, and null is written.
    public mutating func value(_ value: Double) {
        guard value.isFinite else {
            report(failure(rule: "finite", expected: "a finite number", found: value.description))
            return null()
        }
        buffer.writeValue(atMost: DecimalText.limit) { DecimalText.write(value, to: $0) }
    }

    /// Writes a `JSONWritable` value.
    @inlinable
    public mutating func value<T: JSONWritable>(_ value: T) {
        value.write(to: &self)
    }

    /// Writes a number given as text. Text that is not a number is a violation of its type, and
    /// null is written.
    public mutating func number(_ text: String) {
        var text = text
        let isNumber = text.withUTF8 { bytes -> Bool in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return false }
            return JSONNumber(start, start + bytes.count)?.text.count == bytes.count
        }
        guard isNumber else {
            var violation = failure(rule: "type", expected: "a number", found: text)
            violation.check = .types
            report(violation)
            return null()
        }
        text.withUTF8 { append($0) }
    }

    /// Writes `null`.
    public mutating func null() {
        append(literal: "null")
    }

    /// Writes JSON inside a text. Violations inside of it have the path of the text before their own.
    public mutating func jsonText(_ write: (inout JSONWriter) -> Void) {
        var inner = JSONWriter()
        write(&inner)
        let (path, isSensitive) = (path, isSensitive)
        for violation in inner.violations {
            report(violation.moved(into: path, isSensitive: isSensitive))
        }
        let start = buffer.count
        value(String(decoding: inner.takeBytes(), as: UTF8.self))
        guard inner.holdsSensitive else { return }
        holdsSensitive = true
        sensitiveRanges.append(start + (buffer[start] == ASCII.comma ? 1 : 0)..<buffer.count)
    }

    // MARK: Paths

    /// The path of the member or element that was written last.
    public var path: String {
        var path = JSONPath()
        for frame in frames { append(frame, to: &path) }
        if let omittedKey { path.append(key: omittedKey) } else { append(top, to: &path) }
        return path.description
    }

    private func append(_ frame: Frame, to path: inout JSONPath) {
        if frame.keyStart >= 0, let key = key(at: frame.keyStart) {
            path.append(key: key)
        } else if frame.index >= 0 {
            path.append(index: frame.index)
        }
    }

    /// Reads back a written key.
    private func key(at place: Int) -> String? {
        let bytes = buffer.from(place)
        var end = bytes.startIndex + 1
        while end < bytes.endIndex, bytes[end] != ASCII.quote {
            end += bytes[end] == ASCII.backslash ? 2 : 1
        }
        guard end < bytes.endIndex else { return nil }
        return JSONReader.value(at: [], in: Array(bytes[...end]))?.asString
    }

    /// Whether the member that was written last, or one around it, is sensitive.
    public var isSensitive: Bool { top.isSensitive || frames.contains(where: \.isSensitive) }

    private func failure(rule: String, expected: String, found: String) -> Violation {
        Violation(
            path: path, rule: rule, expected: expected,
            found: isSensitive ? Violation.redacted : found)
    }

    // MARK: Bytes

    private mutating func append(literal: StaticString) {
        append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        buffer.writeValue(atMost: bytes.count) { place in
            place.update(from: start, count: bytes.count)
            return place + bytes.count
        }
    }
}
