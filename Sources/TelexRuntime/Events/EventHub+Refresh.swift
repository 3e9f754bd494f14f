import TelexCredentials
import TelexInspection
import TelexRequests

extension EventHub {
    /// Runs a refresh, and emits the events of its course.
    ///
    /// - Throws: A `RefreshFailure` that wraps the error of `refresh`.
    func observeRefresh(
        of old: Credential?, api: String, _ refresh: () async throws -> Void
    ) async throws(RefreshFailure) {
        emit(.refreshStarted, api)
        do {
            try await refresh()
            emit(.refreshEnded, api)
        } catch {
            let failure = RefreshFailure(error, of: old)
            refreshFailed(api, because: failure)
            throw failure
        }
    }

    /// Emits that the refresh failed.
    func refreshFailed(_ api: String, because failure: any Error) {
        faults.report(failure, api: api)
        emit(.refreshFailed(because: failure.safeDescription), api)
    }

    /// Emits an event of the API as a whole.
    func emit(_ kind: APIEvent.Kind, _ api: String) {
        guard isObserved else { return }
        emit(
            APIEvent(
                date: clock.now(), elapsed: clock.elapsed(), api: api, method: "", operation: nil,
                attempt: 0, owner: nil, tags: [], kind: kind))
    }
}
