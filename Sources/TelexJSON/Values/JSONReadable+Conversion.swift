/// Values from JSON that is no reply: a file, a push message, the body of an error.
///
/// Each initialiser checks the JSON as a call checks a reply. Its error has all violations with
/// their paths and the syntax error, if there is one, without the values of sensitive fields. To
/// learn what was left out of a list with `invalid: skip`, read with
/// ``JSONReader/read(_:at:limits:checks:_:)``.
extension JSONReadable {
    /// Creates a value from the bytes of a JSON document in UTF-8.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - limits: Limits of size, depth and number of violations.
    /// - Throws: The report of a document that is not JSON, exceeds a limit, or does not match the
    ///   type.
    public init(
        json: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(ValidationReport) {
        // One byte more than allowed suffices for the reader to refuse an endless sequence.
        let bound = limits.bytes == .max ? .max : limits.bytes + 1
        let bytes = json as? [UInt8] ?? Array(json.prefix(bound))
        let result = JSONReader.read(bytes, limits: limits) { json -> Self? in json.value() }
        guard let value = result.value, result.report.isValid else { throw result.report }
        self = value
    }

    /// Creates a value from the text of a JSON document.
    ///
    /// - Throws: As ``init(json:limits:)-(Sequence<UInt8>,_)``.
    public init(json: String, limits: JSONLimits = JSONLimits()) throws(ValidationReport) {
        try self.init(json: json.utf8, limits: limits)
    }

    /// Creates a value from any JSON value.
    ///
    /// - Parameters:
    ///   - json: The JSON value.
    ///   - limits: Limits of its size as text, of its depth and of the number of violations.
    /// - Throws: The report of a value that exceeds a limit or does not match the type.
    public init(json: JSONValue, limits: JSONLimits = JSONLimits()) throws(ValidationReport) {
        try self.init(json: try json.jsonBytes(), limits: limits)
    }
}

extension JSONWritable {
    /// Returns the value as a JSON document in UTF-8. It may contain secrets, unlike a description
    /// of the value. An unknown value of an enumeration and an unknown alternative of a union are
    /// written as they were received.
    ///
    /// - Throws: The report of a value that breaks another rule of requests, or that JSON cannot
    ///   express, such as infinity.
    public func jsonBytes() throws(ValidationReport) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        let known: Set = ["enum", "one-of"]
        let report = ValidationReport(
            violations: writer.violations.filter { !known.contains($0.rule) })
        guard report.isValid else { throw report }
        return writer.bytes
    }

    /// Returns the value as a JSON value.
    ///
    /// - Throws: As ``jsonBytes()``.
    public func jsonValue() throws(ValidationReport) -> JSONValue {
        let limits = JSONLimits(bytes: .max, depth: .max)
        return try JSONValue(json: try jsonBytes(), limits: limits)
    }
}
