import Foundation
import HTTPTypes
import SpecIR
import TelexJSON
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
        var summary = MockSummary()
    }

    let settings: MockSettings
    let clock: RuntimeClock
    private let state: Lock<State>
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
        state = Lock(State(spec: spec, desk: TokenDesk(life: settings.tokenLife)))
    }

    /// Answers with another spec from now on. What was created is kept.
    public func use(_ spec: MockSpec) { state.withLock { $0.spec = spec } }

    /// What has happened so far.
    public var summary: MockSummary { state.withLock { $0.summary } }

    /// Answers a request.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let start = clock.elapsed()
        var exchange = MockExchange(request: request, started: clock.now())
        var reply = RuntimeClock.$current.withValue(clock) { respond(to: request, &exchange) }
        if let origin = request.fields[.origin] { reply = reply.adding(.allowing(origin)) }
        if request.method == "HEAD" { reply = reply.withoutBody }
        exchange.finish(reply, clock.elapsed() - start)
        state.withLock { $0.summary.count(exchange) }
        onExchange(exchange)
        return reply
    }

    private func respond(
        to request: LoopbackRequest, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        if request.method == "OPTIONS", request.fields[.accessControlRequestMethod] != nil {
            exchange.note = "preflight of a browser"
            return .bytes(status: 204)
        }
        let spec = state.withLock { $0.spec }
        let maker = ReplyMaker(
            spec: spec, seed: settings.seed, now: clock.now(), check: settings.check(spec))
        let answer = MethodAnswer(
            server: self, maker: maker, request: request, content: RequestContent(request))
        return answer.reply(&exchange)
    }

    /// Reads and changes what the mock keeps.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
