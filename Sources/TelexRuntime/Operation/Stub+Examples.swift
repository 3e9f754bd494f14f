public import TelexJSON

/// Answers that are examples, as JSON. They are read and checked as a reply is.
extension Stub {
    /// Sets an example as the answer for calls from now on.
    ///
    /// - Parameters:
    ///   - json: The value, without an envelope. If it has violations, calls throw its
    ///     `ValidationReport`.
    ///   - read: Reads the value.
    public func answer(
        json: String, by read: @escaping @Sendable (inout JSONReader) -> Output?
    ) {
        self { _ in
            let result = JSONReader.read(Array(json.utf8)) { read(&$0) }
            guard let value = result.value, result.report.isValid else { throw result.report }
            return value
        }
    }
}

extension Stub where Output: JSONReadable {
    /// Sets an example as the answer for calls from now on; otherwise like ``answer(json:by:)``.
    public func answer(json: String) {
        answer(json: json) { json in json.value() }
    }
}
