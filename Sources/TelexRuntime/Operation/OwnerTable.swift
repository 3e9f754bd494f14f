import Synchronization

/// Which owner stands for which object. An address is given to another object when the first one is
/// gone; so the object itself is remembered, weakly, and a new object gets a new owner.
///
/// Whoever looks whether an object is still there holds it for a moment, and may be the last one to
/// let go of it. Its `deinit` may ask for the table, so nobody looks under the lock.
final class OwnerTable: Sendable {
    static let shared = OwnerTable()

    /// A reference, so that a copy of the table touches no object.
    private final class Entry: Sendable {
        /// Safe to share: it is set once, and only asked what it is; nothing is called on it.
        nonisolated(unsafe) weak var object: AnyObject?  // set once; weak loads are atomic
        let owner = OperationOwner()

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var sweepSize = OwnerTable.smallest

        /// All entries, if there are so many that somebody has to look through them; only one does.
        mutating func takeCrowd() -> [ObjectIdentifier: Entry]? {
            guard entries.count > sweepSize else { return nil }
            sweepSize = .max
            return entries
        }
    }

    /// So many entries are not worth a look.
    private static let smallest = 64

    private let state = Mutex(State())

    /// How many objects it remembers; some may be gone.
    var count: Int { state.withLock { $0.entries.count } }

    /// The owner that stands for an object; a new one for an object that has none.
    func owner(of object: AnyObject) -> OperationOwner {
        let id = ObjectIdentifier(object)
        let known = state.withLock { $0.entries[id] }
        if let known, known.object === object { return known.owner }
        return add(Entry(object), id, inPlaceOf: known)
    }

    /// - Parameter old: The entry of an object that had the same address.
    private func add(
        _ fresh: Entry, _ id: ObjectIdentifier, inPlaceOf old: Entry?
    ) -> OperationOwner {
        typealias Crowd = [ObjectIdentifier: Entry]
        let (owner, crowd) = state.withLock { state -> (OperationOwner, Crowd?) in
            // Another entry than the old one is for the same object, which lives all the while.
            if let entry = state.entries[id], entry !== old { return (entry.owner, nil) }
            state.entries[id] = fresh
            return (fresh.owner, state.takeCrowd())
        }
        if let crowd { sweep(crowd) }
        return owner
    }

    /// Forgets those of the entries whose objects are gone.
    private func sweep(_ entries: [ObjectIdentifier: Entry]) {
        let gone = entries.filter { $0.value.object == nil }
        state.withLock { state in
            for (id, entry) in gone where state.entries[id] === entry { state.entries[id] = nil }
            state.sweepSize = max(Self.smallest, state.entries.count * 2)
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
