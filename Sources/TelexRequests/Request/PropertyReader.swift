import TelexInspection
import TelexJSON
import TelexValues

/// Reads the properties of a call that are known only at run time, by name. Missing, unknown and
/// mistyped properties are collected and reported in one error.
///
/// ```swift
/// var reader = PropertyReader(properties, "users.get")
/// let ids: [String] = reader.required("user_ids")
/// let count: Int = reader.optional("count", default: 20)
/// try reader.close()
/// ```
public struct PropertyReader: ~Copyable {
    /// The state behind one reference, as in ``RequestBuilder``.
    private final class State {
        let properties: Properties
        let method: String
        var known: [String] = []
        var hidden: Set<String> = []
        var violations: [Violation] = []

        init(_ properties: Properties, _ method: String) {
            self.properties = properties
            self.method = method
        }
    }

    private let state: State

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - properties: The values by the API's names for them.
    ///   - method: The API's name of the method.
    public init(_ properties: Properties, _ method: StaticString) {
        state = State(properties, method.description)
    }

    /// Marks a property as secret, before it is read: its value is redacted in every violation.
    public mutating func hide(_ name: StaticString) {
        state.hidden.insert(name.description)
    }

    /// Reads a required property; nil if it is missing, null or of another type.
    public mutating func required<T: JSONReadable>(_ name: StaticString) -> T? {
        held(name) ?? required(name) { json in json.value() }
    }

    /// Reads a required property with a closure.
    public mutating func required<T>(
        _ name: StaticString, _ read: (inout JSONReader) -> T?
    ) -> T? {
        if (state.properties[name.description] ?? .null) == .null { reportMissing(name) }
        return optional(name, read)
    }

    /// Reads a required property that may be null; nil if it is null, missing or of another type.
    public mutating func requiredNullable<T: JSONReadable>(_ name: StaticString) -> T? {
        held(name) ?? requiredNullable(name) { json in json.value() }
    }

    /// Reads a required property that may be null; a closure reads other values.
    public mutating func requiredNullable<T>(
        _ name: StaticString, _ read: (inout JSONReader) -> T?
    ) -> T? {
        if state.properties[name.description] == nil { reportMissing(name) }
        return optional(name, read)
    }

    /// Reads an optional property; nil if it is missing, null or of another type.
    public mutating func optional<T: JSONReadable>(_ name: StaticString) -> T? {
        held(name) ?? optional(name) { json in json.value() }
    }

    /// Reads an optional property with a closure.
    public mutating func optional<T>(
        _ name: StaticString, _ read: (inout JSONReader) -> T?
    ) -> T? {
        let name = name.description
        state.known.append(name)
        guard let property = state.properties[name], property != .null else { return nil }
        return value(of: property, named: name, read)
    }

    /// Reads a property with a default.
    public mutating func optional<T: JSONReadable>(_ name: StaticString, default value: T) -> T {
        optional(name) ?? value
    }

    /// Reads a property with a default, with a closure.
    public mutating func optional<T>(
        _ name: StaticString, default value: T, _ read: (inout JSONReader) -> T?
    ) -> T {
        optional(name, read) ?? value
    }

    /// Reads an optional property for which null has a meaning of its own.
    public mutating func nullable<T: JSONReadable>(_ name: StaticString) -> Nullable<T>? {
        nullable(name) { json in json.value() }
    }

    /// Reads an optional property for which null has a meaning of its own; a closure reads other
    /// values.
    public mutating func nullable<T>(
        _ name: StaticString, _ read: (inout JSONReader) -> T?
    ) -> Nullable<T>? {
        if state.properties[name.description] == .null {
            state.known.append(name.description)
            return .null
        }
        return optional(name, read).map(Nullable.value)
    }

    /// Reads a property that has a default and for which null has a meaning of its own; nil for
    /// null.
    public mutating func nullable<T: JSONReadable>(_ name: StaticString, default value: T?) -> T? {
        nullable(name, default: value) { json in json.value() }
    }

    /// Reads a property that has a default; a closure reads values other than null. Returns nil for
    /// null.
    public mutating func nullable<T>(
        _ name: StaticString, default value: T?, _ read: (inout JSONReader) -> T?
    ) -> T? {
        switch nullable(name, read) {
        case .null: nil
        case .value(let given): given
        case nil: value
        }
    }

    /// Ends reading and reports unknown properties.
    ///
    /// - Returns: Whether no property was missing, unknown or of the wrong type.
    public mutating func finish() -> Bool {
        for name in state.properties.keys.filter({ !state.known.contains($0) }).sorted() {
            state.violations.append(
                Violation(
                    path: name, check: .keys, rule: "unknown",
                    expected:
                        "a property of `\(state.method)`\(spellingHint(name, among: state.known))",
                    found: "`\(name)`"))
        }
        return state.violations.isEmpty
    }

    /// The API's name of the method.
    package var method: String { state.method }

    /// What was missing, unknown or of the wrong type so far.
    package var violations: [Violation] { state.violations }

    private mutating func reportMissing(_ name: StaticString) {
        state.violations.append(
            Violation(
                path: name.description, check: .keys, rule: "required", expected: "the property",
                found: "nothing"))
    }

    /// Reads a value that a property holds as it is.
    mutating func held<T: JSONReadable>(_ name: StaticString) -> T? {
        let name = name.description
        guard let property = state.properties[name], let value = T.held(by: property) else {
            return nil
        }
        state.known.append(name)
        return value
    }

    /// Reads a value from the JSON of a property: a model, a date, a value of another spelling.
    private mutating func value<T>(
        of property: JSONValue, named name: String, _ read: (inout JSONReader) -> T?
    ) -> T? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(name)
        writer.value(property)
        writer.endObject()
        guard writer.violations.isEmpty else {
            keep(writer.violations, of: name)
            return nil
        }
        // The values come from the app, so the limits of replies do not apply.
        let limits = JSONLimits(bytes: .max, depth: .max)
        let result = JSONReader.read(writer.bytes, at: [.key(name)], limits: limits, read)
        // An argument is sent whole or not at all.
        let skipped = result.report.skipped
        if let value = result.value, result.report.isValid, skipped.count == 0 { return value }
        keep(result.violations + skipped.violations, of: name)
        if let error = result.syntaxError { keep([Self.violation(error, of: name)], of: name) }
        return nil
    }

    /// The violation for a value that was written as JSON but cannot be read: it is nested too
    /// deeply.
    private static func violation(_ error: JSONSyntaxError, of name: String) -> Violation {
        Violation(
            path: name, check: .types, rule: "depth", expected: "less deeply nested values",
            found: error.reason.description)
    }

    private mutating func keep(_ violations: [Violation], of name: String) {
        let isHidden = state.hidden.contains(name) || Redactor.isSuspicious(name)
        state.violations += violations.map { violation in
            var violation = violation
            if isHidden { violation.found = Redactor.mark }
            return violation
        }
    }
}
