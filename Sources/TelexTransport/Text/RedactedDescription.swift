import TelexJSON

/// A value with sensitive fields: its mirror leaves their values out, and so do its descriptions.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension RedactedDescription {
    /// The type and its fields, without the values of those that are sensitive.
    public var description: String {
        let mirror = customMirror
        let fields = mirror.children.map { "\($0.label ?? "_"): \(String(reflecting: $0.value))" }
        return "\(mirror.subjectType)(\(fields.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

/// What stands where a sensitive value would.
public enum Redacted {
    /// The text shown instead of the value.
    public static var text: String { Violation.redacted }
}
