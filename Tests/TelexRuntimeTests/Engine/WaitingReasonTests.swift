import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("The reported reason of a wait")
struct WaitingReasonTests {
    private func ids(_ count: Int) -> [OperationID] { (0..<count).map { _ in .next() } }

    private func scheduling(queue: String? = nil, host: String = "a") -> SchedulingRequest {
        SchedulingRequest(slot: .init(queue: queue, host: host))
    }

    /// Returns why the last of these waits.
    private func reason(
        _ limits: TrafficLimits, _ tickets: [SchedulingRequest], pausing host: String? = nil
    ) -> String {
        var scheduler = Scheduler(limits, queues: [QueueRules("q", concurrent: 1)])
        if let host { scheduler.close(host, for: .seconds(1), at: .zero) }
        let ids = ids(tickets.count)
        for (id, scheduling) in zip(ids, tickets) { scheduler.add(id, scheduling: scheduling) }
        while let id = scheduler.next(at: .zero) { scheduler.recordRequest(id, at: .zero) }
        return scheduler.queueReason(ids[ids.count - 1], at: .zero)
    }

    @Test("the reported reason of a wait is queue, host, API, rate, or a pause of the host")
    func reasons() {
        let two = [scheduling(), scheduling()]
        let rate = TrafficLimits(rate: RequestRate(1, per: .seconds(1)))
        #expect(
            reason(TrafficLimits(concurrent: 1), two)
                == "the API's limit of concurrent calls is reached")
        #expect(
            reason(TrafficLimits(perHost: 1), two)
                == "its host's limit of concurrent calls is reached")
        #expect(reason(rate, two) == "the rate limit is reached")
        let queued = [scheduling(queue: "q"), scheduling(queue: "q")]
        #expect(reason(TrafficLimits(), queued) == "its queue is full")
        #expect(
            reason(TrafficLimits(), [scheduling()], pausing: "a")
                == "its host asked for a pause")
    }

    @Test("the reported reason of a wait is in events, with the pauses of hosts")
    func events() async throws {
        let client = TestClient { request in
            request.head.path?.contains("ping") == true
                ? .json("{}", status: .tooManyRequests, fields: [.retryAfter: "7"])
                : .json(#"{"response":[]}"#)
        }
        _ = await failure(client.manager.operation(UsersRequests.ping()))
        let call = client.call()
        call.start()
        let late = client.call(after: [call])
        late.start()
        let lines = client.log.text.split(separator: "\n")
        #expect(lines.contains("‖ ping: its host is paused for 7.0 seconds"))
        let waiting = lines.filter { $0.hasPrefix("…") }
        #expect(
            waiting == [
                "… users.get is queued, because its host asked for a pause",
                "… users.get is queued, because its prerequisites have not ended",
            ])
        client.pass(.seconds(7))
        client.pass(.seconds(1))
        #expect(try await late.value == [])
    }
}
