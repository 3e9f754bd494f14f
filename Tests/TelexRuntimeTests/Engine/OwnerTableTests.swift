import Foundation
import TelexJSON
import TelexScheduling
import Testing

@testable import TelexRuntime

@Suite("The owners of objects")
struct OwnerTableTests {
    private final class Plain: Sendable {}

    /// Keeps the address of a released object from being reused.
    private struct Grave {
        unowned let object: Plain
    }

    /// Reads the table in its `deinit`, like an app that cancels the operations of a screen. It
    /// does so only where the table looks for released objects.
    private final class Screen: Sendable {
        @TaskLocal static var looks = false
        let table: OwnerTable

        init(_ table: OwnerTable) {
            self.table = table
        }

        deinit { if Self.looks { _ = table.existing(ObjectIdentifier(self)) } }
    }

    /// A rendezvous of two threads.
    private final class Round: Sendable {
        private let arrived = AtomicCount()

        func arrive() {
            let number = arrived.increment()
            let both = number + number % 2
            while arrived.value < both { sched_yield() }
        }
    }

    @Test("the owners of objects stay the same as long as the objects live, on any thread")
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

    @Test("owners are forgotten once they are many and their objects are released, and only then")
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

    @Test("the owners of objects differ for an object at the address of a released one")
    func address() {
        let table = OwnerTable()
        var seen: Set<OperationOwner> = []
        for _ in 0..<1_000 { #expect(seen.insert(table.owner(of: Plain())).inserted) }
    }

    @Test("an object without an owner has none at the address of a released one")
    func stranger() {
        let table = OwnerTable()
        for _ in 0..<1_000 {
            _ = table.owner(of: Plain())
            let stranger = Plain()
            #expect(table.existing(ObjectIdentifier(stranger)) == nil)
        }
    }

    @Test("owners are still known to objects in their `deinit` while the table is cleaned")
    func ending() {
        final class Ending: Sendable {
            let table: OwnerTable

            init(_ table: OwnerTable) {
                self.table = table
            }

            deinit {
                // Enough to trigger a clean-up.
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

    @Test("the owners of objects may be requested in a `deinit` that the clean-up itself causes")
    func deinits() {
        let tables = (0..<500).map { _ in OwnerTable() }
        let crowds = Lock(tables.reversed().map { table in (0..<64).map { _ in Screen(table) } })
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
        // Both at the same time: one more object triggers the clean-up, which releases the others.
        for table in tables {
            round.arrive()
            Screen.$looks.withValue(true) { _ = table.owner(of: Plain()) }
        }
        done.wait()
        #expect(crowds.withLock { $0.isEmpty } && tables.allSatisfy { $0.count <= 65 })
    }
}
