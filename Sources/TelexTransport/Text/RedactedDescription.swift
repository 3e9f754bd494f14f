import TelexJSON

/// A value with sensitive fields: its mirror and its descriptions leave their values out.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension RedactedDescription {
    /// The type and its fields, without the values of the sensitive ones.
    public var description: String {
        let mirror = customMirror
        let fields = mirror.children.map { "\($0.label ?? "_"): \(String(reflecting: $0.value))" }
        return "\(mirror.subjectType)(\(fields.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

/// The replacement of sensitive values.
public enum Redacted {
    /// The text shown instead of the value.
    public static var text: String { Violation.redacted }
}
