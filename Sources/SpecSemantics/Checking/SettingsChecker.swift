import SpecDiagnostics
import SpecSyntax

/// Checks the settings that groups and methods inherit: what they mention, and their times.
struct SettingsChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = SettingsChecker(spec: spec)
        for cascade in spec.cascades { checker.checkReferences(cascade) }
        for method in spec.methods { checker.check(method.cascade) }
        bag.report(contentsOf: checker.bag)
    }

    private mutating func check(_ cascade: SettingsCascade) {
        if let server = cascade.server, spec.symbols.servers[server.value] == nil {
            bag.report(
                .unknownServer, "unknown server `\(server.value)`", at: server.span,
                help: didYouMean(server.value, among: spec.symbols.servers.keys)
                    ?? "declare it under `servers` in `api.yaml`")
        }
        if let wanted = cascade.authentication { check(wanted) }
    }

    private mutating func check(_ wanted: SettingsCascade.Setting<AuthUseSyntax>) {
        if case AuthUseSyntax.none = wanted.value { return }
        guard spec.api.auth != nil else {
            bag.report(
                .authWithoutScheme, "`auth: \(wanted.value.shown)`, but the API has no `auth`",
                at: wanted.span, help: "declare `auth` in `api.yaml`")
            return
        }
        let declared = spec.api.schemes.map(\.scheme.value)
        for name in wanted.value.names where !declared.contains(name.value) {
            bag.report(
                .authWithoutScheme, "`auth` in `api.yaml` has no scheme `\(name.value)`",
                at: name.span,
                help: didYouMean(name.value, among: declared + ["none", "required", "optional"])
                    ?? "declared: \(declared.map { "`\($0)`" }.joined(separator: ", "))")
        }
    }

    /// Checks the settings of an API, a group or a method without inherited ones, so that each
    /// error is reported once. Only times are compared with inherited ones.
    private mutating func checkReferences(_ cascade: SettingsCascade) {
        let settings = cascade.own.operation
        if let queue = settings.queue, let name = queue.value {
            checkDeclared(
                Located(name, at: queue.span), kind: "queue",
                declared: spec.api.queues.map(\.name.value),
                words: ["none"])
        }
        if let session = settings.session, case .named(let name) = session.value {
            checkDeclared(
                Located(name, at: session.span), kind: "session",
                declared: spec.api.sessions.map(\.name.value),
                words: ["default", "ephemeral"])
        }
        if let header = settings.idempotencyKey?.header {
            HeaderChecker.checkName(header, into: &bag)
        }
        checkConditions(settings.retry?.conditions?.value ?? [], cascade)
        checkTimeouts(cascade)
        checkBackoff(cascade)
    }

    private mutating func checkConditions(
        _ conditions: [Located<RetrySyntax.Condition>], _ cascade: SettingsCascade
    ) {
        let wanted = conditions.compactMap { condition in
            if case .errorCase(let name) = condition.value { (name, condition.span) } else { nil }
        }
        // Most declarations name none, and an API may have hundreds of cases.
        if wanted.isEmpty { return }
        let names = cascade.errorCases.map(\.name.value)
        for (name, span) in wanted where !names.contains(name) {
            bag.report(
                .unknownErrorCase, "no error case is called `\(name)`", at: span,
                help: didYouMean(name, among: names + ["transport"])
                    ?? "write `transport`, a status, or a name of `errors.cases`")
        }
    }

    private mutating func checkDeclared(
        _ name: Located<String>, kind what: String, declared: [String], words: [String]
    ) {
        guard !declared.contains(name.value) else { return }
        bag.report(
            .unknownQueue, "unknown \(what) `\(name.value)`", at: name.span,
            help: (name.value == "none"
                ? "default" : nearest(to: name.value, among: declared + words))
                .map { "did you mean `\($0)`?" } ?? Self.help(unknown: what, name.value))
    }

    private static func help(unknown what: String, _ name: String) -> String {
        what == "session" && name == "background"
            ? "declare a background session in `api.yaml`, `sessions: { transfers: background }`, and name it"
            : "declare it under `\(what)s` in `api.yaml`"
    }

    /// Reports times that are longer than their bound. Each time bounds those before it.
    /// An inherited time is not reported, because it also applies to other methods. Each time is
    /// reported once.
    private mutating func checkTimeouts(_ cascade: SettingsCascade) {
        let bounds = cascade.timeBounds
        for (index, (name, time)) in bounds.enumerated() {
            guard let time, cascade.isOwn(time) else { continue }
            let broken = bounds[(index + 1)...].first {
                $0.time.map { $0.value < time.value } == true
            }
            guard let broken, let limit = broken.time else { continue }
            reportTimes(
                time,
                message: "`\(name)` is longer than `\(broken.name)`, and would never be reached",
                other: limit, name: "`\(broken.name)`")
        }
    }

    /// Checks the waits of a back-off, and reports them at the part that is not inherited.
    private mutating func checkBackoff(_ cascade: SettingsCascade) {
        guard let first = cascade.firstWait, let last = cascade.longestWait,
            first.value > last.value
        else { return }
        if cascade.isOwn(last) {
            reportTimes(
                last, message: "the longest wait is shorter than the first", other: first,
                name: "the first")
        } else if cascade.isOwn(first) {
            reportTimes(
                first, message: "the first wait is longer than the longest", other: last,
                name: "the longest")
        }
    }

    private mutating func reportTimes(
        _ time: SettingsCascade.Setting<Int>, message: String,
        other: SettingsCascade.Setting<Int>, name: String
    ) {
        let notes =
            time.span == other.span ? [] : [Diagnostic.Note("\(name) is here", at: other.span)]
        bag.report(
            .impossibleTimes, message, at: time.span, notes: notes,
            help: time.span.file == other.span.file
                ? "swap the two, or remove one"
                : "write a shorter time, or set \(name) here, too")
    }
}

extension SettingsCascade {
    /// The times, each of which bounds those before it.
    fileprivate var timeBounds: [(name: String, time: Setting<Int>?)] {
        [("silence", silence), ("attempt", attempt?.unwrapped), ("total", total?.unwrapped)]
    }
}

extension SettingsCascade.Setting<Int?> {
    /// The duration; nil for `none`.
    var unwrapped: SettingsCascade.Setting<Int>? {
        value.map { SettingsCascade.Setting(value: $0, span: span, origin: origin) }
    }
}
