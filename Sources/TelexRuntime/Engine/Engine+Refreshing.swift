import TelexCredentials
@_spi(Engine) import TelexScheduling

extension Engine {
    // MARK: Refreshing

    /// Starts a refresh, which belongs to the engine: it continues when the operation that caused
    /// it is cancelled.
    ///
    /// It also continues after its time-out. The server may have replaced the refresh token already
    /// (RFC 6749, section 6; RFC 9700, section 4.14.2), and the new one is only in the reply in
    /// flight: discarding it would log the user out. So the next refresh waits for the end of this
    /// one, and finds its result in the store.
    ///
    /// - Parameter operation: The operation that caused it. Its credential is that of a log-out if it
    ///   is part of one.
    func startRefresh(_ number: Int, of scheme: SchemeKey, for operation: OperationHandle?) {
        let refusal = operation?.refusal
        let revoked =
            scheme == .login ? nil : operation?.openPrivilegedTask?.revokedCredential
        let privilegedTask = PrivilegedTask(for: self, scheme, revokedCredential: revoked)
        // Inside the lock, so that a concurrent cancellation of refreshes includes this one.
        state.withLock { state in
            var refreshing = state.refreshing[scheme] ?? Refreshing()
            let handedOver = refreshing.refused.take()
            let old = refusal?.scheme == scheme ? refusal?.credential : handedOver
            refreshing.task = refreshTask(
                number, of: scheme, replacing: old, in: privilegedTask, after: refreshing.task)
            refreshing.replaced = old
            state.refreshing[scheme] = refreshing
        }
    }

    private func refreshTask(
        _ number: Int, of scheme: SchemeKey, replacing old: Credential?,
        in privilegedTask: PrivilegedTask, after last: Task<Void, Never>?
    ) -> Task<Void, Never> {
        let engine = EngineReference(self)
        return Task.detached { [refresh] in
            // Cancelling this refresh cancels the one that it waits for.
            await withTaskCancellationHandler {
                await last?.value
            } onCancel: {
                last?.cancel()
            }
            // The operations that needed this refresh may have stopped waiting.
            guard engine.engine?.isAwaited(number) == true else { return }
            var failure: (any Error)?
            do {
                try await PrivilegedTask.$current.withValue(privilegedTask) {
                    try await refresh?(scheme, old, engine)
                }
            } catch { failure = error }
            privilegedTask.end()
            engine.engine?.refreshEnded(number, of: scheme, failure)
        }
    }

    /// Cancels the refresh of a token that the server hands out, because the log-in has ended for
    /// which it was requested. Calls that wait for it request another one.
    func stopRefresh(of scheme: SchemeKey) {
        state.withLock { $0.refreshing[scheme]?.task }?.cancel()
    }

    /// Cancels the current refresh, whose user has logged out, and the earlier ones that exceeded
    /// their time limit. Their tokens are of no use to the next user, and the next log-in must not
    /// wait for them.
    func cancelRefresh() {
        keepRefreshError(CredentialError.loggedOut, of: .login)
        endRefresh(.loggedOut)
    }

    /// Records a log-in with this engine.
    ///
    /// - Returns: The previous log-in.
    func noteLogIn(_ login: String?) -> String? {
        state.withLock { state in
            defer { state.login = login }
            return state.login
        }
    }

    /// Restores the previous log-in if the new one could not be stored.
    func restoreLogIn(_ login: String?, for former: String?) {
        state.withLock { if $0.login == login { $0.login = former } }
    }

    /// Reports that the store of a scheme holds a token that this engine did not refresh.
    func noteNewToken(of scheme: SchemeKey) { send(.foundNewer(scheme)) }

    /// Whether operations that began with an old credential may continue with a new one: it is of
    /// the same log-in, or of the last log-in with this engine.
    func mayContinue(with new: Credential, after old: Credential) -> Bool {
        !new.isOfAnotherLogin(than: old) || new.login == state.withLock { $0.login }
    }

    /// Whether the live attempt of an operation must not use a credential, because the refresh that
    /// was to replace it has just failed and the operation shares that failure. The store may hold
    /// another credential since.
    func mustNotUse(
        _ credential: Credential, of scheme: SchemeKey, in id: OperationID
    ) -> Bool {
        state.withLock { state in
            state.refreshing[scheme]?.replaced?.token == credential.token
                && state.machine.sharesRefresh(id, of: scheme)
        }
    }

    /// Whether only a log-in can replace the token of a credential, because the last refresh for it
    /// has determined that.
    func needsLogin(inPlaceOf credential: Credential?, of scheme: SchemeKey) -> Bool {
        let last = state.withLock { $0.refreshing[scheme] }
        guard last?.replaced?.token == credential?.token else { return false }
        return last?.error?.refreshCause.needsUserLogin ?? false
    }

    /// Resumes the operations that wait for a credential, because a log-in has stored one. The
    /// current refresh is cancelled.
    func resumeAfterLogIn() { endRefresh(.loggedIn) }

    private func endRefresh(_ event: EngineMachine.Event) {
        let now = clock.elapsed()
        // A privileged task that logs in or out keeps the refresh, because it may still be
        // cancelled later.
        let isGivenUp = privilegedTask?.scheme != .login
        // In one critical section, because a refresh that begins later belongs to the next user.
        let (refresh, isPerformer) = state.withLock { state in
            let refresh = state.refreshing[.login]?.task
            if isGivenUp { state.refreshing[.login]?.task = nil }
            return (refresh, state.take(event, at: now))
        }
        if isPerformer { performAll(for: nil) }
        if isGivenUp { refresh?.cancel() }
    }

    private func refreshEnded(_ number: Int, of scheme: SchemeKey, _ error: (any Error)?) {
        let cause = error?.refreshCause
        let isStopped = scheme != .login && cause is CancellationError
        if isStopped || cause as? CredentialError == .loggedInAgain {
            send(.refreshSuperseded(number: number))
            return
        }
        keepRefreshError(error, of: scheme, number: number)
        // The call that was to return the token lacks another one.
        if scheme != .login, let refusal = (cause as? APIError)?.contents.refusal,
            refusal.scheme != scheme
        {
            state.withLock {
                $0.refreshing[refusal.scheme, default: Refreshing()].refused = refusal.credential
            }
            send(.refreshNeeds(refusal.scheme, number: number))
            return
        }
        let pause = (cause as? CredentialError)?.retryAfter
        send(.refreshEnded(number: number, succeeded: error == nil, pause: pause))
    }

    /// How long no refresh of a scheme may start; nil if one may start now.
    func refreshPause(of scheme: SchemeKey) -> Duration? {
        let now = clock.elapsed()
        let end = state.withLock { $0.machine.refreshPauseEnd(of: scheme) }
        return end.flatMap { $0 > now ? $0 - now : nil }
    }

    func refreshTimedOut(_ scheme: SchemeKey) {
        keepRefreshError(RefreshTimedOut(), of: scheme)
        onRefreshTimeout?(RefreshTimedOut())
    }

    /// Stores why there is no new token. The previous error is released outside the lock, because
    /// its deinitializer may run any code.
    ///
    /// - Parameter number: The refresh that failed, which may have timed out already; nil for the
    ///   one that has just timed out.
    func keepRefreshError(_ error: (any Error)?, of scheme: SchemeKey, number: Int? = nil) {
        var error = error
        state.withLock { state in
            guard number.map(state.machine.isAwaiting) ?? true else { return }
            swap(&error, &state.refreshing[scheme, default: Refreshing()].error)
        }
    }

    /// Whether a refresh is in progress and has not timed out.
    private func isAwaited(_ number: Int) -> Bool {
        state.withLock { $0.machine.isAwaiting(number) }
    }
}
