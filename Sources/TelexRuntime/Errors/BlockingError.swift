/// The error of a thread that must not wait for an operation.
public struct BlockingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of caller that must not wait.
    enum Caller {
        case task
        case listener
    }

    let caller: Caller

    /// What to do instead.
    public var description: String {
        switch caller {
        case .task:
            "`waitSync` was called from a task; its thread may be the one that the operation needs: "
                + "use `try await operation.value`"
        case .listener:
            "`waitSync` was called by a listener, which blocks all calls of its API: "
                + "use `operation.start { result in … }`"
        }
    }
}
