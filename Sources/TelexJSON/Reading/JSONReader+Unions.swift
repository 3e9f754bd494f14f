/// Reads unions. The tag is found by a look-ahead: the reader passes the members before it, and goes
/// back. If the tag comes first, that is only its own member.
extension JSONReader {
    /// All look-aheads of a document together may pass this many times ``JSONLimits/bytes``. Without
    /// a bound, unions inside unions whose tags come last would be passed once for each level.
    static let lookAheadFactor = 16

    // MARK: Look-ahead

    /// The tag of the object at the current position, which is not consumed.
    ///
    /// - Parameters:
    ///   - key: The key of the tag.
    ///   - source: `.int` if tags are integers; then the result is their digits.
    ///   - known: The tags of a closed union; any other is a violation. Nil allows all.
    /// - Returns: nil if there is no object, or it has no tag, or one of another type. Then a
    ///   violation was recorded and the value skipped.
    public mutating func tag(
        _ key: String, from source: JSONSource = .string, known: [String]? = nil
    ) -> String? {
        let first = next
        guard beginMap() else { return nil }
        var tag: String?
        if seek(key, isOnly: false) { tag = readTag(source, known: known) }
        guard let tag else {
            _ = endMap()
            return nil
        }
        return goBack(to: first) ? tag : nil
    }

    /// The tag at the current position, if it is one.
    private mutating func readTag(_ source: JSONSource, known: [String]?) -> String? {
        var tag = ""
        if source == .string {
            guard string(&tag) else { return nil }
        } else {
            var number = 0
            guard int(&number) else { return nil }
            tag = number.description
        }
        return isKnown(tag, known) ? tag : nil
    }

    private mutating func isKnown(_ tag: String, _ known: [String]?) -> Bool {
        guard let known, !known.contains(where: { $0.isExactly(tag) }) else { return true }
        fail(
            expected: (known.count == 1 ? "" : "one of ") + known.joined(separator: ", "),
            found: tag)
        return false
    }

    /// The first key of the object at the current position, which is not consumed.
    ///
    /// - Parameter known: The keys of a closed union; any other is a violation. Nil allows all.
    /// - Returns: nil if there is no object, or it is empty. Then a violation was recorded and the
    ///   value skipped.
    public mutating func onlyKey(known: [String]? = nil) -> String? {
        let first = next
        guard beginMap() else { return nil }
        if let key = nextKey() {
            if isKnown(key, known) { return goBack(to: first) ? key : nil }
            _ = endMap()
            return nil
        }
        _ = endMap()
        if report.syntaxError == nil {
            fail(expected: "an object with one key", found: "an object without keys")
        }
        return nil
    }

    /// Which of these keys comes first in the object at the current position, which is not consumed.
    ///
    /// - Parameter keys: Keys, separated by spaces.
    /// - Returns: The number of the key; nil if the object has none of them.
    public mutating func firstKey(among keys: StaticString) -> Int? {
        firstKey(shape(JSONKeyLiterals(required: keys, optional: "")).pointee.index)
    }

    /// Which of these keys comes first in the object at the current position, as
    /// ``firstKey(among:)-(StaticString)`` finds it.
    public mutating func firstKey(among keys: JSONKeys) -> Int? {
        firstKey(shape(keys.table).pointee.index)
    }

    private mutating func firstKey(_ index: JSONKeyIndex) -> Int? {
        let first = next
        guard beginMap() else { return nil }
        var field = -1
        while field < 0, let key = nextKey() {
            var key = key
            field = key.withUTF8(index.field)
        }
        return goBack(to: first) && field >= 0 ? field : nil
    }

    /// Ends a look-ahead into the object that began at `first`.
    private mutating func goBack(to first: Position) -> Bool {
        goBack(to: first, level: level - 1)
    }

    /// Ends a look-ahead that began at `first`, with `level` open containers.
    ///
    /// - Returns: False after a syntax error, or if the look-aheads of the document are too long.
    mutating func goBack(to first: Position, level: Int) -> Bool {
        guard report.syntaxError == nil else { return false }
        lookedAhead += next - first
        guard lookedAhead / Self.lookAheadFactor <= limits.bytes else {
            fail(.lookAheadTooLong)
            return false
        }
        while self.level > level { pop() }
        next = first
        return true
    }

    // MARK: Content

    /// Reads the alternative of a union that is the value of a key of the object, and skips the other
    /// members.
    ///
    /// - Parameter isOnly: Whether any other key is a violation.
    /// - Returns: nil if the key is missing or its value could not be read; a violation was recorded.
    @inlinable
    public mutating func content<T>(
        _ key: String, isOnly: Bool = false, _ body: (inout JSONReader) -> T?
    ) -> T? {
        guard beginMap() else { return nil }
        var value: T?
        while seek(key, isOnly: isOnly) {
            value = readValue(body)
            if value == nil { markFailed() }
        }
        return endMap() ? value : nil
    }

    /// Reads the alternative of a union that is the value of a key of the object.
    @inlinable
    public mutating func content<T: JSONReadable>(_ key: String, isOnly: Bool = false) -> T? {
        content(key, isOnly: isOnly, T.read)
    }

    /// Moves to the value of a key of a map; false at its end. A missing key is a violation.
    @usableFromInline
    mutating func seek(_ key: String, isOnly: Bool) -> Bool {
        while let name = nextKey() {
            if name.isExactly(key) {
                if !top.pointee.see(0) { reportDuplicate(key) }
                return true
            }
            if isOnly { reportUnknown(name) }
        }
        if !top.pointee.hasSeen(0), report.syntaxError == nil {
            reportMissing(key)
            markFailed()
        }
        return false
    }

    /// Skips a value that is no alternative of a union, and records a violation of its type.
    ///
    /// - Parameter expected: The expectation in words: `a string or a number`.
    /// - Returns: nil.
    public mutating func refuse<T>(expected: String) -> T? {
        mismatch(expected)
        return nil
    }
}
