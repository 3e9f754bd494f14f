import SpecIR

/// Documents the scheduling settings of a method.
extension Method {
    /// Returns one sentence per setting that differs from the default.
    ///
    /// - Parameter cases: The named error codes of the API.
    func policyText(_ cases: [ErrorCase]) -> [String] {
        var sentences: [String] = []
        if let sentence = operation.kind.policyText { sentences.append(sentence) }
        if login != nil { sentences.append("A success logs in with the token of the reply.") }
        if let queue = operation.queue {
            sentences.append("Waits in the queue \(Markup.code(queue)).")
        }
        if let sentence = operation.priority.policyText { sentences.append(sentence) }
        if let throttle = operation.throttle { sentences.append(throttle.policyText) }
        if operation.isCoalesced {
            sentences.append(
                "Equal calls in flight share one request.")
        }
        if operation.isSafe { sentences.append("Only reads, so that it can be repeated.") }
        if let sentence = retryText(cases) { sentences.append(sentence) }
        if let header = operation.idempotencyKey {
            sentences.append("Each call sends an idempotency key in `\(header)`.")
        }
        if let rate = operation.rate { sentences.append(rate.policyText) }
        if let cache = operation.cache { sentences.append(cache.policyText) }
        sentences += operation.networkText
        if let until = operation.until { sentences.append(until.policyText) }
        sentences += timeouts?.policyText ?? []
        if let sentence = session.policyText { sentences.append(sentence) }
        sentences += validation?.policyText ?? []
        if isCheckedByApp { sentences.append("The app checks the replies, too.") }
        return sentences
    }

    /// The sentence about retries; nil if there is no policy.
    private func retryText(_ cases: [ErrorCase]) -> String? {
        guard let retry = operation.retry else { return nil }
        if retry.attempts == 1 {
            return isAuthenticated ? "Sent once, and retried only with a new token." : "Sent once."
        }
        if retry.attempts == nil, retry.conditions == nil { return nil }
        let times = retry.attempts.map { $0 == 2 ? "once more" : "again up to \($0 - 1) times" }
        let limit = isRepeatable ? "" : ", unless it might take effect twice"
        return "Sent \(times ?? "again") after \(retry.failures(cases))\(limit)."
    }

    /// Whether a call may be repeated after any failure (RFC 9110 §9.2.2).
    private var isRepeatable: Bool {
        operation.idempotencyKey != nil || operation.isSafe || verb.isIdempotent
    }
}

extension CachePolicy {
    fileprivate var policyText: String {
        var texts = ["Replies are kept and used again as the server allows"]
        if let fresh { texts.append("for \(shown(fresh)) if it names no time") }
        if let staleIfError { texts.append("for \(shown(staleIfError)) more if it fails") }
        return texts.joined(separator: ", ") + "."
    }
}

extension OperationPolicy.Kind {
    fileprivate var policyText: String? {
        switch self {
        case .data, .upload: nil
        case .download: "The reply is written to a file, which exists once it is complete."
        case .stream(let format): format.policyText
        }
    }
}

extension StreamFormat {
    fileprivate var policyText: String {
        let names = events.map { ": " + $0.map(Markup.code).joined(separator: ", ") } ?? ""
        let end = end.map { ", up to \(Markup.code($0))" } ?? ""
        return switch framing {
        case .serverSentEvents: "Elements arrive as server-sent events\(names)\(end)."
        case .jsonLines: "Elements arrive as lines of JSON\(end)."
        }
    }
}

extension Polling {
    fileprivate var policyText: String {
        let paths = conditions.map { Markup.code($0.path.joined(separator: ".")) }
        let names = paths.joined(separator: " and ")
        return "Sent again and again until \(names) of the reply has its final value."
    }
}

extension OperationPolicy {
    fileprivate var networkText: [String] {
        let all = [("a constrained", onConstrained), ("an expensive", onExpensive)]
        return all.compactMap { network, policy in
            switch policy {
            case .use: nil
            case .wait: "Waits while the device is on \(network) network."
            case .fail: "Fails on \(network) network."
            }
        }
    }
}

extension Priority {
    fileprivate var policyText: String? {
        switch self {
        case .low: "Starts after all other waiting calls."
        case .normal: nil
        case .high: "Starts before other waiting calls."
        }
    }
}

extension Throttle {
    fileprivate var policyText: String {
        let names = key.map(Markup.code).joined(separator: ", ")
        let whose = key.isEmpty ? "" : " for the same \(names)"
        let rest =
            switch policy {
            case .refuse: ""
            case .delay: "; one that comes sooner waits"
            case .latest: "; of those that come sooner, the last one waits and the others fail"
            }
        let end = from == .end ? " after the end of the last call" : ""
        return "At most one start each \(shown(interval))\(end)\(whose)\(rest)."
    }
}

extension RequestRate {
    fileprivate var policyText: String {
        let count = requests == 1 ? "one request" : "\(requests) requests"
        let burst = burst.map { ", and up to \($0) at once after a rest" } ?? ""
        return "At most \(count) each \(shown(interval))\(burst)."
    }
}

extension RetryPolicy {
    /// The failures that are retried, including error cases with `retry: true`.
    fileprivate func failures(_ cases: [ErrorCase]) -> String {
        guard let conditions else { return "failures that may pass" }
        var names: [String] = []
        var codes: [String] = []
        for condition in conditions {
            switch condition {
            case .transport: names.append("a broken connection")
            case .statuses(let range) where range.count == 1:
                names.append("status \(range.lowerBound)")
            case .statuses(let range):
                names.append("a status from \(range.lowerBound) to \(range.upperBound)")
            case .code(let code): codes.append(code)
            }
        }
        codes += cases.filter { $0.isRetryable && !codes.contains($0.code) }.map(\.code)
        names += codes.map { code in
            "error `\(cases.first { $0.code == code }?.name ?? code)`"
        }
        guard let last = names.last else { return "errors that may pass" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or \(last)"
    }
}

extension Timeouts {
    fileprivate var policyText: [String] {
        var sentences: [String] = []
        if let silence { sentences.append("Fails after \(shown(silence)) without data.") }
        if let attempt { sentences.append("An attempt takes at most \(shown(attempt)).") }
        if let total {
            sentences.append("A call takes at most \(shown(total)), all attempts included.")
        }
        if let pause {
            sentences.append("Fails if the server asks for a longer pause than \(shown(pause)).")
        }
        return sentences
    }
}

extension Session {
    fileprivate var policyText: String? {
        switch self {
        case .shared: nil
        case .ephemeral: "Nothing of the exchange is kept."
        case .named(let name): "Uses the connections \(Markup.code(name))."
        }
    }
}

/// A duration in its largest usual unit: `1.5 s`, `10 min`.
private func shown(_ milliseconds: Int) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
    if let (size, name) = units.first(where: { milliseconds % $0.0 == 0 }) {
        return "\(milliseconds / size) \(name)"
    }
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    var digits = String(milliseconds % 1000 + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(milliseconds / 1000).\(digits) s"
}
