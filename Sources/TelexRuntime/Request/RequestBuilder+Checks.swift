import HTTPTypes
import TelexJSON

/// Keeps what is wrong with a request, without what nobody may see.
extension RequestBuilder {
    /// Remembers whether the body as a whole is only for its first receiver.
    mutating func markBody(_ isSensitive: Bool) {
        guard isSensitive else { return }
        mark("body", true)
        state.draft.isBodySensitive = true
    }

    /// Remembers which parameter is looked at.
    mutating func mark(_ name: String, _ isSensitive: Bool) {
        state.last = name
        state.isLastSensitive = isSensitive
    }

    /// Keeps what a writer found, with the parameter's name before its paths.
    mutating func keep(_ violations: [Violation], below name: String?) {
        for var violation in violations {
            if let name {
                violation.path = violation.path == "$" ? name : "\(name).\(violation.path)"
            }
            if ruleIsSensitive { violation.found = Redactor.mark }
            state.draft.violations.append(violation)
        }
    }

    /// Keeps what is wrong with the parameter named last.
    mutating func broken(_ rule: String, _ expected: String, _ found: String) {
        broken(rule, expected: expected, found: found, message: nil, severity: .error)
    }

    mutating func checkType(_ type: String) {
        if !HTTPField.isValidValue(type) { broken("type", "a MIME type", Violation.quoted(type)) }
    }
}

extension RequestBuilder: RuleChecker {
    /// The parameter named last.
    public var rulePath: String { state.last }

    /// Whether the parameter named last is sensitive, or named like a secret. Asked only when something
    /// is wrong with it, which it seldom is.
    public var ruleIsSensitive: Bool {
        state.isLastSensitive || Redactor.isSuspicious(state.last)
    }

    /// Keeps a violation; an error makes the call fail before anything is sent.
    public mutating func report(_ violation: Violation) {
        state.draft.violations.append(violation)
    }
}
