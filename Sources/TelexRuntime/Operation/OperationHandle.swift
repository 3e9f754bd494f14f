/// What every operation can do, whatever it produces.
public protocol OperationHandle: AnyObject, Sendable, CustomStringConvertible {
    /// The identity of the operation.
    var id: OperationID { get }
    /// The API's name of the method; empty for operations without one.
    var method: String { get }
    /// What it does.
    var kind: OperationRules.Kind? { get }
    /// Where it is now.
    var state: OperationState { get }
    /// The states that it goes through, from the present one to its end.
    var states: AsyncStream<OperationState> { get }
    /// On whose behalf it runs.
    var owner: OperationOwner? { get }
    /// The marks that the caller gave it.
    var tags: Set<String> { get }
    /// Its place among those that wait.
    var priority: CallPriority { get }

    /// Starts it; does nothing if it has been started, except that one that is suspended goes on.
    func start()
    /// Stops it for a while. What it has received is kept. Does nothing before the start.
    func suspend()
    /// Lets it go on after ``suspend()``.
    func resume()
    /// Ends it now.
    func cancel()
    /// Tells when it has ended.
    func whenEnded(_ handler: @escaping @Sendable (OperationState) -> Void)
}

extension OperationHandle {
    /// Starts, suspends or resumes it, as a play button does; nothing after its end.
    ///
    /// - Returns: The state that it is in then.
    @discardableResult
    public func toggle() -> OperationState {
        switch state {
        case .ready: start()
        case .suspended: resume()
        case .queued, .running, .waiting, .postponed: suspend()
        case .succeeded, .failed, .cancelled: break
        }
        return state
    }
}
