extension Engine {
    // MARK: Refreshing

    /// The refresh belongs to the engine: whoever needs it may be cancelled, it goes on.
    ///
    /// It goes on even if it takes longer than anybody waits. A server may have put a new refresh
    /// token in the place of the old one by then (RFC 6749, section 6; RFC 9700, section 4.14.2), and
    /// has told it only in the reply that is on its way: to drop that is to be logged out. So the
    /// next refresh waits for the end of this one, and finds in the store what it has brought.
    func startRefresh(_ number: Int, _ old: Credential?) {
        // Under the lock: nobody gives up refreshes in between, and misses this one.
        state.withLock { state in
            state.refresh = refreshing(number, old, after: state.refresh)
            state.wornOut = old
        }
    }

    private func refreshing(
        _ number: Int, _ old: Credential?, after last: Task<Void, Never>?
    ) -> Task<Void, Never> {
        Task.detached { [weak self, refresh] in
            // Who gives up this one gives up all that it waits for.
            await withTaskCancellationHandler {
                await last?.value
            } onCancel: {
                last?.cancel()
            }
            // Meanwhile those who wanted this one may have given up as well.
            guard self?.isAwaited(number) == true else { return }
            var failure: (any Error)?
            let privilegedTask = self.map { PrivilegedTask(for: $0) }
            do {
                try await PrivilegedTask.$current.withValue(privilegedTask) {
                    try await refresh?(old)
                }
            } catch { failure = error }
            privilegedTask?.end()
            self?.refreshEnded(number, failure)
        }
    }

    /// Gives up the refresh under way, whose user has logged out, and those before it that take too
    /// long: a new token is of no use to whoever logs in next, who must not wait for it either.
    func giveUpRefresh() {
        keepRefreshError(CredentialError.loggedOut)
        endRefresh(.loggedOut)
    }

    /// Somebody is about to log in with this engine.
    ///
    /// - Returns: Who did before.
    func noteLogIn(_ login: String?) -> String? {
        state.withLock { state in
            defer { state.login = login }
            return state.login
        }
    }

    /// A log-in could not be kept, and who did before has been the last to log in.
    func takeBackLogIn(_ login: String?, for former: String?) {
        state.withLock { if $0.login == login { $0.login = former } }
    }

    /// The store has a credential that nobody has refreshed here.
    func noteNewCredential() { send(.foundNewer) }

    /// Whether those who have begun with an old credential may go on with a new one: it is of the same
    /// login, or their own app has logged in with it.
    func mayGoOn(with new: Credential, after old: Credential) -> Bool {
        !new.isOfAnotherLogin(than: old) || new.login == state.withLock { $0.login }
    }

    /// Whether the live attempt of an operation must not show a credential: nothing came of the refresh
    /// that was for it, a moment ago, and the operation has its share of that. Another one may be in the
    /// store by now, from wherever.
    func isBarred(_ id: OperationID, from credential: Credential) -> Bool {
        state.withLock { state in
            state.wornOut?.token == credential.token
                && state.machine.entries[id]?.sharesRefresh == true
        }
    }

    /// Whether only a log-in brings another token than a credential has: the last refresh was for that,
    /// and has found it out.
    func needsLogin(inPlaceOf credential: Credential?) -> Bool {
        let error = state.withLock { state in
            state.wornOut?.token == credential?.token ? state.refreshError : nil
        }
        return error?.causeOfRefresh.asksForLogin ?? false
    }

    /// Has those go on who wait for a new credential: somebody has put one into the store. What a refresh
    /// under way still waits for, nobody needs any more.
    func goOnLoggedIn() { endRefresh(.loggedIn) }

    private func endRefresh(_ event: EngineMachine.Event) {
        let now = clock.elapsed()
        // Unless it is what logs in or out, which may still be given up later.
        let isGivenUp = privilegedTask == nil
        // In one step: one that begins later is the next user's.
        let (refresh, isMine) = state.withLock { state in
            defer { if isGivenUp { state.refresh = nil } }
            return (state.refresh, state.take(event, at: now))
        }
        if isMine { performAll(for: nil) }
        if isGivenUp { refresh?.cancel() }
    }

    private func refreshEnded(_ number: Int, _ error: (any Error)?) {
        let cause = error?.causeOfRefresh
        if cause as? CredentialError == .loggedInAnew {
            send(.refreshSuperseded(number: number))
            return
        }
        keepRefreshError(error, of: number)
        let pause = (cause as? CredentialError)?.retryAfter
        send(.refreshEnded(number: number, succeeded: error == nil, pause: pause))
    }

    /// How long nobody asks for a new credential yet; nil if anybody may.
    var refreshPause: Duration? {
        let now = clock.elapsed()
        let end = state.withLock { $0.machine.credentialGate.pauseEnd }
        return end.flatMap { $0 > now ? $0 - now : nil }
    }

    func refreshTimedOut() {
        keepRefreshError(RefreshTimedOut())
        onRefreshTimeout?(RefreshTimedOut())
    }

    /// Remembers why there is no new credential. The error before it is let go without the lock: it
    /// may be anything.
    ///
    /// - Parameter number: The refresh that it is about, which may have taken too long meanwhile;
    ///   nil for the one that just has.
    func keepRefreshError(_ error: (any Error)?, of number: Int? = nil) {
        var error = error
        state.withLock { state in
            guard number.map(state.machine.isAwaiting) ?? true else { return }
            swap(&error, &state.refreshError)
        }
    }

    /// Whether a refresh has not taken too long yet.
    private func isAwaited(_ number: Int) -> Bool {
        state.withLock { $0.machine.isAwaiting(number) }
    }
}

/// Getting a new credential took too long.
struct RefreshTimedOut: Error, CustomStringConvertible {
    var description: String { "getting a new credential took too long" }
}
