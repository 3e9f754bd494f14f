import TelexCredentials
import TelexScheduling

/// The context of a task that must not wait for a refresh, because it obtains or revokes the token
/// of a scheme. Operations started in such a task get a turn at once, are not coalesced, and cause
/// no refresh. They are exempt from all limits and count against none: neither a rate nor a
/// throttle, whose interval they do not restart.
///
/// An operation holds the privileged task that it is part of, and its attempts get it from there.
/// The task-local value only recognises what code of the app starts while it runs in such a task: a
/// refresher, the body of a group that logs out, an interceptor. That code has no reference to the
/// task, and the same function may start the same call outside of a refresh, where it has to wait
/// for one.
final class PrivilegedTask: Sendable {
    /// The privileged task that the current task belongs to, if any.
    @TaskLocal static var current: PrivilegedTask?

    /// The listeners of the token requests that the task sends; nil for none.
    let events: TokenEventScope?
    /// The credential to revoke, which the store has already deleted.
    let revokedCredential: StoredCredential?
    /// The scheme whose token it obtains or revokes.
    let scheme: SchemeKey
    private let engine: EngineID
    private let hasEnded = AtomicFlag()
    private let leaves = AtomicFlag()

    /// - Parameter revokedCredential: The credential to use in place of the stored one; nil for the
    ///   stored one.
    init(
        for engine: Engine, _ scheme: SchemeKey = .login,
        revokedCredential: StoredCredential? = nil
    ) {
        self.engine = engine.id
        events = engine.tokenEvents
        self.scheme = scheme
        self.revokedCredential = revokedCredential
    }

    /// Whether the task itself has logged out. A credential that it obtains after that comes from a
    /// log-in, not from a refresh.
    var hasLoggedOut: Bool { leaves.isSet }

    /// Records that the task logs out.
    func noteLogOut() { leaves.set() }

    /// Ends the privilege. Child tasks that outlive the task have no privilege, because their
    /// lifetime is unknown.
    func end() { hasEnded.set() }

    /// Whether the task belongs to this engine and has not ended.
    func isOpen(for engine: Engine) -> Bool {
        self.engine == engine.id && !hasEnded.isSet
    }
}
