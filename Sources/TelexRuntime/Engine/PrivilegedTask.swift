import Synchronization

/// What a task is about that must not wait for what an engine has others wait for: it gets a new
/// credential, or gives one back. What is started in such a task has a turn at once, shares no request,
/// and leads to no refresh. No limit holds it up, and it counts against none: neither a rate nor a
/// throttle, whose interval for others it does not begin anew.
final class PrivilegedTask: Sendable {
    /// What this task is about, if it is an errand.
    @TaskLocal static var current: PrivilegedTask?

    /// The credential that is given back, which the store has forgotten.
    let revokedCredential: StoredCredential?
    private let engine: EngineID
    private let hasEnded = Atomic(false)
    private let leaves = Atomic(false)

    /// - Parameter farewell: The credential to use in place of the stored one; nil for the stored one.
    init(for engine: Engine, revokedCredential: StoredCredential? = nil) {
        self.engine = engine.id
        self.revokedCredential = revokedCredential
    }

    /// Whether it has logged out itself: what it brings after that is no refreshed credential, but that
    /// of a login.
    var hasLoggedOut: Bool { leaves.load(ordering: .acquiring) }

    /// It logs out.
    func noteLogOut() { leaves.store(true, ordering: .releasing) }

    /// Tasks that it has left behind, of which nobody knows how long they live, are like all others.
    func end() { hasEnded.store(true, ordering: .releasing) }

    /// Whether it is one of an engine, and still under way.
    func isOpen(for engine: Engine) -> Bool {
        self.engine == engine.id && !hasEnded.load(ordering: .acquiring)
    }
}
