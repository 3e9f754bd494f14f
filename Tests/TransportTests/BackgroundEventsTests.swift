import Foundation
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("What happened while the app was not there")
struct BackgroundEventsTests {
    @Test("has been told for everybody who asks, and however often")
    func again() async {
        let events = BackgroundEvents()
        let first = Task { await events.wait() }
        events.end()
        await first.value
        await events.wait()
        await events.wait()
    }

    @Test("has not all been told once there is a new task")
    func renewed() async throws {
        let told = try Told()
        defer { told.stop() }
        told.tasks.events.end()
        await told.tasks.events.wait()
        told.tasks.add(told.task, told.name, BackgroundExchange(told.request), cancel: {})
        #expect(!told.tasks.events.isOver)
        told.tasks.events.end()
        #expect(told.tasks.events.isOver)
    }

    @Test("has not all been told when the system comes back for a task that it had then, too")
    func secondWake() async throws {
        let told = try Told()
        defer { told.stop() }
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        told.tasks.events.end()
        await told.tasks.waitForEvents()
        let again = Task { await told.tasks.waitForEvents() }
        again.cancel()
        await again.value
        #expect(!told.tasks.events.isOver)
        try told.finish([1])
        try told.complete(declaring: 1)
        told.tasks.events.end()
        await told.tasks.waitForEvents()
        await told.tasks.waitForEvents()
        #expect(told.tasks.events.isOver)
    }

    @Test("has not all been told while the last of it is", arguments: [false, true])
    func lastWake(isFile: Bool) async throws {
        let told = try Told()
        defer { told.stop() }
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        told.tasks.events.end()
        await told.tasks.waitForEvents()
        if isFile { try told.finish([1]) } else { try told.complete(status: 500, declaring: 0) }
        #expect(!told.tasks.events.isOver)
        told.tasks.events.end()
        #expect(told.tasks.events.isOver)
    }

    @Test("is not forgotten because of a new task before anybody has asked")
    func early() async throws {
        let told = try Told()
        defer { told.stop() }
        told.tasks.events.end()
        told.tasks.add(told.task, told.name, BackgroundExchange(told.request), cancel: {})
        await told.tasks.events.wait()
        #expect(!told.tasks.events.isOver)
    }

    @Test("is waited for until the system has told it or the task is cancelled")
    func waiting() async throws {
        let events = BackgroundEvents()
        let waiting = Task { await events.wait() }
        waiting.cancel()
        await waiting.value
        let rig = try BackgroundRig { _ in .silence }
        defer { rig.stop() }
        #expect(await !rig.transport().handleBackgroundEvents(ofSession: "other.0.transfers"))
        let asked = Gate()
        let transport = rig.transport(left: { _ in
            asked.open()
            return []
        })
        let handling = Task {
            await transport.handleBackgroundEvents(ofSession: "test.0.transfers")
        }
        await asked.wait()
        handling.cancel()
        #expect(await handling.value)
    }
}
