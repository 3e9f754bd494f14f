import TelexRuntime

/// What has to become of a call of such a server: one that ends in another way tells nothing of what
/// it is there for.
extension EchoServer {
    /// What is wrong with the end of a call and the number of its requests; nil if nothing is.
    func problem(of end: (any Error)?, after requests: Int) -> String? {
        let isAsExpected =
            switch (behaviour, requests, (end as? APIError)?.reason) {
            case (.succeeds, 1, nil), (.redirects, 2, nil), (.redirectsToSecret, 2, nil):
                end == nil
            case (.refuses, 1, .status(400)), (.breaksRules, 1, .unexpectedReply),
                (.writesNoJSON, 1, .malformedReply), (.redirectsToSecret, 1, .refusedRedirect),
                (.breaksOff, 1, .transport), (.expires, 1, .refreshFailed),
                (.isIntercepted, 0, .intercepted), (.isNotAsked, 0, .invalidRequest):
                true
            case (.cannotBeReached, 1, .transport): (end as? APIError)?.diagnosis != nil
            default: false
            }
        return isAsExpected ? nil : "\(behaviour) after \(requests) requests"
    }

    /// Calls whose reply does not end in memory.
    enum Transfer: CaseIterable {
        case download
        case stream
    }

    /// The same for such a call.
    func problem(of end: (any Error)?, of kind: Transfer, after requests: Int) -> String? {
        // Nobody looks into what is written to a file.
        let isUnread = kind == .download && [.breaksRules, .writesNoJSON].contains(behaviour)
        if isUnread, requests == 1, end == nil { return nil }
        return problem(of: end, after: requests).map { "\($0) of a \(kind)" }
    }

    /// The same for a call whose token this server is to replace.
    func problem(ofRefreshing end: (any Error)?, after requests: Int) -> String? {
        let isAsExpected =
            switch (behaviour, requests, (end as? APIError)?.reason) {
            // The old token, the request for a new one, the new one.
            case (.succeeds, 3, nil), (.isIntercepted, 3, nil), (.isNotAsked, 3, nil): end == nil
            case (.succeeds, _, _), (.isIntercepted, _, _), (.isNotAsked, _, _): false
            case (_, 2, .refreshFailed): true
            default: false
            }
        return isAsExpected ? nil : "\(behaviour) of a token server after \(requests) requests"
    }
}
