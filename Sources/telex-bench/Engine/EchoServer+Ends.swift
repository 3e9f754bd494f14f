import TelexRuntime

/// The expected ends of calls to such a server. A call that ends in another way does not prove
/// anything.
extension EchoServer {
    /// The problem with the end of a call and its number of requests; nil if both are as expected.
    func problem(of end: (any Error)?, after requests: Int) -> String? {
        let isAsExpected =
            switch (behaviour, requests, (end as? APIError)?.reason) {
            case (.succeeds, 1, nil), (.redirects, 2, nil), (.redirectsToSecret, 2, nil):
                end == nil
            case (.refuses, 1, .status(400)), (.breaksRules, 1, .unexpectedReply),
                (.writesNoJSON, 1, .malformedReply), (.redirectsToSecret, 1, .refusedRedirect),
                (.breaksOff, 1, .transport), (.expires, 1, .refreshFailed),
                (.interceptorThrows, 0, .intercepted), (.breaksRequestRules, 0, .invalidRequest):
                true
            case (.cannotBeReached, 1, .transport): (end as? APIError)?.diagnosis != nil
            default: false
            }
        return isAsExpected ? nil : "\(behaviour) after \(requests) requests"
    }

    /// Calls whose reply is not collected in memory.
    enum Transfer: CaseIterable {
        case download
        case stream
    }

    /// The same for such a call.
    func problem(of end: (any Error)?, of kind: Transfer, after requests: Int) -> String? {
        // The body is written to a file without being parsed.
        let isUnread = kind == .download && [.breaksRules, .writesNoJSON].contains(behaviour)
        if isUnread, requests == 1, end == nil { return nil }
        return problem(of: end, after: requests).map { "\($0) of a \(kind)" }
    }

    /// The same for a call whose token this server replaces.
    func problem(ofRefreshing end: (any Error)?, after requests: Int) -> String? {
        let isAsExpected =
            switch (behaviour, requests, (end as? APIError)?.reason) {
            // With the old token, for a new token, with the new token.
            case (.succeeds, 3, nil), (.interceptorThrows, 3, nil), (.breaksRequestRules, 3, nil):
                end == nil
            case (.succeeds, _, _), (.interceptorThrows, _, _), (.breaksRequestRules, _, _): false
            case (_, 2, .refreshFailed): true
            default: false
            }
        return isAsExpected ? nil : "\(behaviour) of a token server after \(requests) requests"
    }
}
