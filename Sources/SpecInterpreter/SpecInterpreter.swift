import SpecIR
import TelexJSON
import TelexRequests

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
