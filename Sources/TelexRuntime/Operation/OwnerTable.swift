import Synchronization

#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// Which owner stands for which object. The object itself is remembered, weakly, so that nobody is
/// taken for one that is gone; and as long as it is, no other gets its address.
///
/// Whoever looks whether an object is still there holds it for a moment, and may be the last one to
/// let go of it. Its `deinit` may ask for the table, so nobody looks under the lock.
final class OwnerTable: Sendable {
    static let shared = OwnerTable()

    /// A reference, so that a copy of the table touches no object.
    private final class Entry: Sendable {
        /// Safe to share: it is set once, and only asked what it is; nothing is called on it.
        nonisolated(unsafe) weak var object: AnyObject?  // set once; weak loads are atomic
        /// Keeps the memory of the object, and so its address, from being given to another.
        private nonisolated(unsafe) unowned let place: AnyObject  // never read
        let owner = OperationOwner()

        init(_ object: AnyObject) {
            self.object = object
            place = object
        }
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Those whose objects were gone when somebody looked.
        var gone: Set<ObjectIdentifier> = []
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

    /// Forgets those of the entries whose objects have been gone for a while: one that has just gone may
    /// be about to ask, in its `deinit`.
    private func sweep(_ entries: [ObjectIdentifier: Entry]) {
        let gone = entries.filter { $0.value.object == nil }
        state.withLock { state in
            for id in gone.keys where state.gone.contains(id) { state.entries[id] = nil }
            state.gone = Set(gone.keys)
            let left = state.entries.count
            state.sweepSize = left + max(Self.smallest, left - gone.count)
        }
    }

    /// The owner that stands for an object, which may be about to go; nil if it never had one.
    func existing(_ id: ObjectIdentifier) -> OperationOwner? {
        state.withLock { $0.entries[id]?.owner }
    }
}

#if canImport(ObjectiveC)
    /// Objects that carry their owners, as they can here: it ends with them, and is still there in their
    /// `deinit`. The memory of those that Objective-C counts is kept by nothing else.
    private enum Bearer {
        private final class Load: Sendable {
            let owner = OperationOwner()
        }

        /// Its address tells this load from others.
        private static let mark = Load()
        private static let lock = Mutex(())

        private static var key: UnsafeRawPointer {
            UnsafeRawPointer(Unmanaged.passUnretained(mark).toOpaque())
        }

        static func owner(of object: AnyObject) -> OperationOwner {
            lock.withLock { _ in
                if let owner = existing(object) { return owner }
                let load = Load()
                objc_setAssociatedObject(object, key, load, .OBJC_ASSOCIATION_RETAIN)
                return load.owner
            }
        }

        static func existing(_ object: AnyObject) -> OperationOwner? {
            (objc_getAssociatedObject(object, key) as? Load)?.owner
        }
    }
#endif

extension OperationOwner {
    /// The owner that stands for an object: the same one as long as the object lives. It is not
    /// held, and an object that later has the same address gets another owner.
    public init(of object: AnyObject) {
        #if canImport(ObjectiveC)
            self = Bearer.owner(of: object)
        #else
            self = OwnerTable.shared.owner(of: object)
        #endif
    }

    /// The owner that stands for an object, which may be in its `deinit`; nil if it never had one.
    fileprivate init?(known object: AnyObject) {
        #if canImport(ObjectiveC)
            guard let owner = Bearer.existing(object) else { return nil }
        #else
            guard let owner = OwnerTable.shared.existing(ObjectIdentifier(object)) else {
                return nil
            }
        #endif
        self = owner
    }
}

extension APIManager {
    /// Cancels all operations of an object, for instance in its `deinit`.
    public func cancel(owner: AnyObject) {
        if let owner = OperationOwner(known: owner) { cancel(owner: owner) }
    }
}
