extension JSONReader {
    /// Enters an object of a model with these keys.
    ///
    /// - Returns: false if the value is of another type; a violation was recorded and the value
    ///   skipped.
    public mutating func beginObject(_ keys: JSONKeys) -> Bool {
        guard beginObject() else { return false }
        setShape(shape(keys.table))
        return true
    }

    /// Enters an object of a model with these keys, for generated code. If there is no object, a
    /// violation is recorded and the value skipped. Then the reader reports no fields, and
    /// ``endObject()`` returns false.
    ///
    /// - Parameters:
    ///   - required: Keys that an object must have, separated by spaces.
    ///   - optional: Keys that it may have. Fields are numbered in this order, required ones first.
    public mutating func enterObject(required: StaticString, optional: StaticString) {
        enter(JSONKeyLiterals(required: required, optional: optional))
    }

    /// Enters an object of a model with these keys; see ``enterObject(required:optional:)``.
    ///
    /// - Parameters:
    ///   - nullable: Keys whose value may be null; the reader then consumes the null.
    ///   - sensitive: Keys whose values never appear in violations.
    ///   - unknown: What happens to any other key.
    public mutating func enterObject(
        required: StaticString, optional: StaticString, nullable: StaticString,
        sensitive: StaticString, unknown: JSONUnknownKeys = .skipped
    ) {
        enter(
            JSONKeyLiterals(
                required: required, optional: optional, nullable: nullable, sensitive: sensitive,
                unknown: unknown))
    }

    /// Enters an object of a model with these keys, as ``enterObject(required:optional:)`` does.
    public mutating func enterObject(_ keys: JSONKeys) {
        if !beginObject(keys) { enterMissingObject() }
    }

    private mutating func enter(_ keys: JSONKeyLiterals) {
        guard beginObject() else { return enterMissingObject() }
        setShape(shape(keys))
    }

    mutating func enterMissingObject() {
        open(.object)
        top.pointee.isAbsent = true
        top.pointee.shape = nil
    }

    /// Enters an object; false if there is none.
    private mutating func beginObject() -> Bool {
        guard next < end, next.pointee == ASCII.openBrace else {
            mismatch("an object")
            return false
        }
        guard push(.object) else { return false }
        next += 1
        return true
    }

    /// Moves to the next field of the model. The reader skips values of unknown keys and null of
    /// nullable fields, which counts as seen.
    ///
    /// - Returns: the number of the field, required ones first; the number of fields for a key that
    ///   an open model keeps; nil at the end of the object.
    public mutating func nextField() -> Int? {
        // The usual case: the key that followed last time, of a field that was not seen.
        guard let entry = top.pointee.entry?.successor, entry.pointee.bit & ~top.pointee.seen != 0,
            expect(entry) != nil
        else { return otherField() }
        let field = Int(entry.pointee.field)
        top.pointee.seen |= entry.pointee.bit
        top.pointee.index = field
        if entry.pointee.isNullable, isNull() { return otherField() }
        top.pointee.valueStart = next
        return field
    }

    /// Moves to the value of a member if it is the next one.
    ///
    /// - Returns: The start of its key; nil, with nothing read, if there is another one, or none.
    @inline(__always)
    private mutating func expect(_ entry: JSONShape.EntryPointer) -> Position? {
        var start = next
        if top.pointee.count > 0 {
            guard start < end, start.pointee == ASCII.comma else { return nil }
            start += 1
        }
        start = JSONBytes.skipSpace(start, end)
        // The key and a colon.
        let length = Int(entry.pointee.length) &+ 1
        guard JSONBytes.starts(start, end: end, with: entry.text, length: length) else {
            return nil
        }
        next = start + length
        moveToValue()
        top.pointee.count &+= 1
        top.pointee.entry = entry
        return start
    }

    /// Moves to the next field, whatever its key.
    @inline(never)
    private mutating func otherField() -> Int? {
        guard top.pointee.kind == .object, let shape = top.pointee.shape else {
            return top.pointee.isPositional ? nextPlace() : nil
        }
        while let member = nextMember(shape) {
            let field = Int(member.field)
            guard field >= 0 else {
                if shape.pointee.keepsUnknown, keep(member, shape) { return shape.pointee.fields }
                skipValue()
                continue
            }
            top.pointee.index = field
            if !top.pointee.see(field) { duplicate(field, shape) }
            if member.isNullable, isNull() { continue }
            top.pointee.valueStart = next
            return field
        }
        return nil
    }

    /// Leaves the object and skips the remaining members.
    ///
    /// - Returns: false if a required key is missing or the value of one could not be read.
    public mutating func endObject() -> Bool {
        guard top.pointee.kind == .object || top.pointee.isPositional,
            let shape = top.pointee.shape
        else {
            if top.pointee.isAbsent { pop() }
            return false
        }
        if !top.pointee.isClosed { while nextField() != nil {} }
        guard report.syntaxError == nil else {
            pop()
            return false
        }
        let isIncomplete = ~top.pointee.seen & shape.pointee.requiredBits != 0
        if isIncomplete || shape.pointee.required > 64 { reportMissing(shape) }
        let isWhole = !top.pointee.hasFailed
        pop()
        return isWhole
    }

    /// Consumes a null.
    ///
    /// - Returns: false if the value is something else; nothing was consumed.
    public mutating func isNull() -> Bool {
        guard next < end, next.pointee == UInt8(ascii: "n") else { return false }
        return literal("null")
    }

    // MARK: Members

    /// Moves to the next key of an object or map; false at its end, which is consumed.
    mutating func nextMember() -> Bool {
        guard !top.pointee.isClosed, report.syntaxError == nil else { return false }
        if top.pointee.count > 0, next == top.pointee.valueStart { skipValue() }
        skipSpace()
        guard next < end else {
            fail(.unexpectedEnd)
            return false
        }
        if next.pointee == ASCII.closeBrace {
            next += 1
            top.pointee.isClosed = true
            return false
        }
        if top.pointee.count > 0 {
            guard next.pointee == ASCII.comma else {
                failUnexpected("`,` or `}`", at: next)
                return false
            }
            next += 1
            skipSpace()
        }
        top.pointee.count += 1
        guard next < end, next.pointee == ASCII.quote else {
            failUnexpected("a key in quotes", at: next)
            return false
        }
        return true
    }

    /// A member whose value is the current one.
    private struct Member {
        /// The opening quote of its key.
        var start: Position
        /// The field; -1 for a key that the model does not have.
        var field: Int32
        var isNullable: Bool

        init(_ start: Position, _ entry: JSONShape.EntryPointer) {
            self.start = start
            field = entry.pointee.field
            isNullable = entry.pointee.isNullable
        }
    }

    /// Moves to the value of the next member of a model; nil at its end.
    @inline(__always)
    private mutating func nextMember(_ shape: UnsafeMutablePointer<JSONShape>) -> Member? {
        let expected = top.pointee.entry?.successor
        if let expected, let start = expect(expected) { return Member(start, expected) }
        guard nextMember() else {
            top.pointee.entry = nil
            return nil
        }
        let start = next
        if let expected {
            let length = Int(expected.pointee.length)
            if JSONBytes.starts(next, end: end, with: expected.text, length: length) {
                next += length
                guard colon() else { return nil }
                top.pointee.entry = expected
                return Member(start, expected)
            }
        }
        return unexpectedMember(shape)
    }

    /// Reads a key that did not follow the one before it last time.
    private mutating func unexpectedMember(
        _ shape: UnsafeMutablePointer<JSONShape>
    ) -> Member? {
        let start = next
        guard let (key, hasEscape) = rawString() else { return nil }
        let field = field(key, hasEscape, shape)
        guard colon() else { return nil }
        var entry = shape.pointee.unlearned
        if field >= 0 {
            entry = shape.pointee.entry(field)
        } else if shape.pointee.unknown == .refused {
            // It is not learned, so that each occurrence is reported.
            reportUnknown(Self.text(raw: key))
        } else if !hasEscape {
            entry = shape.pointee.learn(key)
        }
        if let last = top.pointee.entry, last != shape.pointee.unlearned,
            entry != shape.pointee.unlearned, entry.pointee.isPlain
        {
            last.expect(entry)
        }
        top.pointee.entry = entry
        return Member(start, entry)
    }

    /// The field of a key: -1 if there is none.
    private func field(
        _ key: UnsafeBufferPointer<UInt8>, _ hasEscape: Bool,
        _ shape: UnsafeMutablePointer<JSONShape>
    ) -> Int {
        guard hasEscape else { return shape.pointee.index.field(key) }
        var name = Self.text(raw: key)
        return name.withUTF8(shape.pointee.index.field)
    }

    /// Makes an unknown key, which an open model keeps, the current one; false on a syntax error.
    private mutating func keep(
        _ member: Member, _ shape: UnsafeMutablePointer<JSONShape>
    ) -> Bool {
        let value = next
        next = member.start
        guard let (key, _) = rawString() else { return false }
        next = value
        top.pointee.key = key
        top.pointee.index = shape.pointee.fields
        top.pointee.valueStart = value
        if shape.pointee.unknown == .keptSensitive { keptSensitiveKeys.insert(Self.text(raw: key)) }
        return true
    }

    /// Moves from behind a colon to the value: mostly by no space or by one.
    @inline(__always)
    private mutating func moveToValue() {
        if next < end, next.pointee == 0x20 { next += 1 }
        skipSpace()
    }

    /// Reads the colon after a key and moves to the value.
    mutating func colon() -> Bool {
        skipSpace()
        guard next < end, next.pointee == ASCII.colon else {
            failUnexpected("`:`", at: next)
            return false
        }
        next += 1
        moveToValue()
        return true
    }

    @inline(never)
    private mutating func duplicate(_ field: Int, _ shape: UnsafeMutablePointer<JSONShape>) {
        reportDuplicate(shape.pointee.table.takeUnretainedValue().names[field])
    }

    /// Reports every required key that is missing.
    @inline(never)
    private mutating func reportMissing(_ shape: UnsafeMutablePointer<JSONShape>) {
        let table = shape.pointee.table.takeUnretainedValue()
        for field in 0..<table.required where !top.pointee.hasSeen(field) {
            if top.pointee.isPositional {
                reportMissing(place: field)
            } else {
                reportMissing(table.names[field])
            }
            top.pointee.hasFailed = true
        }
    }
}
