import Foundation
import RuntimeTestSupport
import TelexFoundation
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("An operation that waits in an OperationQueue")
struct ExpectedOperationTests {
    private let manager = TestAPI.manager(
        APIDefinition(
            name: "Test", servers: [Server("main", "https://test.test/")],
            auth: AuthRules(token: .bearer)),
        transport: InMemoryTransport { _ in .json("[]") }
    ) { $0.settings.clock = .system }
    private let queue = OperationQueue()

    init() { queue.isSuspended = true }

    @Test(
        "an operation waiting in an OperationQueue is cancelled with its owner, tag or manager",
        arguments: 0..<4)
    func cancelled(_ way: Int) async {
        let scope = OperationScope(manager)
        let group = manager.group(owner: scope.owner, tags: ["sync"]) { _ in }
        let other = manager.group { _ in }
        let work = group.foundationOperation
        queue.addOperation(work)
        switch way {
        case 0: scope.cancel()
        case 1: manager.cancel(owner: scope.owner)
        case 2: manager.cancel(tag: "sync")
        default: manager.cancelAll()
        }
        #expect(group.state == .cancelled && work.isCancelled)
        // This group has no operation in a queue.
        #expect(other.state == .ready)
        queue.isSuspended = false
        await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
        #expect(work.isFinished)
    }

    @Test("an operation waiting in a queue is cancelled by a log-out that clears its credential")
    func loggedOut() async throws {
        let request = RequestBuilder(TestAPI.APIMethod(rawValue: "ping"))
        let call = manager.operation(request.finishEmpty())
        let group = manager.group { _ in }
        let (carrying, other) = (call.foundationOperation, group.foundationOperation)
        for work in [carrying, other] { queue.addOperation(work) }
        try await manager.logOut()
        #expect(call.state == .cancelled && group.state == .ready)
        withExtendedLifetime(other) {}
    }

    @Test("an operation waiting in a queue counts as never started once the queue has released it")
    func forgotten() {
        let group = manager.group { _ in }
        do { _ = group.foundationOperation }
        manager.cancelAll()
        #expect(group.state == .ready)
    }
}
