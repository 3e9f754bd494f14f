extension RequestCoalescer {
    /// The value of the request that a call shares.
    func value<Output>(
        _ context: AttemptContext, _ coalescable: CoalescableCall<Output>
    ) async throws -> Output {
        // At once if its time is over, and not only when it is known how far the network reached.
        defer { leave(context.operation) }
        try await leaveOtherUsersRequest(context, coalescable)
        let shared = state.withLock { $0.subscription(of: context.operation)?.operation }
        // One that has been stopped waits for nothing any more.
        guard let operation = shared as? NetworkOperation<Output> else {
            throw CancellationError()
        }
        let value = try await operation.value(cancelling: false)
        let record = operation.live.withLock { $0.record }?.contents
        if let record, let head = record.head { context.noteReply(head, record.body) }
        // One that is held meanwhile has its value when it goes on, as with a request of its own.
        try await context.waitWhileHeld()
        return value
    }

    // MARK: Failures

    /// The request that a call waits for with others; nil if it may be another user's, or has ended.
    func request(of subscriber: OperationID) -> OperationHandle? {
        let request = state.withLock { $0.request(of: subscriber) }
        return request?.hasOutcome == false ? request : nil
    }

    /// A request has failed, and there is no other attempt before a moment. Those whose time is over by
    /// then fail with that attempt, as with a request of their own.
    func endSubscribers(_ request: OperationHandle, until moment: Duration) {
        guard request.isShared, let error = request.attempts.last?.error else { return }
        let subscribers = state.withLock { $0.subscribers(of: request.id) }
        for subscriber in request.engine.operations(subscribers, overBy: moment) {
            subscriber.tell(.notRetried(reason: EngineMachine.noTimeLeft), attempt: 1)
            subscriber.fail(with: error, because: request.lastDiagnosisRequest)
        }
    }

    // MARK: Credentials

    /// Sees to it that nobody gets another user's reply: a call that came to a request on its way leaves
    /// it unless that shows what is stored now. It then has one that begins now.
    private func leaveOtherUsersRequest<Output>(
        _ context: AttemptContext, _ coalescable: CoalescableCall<Output>
    ) async throws {
        while let shown = state.withLock({
            $0.subscription(of: context.operation)?.subscription.shown
        }) {
            let stored = await coalescable.stored()
            guard await shown.value != stored else {
                return state.withLock { $0.accept(context.operation) }
            }
            try await context.waitWhileHeld()
            change(context.handle, attempt: context.number, coalescable)
        }
    }

    /// The credential for an attempt. Calls that come before it is read share the attempt, whoever was
    /// logged in when others came: it shows what a request of their own would. Those that come later
    /// wait for it, to see whether it is theirs.
    func credential(
        for context: AttemptContext, _ stored: @escaping StoredReading
    ) async -> StoredCredential {
        let task = state.withLock { state in
            let last = state.sharedRequests[context.operation]?.shown?.attempt ?? 0
            // One that has been stopped may come late.
            guard last < context.number else { return nil as Task<StoredCredential, Never>? }
            let task = Task { await stored() }
            state.update(context.operation) {
                $0.shown = Shown(attempt: context.number, credential: task)
            }
            return task
        }
        guard let task else { return await stored() }
        return await task.value
    }
}
