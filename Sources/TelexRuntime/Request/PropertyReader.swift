import TelexJSON

/// Reads the properties of a call that are known only at run time, by name.
public struct PropertyReader {
    private let properties: Properties
    private let method: String
    private var known: [String] = []

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - properties: The values by the names that the API has for them.
    ///   - method: The method they are for.
    public init(_ properties: Properties, _ method: some APIMethodName) {
        self.properties = properties
        self.method = method.rawValue
    }

    /// A property that has to be there.
    ///
    /// - Throws: An `APIError` of the phase `build` if it is missing or of another type.
    public mutating func required<T: JSONReadable>(_ name: String) throws(APIError) -> T {
        try required(name) { json in json.value() }
    }

    /// A property that has to be there, read by a closure.
    ///
    /// - Throws: An `APIError` of the phase `build` if it is missing or cannot be read.
    public mutating func required<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) throws(APIError) -> T {
        if let value = try optional(name, read) { return value }
        throw failure([
            Violation(
                path: name, check: .keys, rule: "required", expected: "the property",
                found: "nothing")
        ])
    }

    /// A property that may be missing or null.
    ///
    /// - Throws: An `APIError` of the phase `build` if it is of another type.
    public mutating func optional<T: JSONReadable>(_ name: String) throws(APIError) -> T? {
        try optional(name) { json in json.value() }
    }

    /// A property that may be missing or null, read by a closure.
    ///
    /// - Throws: An `APIError` of the phase `build` if it cannot be read.
    public mutating func optional<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) throws(APIError) -> T? {
        known.append(name)
        guard let property = properties[name], property != .null else { return nil }
        return try value(of: property, name, read)
    }

    /// Reads a property that has a default.
    public mutating func optional<T: JSONReadable>(
        _ name: String, default defaultValue: T
    ) throws(APIError) -> T {
        try optional(name) ?? defaultValue
    }

    /// Reads a property that has a default, with a function.
    public mutating func optional<T>(
        _ name: String, default defaultValue: T, _ read: (inout JSONReader) -> T?
    ) throws(APIError) -> T {
        try optional(name, read) ?? defaultValue
    }

    /// Reads a property that may be left out, and where null means something else than nothing.
    public mutating func nullable<T: JSONReadable>(
        _ name: String
    ) throws(APIError) -> Nullable<T>? {
        try nullable(name) { json in json.value() }
    }

    /// Reads a property that may be left out or null, with a function for anything else.
    public mutating func nullable<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) throws(APIError) -> Nullable<T>? {
        if properties[name] == .null {
            known.append(name)
            return .null
        }
        return try optional(name, read).map(Nullable.value)
    }

    private func value<T>(
        of property: JSONValue, _ name: String, _ read: (inout JSONReader) -> T?
    ) throws(APIError) -> T {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field(name, property)
        writer.endObject()
        let result = JSONReader.read(writer.bytes, at: [name], read)
        if let value = result.value, result.report.isValid { return value }
        let isHidden = Redactor.isSuspicious(name)
        throw failure(
            result.violations.map { violation in
                var violation = violation
                if isHidden { violation.found = Redactor.mark }
                return violation
            })
    }

    /// Looks for properties that the method does not have.
    ///
    /// - Throws: An `APIError` of the phase `build` that names each of them, and the nearest name
    ///   that would do.
    public func finish() throws(APIError) {
        let unknown = properties.keys.filter { !known.contains($0) }.sorted()
        guard !unknown.isEmpty else { return }
        throw failure(
            unknown.map { name in
                Violation(
                    path: name, check: .keys, rule: "unknown",
                    expected: "a property of `\(method)`\(spellingHint(name, among: known))",
                    found: "`\(name)`")
            })
    }

    private func failure(_ violations: [Violation]) -> APIError {
        APIError(method: method, .build, .invalidRequest, violations: violations)
    }
}
