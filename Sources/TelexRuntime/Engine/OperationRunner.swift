/// What the engine asks of an operation. What follows from a decision is called in the order of the
/// decisions, never at the same time for one operation, and never with a lock held.
protocol OperationRunner: OperationHandle {
    /// Whether the engine hears of the operation for the first time: true once in its life. Called
    /// with the lock of the engine held, whenever somebody wants something of the operation.
    func register(at now: Duration) -> Bool
    /// Begins an attempt.
    ///
    /// - Parameter refresh: The engine whose refresh needs it; nil if none does.
    func launch(attempt: Int, serving refresh: ObjectIdentifier?)
    /// Holds the live attempt.
    func pause()
    /// Lets the live attempt go on.
    func unpause()
    /// Stops the attempt that was live: another will follow it.
    func stop()
    /// The end: it knows it from now on. Called once; an attempt that is live ends with `announceEnd`.
    func complete(_ ending: EngineMachine.Ending)
    /// Stops the attempt that was live, and tells the tasks, threads and operations that wait for the
    /// end. Called once, when the engine is rid of the operation and all that ended with it know so,
    /// and never inside of another such call.
    ///
    /// - Returns: What calls the closures that wait for it; nil if there are none.
    func announceEnd() -> (@Sendable () -> Void)?
    /// Why it ended without a value; nil if it did not, or has not ended.
    var failure: (any Error)? { get }
    /// Calls a closure of the runtime's own once it has ended, before anybody else is told; at once if
    /// it has.
    func atEnd(_ handler: @escaping @Sendable (OperationState) -> Void)
    /// Whether to announce the end ends others: those that wait for it, what its attempt runs.
    var endsOthers: Bool { get }
    /// The state is another one now, and not the last.
    func changed(_ state: OperationState)
    /// The engine decided something.
    func tell(_ decision: EngineDecision, attempt: Int)
    /// Whether the attempt is held.
    var isHeld: Bool { get }
    /// Returns once the attempt is not held.
    func passGate() async throws(CancellationError)
    /// Whether it belongs to several operations, and to no caller.
    var isShared: Bool { get }
    /// Has a handler told when the live attempt is held, and when it goes on.
    func onHold(_ handler: @escaping @Sendable (Bool) -> Void)
    /// Gives an element of a stream to whoever reads it; waits until there is room.
    func handOut(_ element: AnyProduct) async throws(CancellationError)
    /// Tells the engine what may follow the live attempt if its time runs out.
    ///
    /// - Returns: Whether the attempt is still live; from one that has been given up nothing more is
    ///   wanted.
    func keep(_ standing: AttemptStanding, attempt: Int) -> Bool
    /// Nobody calls this host for so long, if it is the operation's.
    func pauseHost(_ host: String, _ time: Duration)
    /// Shows how far the live attempt is.
    func report(_ progress: OperationProgress)
    /// Whether anybody wants to see how far it is.
    var isFollowed: Bool { get }
    /// The credential that the last attempt was refused, if that is why it failed.
    var refusedCredential: Credential? { get }
    /// Tells what happens.
    func emit(_ kind: APIEvent.Kind, attempt: Int)
    /// Whether anybody wants to know what happens.
    var isObserved: Bool { get }
    /// How many bytes of bodies somebody wants to see.
    var bodyLimit: Int { get }
}
