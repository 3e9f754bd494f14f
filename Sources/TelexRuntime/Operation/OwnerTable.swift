import Synchronization

/// Which owner stands for which object. An address is given to another object when the first one is
/// gone; so the object itself is remembered, weakly, and a new object gets a new owner.
final class OwnerTable: Sendable {
    static let shared = OwnerTable()

    private struct Entry: Sendable {
        /// Safe to share: it is set once, and only asked whether it is nil; nothing is called on it.
        nonisolated(unsafe) weak var object: AnyObject?  // set once; weak loads are atomic
        let owner: OperationOwner
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var sweepSize = 64
    }

    private let state = Mutex(State())

    /// The owner that stands for an object; a new one for an object that has none.
    func owner(of object: AnyObject) -> OperationOwner {
        // No reference crosses into the lock: only an entry, which is made outside.
        let fresh = Entry(object: object, owner: OperationOwner())
        let id = ObjectIdentifier(object)
        return state.withLock { state in
            if let entry = state.entries[id], entry.object != nil { return entry.owner }
            if state.entries.count >= state.sweepSize {
                state.entries = state.entries.filter { $0.value.object != nil }
                state.sweepSize = max(64, state.entries.count * 2)
            }
            state.entries[id] = fresh
            return fresh.owner
        }
    }

    /// The owner that stands for an object, which may be about to go; nil if it never had one.
    func existing(_ id: ObjectIdentifier) -> OperationOwner? {
        state.withLock { $0.entries[id]?.owner }
    }
}

extension OperationOwner {
    /// The owner that stands for an object: the same one as long as the object lives. It is not
    /// held, and an object that later has the same address gets another owner.
    public init(of object: AnyObject) {
        self = OwnerTable.shared.owner(of: object)
    }
}

extension APIManager {
    /// Cancels all operations of an object, for instance in its `deinit`.
    public func cancel(owner: AnyObject) {
        guard let owner = OwnerTable.shared.existing(ObjectIdentifier(owner)) else { return }
        cancel(owner: owner)
    }
}
