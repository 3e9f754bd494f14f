extension JSONReader {
    /// Enters an object of a model with these keys.
    ///
    /// - Returns: false if the value is of another type; a violation was recorded and the value
    ///   skipped.
    public mutating func beginObject(_ keys: JSONKeys) -> Bool {
        guard beginObject() else { return false }
        top.pointee.shape = shape(keys.table)
        top.pointee.reserve(fields: keys.table.names.count)
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
        let shape = shape(keys)
        top.pointee.shape = shape
        top.pointee.reserve(fields: shape.pointee.fields)
    }

    private mutating func enterMissingObject() {
        open(.object)
        top.pointee.isAbsent = true
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
        guard top.pointee.kind == .object, let shape = top.pointee.shape else { return nil }
        while nextMember() {
            let guess = member(shape)
            let field = Int(guess.field)
            guard report.syntaxError == nil else { return nil }
            guard field >= 0 else {
                if keeps(guess, shape) { return shape.pointee.fields }
                skipValue()
                continue
            }
            top.pointee.index = field
            if !top.pointee.see(field) { duplicate(field, shape) }
            if guess.isNullable, isNull() { continue }
            top.pointee.valueStart = next
            return field
        }
        return nil
    }

    /// Leaves the object and skips the remaining members.
    ///
    /// - Returns: false if a required key is missing or the value of one could not be read.
    public mutating func endObject() -> Bool {
        guard top.pointee.kind == .object, let shape = top.pointee.shape else {
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

    /// Reads a key and moves to its value.
    @inline(__always)
    private mutating func member(_ shape: UnsafeMutablePointer<JSONShape>) -> JSONShape.Guess {
        let position = top.pointee.count &- 1
        if position < shape.pointee.learned {
            let guess = shape.pointee.guesses[position]
            if JSONBytes.starts(next, end: end, with: guess.start, length: guess.length) {
                next += guess.length
                skipSpace()
                return guess
            }
        }
        return unexpectedMember(shape, position)
    }

    /// Reads a key whose position differs from the previous object.
    @inline(never)
    private mutating func unexpectedMember(
        _ shape: UnsafeMutablePointer<JSONShape>, _ position: Int
    ) -> JSONShape.Guess {
        var guess = JSONShape.Guess(start: next, length: 0, field: -1, isNullable: false)
        guard let field = fieldInOrder(shape) ?? field(shape), colon() else { return guess }
        guess.length = next - guess.start
        guess.field = Int32(field)
        if let entry = shape.pointee.index.entry(field) {
            guess.isNullable = entry.isNullable
        } else if shape.pointee.unknown == .refused {
            return unknown(guess)
        }
        shape.pointee.learn(guess, at: position)
        return guess
    }

    /// Reads the key of the field after the current one; nil, with nothing read, if it is another
    /// key.
    @inline(__always)
    private mutating func fieldInOrder(_ shape: UnsafeMutablePointer<JSONShape>) -> Int? {
        let field = top.pointee.index &+ 1
        guard let entry = shape.pointee.index.entry(field), entry.isPlain else { return nil }
        guard JSONBytes.starts(next, end: end, with: entry.start, length: entry.length) else {
            return nil
        }
        next += entry.length
        return field
    }

    /// Reads a key and looks up its field: -1 if there is none, nil on a syntax error.
    private mutating func field(_ shape: UnsafeMutablePointer<JSONShape>) -> Int? {
        guard let (key, hasEscape) = rawString() else { return nil }
        guard hasEscape else { return shape.pointee.index.field(key) }
        var name = Self.text(raw: key)
        return name.withUTF8(shape.pointee.index.field)
    }

    /// Whether an open model keeps an unknown key, which is then the current one.
    private mutating func keeps(
        _ guess: JSONShape.Guess, _ shape: UnsafeMutablePointer<JSONShape>
    ) -> Bool {
        let unknown = shape.pointee.unknown
        guard unknown == .kept || unknown == .keptSensitive else { return false }
        let value = next
        next = guess.start
        guard let (key, _) = rawString() else { return false }
        next = value
        top.pointee.key = key
        top.pointee.index = shape.pointee.fields
        top.pointee.valueStart = value
        if unknown == .keptSensitive { keptSensitiveKeys.insert(Self.text(raw: key)) }
        return true
    }

    /// Reports a key that a closed model does not have. It is never learned, so that each
    /// occurrence is reported.
    private mutating func unknown(_ guess: JSONShape.Guess) -> JSONShape.Guess {
        let behind = next
        next = guess.start
        if let (key, _) = rawString() { reportUnknown(Self.text(raw: key)) }
        next = behind
        return guess
    }

    /// Reads the colon after a key and moves to the value.
    mutating func colon() -> Bool {
        skipSpace()
        guard next < end, next.pointee == ASCII.colon else {
            failUnexpected("`:`", at: next)
            return false
        }
        next += 1
        skipSpace()
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
            reportMissing(table.names[field])
            top.pointee.hasFailed = true
        }
    }
}
