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
///
/// A scope that is freed does what ``cancel()`` does, also to the scopes inside it. Nothing inside a
/// scope that has been started goes on without it, whoever still holds a ``child()``.
public final class OperationScope: Sendable {
    /// The owner to give to operations.
    public let owner = OperationOwner()
    private let engines: [EngineReference]
    private let children = Mutex(Children())

    private struct Child: Sendable {
        let owner: OperationOwner
        weak var scope: OperationScope?
    }

    private struct Children: Sendable {
        var all: [Child] = []
        /// How many there have to be before those that are gone are looked for: twice as many as were
        /// left the last time, so that what many children cost grows with their number only.
        var limit = 16
    }

    /// A scope for the operations of some managers.
    public convenience init<each API: APIDescription>(_ managers: repeat APIManager<each API>) {
        var engines: [EngineReference] = []
        for manager in repeat each managers { engines.append(EngineReference(manager.engine)) }
        self.init(engines)
    }

    private init(_ engines: [EngineReference]) {
        self.engines = engines
    }

    deinit { cancel() }

    /// A scope inside this one: what ends this one, ``cancel()`` or that nobody holds it any more,
    /// cancels the operations of both. Neither holds the other.
    ///
    /// If it is used after this one is gone, it stands alone: what is started then ends with itself.
    public func child() -> OperationScope {
        let child = OperationScope(engines)
        let isFull = children.withLock { children in
            children.all.append(Child(owner: child.owner, scope: child))
            return children.all.count > children.limit
        }
        if isFull { removeGone() }
        return child
    }

    /// Whoever is the last to hold a child frees it, so none is held with the lock.
    private func removeGone() {
        let gone = Set(children.withLock { $0.all }.filter { $0.scope == nil }.map(\.owner))
        children.withLock { children in
            children.all.removeAll { gone.contains($0.owner) }
            children.limit = max(16, children.all.count * 2)
        }
    }

    /// Cancels all operations of this scope and of those inside it that have been started. It may be
    /// used again.
    public func cancel() {
        let owners = owners
        Engine.cancel(in: engines.compactMap(\.engine)) { $0.owner.map(owners.contains) ?? false }
    }

    /// That of this scope and those of the ones inside it, to any depth.
    private var owners: Set<OperationOwner> {
        children.withLock { $0.all }.reduce(into: [owner]) { $0.formUnion($1.scope?.owners ?? []) }
    }
}
