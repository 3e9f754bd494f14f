extension JSONReader {
    // MARK: Syntax errors

    /// Ends reading with a syntax error at the current byte.
    mutating func fail(_ reason: JSONSyntaxError.Reason) {
        fail(reason, at: next)
    }

    /// Ends reading with a syntax error. Only the first one is recorded.
    @inline(never)
    mutating func fail(_ reason: JSONSyntaxError.Reason, at position: UnsafePointer<UInt8>) {
        if report.syntaxError == nil {
            report.syntaxError = JSONSyntaxError(reason, offset: position - start, path: path)
        }
        next = end
    }

    /// Ends reading because of an unexpected byte or the end of the document.
    @inline(never)
    mutating func failUnexpected(_ expected: String, at position: UnsafePointer<UInt8>) {
        guard position < end else { return fail(.unexpectedEnd, at: end) }
        fail(.unexpectedByte(position.pointee, expected: expected), at: position)
    }

    // MARK: Paths

    /// The path of the value that is being read or was read last.
    public var path: String { path(frames: level) }

    /// The path through the outermost `count` open containers.
    func path(frames count: Int) -> String {
        var path = JSONPath()
        for level in 0..<count + 1 { append(frame(level), to: &path) }
        return path.description
    }

    private func append(_ frame: JSONFrame, to path: inout JSONPath) {
        if let key = key(of: frame) {
            path.append(key: key)
        } else if frame.kind == .list, frame.index >= 0 {
            path.append(index: frame.index)
        }
    }

    /// The key of the member that is being read or was read last; nil in a list.
    private func key(of frame: JSONFrame) -> String? {
        guard frame.index >= 0 else { return nil }
        switch frame.kind {
        case .root, .list: return nil
        case .map: return Self.text(raw: frame.key)
        case .object:
            guard let shape = frame.shape else { return nil }
            return frame.index == shape.pointee.fields
                ? Self.text(raw: frame.key)
                : shape.pointee.table.takeUnretainedValue().names[frame.index]
        }
    }

    /// The key of the innermost member that is being read; nil if there is none.
    private var innermostKey: String? {
        for level in (0...level).reversed() {
            if let key = key(of: frame(level)) { return key }
        }
        return nil
    }

    /// Whether the value that was read last, or one around it, is sensitive.
    public var isSensitive: Bool {
        for level in 0..<level + 1 {
            let frame = frame(level)
            guard frame.kind == .object || frame.isPositional, frame.index >= 0,
                let shape = frame.shape, frame.index <= shape.pointee.fields
            else { continue }
            if shape.pointee.table.takeUnretainedValue().isSensitive[frame.index] { return true }
        }
        return false
    }

    // MARK: Violations

    /// The destination of a violation.
    private enum Place {
        case report, unreportedViolation
    }

    /// The destination of a violation of this check; nil if it is not recorded.
    ///
    /// - Parameter isFatal: whether the violation explains a missing value.
    private mutating func place(
        for check: Violation.Check, isFatal: Bool, severity: Severity = .error
    ) -> Place? {
        guard report.syntaxError == nil else { return nil }
        guard checks.contains(check.option) else {
            return isFatal && unreportedViolation == nil ? .unreportedViolation : nil
        }
        if isFatal { hasFatalViolation = true }
        if severity == .error {
            errors += 1
            // The reason would not be kept when the element is left out.
            if tolerantElements > 0, report.skipped.violations.count >= limits.violations {
                return nil
            }
        }
        if report.violations.count < limits.violations { return .report }
        report.omitted += 1
        if severity == .error { report.omittedErrors += 1 }
        return nil
    }

    private mutating func record(_ violation: Violation, at place: Place) {
        switch place {
        case .report: report.violations.append(violation)
        case .unreportedViolation: unreportedViolation = violation
        }
    }

    /// Keeps a violation if its check is on and the limit is not reached.
    mutating func keep(_ violation: Violation) {
        let place = place(for: violation.check, isFatal: false, severity: violation.severity)
        if let place { record(violation, at: place) }
    }

    /// Adds the report of the JSON in the text that was read last.
    ///
    /// - Parameter hasValue: Whether the JSON has the value that was to be read.
    mutating func add(_ inner: ValidationReport, hasValue: Bool) {
        let (path, isSensitive) = (path, isSensitive)
        for violation in inner.violations {
            let moved = violation.moved(into: path, isSensitive: isSensitive)
            let place = place(
                for: moved.check, isFatal: !hasValue && isRequired, severity: moved.severity)
            if let place { record(moved, at: place) }
        }
        report.omitted += inner.omitted
        report.omittedErrors += inner.omittedErrors
        errors += inner.omittedErrors
        var skipped = inner.skipped
        skipped.violations = skipped.violations.map {
            $0.moved(into: path, isSensitive: isSensitive)
        }
        report.skipped.add(skipped, keeping: limits.violations)
        guard !inner.sensitiveKeys.isEmpty else { return }
        keptSensitiveKeys.formUnion(inner.sensitiveKeys)
        // Logs look for keys, which the text is not divided into.
        if let key = innermostKey { keptSensitiveKeys.insert(key) }
    }

    /// Whether the innermost container requires the value that is being read.
    private var isRequired: Bool {
        guard top.pointee.kind == .object || top.pointee.isPositional,
            let shape = top.pointee.shape
        else { return true }
        return top.pointee.index < shape.pointee.required
    }

    /// Marks the innermost container as failed if it requires the current value, which could not be
    /// read.
    @usableFromInline
    package mutating func markFailed() {
        if isRequired { top.pointee.hasFailed = true }
    }

    /// Skips the value, which is not of the expected type, and records a violation of its type.
    @inline(never)
    package mutating func mismatch(_ expected: String) {
        guard report.syntaxError == nil else { return }
        guard next < end else { return fail(.unexpectedEnd) }
        let first = next
        skipValue()
        guard report.syntaxError == nil else { return }
        reject(expected, from: first)
    }

    /// Records that the value from `first` to here is not of the expected type.
    mutating func reject(_ expected: String, from first: UnsafePointer<UInt8>) {
        let last = next
        wrongType(expected, Self.describe(first, last))
    }

    /// Records a violation of the type of the value read last. It is for types that are made from
    /// that value, for instance if a text is not a date.
    ///
    /// - Parameters:
    ///   - expected: the expectation in words: `a date as of RFC 3339`.
    ///   - found: the value found; it is redacted if the value is sensitive.
    public mutating func fail(expected: String, found: String) {
        wrongType(expected, found)
    }

    private mutating func wrongType(_ expected: String, _ found: @autoclosure () -> String) {
        defer { markFailed() }
        guard let place = place(for: .types, isFatal: isRequired) else { return }
        record(
            violation(
                .types, rule: "type", expected: expected,
                found: isSensitive ? Violation.redacted : found()),
            at: place)
    }

    private func violation(
        _ check: Violation.Check, rule: String, expected: String, found: String
    ) -> Violation {
        Violation(path: path, check: check, rule: rule, expected: expected, found: found)
    }

    private static func describe(
        _ first: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>
    ) -> String {
        switch first.pointee {
        case ASCII.openBrace: return "an object"
        case ASCII.openBracket: return "an array"
        default:
            let text = UnsafeBufferPointer(start: first, count: min(last - first, 324))
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The check of the innermost object's keys.
    private var keyCheck: Violation.Check {
        top.pointee.objectLevel <= 0 ? .keys : .nestedKeys
    }

    /// Reports a missing required key.
    mutating func reportMissing(_ key: String) {
        reportMissing([key])
    }

    /// Reports a missing required key at the end of a path from the innermost object.
    mutating func reportMissing(_ keys: [String]) {
        reportKey(keys, rule: "required", expected: "the key", found: "nothing", isFatal: true)
    }

    /// Reports a missing element of the list read last.
    ///
    /// - Parameter count: The number of its elements.
    mutating func reportMissing(element expected: String, among count: Int) {
        guard let place = place(for: .keys, isFatal: true) else { return }
        let list = violation(
            .keys, rule: "required", expected: expected, found: "a list of \(count)")
        record(list, at: place)
    }

    /// Reports a missing place of an array whose elements are the fields of a model.
    mutating func reportMissing(place: Int) {
        reportKey(
            [], place: place, rule: "required", expected: "the element", found: "nothing",
            isFatal: true)
    }

    /// Reports an element that a closed model has no place for.
    mutating func reportUnknown(place: Int) {
        reportKey(
            [], place: place, rule: "closed", expected: "no such element", found: "the element")
    }

    /// Reports a duplicate key, whose last value is kept.
    @usableFromInline
    mutating func reportDuplicate(_ key: String, found: String = "it again") {
        reportKey([key], rule: "duplicate", expected: "the key once", found: found)
    }

    /// Reports a key that a closed model does not have.
    mutating func reportUnknown(_ key: String) {
        reportKey([key], rule: "closed", expected: "no such key", found: "the key")
    }

    @inline(never)
    private mutating func reportKey(
        _ keys: [String], place index: Int? = nil, rule: String, expected: String, found: String,
        isFatal: Bool = false
    ) {
        let check = keyCheck
        guard let place = place(for: check, isFatal: isFatal) else { return }
        var path = JSONPath()
        for level in 0..<level { append(frame(level), to: &path) }
        for key in keys { path.append(key: key) }
        if let index { path.append(index: index) }
        let violation = Violation(
            path: path.description, check: check, rule: rule, expected: expected, found: found)
        record(violation, at: place)
    }

    /// All violations, in the order of the document.
    func finalReport(hasValue: Bool) -> ValidationReport {
        var report = self.report
        if !hasValue, !hasFatalViolation, report.syntaxError == nil, let unreportedViolation {
            report.violations.append(unreportedViolation)
        }
        report.sensitiveKeys = sensitiveKeys
        return report
    }
}

extension Violation.Check {
    /// The option that turns this check on.
    public var option: JSONChecks {
        switch self {
        case .keys: .keys
        case .nestedKeys: .nestedKeys
        case .types: .types
        case .rules: .rules
        }
    }
}
