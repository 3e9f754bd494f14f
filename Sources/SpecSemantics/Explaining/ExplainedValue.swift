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
        /// The runtime, because no file sets it.
        case runtime = "default"
    }

    /// The name of the setting, for instance `timeout`.
    public let name: String
    /// The value, in the notation of a spec.
    public let value: String
    /// The span of its declaration; nil for a default of the runtime.
    public let span: Span?
    /// Its origin.
    public let origin: Origin
}

extension [ExplainedValue] {
    mutating func add(
        _ name: String, value: String, at span: Span, origin: ExplainedValue.Origin
    ) {
        append(ExplainedValue(name: name, value: value, span: span, origin: origin))
    }

    /// Adds the effective value of a setting, or the runtime's default.
    mutating func add<Value>(
        _ name: String, _ setting: SettingsCascade.Setting<Value>?, default standard: Value,
        shown: (Value) -> String
    ) {
        guard setting == nil else { return add(name, setting, shown: shown) }
        append(
            ExplainedValue(name: name, value: shown(standard), span: nil, origin: .runtime))
    }

    /// Adds the effective value of a setting, if there is one.
    mutating func add<Value>(
        _ name: String, _ setting: SettingsCascade.Setting<Value>?, shown: (Value) -> String
    ) {
        guard let setting else { return }
        add(name, value: shown(setting.value), at: setting.span, origin: setting.origin)
    }
}
