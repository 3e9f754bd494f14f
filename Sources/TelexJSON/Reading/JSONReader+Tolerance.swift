/// What a reader accepts in place of a valid list or map.
public struct JSONTolerance: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// An element that cannot be read or breaks a rule is left out.
    public static let skip = JSONTolerance(rawValue: 1)
    /// A value of another kind, such as null in place of a list, is read as an empty list or map.
    public static let empty = JSONTolerance(rawValue: 2)
}

/// The parts of a document that a reader left out, as its ``JSONTolerance`` allows.
public struct SkippedValues: Sendable, Hashable {
    /// The number of elements that were left out and of values that were read as empty. An element
    /// counts once, whatever it contains.
    public internal(set) var count = 0
    /// The reasons, in the order of the document; at most ``JSONLimits/violations`` are kept. An
    /// index in a path is the position in the document.
    public package(set) var violations: [Violation] = []

    /// Nothing was left out.
    public init() {}

    /// Adds what was left out of a further document.
    ///
    /// - Parameter limit: The number of reasons to keep in total.
    package mutating func add(_ others: SkippedValues, keeping limit: Int) {
        count += others.count
        violations += others.violations.prefix(max(limit - violations.count, 0))
    }
}

/// Lists and maps of which invalid parts are left out. A syntax error still ends reading.
extension JSONReader {
    /// Reads an array.
    ///
    /// - Parameters:
    ///   - values: The elements; unchanged if the value cannot be read.
    ///   - tolerance: What to leave out. It is recorded in ``ValidationReport/skipped``.
    ///   - element: Reads one element; nil if it cannot be read.
    /// - Returns: Whether the value was read.
    @inlinable
    @discardableResult
    public mutating func list<T>(
        _ values: inout [T], invalid tolerance: JSONTolerance,
        _ element: (inout JSONReader) -> T?
    ) -> Bool {
        guard let read = tolerantList(tolerance, element) else { return false }
        values = read
        return true
    }

    /// Reads an array into an optional variable, as the method for other variables does.
    @inlinable
    @discardableResult
    public mutating func list<T>(
        _ values: inout [T]?, invalid tolerance: JSONTolerance,
        _ element: (inout JSONReader) -> T?
    ) -> Bool {
        guard let read = tolerantList(tolerance, element) else { return false }
        values = read
        return true
    }

    /// Reads an object as a dictionary. Of a duplicate key, the first valid value is kept.
    ///
    /// - Parameters:
    ///   - values: The members; unchanged if the value cannot be read.
    ///   - tolerance: What to leave out. It is recorded in ``ValidationReport/skipped``.
    ///   - value: Reads one value; nil if it cannot be read.
    /// - Returns: Whether the value was read.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V>(
        _ values: inout [K: V], invalid tolerance: JSONTolerance,
        _ value: (inout JSONReader) -> V?
    ) -> Bool {
        guard let read: [K: V] = tolerantMap(tolerance, value) else { return false }
        values = read
        return true
    }

    /// Reads an object into an optional variable, as the method for other variables does.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V>(
        _ values: inout [K: V]?, invalid tolerance: JSONTolerance,
        _ value: (inout JSONReader) -> V?
    ) -> Bool {
        guard let read: [K: V] = tolerantMap(tolerance, value) else { return false }
        values = read
        return true
    }

    @inlinable
    mutating func tolerantList<T>(
        _ tolerance: JSONTolerance, _ element: (inout JSONReader) -> T?
    ) -> [T]? {
        if isEmptied(.array, tolerance) { return [] }
        guard tolerance.contains(.skip) else { return list(element) }
        guard beginList() else { return nil }
        var values: [T] = []
        let level = self.level
        while nextElement() {
            let mark = mark()
            let value = element(&self)
            if self.level != level { finishValue(level) }
            if keeps(value != nil, since: mark), let value { values.append(value) }
        }
        return endList() ? values : nil
    }

    @inlinable
    mutating func tolerantMap<K: JSONMapKey, V>(
        _ tolerance: JSONTolerance, _ value: (inout JSONReader) -> V?
    ) -> [K: V]? {
        if isEmptied(.object, tolerance) { return [:] }
        guard tolerance.contains(.skip) else { return dictionary(value) }
        guard beginMap() else { return nil }
        var values: [K: V] = [:]
        let level = self.level
        while let text = nextKey() {
            let mark = mark()
            let key = mapKey(text, K.self)
            let value = key == nil ? nil : value(&self)
            if self.level != level { finishValue(level) }
            if let key, values[key] != nil { reportDuplicate(text, in: values, key: key) }
            if keeps(value != nil, since: mark), let key, let value { values[key] = value }
        }
        return endMap() ? values : nil
    }

    // MARK: The report

    /// The state of the report before a part of the document that may be left out.
    @usableFromInline
    struct Mark {
        let errors: Int
        let violations: Int
        let omitted: Int
        let omittedErrors: Int
        let skipped: Int
        let skippedViolations: Int
        let hasFatalViolation: Bool
        let hasUnreportedViolation: Bool
        let hasFailed: Bool
    }

    /// Begins a part that is left out if it is invalid.
    @usableFromInline
    mutating func mark() -> Mark {
        tolerantElements += 1
        return Mark(
            errors: errors, violations: report.violations.count, omitted: report.omitted,
            omittedErrors: report.omittedErrors,
            skipped: report.skipped.count, skippedViolations: report.skipped.violations.count,
            hasFatalViolation: hasFatalViolation,
            hasUnreportedViolation: unreportedViolation != nil, hasFailed: top.pointee.hasFailed)
    }

    /// Whether an element is valid. Otherwise it is recorded as left out.
    @usableFromInline
    mutating func keeps(_ hasValue: Bool, since mark: Mark) -> Bool {
        tolerantElements -= 1
        guard report.syntaxError == nil else { return false }
        if hasValue, errors == mark.errors { return true }
        leaveOut(since: mark)
        return false
    }

    /// Whether a value of another kind is tolerated. It is then skipped and recorded as left out.
    @usableFromInline
    mutating func isEmptied(_ expected: JSONKind, _ tolerance: JSONTolerance) -> Bool {
        guard tolerance.contains(.empty), kind != expected else { return false }
        let mark = mark()
        mismatch(expected == .array ? "an array" : "an object")
        tolerantElements -= 1
        guard report.syntaxError == nil else { return false }
        leaveOut(since: mark)
        return true
    }

    /// Moves the violations since a mark to those of the skipped values. They replace what was left
    /// out since then, because the whole part is left out now.
    @inline(never)
    private mutating func leaveOut(since mark: Mark) {
        var reasons = report.violations[mark.violations...]
        if reasons.isEmpty, !mark.hasUnreportedViolation, let unreportedViolation {
            reasons = [unreportedViolation]
        }
        var skipped = SkippedValues()
        swap(&skipped, &report.skipped)
        skipped.violations.removeSubrange(mark.skippedViolations...)
        skipped.violations += reasons.prefix(limits.violations - skipped.violations.count)
        skipped.count = mark.skipped + 1
        report.skipped = skipped
        report.violations.removeSubrange(mark.violations...)
        report.omitted = mark.omitted
        report.omittedErrors = mark.omittedErrors
        errors = mark.errors
        hasFatalViolation = mark.hasFatalViolation
        if !mark.hasUnreportedViolation { unreportedViolation = nil }
        top.pointee.hasFailed = mark.hasFailed
    }
}
