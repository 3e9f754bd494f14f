import SpecIR
import SpecSyntax

extension SuccessRules {
    /// The effective success rules.
    init(_ cascade: SettingsCascade) {
        self.init()
        if let statuses = cascade.statuses { self.statuses = statuses.value }
        absent = cascade.absent?.value ?? []
        present = cascade.present?.value ?? []
        conditions = cascade.conditions?.value.map(\.lowered) ?? []
        unwrap = cascade.unwrap?.value ?? []
        accepts = cascade.accepts?.value ?? []
    }

    /// The success rules of a method; nil if they are the API's.
    init?(ownOf cascade: SettingsCascade) {
        guard cascade.overridesSuccess else { return nil }
        self.init(cascade)
    }

    /// The statuses whose replies have no body (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    static let statusesWithoutBody = [204, 205, 304]

    /// Whether a reply with this status is a success, regardless of its body.
    func accept(_ status: Int) -> Bool {
        absent.isEmpty && present.isEmpty && conditions.isEmpty
            && statuses.contains { $0.contains(status) }
    }
}

extension AuthRules.Expiry {
    /// The signs of an expired token of a method; nil if they are the API's.
    static func own(_ cascade: SettingsCascade) -> [AuthRules.Expiry]? {
        guard let expired = cascade.expired, expired.origin != .api else { return nil }
        return all(expired.value, cascade)
    }

    /// The declared signs of an expired token.
    static func all(_ syntax: ExpirySyntax, _ cascade: SettingsCascade) -> [AuthRules.Expiry] {
        let cases = cascade.errorCases
        return syntax.statuses.map { .status($0.value) }
            + syntax.codes.map { code in
                let named = cases.first { $0.name.value == code.value }
                return named?.status.map { .status($0.value) }
                    ?? .code(cascade.errorCode(code.value))
            }
    }
}

extension SuccessConditionSyntax {
    var lowered: ReplyCondition {
        ReplyCondition(path: path.value, values: values.map(\.value))
    }
}
