import TelexJSON

/// Reads the properties of a call that are known only at run time, by name. Whatever is missing,
/// unknown or of the wrong type is collected, and told in one error.
///
/// ```swift
/// var reader = PropertyReader(properties, VK.APIMethod.usersGet)
/// let ids: [String]? = reader.required("user_ids")
/// let count: Int = reader.optional("count", default: 20)
/// guard reader.finish(), let ids else { throw reader.error }
/// ```
public struct PropertyReader {
    private let properties: Properties
    private let method: String
    private var known: [String] = []
    private var violations: [Violation] = []

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - properties: The values by the names that the API has for them.
    ///   - method: The method they are for.
    public init(_ properties: Properties, _ method: some APIMethodName) {
        self.properties = properties
        self.method = method.rawValue
    }

    /// A property that has to be there; nil if it is missing or of another type.
    public mutating func required<T: JSONReadable>(_ name: String) -> T? {
        required(name) { json in json.value() }
    }

    /// A property that has to be there, read by a closure.
    public mutating func required<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) -> T? {
        if (properties[name] ?? .null) == .null {
            violations.append(
                Violation(
                    path: name, check: .keys, rule: "required", expected: "the property",
                    found: "nothing"))
        }
        return optional(name, read)
    }

    /// A property that may be missing or null; nil also if it is of another type.
    public mutating func optional<T: JSONReadable>(_ name: String) -> T? {
        optional(name) { json in json.value() }
    }

    /// A property that may be missing or null, read by a closure.
    public mutating func optional<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) -> T? {
        known.append(name)
        guard let property = properties[name], property != .null else { return nil }
        return value(of: property, name, read)
    }

    /// A property that has a default.
    public mutating func optional<T: JSONReadable>(_ name: String, default value: T) -> T {
        optional(name) ?? value
    }

    /// A property that has a default, read by a closure.
    public mutating func optional<T>(
        _ name: String, default value: T, _ read: (inout JSONReader) -> T?
    ) -> T {
        optional(name, read) ?? value
    }

    /// A property that may be left out, and where null means something else than nothing.
    public mutating func nullable<T: JSONReadable>(_ name: String) -> Nullable<T>? {
        nullable(name) { json in json.value() }
    }

    /// A property that may be left out or null, read by a closure if it is anything else.
    public mutating func nullable<T>(
        _ name: String, _ read: (inout JSONReader) -> T?
    ) -> Nullable<T>? {
        if properties[name] == .null {
            known.append(name)
            return .null
        }
        return optional(name, read).map(Nullable.value)
    }

    /// Ends reading: whether nothing was missing, unknown or of the wrong type.
    public mutating func finish() -> Bool {
        for name in properties.keys.filter({ !known.contains($0) }).sorted() {
            violations.append(
                Violation(
                    path: name, check: .keys, rule: "unknown",
                    expected: "a property of `\(method)`\(spellingHint(name, among: known))",
                    found: "`\(name)`"))
        }
        return violations.isEmpty
    }

    /// What was wrong with the properties: an error of the phase `build`.
    public var error: APIError {
        APIError(method: method, .build, .invalidRequest, violations: violations)
    }

    private mutating func value<T>(
        of property: JSONValue, _ name: String, _ read: (inout JSONReader) -> T?
    ) -> T? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field(name, property)
        writer.endObject()
        let result = JSONReader.read(writer.bytes, at: [name], read)
        if let value = result.value, result.report.isValid { return value }
        let isHidden = Redactor.isSuspicious(name)
        violations += result.violations.map { violation in
            var violation = violation
            if isHidden { violation.found = Redactor.mark }
            return violation
        }
        return nil
    }
}
