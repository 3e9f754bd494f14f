import SpecDiagnostics

/// One value that holds for a method.
public struct ExplainedValue: Sendable {
    /// Where a value comes from.
    public enum Origin: String, Sendable {
        /// `api.yaml`
        case api
        /// The group's file.
        case group
        /// The method itself.
        case method
    }

    /// What it says, for instance `timeout`.
    public let name: String
    /// The value, as a person would write it.
    public let value: String
    /// Where it was said.
    public let span: Span
    /// Whose it is.
    public let origin: Origin
}

extension [ExplainedValue] {
    mutating func add(
        _ name: String, value: String, at span: Span, origin: ExplainedValue.Origin
    ) {
        append(ExplainedValue(name: name, value: value, span: span, origin: origin))
    }

    /// Adds the nearest value of a setting; nothing if no layer has one.
    mutating func add<Settings>(
        _ name: String, from layers: [(ExplainedValue.Origin, Settings)],
        _ value: (Settings) -> (String, Span)?
    ) {
        for (origin, settings) in layers {
            guard let (text, span) = value(settings) else { continue }
            add(name, value: text, at: span, origin: origin)
            return
        }
    }
}
