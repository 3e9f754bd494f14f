import TelexJSON

/// What a manager does with the templates of a store: it checks replies with them, and records
/// replies as templates.
///
/// Only replies that are JSON have templates; those of streams and downloads have none. A call whose
/// validation is `off` neither checks nor records; otherwise its mode decides what a violation does.
public struct TemplateUse: Sendable {
    /// What is done if a reply cannot be checked.
    public enum Action: Sendable, Hashable {
        /// Nothing.
        case pass
        /// The reply is reported as one that deviates.
        case warn
        /// The reply violates the rule `template`.
        case fail
    }

    /// The templates.
    public var store: any TemplateStore
    /// Whether replies are checked.
    public var validates: Bool
    /// What is done if the method has no template; ignored while templates are recorded.
    public var missing: Action
    /// What is done if the template cannot be read or has mistakes. The warning is also printed once,
    /// by `EngineSettings.onFault`, because a call that is not checked succeeds.
    public var corrupt: Action
    /// Which replies of successful calls are recorded; nil for none. Values of sensitive fields and
    /// of keys with the usual names of secrets are replaced.
    public var recording: TemplateRecording?

    /// Creates a use of templates.
    public init(
        _ store: any TemplateStore, validates: Bool = true, missing: Action = .pass,
        corrupt: Action = .warn, recording: TemplateRecording? = nil
    ) {
        self.store = store
        self.validates = validates
        self.missing = missing
        self.corrupt = corrupt
        self.recording = recording
    }

    /// Checks a reply.
    ///
    /// - Parameter onFault: Takes why a template cannot be used, if calls do not fail because of it.
    package func report(
        on reply: [UInt8], of method: String, checks: JSONChecks, limits: JSONLimits,
        onFault: (String) -> Void = { _ in }
    ) -> ValidationReport {
        guard validates else { return ValidationReport() }
        do {
            guard let template = try store.template(for: method) else {
                return problem("none", recording == nil ? missing : .pass)
            }
            return template.validate(reply, checks: checks, limits: limits)
        } catch {
            if corrupt == .warn { onFault("\(error)") }
            return problem("\(error)", corrupt)
        }
    }

    private func problem(_ found: String, _ action: Action) -> ValidationReport {
        guard action != .pass else { return ValidationReport() }
        var violation = Self.violation(found)
        if action == .fail { violation.severity = .error }
        return ValidationReport(violations: [violation])
    }

    private static func violation(_ found: String) -> Violation {
        Violation(
            path: "$", rule: "template", expected: "a template of the method", found: found,
            severity: .warning)
    }

    /// Records the reply of a successful call.
    ///
    /// - Parameters:
    ///   - secrets: The sensitive keys of the reply; nil if they are not all known.
    ///   - onFault: Takes why the store failed.
    /// - Returns: Why it could not be recorded.
    package func record(
        _ reply: [UInt8], of method: String, mode: TemplateRecording, secrets: Set<String>?,
        onFault: (String) -> Void = { _ in }
    ) async -> Violation? {
        guard let secrets else {
            return Self.violation("parts that were left out, which may have secrets")
        }
        do {
            try await store.record(reply, for: method, mode: mode, secrets: secrets)
            return nil
        } catch {
            onFault("\(error)")
            return Self.violation("\(error)")
        }
    }
}
