import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers scheduling settings.
extension Analyzer {
    /// Checks and lowers the scheduling settings of a method.
    mutating func operation(
        _ syntax: MethodSyntax, in scope: MethodScope, output: Output,
        parameters: [Parameter]
    ) -> OperationPolicy {
        let own = syntax.settings.operation
        let outer = own.inheriting(from: scope.group.settings.operation)
        checkReferences(
            own, in: scope.group.settings.operation.inheriting(from: scope.api.settings.operation))
        var rules = OperationPolicy()
        rules.kind = kind(syntax, output)
        rules.queue = outer.queue?.value
        rules.priority = outer.priority?.value ?? .normal
        rules.throttle = throttle(syntax, in: scope, parameters: parameters)
        rules.isCoalesced = isCoalesced(syntax, rules.kind)
        if let retry = outer.retry {
            rules.retry = policy(retry.inheriting(from: scope.api.settings.operation.retry))
        }
        rules.idempotencyKey = idempotencyKey(syntax, scope)
        checkStatuses(of: syntax, rules)
        rules.rate = syntax.call.rate.map(Self.rate)
        return rules
    }

    /// The time-outs of a method; `nil` if they are the API's.
    static func timeouts(_ syntax: MethodSyntax, _ scope: MethodScope) -> Timeouts? {
        let own = syntax.settings.operation.inheriting(from: scope.group.settings.operation)
        return own.timeout.map {
            timeouts($0.inheriting(from: scope.api.settings.operation.timeout))
        }
    }

    static func timeouts(_ syntax: TimeoutSyntax?) -> Timeouts {
        Timeouts(
            silence: syntax?.silence?.value, attempt: syntax?.attempt?.value,
            total: syntax?.total?.value, pause: syntax?.pause?.value)
    }

    // MARK: What settings mention

    /// Checks the settings of an API, a group or a method without inherited ones, so that each
    /// error is reported once. Only times are compared with those of `outer`.
    mutating func checkReferences(
        _ settings: OperationSyntax, in outer: OperationSyntax = OperationSyntax()
    ) {
        if let queue = settings.queue, let name = queue.value {
            checkDeclared(
                Located(name, at: queue.span), kind: "queue",
                declared: spec.api?.queues.map(\.name.value) ?? [],
                words: ["none"])
        }
        if let session = settings.session, case .named(let name) = session.value {
            checkDeclared(
                Located(name, at: session.span), kind: "session",
                declared: spec.api?.sessions.map(\.name.value) ?? [],
                words: ["default", "ephemeral"])
        }
        if let header = settings.idempotencyKey?.header { checkHeader(header) }
        if let timeout = settings.timeout {
            checkOrder(of: timeout, timeout.inheriting(from: outer.timeout))
        }
        if let retry = settings.retry { checkConditions(of: retry, in: outer.retry) }
        if let backoff = settings.retry?.backoff {
            checkOrder(
                of: backoff, settings.retry?.inheriting(from: outer.retry).backoff ?? backoff)
        }
    }

    private mutating func checkDeclared(
        _ name: Located<String>, kind what: String, declared: [String], words: [String]
    ) {
        guard !declared.contains(name.value) else { return }
        bag.report(
            .unknownQueue, "unknown \(what) `\(name.value)`", at: name.span,
            help: (name.value == "none"
                ? "default" : didYouMean(name.value, among: declared + words))
                .map { "did you mean `\($0)`?" } ?? Self.help(unknown: what, name.value))
    }

    private static func help(unknown what: String, _ name: String) -> String {
        what == "session" && name == "background"
            ? "declare a background session in `api.yaml`, `sessions: { transfers: background }`, and name it"
            : "declare it under `\(what)s` in `api.yaml`"
    }

    /// Reports times of `own` that are longer than their bound. Each time bounds those before it.
    /// An inherited time is not reported, because it also applies to other methods. Each time is
    /// reported once.
    private mutating func checkOrder(of own: TimeoutSyntax, _ whole: TimeoutSyntax) {
        for (index, (name, time)) in own.bounds.enumerated() {
            guard let time else { continue }
            let broken = whole.bounds[(index + 1)...].first {
                $0.time.map { $0.value < time.value } == true
            }
            guard let broken, let limit = broken.time else { continue }
            reportTimes(
                time,
                message: "`\(name)` is longer than `\(broken.name)`, and would never be reached",
                other: limit, name: "`\(broken.name)`")
        }
        if let pause = own.pause, let total = whole.total?.unwrapped, pause.value > total.value {
            reportNoEffect(
                "`pause` is longer than `total`, and would never be reached", at: pause.span,
                because: "`total`", at: total.span)
        }
    }

    /// Checks the waits of a back-off, and reports them at the part that `own` sets.
    private mutating func checkOrder(of own: BackoffSyntax, _ whole: BackoffSyntax) {
        guard let first = whole.initial, let last = whole.maximum, first.value > last.value else {
            return
        }
        if own.maximum != nil {
            reportTimes(
                last, message: "the longest wait is shorter than the first", other: first,
                name: "the first")
        } else if own.initial != nil {
            reportTimes(
                first, message: "the first wait is longer than the longest", other: last,
                name: "the longest")
        }
    }

    private mutating func reportTimes(
        _ time: Located<Int>, message: String, other: Located<Int>, name: String
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

extension Located<Int?> {
    /// The duration; nil for `none`.
    var unwrapped: Located<Int>? {
        guard let time = value else { return nil }
        return Located<Int>(time, at: span)
    }
}

extension Located<Int> {
    /// The same value as an optional duration.
    var optional: Located<Int?> {
        let time: Int? = value
        return Located<Int?>(time, at: span)
    }
}

extension OperationSyntax {
    /// Returns these settings, with unset ones taken from `other`.
    func inheriting(from other: OperationSyntax) -> OperationSyntax {
        var result = self
        result.timeout = timeout?.inheriting(from: other.timeout) ?? other.timeout
        result.retry = retry?.inheriting(from: other.retry) ?? other.retry
        result.session = session ?? other.session
        result.queue = queue ?? other.queue
        result.priority = priority ?? other.priority
        result.idempotencyKey = idempotencyKey ?? other.idempotencyKey
        return result
    }
}

extension TimeoutSyntax {
    /// The times, each of which bounds those before it.
    fileprivate var bounds: [(name: String, time: Located<Int>?)] {
        [("silence", silence), ("attempt", attempt?.unwrapped), ("total", total?.unwrapped)]
    }

    /// Returns these times, with unset ones taken from `other`.
    func inheriting(from other: TimeoutSyntax?) -> TimeoutSyntax {
        var result = self
        result.silence = silence ?? other?.silence
        result.attempt = attempt ?? other?.attempt
        result.total = total ?? other?.total
        result.pause = pause ?? other?.pause
        return result
    }
}
