import SpecIR

/// Writes the protocol of the app's own checks.
extension SwiftWriter {
    mutating func replyChecks(_ api: API) {
        guard api.hasReplyChecks else { return }
        line()
        var comment = DocComment()
        comment.paragraph(
            "The app's own checks of replies. Pass them to the manager: "
                + "`APIManager(…) { $0.checks = … }`.")
        comment.write(to: &self)
        block("nonisolated public protocol \(api.replyChecks): Sendable") { writer in
            var isFirst = true
            for method in api.checkedMethods {
                writer.check(
                    "Returns the violations in \(method.replyDescription). One of severity "
                        + "`warning` is reported, any other fails the call.",
                    function: "\(method.caseName)", value: method.output.swift,
                    result: "[TelexJSON.Violation]", isFirst: &isFirst)
            }
            for rule in api.ownRules {
                writer.check(
                    "Whether a value obeys the rule \(Markup.code(rule.id)).",
                    function: rule.function,
                    value: rule.type.swift, result: "Bool", isFirst: &isFirst)
            }
        }
    }

    private mutating func check(
        _ text: String, function: String, value: String, result: String,
        isFirst: inout Bool
    ) {
        if !isFirst { line() }
        isFirst = false
        var comment = DocComment()
        comment.paragraph(text)
        comment.write(to: &self)
        list(
            "func \(SwiftLiteral.identifier(function))", ["_ value: \(value)"],
            tail: " -> \(result)")
    }
}

extension Method {
    fileprivate var replyDescription: String {
        mappedDescription(SwiftLiteral.commentLines(apiName)[0])
    }
}

extension API {
    /// The methods whose values the app checks itself.
    var checkedMethods: [Method] { groups.flatMap(\.methods).filter(\.isCheckedByApp) }

    /// The rules that the app checks, by function.
    var ownRules: [(id: String, function: String, type: ValueType)] {
        let outputs = groups.flatMap(\.methods).flatMap(\.output.values)
        let models = groups.flatMap(\.models).withNested.filter(\.isRead)
        var rules: [String: (id: String, function: String, type: ValueType)] = [:]
        for (rule, type) in (outputs + models.flatMap(\.values)).flatMap(\.ownRules) {
            guard case .check(let id, let function) = rule.argument else { continue }
            rules[function] = (id, function, type)
        }
        return rules.values.sorted { $0.function < $1.function }
    }

    /// Whether the app makes checks of its own.
    var hasReplyChecks: Bool { !checkedMethods.isEmpty || !ownRules.isEmpty }

    /// The protocol of the app's own checks.
    var replyChecks: String { name + "ReplyChecks" }
}
