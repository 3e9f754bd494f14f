import Foundation
import Synchronization
import Testing

@testable import TelexRuntime

@Suite("The owners that stand for objects")
struct OwnerTableTests {
    private final class Plain: Sendable {}

    /// Keeps the address of an object that is gone from being given to another.
    private struct Grave {
        unowned let object: Plain
    }

    /// Asks the table in its `deinit`, as an app does that cancels what its screen has begun. Only
    /// where somebody looks for objects that are gone, so that nothing else keeps them apart.
    private final class Screen: Sendable {
        @TaskLocal static var looks = false
        let table: OwnerTable

        init(_ table: OwnerTable) {
            self.table = table
        }

        deinit { if Self.looks { _ = table.existing(ObjectIdentifier(self)) } }
    }

    /// Where two threads wait for each other.
    private final class Round: Sendable {
        private let arrived = Atomic(0)

        func arrive() {
            let number = arrived.add(1, ordering: .sequentiallyConsistent).newValue
            let both = number + number % 2
            while arrived.load(ordering: .sequentiallyConsistent) < both { sched_yield() }
        }
    }

    @Test("stay the same as long as the objects live, whoever asks")
    func same() async {
        let table = OwnerTable()
        let object = Plain()
        let owners = await withTaskGroup(of: OperationOwner.self) { group in
            for _ in 0..<100 { group.addTask { table.owner(of: object) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(owners.count == 1 && owners.first == table.existing(ObjectIdentifier(object)))
        #expect(table.owner(of: Plain()) != table.owner(of: object))
    }

    @Test("are forgotten once there are many and the objects are gone, and only then")
    func sweep() {
        let table = OwnerTable()
        let kept = (0..<100).map { _ in Plain() }
        let owners = kept.map { table.owner(of: $0) }
        var graves: [Grave] = []
        for _ in 0..<10_000 {
            let object = Plain()
            graves.append(Grave(object: object))
            _ = table.owner(of: object)
        }
        #expect(table.count < 1_000)
        #expect(kept.map { table.owner(of: $0) } == owners)
    }

    @Test("are another's when an object has the address of one that is gone")
    func address() {
        let table = OwnerTable()
        var seen: Set<OperationOwner> = []
        for _ in 0..<1_000 { #expect(seen.insert(table.owner(of: Plain())).inserted) }
    }

    @Test("are nobody's when an object has the address of one that is gone and never had one")
    func stranger() {
        let table = OwnerTable()
        for _ in 0..<1_000 {
            _ = table.owner(of: Plain())
            let stranger = Plain()
            #expect(table.existing(ObjectIdentifier(stranger)) == nil)
        }
    }

    @Test("are still known to objects in their deinit when somebody looks who is gone")
    func ending() {
        final class Ending: Sendable {
            let table: OwnerTable

            init(_ table: OwnerTable) {
                self.table = table
            }

            deinit {
                // As many as it takes for somebody to look.
                let crowd = (0..<100).map { _ in Plain() }
                for object in crowd { _ = table.owner(of: object) }
                #expect(table.existing(ObjectIdentifier(self)) != nil)
            }
        }
        let table = OwnerTable()
        var object: Ending? = Ending(table)
        if let object { _ = table.owner(of: object) }
        object = nil
        #expect(table.count > 64)
    }

    @Test("may be asked for by an object that ends while somebody looks whether it is there")
    func deinits() {
        let tables = (0..<500).map { _ in OwnerTable() }
        let crowds = Mutex(tables.reversed().map { table in (0..<64).map { _ in Screen(table) } })
        for (table, screens) in zip(tables.reversed(), crowds.withLock { $0 }) {
            for screen in screens { _ = table.owner(of: screen) }
        }
        let round = Round()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for _ in tables {
                round.arrive()
                _ = crowds.withLock { $0.popLast() }
            }
            done.signal()
        }
        // Both at the same time: one more object is too many, and the others go.
        for table in tables {
            round.arrive()
            Screen.$looks.withValue(true) { _ = table.owner(of: Plain()) }
        }
        done.wait()
        #expect(crowds.withLock { $0.isEmpty } && tables.allSatisfy { $0.count <= 65 })
    }
}
