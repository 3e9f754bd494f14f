/// Reads values that an API sends as JSON inside a text.
extension JSONReader {
    /// Reads JSON inside a text. A text that is not JSON is a violation of the type; violations
    /// inside of it have the path of the text before their own.
    ///
    /// - Parameters:
    ///   - value: Changed only if a value was read.
    ///   - source: `.either` accepts the value itself, too.
    ///   - body: Reads the value; nil if it cannot be read.
    /// - Returns: Whether a value was read; if not, a violation was recorded.
    @discardableResult
    public mutating func jsonText<T>(
        _ value: inout T?, from source: JSONSource = .string, _ body: (inout JSONReader) -> T?
    ) -> Bool {
        guard let read = jsonText(source, body) else {
            markFailed()
            return false
        }
        value = read
        return true
    }

    /// Reads JSON inside a text into a variable that has a default. It is disfavoured, because an
    /// optional variable would fit both methods.
    @_disfavoredOverload
    @discardableResult
    public mutating func jsonText<T>(
        _ value: inout T, from source: JSONSource = .string, _ body: (inout JSONReader) -> T?
    ) -> Bool {
        var read: T?
        guard jsonText(&read, from: source, body), let read else { return false }
        value = read
        return true
    }

    private mutating func jsonText<T>(
        _ source: JSONSource, _ body: (inout JSONReader) -> T?
    ) -> T? {
        if source == .either, kind != .string { return readValue(body) }
        let expected = "JSON in a string"
        guard let text = text(expected: expected) else { return nil }
        var limits = limits
        limits.depth -= level
        // The keys inside are not those of the document.
        let checks = checks.contains(.nestedKeys) ? checks.union(.keys) : checks.subtracting(.keys)
        let appChecks = appChecks
        var value: T?
        let (inner, _) = Self.run(Array(text.utf8), at: [], limits: limits, checks: checks) {
            json in
            json.appChecks = appChecks
            value = json.readValue(body)
            return value != nil
        }
        if let error = inner.syntaxError {
            fail(expected: expected, found: "text that is not JSON: \(error.reason)")
            return nil
        }
        add(inner, hasValue: value != nil)
        return value
    }
}
