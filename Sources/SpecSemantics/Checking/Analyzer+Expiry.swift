import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers the signs of an expired token.
extension Analyzer {
    /// The signs of an expired token of a method; nil if they are the API's.
    static func ownExpiry(_ cascade: SettingsCascade) -> [AuthRules.Expiry]? {
        guard let expired = cascade.expired, expired.origin != .api else { return nil }
        return expiry(expired.value, cascade.api)
    }

    static func expiry(_ syntax: ExpirySyntax, _ api: APISyntax) -> [AuthRules.Expiry] {
        syntax.statuses.map { .status($0.value) }
            + syntax.codes.map { .code(code($0.value, of: api.errors)) }
    }

    /// Resolves an error code, which may be given by the name of its case.
    static func code(_ text: String, of errors: ErrorsSyntax?) -> String {
        let cases = errors?.cases ?? []
        if cases.contains(where: { $0.code?.value == text }) { return text }
        return cases.first { $0.name.value == text }?.code?.value ?? text
    }

    /// The success rules of a group and of its methods.
    static func allSuccessRules(of group: GroupSyntax, _ api: APISyntax) -> [SuccessRules] {
        let methods = group.methods.map { SettingsCascade(api, group: group, method: $0) }
        return ([SettingsCascade(api, group: group)] + methods).map { successRules($0) }
    }

    /// Checks the signs of an expired token.
    ///
    /// - Parameter rules: The success rules of all methods that `expired` applies to.
    mutating func checkExpired(
        _ expired: ExpirySyntax, api: APISyntax, rules: [SuccessRules]
    ) {
        // A status is a sign only if a reply with it can fail.
        for status in expired.statuses where rules.allSatisfy({ $0.accept(status.value) }) {
            bag.report(
                .badStatus, "a reply with the status \(status.value) is a success",
                at: status.span, label: "no token would ever count as expired",
                help: "remove the status from `success`, or here")
        }
    }
}

extension SuccessRules {
    /// Whether a reply with this status is a success, regardless of its body.
    func accept(_ status: Int) -> Bool {
        absent.isEmpty && present.isEmpty && conditions.isEmpty
            && statuses.contains { $0.contains(status) }
    }
}
