import TelexTransport

extension APIError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One sentence that states what failed, why, and what to do about it. The server's message is
    /// truncated and on one line.
    public var description: String {
        let name = api.isEmpty ? "`\(method)`" : "`\(method)` of \(api)"
        let facts = [
            serverWords, attemptWords, requestID.map { "request id \($0.excerpt())" },
            earlierWords, isPortalReply ? nil : diagnosis?.description,
        ].compactMap { $0 }
        let tail = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
        return "\(name) failed: \(explanation)\(tail)"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }

    private var attemptWords: String? { attempts > 1 ? "after \(attempts) attempts" : nil }

    private var earlierWords: String? {
        switch reason {
        case .timedOut, .attemptTimedOut:
            (cause as? APIError).map { "an earlier attempt failed: \($0.shortReason)" }
        default: nil
        }
    }

    private var serverWords: String? {
        let words = [
            status.map { "status \($0)" }, codeWords,
            (message ?? (isPortalReply ? nil : contents.replyStart))
                .map { "the server says: \($0.excerpt(500))" },
        ].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The code, unless the explanation contains it.
    private var codeWords: String? {
        if case .refreshFailed = reason { return nil }
        // Some APIs have a text as code and message, and a named status is a code, too.
        if code == message || code == status.map(String.init) { return nil }
        return code.map { "code \($0.excerpt())" }
    }

    /// Whether the reply came from a captive portal instead of the server.
    private var isPortalReply: Bool {
        guard diagnosis?.isCaptive == true else { return false }
        return switch reason {
        case .status, .malformedReply, .emptyReply, .unexpectedReply, .refused,
            .refusedRedirect, .tooManyRedirects:
            true
        default: false
        }
    }

    private var explanation: String {
        if isPortalReply {
            return "a network that asks its user to log in answers in place of the server; "
                + (isRetryable ? "log in there and try again" : "log in there")
        }
        return switch reason {
        case .invalidRequest: "the request was not sent, because \(problems)"
        case .noCredential:
            "it needs a token and none is stored; log in, and hand the credential to `logIn`"
        case .credentialExpired: "the stored credential has expired; log in again"
        case .credentialRefused:
            "the server no longer accepts the token; "
                + (contents.isRenewing
                    ? "a new one is being requested: make the call again" : "log in again")
        case .credentialStore(let error): error.description
        case .refreshFailed(let why): "there is no new token: \(why)\(refreshAdvice(why))"
        case .throttled:
            "it was started again too soon; wait \(retryAfter?.roundedDescription ?? "a moment")"
        case .notCached: "it may use stored replies only, and none is stored"
        case .replaced: "a later start replaced it before it was sent"
        case .hostPaused:
            "the server asked for a pause; call again in \(retryAfter?.roundedDescription ?? "a while")"
        case .network(let condition):
            "the network is \(condition.rawValue), and the call is not to use such a network"
        case .timedOut(let limit): "it took longer than \(limit.roundedDescription)\(waitedWords)"
        case .attemptTimedOut(let limit):
            "an attempt took longer than \(limit.roundedDescription)\(repeatAdvice)"
        case .intercepted(let why): "an interceptor refused it: \(why)"
        case .download(let error): error.description
        case .transport(let error): "\(error.message)\(advice(error))"
        case .tooManyRedirects(let limit): "the server redirected more than \(limit) times"
        case .refusedRedirect(let why): "a redirect was not followed: \(why)"
        case .status(206): "the server sent a part of what was asked for\(againWords)"
        case .status where contents.isTokenHeld:
            "the server asks for the token, which was held back because a redirect led elsewhere"
        case .status: "the server answered with a status that is not a success\(againWords)"
        case .refused: "the server refused it\(keyWords)\(againWords)"
        case .pending: "the reply is not final yet: \(problems)"
        case .failedState: "the state of the reply is a failure: \(problems)"
        case .emptyReply: "the reply has no body, but a value is promised\(repeatAdvice)"
        case .malformedReply where contents.mediaType != nil:
            "the reply is `\((contents.mediaType ?? "").excerpt(80))`, not JSON"
        case .malformedReply(let error): "the reply is \(error.description)\(repeatAdvice)"
        case .unexpectedReply: "the reply is not as described: \(problems)"
        }
    }

    /// The key of the reply that marks it as a refusal.
    private var keyWords: String {
        guard let key = violations.first else { return "" }
        return switch key.rule {
        case "absent": ": the reply has `\(key.path)`"
        case "present": ": the reply has no `\(key.path)`"
        case "where": ": `\(key.path)` is \(key.found) in the reply, not \(key.expected)"
        default: ""
        }
    }

    /// The wait that the server asked for; empty if it asked for none.
    private var waitWords: String {
        guard let retryAfter, retryAfter > .zero else { return "" }
        return "; it asks to wait \(retryAfter.roundedDescription)"
    }

    /// The wait that the server asked for, or else whether a retry may help.
    private var againWords: String { waitWords.isEmpty ? repeatAdvice : waitWords }

    /// What the call was waiting for when it timed out, and what to do about that.
    private var waitedWords: String {
        switch contents.wait {
        case nil: repeatAdvice
        case .turn: " while it waited in the queue" + repeatAdvice
        case .others: " while it waited for its prerequisites" + repeatAdvice
        case .token: " while it waited for a token" + repeatAdvice
        case .resumption: " while it was suspended" + repeatAdvice
        case .host(let time):
            " while it waited for the end of the server's pause"
                + (isRetryable ? "; call again in \(time.roundedDescription)" : "")
        }
    }

    private var problems: String {
        let first = violations.prefix(3).map(\.description).joined(separator: ", ")
        let rest = violations.count - 3
        return rest > 0 ? "\(first), and \(rest) more" : first
    }

    private var repeatAdvice: String { isRetryable ? "; it may be tried again" : "" }

    private func refreshAdvice(_ why: String) -> String {
        if isRetryable { return waitWords + repeatAdvice }
        let isSaid = why.hasSuffix("log in") || why.hasSuffix("log in again")
        return needsLogin && !isSaid ? "; log in again" : ""
    }

    private func advice(_ error: TransportError) -> String {
        switch error.kind {
        case .offline: "; connect to a network and try again"
        case .nameNotFound: "; check the server's name"
        case .tooLarge: "; raise the API's limit if such replies are expected"
        case .connectionLost, .timedOut, .truncated, .cannotConnect:
            repeatAdvice
        case .tls: "; check the server's certificate and this device's clock"
        case .cancelled, .invalidRequest, .unsupported, .other: ""
        }
    }
}
