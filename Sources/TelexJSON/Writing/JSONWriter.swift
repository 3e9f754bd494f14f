/// Writes one JSON document (RFC 8259) as compact UTF-8 and checks its values.
///
/// The writer inserts commas itself: each value, key or element adds one before it if needed.
/// A writer is not copied: it owns its memory alone, so that no write asks whether it does.
public struct JSONWriter: ~Copyable, Sendable {
    /// A copy of the bytes written so far.
    public var bytes: [UInt8] { buffer.bytes }

    /// Returns the bytes written so far, and begins a new document.
    package mutating func takeBytes() -> [UInt8] { buffer.take() }

    /// The violations of the written values.
    public internal(set) var violations: [Violation] = []
    /// Whether a sensitive value has been written. Such a document may be sent only to its original
    /// receiver.
    public private(set) var holdsSensitive = false
    /// The ranges of the completed values of sensitive members in ``bytes``, in order. A member
    /// inside a sensitive one has no range of its own.
    public private(set) var sensitiveRanges: [Range<Int>] = []

    private var buffer: ByteBuffer
    /// The containers around the innermost one.
    private var frames = JSONWriterFrames()
    /// The innermost container.
    private var top = JSONWriterFrame()
    /// The starts of the values of sensitive members that have not ended.
    private var sensitiveStarts: [Int] = []
    /// The key that was omitted last, if a flag of the innermost container says so.
    private var omittedLiteral: StaticString = ""
    private var omittedText = ""
    /// The tag of a union, which is the first member of the next object.
    private var pendingTag: (key: String, tag: JSONValue)?

    /// Creates an empty writer.
    public init() { buffer = ByteBuffer(notesTokens: false) }

    /// Creates an empty writer that may note where each token begins.
    package init(notesTokens: Bool) { buffer = ByteBuffer(notesTokens: notesTokens) }

    /// The written tokens, if they have been noted.
    package var tokens: JSONTokens? { buffer.tokens }

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
        let place = buffer.beginValue(atMost: 1)
        place.pointee = bracket
        buffer.beginValues(at: place + 1)
        top.flags.subtract([.omitsLiteral, .omitsText])
        frames.push(top)
        top = JSONWriterFrame()
        if pendingTag != nil { writeTag() }
    }

    @inline(never)
    private mutating func writeTag() {
        guard let (key, tag) = pendingTag else { return }
        pendingTag = nil
        self.key(key)
        tag.write(to: &self)
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
        if top.flags.contains(.isInsideSensitive) { endSensitiveValue() }
        guard let outer = frames.pop() else { return }
        top = outer
        let place = buffer.reserve(1)
        place.pointee = bracket
        buffer.endValue(at: place + 1)
    }

    /// Writes an element of an array.
    @inlinable
    public mutating func element<T: JSONWritable>(_ value: T) {
        beginElement()
        value.write(to: &self)
    }

    /// Marks the next value as an element of the array; needed for paths only.
    public mutating func beginElement() {
        top.place &+= 1
    }

    /// Writes a key; its value must follow.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    public mutating func key(_ key: String, sensitive: Bool = false) {
        TextSearch.withBytes(key) { self.key($0, sensitive) }
    }

    /// Writes a key that generated code knows.
    @usableFromInline
    mutating func key(literal key: StaticString, _ sensitive: Bool) {
        guard key.hasPointerRepresentation else {
            return self.key(key.description, sensitive: sensitive)
        }
        self.key(
            UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), sensitive)
    }

    @inline(__always)
    private mutating func key(_ key: UnsafeBufferPointer<UInt8>, _ sensitive: Bool) {
        if !top.flags.isDisjoint(with: [.isInsideSensitive, .isPositional]) {
            if top.flags.contains(.isInsideSensitive) { endSensitiveValue() }
            if top.flags.contains(.isPositional) { return position(sensitive) }
        }
        let (end, offset) = buffer.beginText(key)
        end.pointee = ASCII.colon
        buffer.beginValues(at: end + 1)
        top.place = offset
        top.flags = .hasKey
        if sensitive { beginSensitiveValue(at: buffer.count) }
    }

    /// Notes that the value of the member that begins is sensitive.
    @inline(never)
    private mutating func beginSensitiveValue(at place: Int) {
        holdsSensitive = true
        top.flags.formUnion([.isSensitive, .isInsideSensitive])
        sensitiveStarts.append(place)
    }

    /// Opens an array of members that are written without their keys. An omitted member is null;
    /// the last ones are left out.
    public mutating func beginPositions() {
        beginArray()
        top.flags = .isPositional
    }

    /// Begins a member of an array without keys.
    @inline(never)
    private mutating func position(_ sensitive: Bool) {
        top.place += Int(top.omitted) + 1
        for _ in 0..<top.omitted { null() }
        top.omitted = 0
        top.flags = .isPositional
        if sensitive { beginSensitiveValue(at: buffer.count + buffer.commas) }
    }

    /// Records the range of a sensitive member's value, which replaces the ranges inside it.
    @inline(never)
    private mutating func endSensitiveValue() {
        top.flags.remove(.isInsideSensitive)
        guard let place = sensitiveStarts.popLast() else { return }
        while let last = sensitiveRanges.last, last.lowerBound >= place {
            sensitiveRanges.removeLast()
        }
        sensitiveRanges.append(place..<buffer.count)
    }

    /// Writes a member; writes nothing for nil. A key that is not a literal is written by
    /// ``key(_:sensitive:)``, in front of its value.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    @inlinable
    public mutating func field<T: JSONWritable>(
        _ key: StaticString, _ value: T?, sensitive: Bool = false
    ) {
        guard let value else { return omit(key, sensitive) }
        self.key(literal: key, sensitive)
        value.write(to: &self)
    }

    /// Records an omitted key, so that rules about it have its path.
    @usableFromInline
    mutating func omit(_ key: StaticString, _ sensitive: Bool) {
        noteOmission(.omitsLiteral, sensitive)
        omittedLiteral = key
    }

    /// Records an omitted key that is data.
    mutating func omit(text key: String) {
        noteOmission(.omitsText, false)
        omittedText = key
    }

    private mutating func noteOmission(_ flag: JSONWriterFrame.Flags, _ sensitive: Bool) {
        top.flags.subtract([.omitsLiteral, .omitsText, .isSensitive])
        if sensitive { top.flags.insert(.isSensitive) }
        if top.flags.contains(.isPositional) {
            top.omitted += 1
        } else {
            top.flags.insert(flag)
        }
    }

    // MARK: Scalars

    /// Writes text; control characters, quotes and backslashes are escaped.
    public mutating func value(_ text: String) {
        TextSearch.withBytes(text) { buffer.endValue(at: buffer.beginText($0).end) }
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) {
        self.value(Int64(value))
    }

    /// Writes an integer of 64 bits.
    public mutating func value(_ value: Int64) {
        let place = buffer.beginValue(atMost: DecimalText.limit)
        // The digits are written over it if there is none.
        place.pointee = ASCII.minus
        buffer.endValue(
            at: DecimalText.write(value.magnitude, to: place + (value < 0 ? 1 : 0)))
    }

    /// Writes an integer that is not negative.
    public mutating func value(_ value: UInt) {
        let place = buffer.beginValue(atMost: DecimalText.limit)
        buffer.endValue(at: DecimalText.write(UInt64(value), to: place))
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
        let place = buffer.beginValue(atMost: DecimalText.limit)
        buffer.endValue(at: DecimalText.write(value, to: place))
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
        let start = buffer.count + buffer.commas
        buffer.endValue(at: buffer.beginText(inner.buffer.from(0)).end)
        guard inner.holdsSensitive else { return }
        holdsSensitive = true
        sensitiveRanges.append(start..<buffer.count)
    }

    // MARK: Paths

    /// The path of the member or element that was written last.
    public var path: String {
        var path = JSONPath()
        for place in 0..<frames.count { append(frames[place], to: &path) }
        if top.flags.contains(.omitsLiteral) {
            path.append(key: omittedLiteral.description)
        } else if top.flags.contains(.omitsText) {
            path.append(key: omittedText)
        } else {
            append(top, to: &path)
        }
        return path.description
    }

    private func append(_ frame: JSONWriterFrame, to path: inout JSONPath) {
        guard frame.place >= 0 else { return }
        if !frame.flags.contains(.hasKey) {
            path.append(index: frame.place)
        } else if let key = key(at: frame.place) {
            path.append(key: key)
        }
    }

    /// Reads back a written key.
    private func key(at place: Int) -> String? {
        let bytes = buffer.from(place)
        var end = 1
        while end < bytes.count, bytes[end] != ASCII.quote {
            end += bytes[end] == ASCII.backslash ? 2 : 1
        }
        guard end < bytes.count else { return nil }
        return JSONReader.value(at: [], in: Array(bytes[...end]))?.asString
    }

    /// Whether the member that was written last, or one around it, is sensitive.
    public var isSensitive: Bool {
        top.flags.contains(.isSensitive)
            || (0..<frames.count).contains { frames[$0].flags.contains(.isSensitive) }
    }

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
        let place = buffer.beginValue(atMost: bytes.count)
        place.update(from: start, count: bytes.count)
        buffer.endValue(at: place + bytes.count)
    }
}
