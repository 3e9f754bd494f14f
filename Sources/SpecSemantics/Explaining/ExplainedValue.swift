import SpecDiagnostics

/// One effective value of a method.
public struct ExplainedValue: Sendable {
    /// The origin of a value.
    public enum Origin: String, Sendable {
        /// `api.yaml`
        case api
        /// The group's file.
        case group
        /// The method itself.
        case method
    }

    /// The name of the setting, for instance `timeout`.
    public let name: String
    /// The value, in the notation of a spec.
    public let value: String
    /// The span of its declaration.
    public let span: Span
    /// Its origin.
    public let origin: Origin
}

extension [ExplainedValue] {
    mutating func add(
        _ name: String, value: String, at span: Span, origin: ExplainedValue.Origin
    ) {
        append(ExplainedValue(name: name, value: value, span: span, origin: origin))
    }

    /// Adds the nearest value of a setting, if a layer has one.
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
