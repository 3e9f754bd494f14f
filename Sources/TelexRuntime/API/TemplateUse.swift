import TelexJSON
public import TelexTemplates

/// What a manager does with the templates of a store: it checks replies with them, and records
/// replies as templates.
///
/// Only replies that are JSON have templates; those of streams and downloads have none. A call whose
/// validation is `off` neither checks nor records; otherwise its mode decides what a violation does.
public struct TemplateUse: Sendable {
    /// What is done if a reply has no template.
    public enum Missing: Sendable, Hashable {
        /// Nothing.
        case pass
        /// The reply is reported as one that deviates.
        case warn
        /// The reply violates the rule `template`.
        case fail
    }

    /// Which replies of successful calls become templates.
    public enum Recording: Sendable, Hashable {
        /// None.
        case never
        /// The first reply of each method without a template.
        case missing
        /// Every reply; it replaces the template, but not its rules.
        case always
    }

    /// The templates.
    public var store: any TemplateStore
    /// Whether replies are checked.
    public var validates: Bool
    /// What is done if there is no template, or one that cannot be used.
    public var missing: Missing
    /// Which replies are recorded. Values of sensitive fields and of keys with the usual names of
    /// secrets are replaced.
    public var recording: Recording

    /// Creates a use of templates.
    public init(
        _ store: any TemplateStore, validates: Bool = true, missing: Missing = .pass,
        recording: Recording = .never
    ) {
        self.store = store
        self.validates = validates
        self.missing = missing
        self.recording = recording
    }

    /// Checks a reply.
    func report(
        on reply: [UInt8], of method: String, checks: JSONChecks, limits: JSONLimits
    ) -> ValidationReport {
        guard validates else { return ValidationReport() }
        do {
            guard let template = try store.template(for: method) else {
                // It is about to be recorded.
                guard recording == .never else { return ValidationReport() }
                return problem("none")
            }
            return template.validate(reply, checks: checks, limits: limits)
        } catch {
            return problem("\(error)")
        }
    }

    private func problem(_ found: String) -> ValidationReport {
        guard missing != .pass else { return ValidationReport() }
        return ValidationReport(violations: [violation(found, isFatal: missing == .fail)])
    }

    private func violation(_ found: String, isFatal: Bool) -> Violation {
        Violation(
            path: "$", rule: "template", expected: "a template of the method", found: found,
            severity: isFatal ? .error : .warning)
    }

    /// Records the reply of a successful call.
    ///
    /// - Returns: Why it could not be recorded.
    func record(
        _ reply: [UInt8], of method: String, secretKeys: () -> Set<String>
    ) -> Violation? {
        do {
            switch recording {
            case .never: return nil
            case .missing: guard try store.template(for: method) == nil else { return nil }
            case .always: break
            }
            try store.record(reply, for: method, secretKeys: secretKeys())
            return nil
        } catch {
            return violation("\(error)", isFatal: false)
        }
    }
}
