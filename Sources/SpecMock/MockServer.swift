import Foundation
import HTTPTypes
import SpecIR
import TelexJSON
import TelexScheduling
import TelexTesting
import TelexValues

/// A server that answers every method of a spec:
///
/// ```swift
/// let mock = MockServer(spec)
/// let server = try LoopbackServer { mock.answer($0) }
/// ```
///
/// It needs no socket: `InMemoryTransport(serving: mock.answer)` answers clients in the same process.
public final class MockServer: Sendable {
    struct State {
        var spec: MockSpec
        var shelf = Shelf()
        var desk: TokenDesk
        var files: [String: FileOnServer] = [:]
        var faults: FaultPlayer
        var random: SeededRandom
        var summary = MockSummary()
    }

    let settings: MockSettings
    let clock: RuntimeClock
    private let state: Lock<State>
    private let limiter: RateLimiter?
    private let onExchange: @Sendable (MockExchange) -> Void

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - settings: What it does besides answering.
    ///   - clock: The time of dates and of tokens; by default that of the system.
    ///   - onExchange: Takes each exchange after its reply was made, in any order.
    public init(
        _ spec: MockSpec, settings: MockSettings = MockSettings(), clock: RuntimeClock = .system,
        onExchange: @escaping @Sendable (MockExchange) -> Void = { _ in }
    ) {
        self.settings = settings
        self.clock = clock
        self.onExchange = onExchange
        state = Lock(
            State(
                spec: spec, desk: TokenDesk(life: settings.tokenLife),
                faults: FaultPlayer(settings.faults), random: SeededRandom(seed: settings.seed)))
        limiter = settings.limit.map { RateLimiter($0.requests, per: $0.time, clock: clock) }
    }

    /// Answers with another spec from now on. What was created is kept.
    public func use(_ spec: MockSpec) { state.withLock { $0.spec = spec } }

    /// What has happened so far.
    public var summary: MockSummary { state.withLock { $0.summary } }

    /// Answers a request.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let start = clock.elapsed()
        let exchange = Lock(MockExchange(request: request, started: clock.now()))
        let make: LoopbackServer.Handler = { request in
            RuntimeClock.$current.withValue(self.clock) {
                exchange.withLock { self.troubled(request, &$0) }
            }
        }
        var reply = limiter?.limiting { make($0) }(request) ?? make(request)
        if let origin = request.fields[.origin] { reply = reply.adding(.allowing(origin)) }
        if request.method == "HEAD" { reply = reply.withoutBody }
        let delay = settings.delay.map { delay in
            state.withLock { delay.time(using: &$0.random) }
        }
        var finished = exchange.withLock { $0 }
        finished.finish(reply, clock.elapsed() - start + (delay ?? .zero))
        state.withLock { $0.summary.count(finished) }
        onExchange(finished)
        return delay.map { held(reply, $0) } ?? reply
    }

    private func held(_ reply: LoopbackReply, _ delay: Duration) -> LoopbackReply {
        let gate = Gate()
        settings.after(delay) { gate.open() }
        return reply.held(by: gate)
    }

    /// The reply, or the fault that the request meets. A fault may pass some requests.
    private func troubled(
        _ request: LoopbackRequest, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        if let fault = state.withLock({ $0.faults.next(using: &$0.random) }) {
            let reply = fault.handler(request)
            if reply.head?.status.code != 200 || reply.body != Array("ok".utf8) {
                exchange.note = "fault: \(fault.name)"
                return reply
            }
        }
        return respond(to: request, &exchange)
    }

    private func respond(
        to request: LoopbackRequest, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        if request.method == "OPTIONS", request.fields[.accessControlRequestMethod] != nil {
            exchange.note = "preflight of a browser"
            return .bytes(status: 204)
        }
        let spec = state.withLock { $0.spec }
        let content = RequestParts(request)
        if let upstream = settings.upstream {
            let match = spec.router.match(request, content)
            exchange.method = match?.method.apiName
            return upstream.answer(request, match, spec, &exchange)
        }
        let maker = ReplyMaker(
            spec: spec, seed: settings.seed, now: clock.now(),
            check: { spec.interpreter.check(of: $0) })
        return MethodAnswer(
            server: self, maker: maker, request: request, content: content
        ).reply(&exchange)
    }

    /// Reads and changes what the mock keeps.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
