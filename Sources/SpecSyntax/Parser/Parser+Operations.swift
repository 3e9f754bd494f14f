import SpecDiagnostics
import SpecIR

/// Parses the scheduling settings of an API, a group and a method.
extension Parser {
    /// Reads one inherited scheduling setting. Returns whether the key is one.
    mutating func operation(
        _ key: String, at node: YAMLNode, into operation: inout OperationSyntax
    ) -> Bool {
        switch key {
        case "timeout": operation.timeout = timeout(node)
        case "retry": operation.retry = retry(node)
        case "session": operation.session = session(node)
        case "queue": operation.queue = queueName(node)
        case "priority": operation.priority = word(node, expecting: "a priority")
        case "on-constrained": operation.onConstrained = networkPolicy(node)
        case "on-expensive": operation.onExpensive = networkPolicy(node)
        case "cache": operation.cache = cache(node)
        case "idempotency-key": operation.idempotencyKey = idempotencyKey(node)
        default: return false
        }
        return true
    }

    /// Reads one scheduling setting of a method alone. Returns whether the key is one.
    mutating func call(_ key: String, at node: YAMLNode, into call: inout CallSyntax) -> Bool {
        switch key {
        case "kind":
            call.kind = word(node, expecting: "a kind of operation")
        case "stream":
            call.stream = stream(node)
        case "throttle": call.throttle = throttle(node)
        case "coalesce": call.coalesce = flag(node, for: "`coalesce`") == true ? node.span : nil
        case "safe": call.safe = flag(node, for: "`safe`") == true ? node.span : nil
        case "limits": methodLimits(node, into: &call)
        case "until": call.until = polling(node)
        default: return false
        }
        return true
    }

    /// `default`, `ephemeral`, or a name.
    private mutating func session(_ node: YAMLNode) -> Located<Session>? {
        trace?.add(["default", "ephemeral"], at: node.span)
        return text(node, expecting: "a session's name").map {
            Located(Session(word: $0.value), at: $0.span)
        }
    }

    /// A name, or `none`.
    private mutating func queueName(_ node: YAMLNode) -> Located<String?>? {
        trace?.add(["none"], at: node.span)
        return text(node, expecting: "a queue's name").map {
            Located($0.value == "none" ? nil : $0.value, at: $0.span)
        }
    }

    private mutating func networkPolicy(_ node: YAMLNode) -> Located<NetworkPolicy>? {
        word(node, expecting: "what calls do on such a network")
    }

    // MARK: Times

    /// `timeout: 15s`, or `{ silence, attempt, total, pause }`
    private mutating func timeout(_ node: YAMLNode) -> TimeoutSyntax {
        var timeout = TimeoutSyntax()
        if node.kind == .scalar {
            timeout.silence = silence(node, for: "`timeout`")
            return timeout
        }
        visit(node, as: .timeout) { parser, key, entry in
            switch key {
            case "silence": timeout.silence = parser.silence(entry.value, for: "`silence`")
            case "attempt": timeout.attempt = parser.limit(entry.value, for: "`attempt`")
            case "pause": timeout.pause = parser.duration(entry.value, for: "`pause`")
            case "total": timeout.total = parser.limit(entry.value, for: "`total`")
            default: return false
            }
            return true
        }
        return timeout
    }

    /// A duration. `none` is an error, because a lost connection would never time out.
    private mutating func silence(_ node: YAMLNode, for what: String) -> Located<Int>? {
        guard node.isPlain, node.text == "none" else { return duration(node, for: what) }
        bag.report(
            .badDuration, "a silence must have a limit", at: node.span,
            help: "write a longer one, such as `10m`; to reset other limits, write "
                + "`timeout: { attempt: none, total: none }`")
        return nil
    }

    /// A duration, or `none`.
    private mutating func limit(_ node: YAMLNode, for what: String) -> Located<Int?>? {
        if node.isPlain, node.text == "none" { return Located(nil, at: node.span) }
        return duration(node, for: what, none: "write `none` for no limit").map {
            Located($0.value, at: $0.span)
        }
    }

    private static let noThrottle = "leave `throttle` out for none"

    /// `throttle: 1.5s`, or `{ interval, by, policy }`
    private mutating func throttle(_ node: YAMLNode) -> ThrottleSyntax {
        var throttle = ThrottleSyntax()
        if node.kind == .scalar {
            throttle.interval = duration(node, for: "`throttle`", none: Self.noThrottle)
            return throttle
        }
        visit(node, as: .throttle) { parser, key, entry in
            switch key {
            case "interval":
                throttle.interval = parser.duration(
                    entry.value, for: "`interval`", none: Self.noThrottle)
            case "by":
                throttle.keys = parser.texts(entry.value, expecting: "a parameter's name")
            case "policy":
                throttle.policy = parser.word(
                    entry.value, expecting: "a policy for starts that come too soon")
            case "from":
                throttle.from = parser.word(
                    entry.value, expecting: "what the interval is measured from")
            default: return false
            }
            return true
        }
        if node.kind == .mapping, node.value(of: "interval") == nil {
            bag.report(
                .missingKey, "`throttle` has no `interval`", at: node.span,
                help: "add the least time between two starts: `interval: 1.5s`")
        }
        return throttle
    }

    /// `cache: http`, `cache: none`, or `{ fresh, stale-if-error, store }`
    private mutating func cache(_ node: YAMLNode) -> CacheSyntax? {
        var cache = CacheSyntax(span: node.span)
        guard node.kind == .mapping else {
            let word: Located<CacheSyntax.Word>? = word(
                node, expecting: "a use of the cache", or: "{ fresh: …, stale-if-error: … }")
            cache.word = word?.value
            return word == nil ? nil : cache
        }
        visit(node, as: .cache) { parser, key, entry in
            switch key {
            case "fresh":
                cache.fresh = parser.duration(
                    entry.value, for: "`fresh`", none: "leave `fresh` out for none")
            case "stale-if-error":
                cache.staleIfError = parser.duration(
                    entry.value, for: "`stale-if-error`",
                    none: "leave `stale-if-error` out for none")
            case "store": cache.store = parser.word(entry.value, expecting: "a place for replies")
            default: return false
            }
            return true
        }
        return cache
    }

    /// `until: { where, fails, interval }`
    private mutating func polling(_ node: YAMLNode) -> PollingSyntax {
        var polling = PollingSyntax(span: node.span)
        let help = "write `until: { where: { status: done } }`"
        visit(node, as: .until, help: help) { parser, key, entry in
            switch key {
            case "where": polling.conditions = parser.conditions(entry.value)
            case "fails": polling.failures = parser.conditions(entry.value)
            case "interval": polling.interval = parser.backoff(entry.value)
            default: return false
            }
            return true
        }
        let place = node.value(of: "where")
        if node.kind == .mapping || node.isNull,
            place == nil || polling.conditions?.value.isEmpty == true,
            place?.kind != .mapping
        {
            bag.report(
                .missingKey, "`until` has no state to wait for", at: place?.span ?? node.span,
                help: "add the value of the final reply: `where: { status: done }`")
        }
        return polling
    }

    /// `stream: sse`, or `{ form, events, end }`
    private mutating func stream(_ node: YAMLNode) -> StreamSyntax {
        var stream = StreamSyntax(span: node.span)
        guard node.kind == .mapping else {
            stream.form = streamForm(node, or: "{ form: …, events: …, end: … }")
            return stream
        }
        visit(node, as: .stream) { parser, key, entry in
            switch key {
            case "form": stream.form = parser.streamForm(entry.value)
            case "events":
                stream.events = parser.texts(entry.value, expecting: "the name of a kind of event")
            case "end":
                stream.end = parser.text(entry.value, expecting: "the text behind the last element")
            default: return false
            }
            return true
        }
        if node.value(of: "form") == nil {
            bag.report(
                .missingKey, "`stream` has no `form`", at: node.span,
                help: "add how its elements follow one another: `form: sse` or `form: json-lines`")
        }
        return stream
    }

    private mutating func streamForm(
        _ node: YAMLNode, or form: String? = nil
    ) -> Located<StreamFormat.Framing>? {
        word(node, expecting: "a form of streams", or: form)
    }

    // MARK: Keys of calls

    /// `true` is the usual header; `false` and `none` reset an inherited setting.
    private mutating func idempotencyKey(_ node: YAMLNode) -> IdempotencyKeySyntax? {
        switch node.isPlain && node.text == "none" ? false : node.boolean {
        case true?:
            return IdempotencyKeySyntax(
                header: Located("Idempotency-Key", at: node.span), span: node.span)
        case false?: return IdempotencyKeySyntax(header: nil, span: node.span)
        case nil:
            return headerName(node).map { IdempotencyKeySyntax(header: $0, span: node.span) }
        }
    }

    /// A header's name; a misspelt Boolean is reported.
    private mutating func headerName(_ node: YAMLNode) -> Located<String>? {
        let expected = "`true`, `false` or a header's name"
        if node.isPlain, ["yes", "no", "on", "off"].contains(node.text.lowercased()) {
            reportKind(node, expected: expected, help: "write `true` or `false`")
            return nil
        }
        return text(node, expecting: expected)
    }

    // MARK: Limits

    mutating func limits(_ node: YAMLNode) -> LimitsSyntax {
        var limits = LimitsSyntax()
        visit(node, as: .limits) { parser, key, entry in
            let value = entry.value
            switch key {
            case "requests": limits.rate = parser.rate(value)
            case "concurrent": limits.concurrent = parser.count(value, of: "calls at a time")
            case "per-host": limits.perHost = parser.count(value, of: "calls at a time")
            case "response": limits.bytes = parser.size(value, for: "`response`")
            case "depth": limits.depth = parser.depth(value)
            default: return false
            }
            return true
        }
        return limits
    }

    /// A nesting depth that the JSON reader supports.
    private mutating func depth(_ node: YAMLNode) -> Located<Int>? {
        guard let depth = node.integer, (1...512).contains(depth) else {
            reportKind(
                node, expected: "a depth, an integer from 1 to 512",
                help: "deeper replies are never read")
            return nil
        }
        return Located(depth, at: node.span)
    }

    private mutating func methodLimits(_ node: YAMLNode, into call: inout CallSyntax) {
        let help = "write `limits: { requests: 1/s, response: 5MB }`"
        visit(node, as: .methodLimits, help: help) { parser, key, entry in
            switch key {
            case "requests": call.rate = parser.rate(entry.value)
            case "response": call.bytes = parser.size(entry.value, for: "`response`")
            default: return false
            }
            return true
        }
    }

    /// A count of at least one.
    mutating func count(
        _ node: YAMLNode, of what: String, help: String = "leave the key out for no limit"
    ) -> Located<Int>? {
        integer(
            node, expecting: "a number of \(what)", atLeast: 1,
            help: "otherwise nothing would ever be sent; \(help)")
    }

    // MARK: Queues and sessions

    /// `queues: { images: { concurrent: 2 }, writes: serial }`
    mutating func queues(_ node: YAMLNode) -> [QueueSyntax] {
        entries(node, of: "`queues`").compactMap { entry in
            guard text(entry.key, expecting: "a queue's name") != nil,
                isUnreserved(entry.key, reserved: ["none"], meaning: "means no queue of its own")
            else { return nil }
            return queue(entry)
        }
    }

    /// A queue. One with an error still declares its name.
    private mutating func queue(_ entry: YAMLEntry) -> QueueSyntax {
        if entry.value.kind == .scalar {
            _ = word(
                entry.value, expecting: "a kind of queue", among: ["serial"],
                or: "{ concurrent: 2 }")
            return QueueSyntax(
                name: entry.key.located, concurrent: Located(1, at: entry.value.span))
        }
        var concurrent: Located<Int>?
        visit(entry.value, as: .queue) { parser, key, entry in
            guard key == "concurrent" else { return false }
            concurrent = parser.count(
                entry.value, of: "calls at a time",
                help: "calls without a queue wait for limits only")
            return true
        }
        if entry.value.kind == .mapping, entry.value.value(of: "concurrent") == nil {
            bag.report(
                .missingKey, "queue `\(entry.key.text)` has no `concurrent`",
                at: entry.key.span, help: "add `concurrent: 2`, or write `serial`")
        }
        return QueueSyntax(
            name: entry.key.located,
            concurrent: concurrent ?? Located(1, at: entry.value.span))
    }

    /// Whether a name may be declared; a reserved one is reported.
    mutating func isUnreserved(_ key: YAMLNode, reserved taken: [String], meaning: String) -> Bool {
        guard taken.contains(key.text) else { return true }
        bag.report(
            .notAllowed, "`\(key.text)` \(meaning)", at: key.span,
            help: "choose another name for this one")
        return false
    }
}
