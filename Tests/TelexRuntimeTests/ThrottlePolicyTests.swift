import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("Calls that come too soon after another", .timeLimit(.minutes(5)))
struct ThrottlePolicyTests {
    private let desk = Desk { _ in empty }

    private func delayed(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
        desk.manager.operation(EngineRequests.delayed(), options: options)
    }

    private func latest(_ text: String) -> DataOperation<[User]> {
        desk.manager.operation(EngineRequests.latest(text: text))
    }

    private func date(in time: TimeInterval) -> Date {
        desk.clock.date.addingTimeInterval(time)
    }

    @Test("wait for their moment where their method delays them, and say so")
    func waitForTheirMoment() async throws {
        let calls = (0..<3).map { _ in delayed() }
        for call in calls { call.start() }
        _ = try await calls[0].value
        #expect(calls[1].state == .waiting(until: date(in: 2)))
        #expect(calls[2].state == .waiting(until: date(in: 4)))
        let lines = desk.log.text.split(separator: "\n").filter { $0.hasPrefix("…") }
        let line =
            "… delayed waits for its turn, because the last start was too short a time ago"
        #expect(lines.map(String.init) == [line, line])
        desk.pass(.seconds(2))
        _ = try await calls[1].value
        #expect(calls[2].state == .waiting(until: date(in: 2)))
        desk.pass(.seconds(2))
        _ = try await calls[2].value
        #expect(desk.transport.requests.count == 3)
    }

    @Test(
        "end as others do while they wait: at the end of their time, or because nobody wants them")
    func endWhileTheyWait() async throws {
        _ = try await delayed().value
        let options = CallOptions(timeouts: Timeouts(total: .seconds(1)))
        let (hasty, mine, last) = (
            delayed(options), delayed(CallOptions(owner: OperationOwner("screen"))), delayed()
        )
        for call in [hasty, mine, last] { call.start() }
        desk.manager.cancel(owner: OperationOwner("screen"))
        #expect(mine.state == .cancelled)
        desk.pass(.seconds(1))
        let error = await failure(hasty)
        #expect(error?.reason == .timedOut(after: .seconds(1)) && error?.phase == .queue)
        #expect(last.state == .waiting(until: date(in: 1)))
        try await desk.manager.logOut()
        #expect(last.state.isTerminal)
        #expect(desk.transport.requests.count == 1)
        #expect(await eventually { desk.manager.engine.isIdle })
    }

    @Test("wait in groups that are suspended, and go on with them")
    func inGroups() async throws {
        _ = try await delayed().value
        let step = delayed()
        let group = desk.manager.group { group in try await group.run(step) }
        group.start()
        await step.reach { $0 == .waiting(until: date(in: 2)) }
        group.suspend()
        await step.reach { $0 == .suspended }
        desk.pass(.seconds(5))
        #expect(step.state == .suspended)
        group.resume()
        #expect(try await group.value == [])
    }

    @Test("make way for the last one where that is the one that counts, all who share a request")
    func makeWay() async throws {
        _ = try await latest("s").value
        let replaced = [latest("se"), latest("se")]
        for call in replaced { call.start() }
        await desk.riders(2)
        let last = latest("sea")
        last.start()
        for call in replaced {
            let error = await failure(call)
            #expect(error?.reason == .replaced)
            #expect(error?.phase == .queue && error?.fault == .caller && error?.attempts == 0)
            #expect(error?.isRetryable == false && error?.retryAfter == nil)
            #expect(
                error?.description == """
                    `latest` of Tiny failed: a later start took its place before it was sent
                    """)
        }
        desk.pass(.seconds(2))
        #expect(try await last.value == [])
        let texts = desk.transport.requests.compactMap { $0.head.path?.split(separator: "=").last }
        #expect(texts.count == 2)
    }
}
