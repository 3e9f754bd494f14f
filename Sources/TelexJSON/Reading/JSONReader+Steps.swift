extension JSONReader {
    /// Leaves a nested object that fields of a model lead through.
    ///
    /// - Parameter isRequired: Whether the model has no value without the object.
    public mutating func endStep(isRequired: Bool) {
        guard !endObject(), isRequired, report.syntaxError == nil else { return }
        top.pointee.hasFailed = true
        guard !hasFatalViolation, unreportedViolation == nil else { return }
        // The step has another type, which was recorded as for an optional value.
        if checks.contains(.types) {
            hasFatalViolation = true
        } else {
            unreportedViolation = Violation(
                path: path, check: .types, rule: "type", expected: "an object",
                found: "another value")
        }
    }

    /// Reports a required key in a nested object that is missing or null.
    ///
    /// - Parameter keys: The keys that lead from the current object to the missing one.
    public mutating func missing(_ keys: [String]) {
        guard report.syntaxError == nil, !top.pointee.isAbsent else { return }
        reportMissing(keys)
        top.pointee.hasFailed = true
    }
}
