import Synchronization

/// The life of something on whose behalf operations run: when it ends, they are cancelled.
///
/// ```swift
/// final class ProfileModel {
///     let scope = OperationScope(vk)
///
///     func load() { vk.users.get(options: CallOptions(owner: scope.owner)).start() }
/// }   // no model any more: no calls any more
/// ```
public final class OperationScope: Sendable {
    /// The owner to give to operations.
    public let owner = OperationOwner()
    private let engines: [Engine]
    private let children = Mutex<[Weak]>([])

    private struct Weak: Sendable {
        weak var scope: OperationScope?
    }

    /// A scope for the operations of some managers.
    public convenience init<each API: APIDescription>(_ managers: repeat APIManager<each API>) {
        var engines: [Engine] = []
        for manager in repeat each managers { engines.append(manager.engine) }
        self.init(engines)
    }

    private init(_ engines: [Engine]) {
        self.engines = engines
    }

    deinit { cancelOwn() }

    /// A scope inside this one: cancelling this one cancels it too.
    public func child() -> OperationScope {
        let child = OperationScope(engines)
        children.withLock { children in
            children.removeAll { $0.scope == nil }
            children.append(Weak(scope: child))
        }
        return child
    }

    /// Cancels all operations of this scope and of those inside it. It may be used again.
    public func cancel() {
        cancelOwn()
        for child in children.withLock({ $0 }) { child.scope?.cancel() }
    }

    private func cancelOwn() {
        for engine in engines { engine.cancel { [owner] in $0.owner == owner } }
    }
}
