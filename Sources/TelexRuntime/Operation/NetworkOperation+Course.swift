extension NetworkOperation {
    /// What the attempts of an operation have brought. A reference, because operations that wait by
    /// the thousand have none yet. Guarded by the lock of the operation.
    final class Course {
        /// The attempt that may still say something.
        var attempt = 0
        var launched = Duration.zero
        var ended = Duration.zero
        var attempts: [OperationAttempt] = []
        var task: Task<Void, Never>?
        /// What the attempt left behind.
        var record: AttemptRecord?
        /// What the attempt brought; once the engine has decided about it, what the operation did.
        var result: Result<Output, any Error>?
        private var last: OperationState?

        /// Whether it is known how the attempt ended.
        var hasAttempt: Bool { attempts.last?.number == attempt }

        /// How the operation ended; nil until it has.
        var end: End? {
            guard let last, let result else { return nil }
            return (last, result)
        }

        func begin(_ attempt: Int, at now: Duration, _ task: Task<Void, Never>) {
            self.attempt = attempt
            launched = now
            result = nil
            self.task = task
        }

        func end(_ state: OperationState, _ result: Result<Output, any Error>, at now: Duration) {
            last = state
            self.result = result
            ended = now
            task = nil
        }

        func metrics(_ began: Duration) -> OperationMetrics {
            OperationMetrics(
                total: ended - began, queued: attempts.first?.start ?? ended - began,
                working: attempts.reduce(.zero) { $0 + $1.duration })
        }
    }

    /// What few operations have. Guarded by the lock of the operation.
    final class Rare {
        /// An error from outside of the attempts.
        var reason: (any Error)?
        /// Told when the attempt is held and when it goes on.
        var onHold: (@Sendable (Bool) -> Void)?
        /// Attempts that are held.
        var gate: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var handlers: [@Sendable (OperationState) -> Void] = []
        var states: Broadcast<OperationState>?
        var events: Broadcast<APIEvent>?
        var tracker: ProgressTracker?
        /// Gives the elements of a stream to its reader.
        var handOut: (@Sendable (Output) async throws -> Void)?
    }
}
