import HTTPTypes
import SpecIR
import TelexJSON
import TelexRequests
import TelexTemplates

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
