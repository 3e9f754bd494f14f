import TelexJSON
import TelexRequests

extension PropertyReader {
    /// Ends reading.
    ///
    /// - Throws: ``error`` if something was missing, unknown or of the wrong type.
    public consuming func close() throws(APIError) {
        if !finish() { throw error }
    }

    /// The violations of the properties, as an error of the phase `build`.
    public var error: APIError {
        APIError(
            method: method, phase: .build, reason: .invalidRequest, violations: violations)
    }
}

extension [String: JSONValue] {
    /// The name of the property with a download's destination path: `$to`.
    private static var destination: String { "$to" }

    /// Returns the destination path of a download from the property `$to`.
    ///
    /// - Parameter method: The API's name of the method, for the error.
    /// - Throws: An `APIError` of the phase `build` if the property is missing or not a string.
    public func destination(for method: String) throws(APIError) -> String {
        if case .string(let path)? = self[Self.destination] { return path }
        let isMissing = self[Self.destination] == nil
        let violation = Violation(
            path: Self.destination, check: isMissing ? .keys : .types, rule: "required",
            expected: "the path of the file", found: isMissing ? "nothing" : "another value")
        throw APIError(
            method: method, phase: .build, reason: .invalidRequest, violations: [violation]
        )
    }

    /// The properties without `$to`, which is not sent.
    public var withoutDestination: Properties {
        filter { $0.key != Self.destination }
    }
}
