import TelexJSON
import TelexScheduling

#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// The owners that represent objects. Each object is referenced weakly, so that a new object at the
/// same address is not mistaken for it; the entry also keeps the object's memory from being reused.
///
/// Loading a weak reference retains the object for a moment, so that the table may release the last
/// reference to it. Its `deinit` may call the table, so weak references are never loaded inside the
/// lock.
final class OwnerTable: Sendable {
    static let shared = OwnerTable()

    /// A class, so that copying the table does not touch the objects.
    private final class Entry: Sendable {
        /// Safe to share: it is set once, used only to test identity, and no method is called on
        /// it.
        nonisolated(unsafe) weak var object: AnyObject?  // set once; weak loads are atomic
        /// Keeps the object's memory allocated, so that its address is not reused.
        private nonisolated(unsafe) unowned let place: AnyObject  // holds the memory; never read
        let owner = OperationOwner()

        init(_ object: AnyObject) {
            self.object = object
            place = object
        }
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The entries whose objects were deallocated at the last sweep.
        var gone: Set<ObjectIdentifier> = []
        var sweepSize = OwnerTable.smallest

        /// Returns all entries if there are enough for a sweep; only one thread sweeps at a time.
        mutating func takeEntriesToSweep() -> [ObjectIdentifier: Entry]? {
            guard entries.count > sweepSize else { return nil }
            sweepSize = .max
            return entries
        }
    }

    /// The minimum number of entries for a sweep.
    private static let smallest = 64

    private let state = Lock(State())

    /// The number of entries, including those of deallocated objects.
    var count: Int { state.withLock { $0.entries.count } }

    /// Returns the owner that represents an object; creates one if necessary.
    func owner(of object: AnyObject) -> OperationOwner {
        let id = ObjectIdentifier(object)
        let known = state.withLock { $0.entries[id] }
        if let known, known.object === object { return known.owner }
        return add(Entry(object), for: id, replacing: known)
    }

    /// - Parameter old: The entry of a previous object at the same address.
    private func add(
        _ fresh: Entry, for id: ObjectIdentifier, replacing old: Entry?
    ) -> OperationOwner {
        typealias Entries = [ObjectIdentifier: Entry]
        let (owner, crowd) = state.withLock { state -> (OperationOwner, Entries?) in
            // An entry other than `old` belongs to the same object, which is alive throughout.
            if let entry = state.entries[id], entry !== old { return (entry.owner, nil) }
            state.entries[id] = fresh
            return (fresh.owner, state.takeEntriesToSweep())
        }
        if let crowd { sweep(crowd) }
        return owner
    }

    /// Removes entries whose objects were already deallocated at the last sweep. Others are kept,
    /// because an object's `deinit` may still ask for its owner.
    private func sweep(_ entries: [ObjectIdentifier: Entry]) {
        let gone = entries.filter { $0.value.object == nil }
        state.withLock { state in
            for id in gone.keys where state.gone.contains(id) { state.entries[id] = nil }
            state.gone = Set(gone.keys)
            let left = state.entries.count
            state.sweepSize = left + max(Self.smallest, left - gone.count)
        }
    }

    /// Returns the owner of an object, which may be in its `deinit`; nil if it never had one.
    func existing(_ id: ObjectIdentifier) -> OperationOwner? {
        state.withLock { $0.entries[id]?.owner }
    }
}

#if canImport(ObjectiveC)
    /// Stores owners in the objects themselves, as associated objects: an owner lives as long as
    /// its object and is still available in the object's `deinit`. An `OwnerTable` could not keep
    /// the memory of Objective-C objects allocated.
    private enum AssociatedOwner {
        private final class OwnerBox: Sendable {
            let owner = OperationOwner()
        }

        /// Its address is the key of the associated object.
        private static let mark = OwnerBox()
        private static let lock = Lock(())

        private static var key: UnsafeRawPointer {
            UnsafeRawPointer(Unmanaged.passUnretained(mark).toOpaque())
        }

        static func owner(of object: AnyObject) -> OperationOwner {
            lock.withLock { _ in
                if let owner = existing(object) { return owner }
                let load = OwnerBox()
                objc_setAssociatedObject(object, key, load, .OBJC_ASSOCIATION_RETAIN)
                return load.owner
            }
        }

        static func existing(_ object: AnyObject) -> OperationOwner? {
            (objc_getAssociatedObject(object, key) as? OwnerBox)?.owner
        }
    }
#endif

extension OperationOwner {
    /// Creates the owner that represents an object: the same one as long as the object lives. The
    /// object is not retained, and a later object at the same address gets another owner.
    public init(of object: AnyObject) {
        #if canImport(ObjectiveC)
            self = AssociatedOwner.owner(of: object)
        #else
            self = OwnerTable.shared.owner(of: object)
        #endif
    }

    /// Returns the owner of an object, which may be in its `deinit`; nil if it never had one.
    fileprivate init?(known object: AnyObject) {
        #if canImport(ObjectiveC)
            guard let owner = AssociatedOwner.existing(object) else { return nil }
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
