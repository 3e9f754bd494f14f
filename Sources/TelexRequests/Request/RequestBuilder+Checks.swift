import HTTPTypes
import TelexInspection
import TelexJSON

/// Collects the violations of a request, without secrets.
extension RequestBuilder {
    /// Records whether the whole body is sensitive, so that only the first origin may receive it.
    mutating func markBody(_ isSensitive: Bool) {
        guard isSensitive else { return }
        mark("body", true)
        state.template.isBodySensitive = true
    }

    /// Records the current parameter for later violations.
    package mutating func mark(_ name: String, _ isSensitive: Bool) {
        state.last = name
        state.isLastSensitive = isSensitive
    }

    /// Collects the violations of a writer and prefixes their paths with the parameter's name.
    package mutating func keep(_ violations: [Violation], below name: String?) {
        for var violation in violations {
            if let name {
                violation.path = violation.path == "$" ? name : "\(name).\(violation.path)"
            }
            if ruleIsSensitive { violation.found = Redactor.mark }
            state.template.foundViolations.append(violation)
        }
    }

    /// Collects a violation of the current parameter.
    package mutating func broken(_ rule: String, expected: String, found: String) {
        broken(rule, expected: expected, found: found, message: nil, severity: .error)
    }

    mutating func checkType(_ type: String) {
        if !HTTPField.isValidValue(type) {
            broken("type", expected: "a MIME type", found: Violation.quoted(type))
        }
    }
}

extension RequestBuilder: RuleChecker {
    /// The name of the current parameter.
    public var rulePath: String { state.last }

    /// Whether the current parameter is sensitive, or named like a secret. Computed lazily, because
    /// only violations need it.
    public var ruleIsSensitive: Bool {
        state.isLastSensitive || Redactor.isSuspicious(state.last)
    }

    /// The name of a parameter.
    public func rulePath(of keys: [String]) -> String { keys.joined(separator: ".") }

    /// Collects a violation. An error makes the call fail before anything is sent.
    public mutating func report(_ violation: Violation) {
        state.template.foundViolations.append(violation)
    }
}
