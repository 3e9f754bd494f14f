import SpecIR
import TelexJSON
import TelexRequests
import TelexTemplates

/// The checks of one method.
struct MethodCheck: Sendable {
    let rules: ReplyRules
    let output: OutputCheck
    let request: RequestCheck
    private let template: Template?

    init(
        _ method: Method, of api: API, _ table: ModelTable, _ sentTable: ModelTable,
        _ sent: [ModelCheck]
    ) {
        rules = ReplyRules(method.reply ?? api.reply)
        output = OutputCheck(method.output, table)
        request = RequestCheck(method, of: api, sentTable, sent)
        template = method.template.flatMap { template in
            guard template.asksForMore else { return nil }
            return try? Template(
                parsing: Array(template.reply.json.utf8),
                compatibility: api.templates == .original ? .original : .documented)
        }
    }

    /// Whether a reply of this status may have no body: its value may be null, and no rule requires a
    /// key.
    func accepts(nothing status: Int, _ limits: JSONLimits, _ run: CheckRun) -> Bool {
        let isWhole =
            !rules.requiresKeys || ReplyRules.statusesWithoutBody.contains(status)
        guard isWhole else { return false }
        var context = context(limits, .all)
        context.rules = ReplyRules()
        context.template = nil
        return output.report(on: Array("null".utf8), status: status, context, run).isValid
    }

    func context(_ limits: JSONLimits, _ checks: JSONChecks) -> OutputCheck.Context {
        OutputCheck.Context(rules: rules, template: template, limits: limits, checks: checks)
    }
}

extension ReplyRules {
    /// The success rules of a spec.
    init(_ rules: SuccessRules) {
        self.init(
            status: rules.statuses, absent: rules.absent, present: rules.present,
            conditions: rules.conditions.map { condition in
                .value(
                    at: condition.path,
                    in: condition.values.map { value in
                        switch value {
                        case .flag(let flag): .flag(flag)
                        case .integer(let number): .code(String(number))
                        case .text(let text): .code(text)
                        case .callID: .callID
                        }
                    })
            }, unwrap: rules.unwrap.map(JSONStep.init), accepts: rules.accepts)
    }
}

extension JSONStep {
    /// The step of a path in a spec.
    package init(_ step: PathStep) {
        switch step {
        case .key(let key): self = .key(key)
        case .index(let index): self = .index(index)
        case .each: self = .each
        case .first: self = .first
        }
    }
}
