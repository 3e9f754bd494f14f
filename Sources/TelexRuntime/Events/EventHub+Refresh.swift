extension EventHub {
    /// Tells how the getting of a new credential goes, and of the requests for tokens that it sends.
    ///
    /// - Throws: A `RefreshFailure` in the place of any other error.
    func watchRefresh(
        of old: Credential?, _ api: String, _ refresh: () async throws -> Void
    ) async throws(RefreshFailure) {
        emit(.refreshStarted, api)
        do {
            try await TokenEventScope(self, api).watching { try await refresh() }
            emit(.refreshEnded, api)
        } catch {
            let failure = RefreshFailure(error, of: old)
            refreshFailed(api, because: failure)
            throw failure
        }
    }

    /// Tells that there is no new credential.
    func refreshFailed(_ api: String, because failure: any Error) {
        emit(.refreshFailed(because: failure.tellableWords), api)
    }

    /// Tells what concerns the API as a whole.
    func emit(_ kind: APIEvent.Kind, _ api: String) {
        guard isObserved else { return }
        emit(
            APIEvent(
                date: clock.now(), elapsed: clock.elapsed(), api: api, method: "", operation: nil,
                attempt: 0, owner: nil, tags: [], kind: kind))
    }
}

extension Error {
    /// What went wrong in a refresh that failed so, as whoever made it said it.
    var causeOfRefresh: any Error { (self as? RefreshFailure)?.cause ?? self }
}

/// Why there is no new credential, in words without the old one. Those of the app's own errors are not
/// among them: a `URLError`, for one, has the whole address in its words, client secret and all.
struct RefreshFailure: Error, CustomStringConvertible {
    let description: String
    let cause: any Error

    init(_ cause: any Error, of old: Credential?) {
        var redactor = Redactor()
        if let old { redactor.add(old) }
        description = redactor.redact(cause.tellableWords)
        self.cause = cause
    }
}
