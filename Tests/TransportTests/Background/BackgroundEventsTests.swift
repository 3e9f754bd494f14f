import Foundation
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("Events of background sessions")
struct BackgroundEventsTests {
    @Test("events of background sessions are complete for every waiter, however often it waits")
    func again() async {
        let events = BackgroundEvents()
        let first = Task { await events.wait() }
        events.end()
        await first.value
        await events.wait()
        await events.wait()
    }

    @Test("events of background sessions are incomplete after a new task")
    func renewed() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        fixture.tasks.events.end()
        await fixture.tasks.events.wait()
        fixture.tasks.add(
            fixture.task, name: fixture.name, exchange: BackgroundExchange(fixture.request),
            cancel: {})
        #expect(!fixture.tasks.events.isOver)
        fixture.tasks.events.end()
        #expect(fixture.tasks.events.isOver)
    }

    @Test("background events are incomplete when the system wakes the app again for a known task")
    func secondWake() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name, cancel: {})
        fixture.tasks.events.end()
        await fixture.tasks.waitForEvents()
        let again = Task { await fixture.tasks.waitForEvents() }
        again.cancel()
        await again.value
        #expect(!fixture.tasks.events.isOver)
        try fixture.finish([1])
        try fixture.complete(declaring: 1)
        fixture.tasks.events.end()
        await fixture.tasks.waitForEvents()
        await fixture.tasks.waitForEvents()
        #expect(fixture.tasks.events.isOver)
    }

    @Test(
        "events of background sessions are incomplete while the last one is delivered",
        arguments: [false, true])
    func lastWake(isFile: Bool) async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name, cancel: {})
        fixture.tasks.events.end()
        await fixture.tasks.waitForEvents()
        if isFile {
            try fixture.finish([1])
        } else {
            try fixture.complete(status: 500, declaring: 0)
        }
        #expect(!fixture.tasks.events.isOver)
        fixture.tasks.events.end()
        #expect(fixture.tasks.events.isOver)
    }

    @Test("events of background sessions stay complete for the first waiter after a new task")
    func early() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        fixture.tasks.events.end()
        fixture.tasks.add(
            fixture.task, name: fixture.name, exchange: BackgroundExchange(fixture.request),
            cancel: {})
        await fixture.tasks.events.wait()
        #expect(!fixture.tasks.events.isOver)
    }

    @Test("background events are awaited until they are complete or the task is cancelled")
    func waiting() async throws {
        let events = BackgroundEvents()
        let waiting = Task { await events.wait() }
        waiting.cancel()
        await waiting.value
        let fixture = try BackgroundFixture { _ in .silence }
        defer { fixture.stop() }
        #expect(await !fixture.transport().handleBackgroundEvents(ofSession: "other.0.transfers"))
        let asked = Gate()
        let transport = fixture.transport(left: { _ in
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
