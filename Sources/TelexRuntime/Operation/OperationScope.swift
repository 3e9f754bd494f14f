import TelexJSON
import TelexRequests
import TelexScheduling

/// The lifetime of an owner of operations: when it ends, the operations are cancelled.
///
/// ```swift
/// final class ProfileModel {
///     let scope = OperationScope(vk)
///
///     func load() { vk.users.get(options: CallOptions(owner: scope.owner)).start() }
/// }   // the calls end with the model
/// ```
///
/// A scope that is deallocated does what ``cancel()`` does, also to the scopes inside it. No
/// operation that was started inside a scope outlives it, even if a ``child()`` is still retained.
public final class OperationScope: Sendable {
    /// The owner to give to operations.
    public let owner = OperationOwner()
    private let engines: [EngineReference]
    private let children = Lock(Children())

    private struct Child: Sendable {
        let owner: OperationOwner
        weak var scope: OperationScope?
    }

    private struct Children: Sendable {
        var all: [Child] = []
        /// The number of children at which deallocated ones are removed: twice the number that was
        /// left the last time, so that the cost per child is constant.
        var limit = 16
    }

    /// Creates a scope for the operations of these managers.
    public convenience init<each API: APIDescription>(_ managers: repeat APIManager<each API>) {
        var engines: [EngineReference] = []
        for manager in repeat each managers { engines.append(EngineReference(manager.engine)) }
        self.init(engines)
    }

    private init(_ engines: [EngineReference]) {
        self.engines = engines
    }

    deinit { cancel() }

    /// Creates a scope inside this one. When this one ends, by ``cancel()`` or by deallocation, the
    /// operations of both are cancelled. Neither retains the other.
    ///
    /// A child that is used after the deallocation of this scope is independent: operations started
    /// then end with the child.
    public func child() -> OperationScope {
        let child = OperationScope(engines)
        let isFull = children.withLock { children in
            children.all.append(Child(owner: child.owner, scope: child))
            return children.all.count > children.limit
        }
        if isFull { removeGone() }
        return child
    }

    /// Removes deallocated children. The weak references are loaded outside the lock, because this
    /// may release the last reference to a child.
    private func removeGone() {
        let gone = Set(children.withLock { $0.all }.filter { $0.scope == nil }.map(\.owner))
        children.withLock { children in
            children.all.removeAll { gone.contains($0.owner) }
            children.limit = max(16, children.all.count * 2)
        }
    }

    /// Cancels all started operations of this scope and of the scopes inside it. The scope can be
    /// used again.
    public func cancel() {
        let owners = owners
        Engine.cancel(in: engines.compactMap(\.engine)) { $0.owner.map(owners.contains) ?? false }
    }

    /// The owners of this scope and of those inside it, to any depth.
    private var owners: Set<OperationOwner> {
        children.withLock { $0.all }.reduce(into: [owner]) { $0.formUnion($1.scope?.owners ?? []) }
    }
}
