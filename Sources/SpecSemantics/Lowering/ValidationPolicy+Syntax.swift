import SpecIR
import SpecSyntax

extension ValidationPolicy {
    /// The effective validation.
    init(_ cascade: SettingsCascade) {
        self.init()
        if let mode = cascade.validationMode { self.mode = mode.value }
        if let checks = cascade.validationChecks { self.checks = Set(checks.value.map(\.value)) }
        if let sample = cascade.validationSample { self.sample = sample.value }
    }

    /// The validation of a method whose value is read from JSON; nil for another method, and if
    /// the runtime treats it as the API's.
    init?(ownOf method: ResolvedMethod, in api: SettingsCascade) {
        guard method.readsJSON else { return nil }
        self.init(method.cascade)
        if isRun(like: ValidationPolicy(api)) { return nil }
    }

    /// Whether the runtime treats it as another one. The app's own checks are part of the request.
    private func isRun(like other: ValidationPolicy) -> Bool {
        func rules(_ validation: ValidationPolicy) -> ValidationPolicy {
            var rules = validation
            if rules.mode == .custom { rules.mode = .throw }
            return rules
        }
        return rules(self) == rules(other)
    }
}

extension ResolvedMethod {
    /// Whether its value, or each element of its stream, is read from JSON.
    var readsJSON: Bool {
        switch output {
        case .value, .statuses: kind != .download
        case .nothing, .bytes, .text, .file: false
        }
    }

    /// Whether the app's own checks examine its value.
    var isCheckedByApp: Bool { readsJSON && cascade.validationMode?.value == .custom }
}
