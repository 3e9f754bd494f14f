import TelexCredentials
import TelexScheduling

extension RequestCoalescer {
    /// Returns the value of the request that a call shares.
    func value<Output>(
        _ context: AttemptContext, _ coalescable: CoalescableCall<Output>
    ) async throws -> Output {
        // The call leaves as soon as it times out, not after the network diagnosis.
        defer { leave(context.operation) }
        try await leaveOtherUsersRequest(context, coalescable)
        let shared = state.withLock { $0.subscription(of: context.operation)?.operation }
        // An attempt that has been stopped has no subscription.
        guard let operation = shared as? NetworkOperation<Output> else {
            throw CancellationError()
        }
        let value = try await operation.value(cancelling: false)
        let record = operation.live.withLock { $0.record }?.contents
        if let record, let head = record.head {
            context.noteReply(head, record.body, from: record.hop, source: record.source)
            context.noteSkipped(record.skipped, keeping: .max)
            context.noteWarnings(record.warnings, keeping: .max)
        }
        // A call that was suspended in the meantime returns its value when it is resumed, as with a
        // request of its own.
        try await context.waitWhilePaused()
        return value
    }

    // MARK: Failures

    /// Returns the request that a call waits for; nil if the request may belong to another user or
    /// has ended.
    func request(of subscriber: OperationID) -> OperationHandle? {
        let request = state.withLock { $0.request(of: subscriber) }
        return request?.hasOutcome == false ? request : nil
    }

    /// Ends the subscribers whose deadlines pass before the next attempt of a failed request. They
    /// fail with the error of the last attempt, as with a request of their own.
    ///
    /// - Parameter moment: The time of the next attempt.
    func endSubscribers(_ request: OperationHandle, until moment: Duration) {
        guard request.isShared, let error = request.attempts.last?.error else { return }
        let subscribers = state.withLock { $0.subscribers(of: request.id) }
        for subscriber in request.engine.operations(subscribers, overBy: moment) {
            subscriber.tell(.notRetried(reason: EngineMachine.noTimeLeft), attempt: 1)
            subscriber.fail(with: error, because: request.lastDiagnosisRequest)
        }
    }

    // MARK: Credentials

    /// Ensures that no call gets another user's reply. A call that joined a request in flight
    /// leaves it unless the request uses the credential that is stored now. It then joins a request
    /// that begins now.
    private func leaveOtherUsersRequest<Output>(
        _ context: AttemptContext, _ coalescable: CoalescableCall<Output>
    ) async throws {
        while let usedCredential = state.withLock({
            $0.subscription(of: context.operation)?.subscription.usedCredential
        }) {
            let stored = await coalescable.stored()
            guard await usedCredential.value != stored else {
                return state.withLock { $0.accept(context.operation) }
            }
            try await context.waitWhilePaused()
            move(context.handle, attempt: context.number, with: coalescable)
        }
    }

    /// Returns the credential for an attempt of a shared request. Calls that join before it is read
    /// share the attempt, because a request of their own would use the same credential. Calls that
    /// join later wait for it and compare it with the stored one.
    func credential(
        for context: AttemptContext, _ stored: @escaping CredentialReading
    ) async -> StoredCredential {
        let task = state.withLock { state in
            let last = state.sharedRequests[context.operation]?.usedCredential?.attempt ?? 0
            // A stopped attempt may arrive after a later one.
            guard last < context.number else { return nil as Task<StoredCredential, Never>? }
            let task = Task { await stored() }
            state.update(context.operation) {
                $0.usedCredential = UsedCredential(attempt: context.number, credential: task)
            }
            return task
        }
        guard let task else { return await stored() }
        return await task.value
    }
}
