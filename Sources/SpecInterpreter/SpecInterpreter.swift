import HTTPTypes
import SpecIR
import TelexJSON
import TelexRequests
import TelexTemplates

/// Checks replies and requests by a spec at run time, without generated code.
///
/// The checks are those of the runtime, called as generated code calls them, so the violations of a
/// reply are the same: their paths, their words and their order. Three things differ: rules that the
/// app checks (`rule`, `validate: custom`) hold, files have no size and no type, and two equal
/// objects of a list (`unique`) are called "an object".
///
/// All checks are made ready once. Create one interpreter for a spec, and ask it for many replies.
public struct SpecInterpreter: Sendable {
    let api: API
    let received: [ModelCheck]
    let table: ModelTable
    private let methods: [String: MethodCheck]
    let limits: JSONLimits

    /// Makes the checks of all methods ready.
    public init(_ api: API) {
        self.api = api
        let models = api.groups.flatMap(\.models).byName
        table = ModelTable(models, isSent: false)
        let sentTable = ModelTable(models, isSent: true)
        received = table.checks()
        let sent = sentTable.checks()
        limits = ReplyLimits(bytes: api.limits.bytes, depth: api.limits.depth).json
        methods = Dictionary(
            api.groups.flatMap(\.methods).map { [table] method in
                (method.apiName, MethodCheck(method, of: api, table, sentTable, sent))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// What a reply says against the spec.
    public struct ReplyReport: Sendable {
        /// The violations, as a call would report them.
        public var validation: ValidationReport
        /// What the spec allows and does not know: undeclared keys, values and alternatives. Empty
        /// unless it was asked for.
        public var notes: [SpecNote] = []
    }

    /// Checks the body of a successful reply as a call would.
    ///
    /// - Parameters:
    ///   - reply: The body; of a stream, one element.
    ///   - method: A method of the spec, which ``API`` has.
    ///   - status: The status, which decides the content where `returns` has several; nil if it is
    ///     not known: then one of them suffices.
    ///   - notes: Whether undeclared keys and unknown values are noted.
    ///   - checks: The checks to make, whatever `validate` of the spec says.
    /// - Returns: Every violation. A method whose reply is no JSON, or that the spec does not have,
    ///   has none.
    public func check(
        _ reply: [UInt8], of method: String, status: Int? = nil, notes: Bool = false,
        checks: JSONChecks = .all
    ) -> ReplyReport {
        guard let method = methods[method] else {
            return ReplyReport(validation: ValidationReport())
        }
        let run = CheckRun(received, notes: notes)
        if reply.isEmpty, let status, method.accepts(nothing: status, limits, run) {
            return ReplyReport(validation: ValidationReport())
        }
        let report = method.output.report(
            on: reply, status: status, method.context(limits, checks), run)
        return ReplyReport(validation: report, notes: run.notes ?? [])
    }

    /// Whether a status counts as a success of a method, so that ``check(_:of:status:notes:checks:)``
    /// applies to the body.
    public func isSuccess(_ status: Int, of method: String) -> Bool {
        methods[method]?.rules.allows(status: status) ?? false
    }

    /// Checks the values of a request; see ``RequestValues``.
    ///
    /// - Returns: Every violation, with the parameter that it is about.
    public func check(_ request: RequestValues, of method: String) -> [RequestViolation] {
        guard let method = methods[method] else { return [] }
        return method.request.violations(in: request, limits)
    }
}

/// Something that a spec allows, but does not know.
public struct SpecNote: Sendable, Hashable {
    /// The kind of a note.
    public enum Kind: String, Sendable, Hashable {
        /// A key that the model does not declare.
        case undeclaredKey = "undeclared"
        /// A value that the enumeration does not have.
        case unknownCase = "enum"
        /// An alternative that the union does not have.
        case unknownAlternative = "one-of"
    }

    /// What is not known.
    public var kind: Kind
    /// The path, as in a ``Violation``.
    public var path: String
    /// The value; `‹redacted›` for a sensitive one.
    public var found: JSONValue

    /// Creates a note.
    init(_ kind: Kind, at path: String, found: JSONValue) {
        self.kind = kind
        self.path = path
        self.found = found
    }
}

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

/// The content of replies.
indirect enum OutputCheck: Sendable {
    case unread
    case other
    case text
    case value(ValueCheck)
    case statuses([(status: Int, output: OutputCheck)])

    /// What all replies of a method share.
    struct Context {
        var rules: ReplyRules
        var template: Template?
        let limits: JSONLimits
        let checks: JSONChecks
    }

    init(_ output: Output, _ table: ModelTable, isOneOfSeveral: Bool = false) {
        switch output {
        case .nothing: self = .unread
        case .bytes, .file: self = .other
        case .text: self = isOneOfSeveral ? .text : .other
        case .value(let value): self = .value(ValueCheck(value, table))
        case .statuses(let replies):
            self = .statuses(
                replies.cases.map {
                    ($0.status, OutputCheck($0.output, table, isOneOfSeveral: true))
                })
        }
    }

    private var isUnread: Bool { if case .unread = self { true } else { false } }

    func report(
        on reply: [UInt8], status: Int?, _ context: Context, _ run: CheckRun
    ) -> ValidationReport {
        switch self {
        case .unread: return context.rules.report(onUnread: reply, limits: context.limits)
        case .other: return ValidationReport()
        case .value(let value):
            return context.rules.report(
                on: reply, limits: context.limits, checks: context.checks,
                template: context.template
            ) { value.element(&$0, run) }
        case .text: return part(reply, context, run)
        case .statuses(let replies):
            if let violation = context.rules.violation(in: reply, limits: context.limits) {
                return ValidationReport(violations: [violation])
            }
            let fitting = replies.filter { item in
                status.map { $0 == item.status } ?? (item.output.isUnread == reply.isEmpty)
            }
            var first: (report: ValidationReport, notes: [SpecNote]?)?
            for item in fitting {
                run.notes = run.notes.map { _ in [] }
                let report = item.output.part(reply, context, run)
                if report.isValid { return report }
                first = first ?? (report, run.notes)
            }
            run.notes = first?.notes
            return first?.report ?? ValidationReport()
        }
    }

    /// Checks the content of one status.
    private func part(_ reply: [UInt8], _ context: Context, _ run: CheckRun) -> ValidationReport {
        switch self {
        case .unread, .other, .statuses: return ValidationReport()
        case .text:
            do throws(Violation) {
                _ = try Reply(head: HTTPResponse(status: .ok), body: reply).text()
                return ValidationReport()
            } catch {
                return ValidationReport(violations: [error])
            }
        case .value(let value):
            let reading = ReplyReading(
                path: context.rules.unwrap, limits: context.limits, checks: context.checks)
            return reading.read(reply) { value.element(&$0, run) }.report
        }
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
