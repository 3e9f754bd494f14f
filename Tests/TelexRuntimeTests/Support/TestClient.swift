import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime
@_spi(Engine) @testable import TelexScheduling

/// A client of the tiny API with a scripted server and a virtual clock.
struct TestClient {
    let clock = VirtualClock()
    let transport: InMemoryTransport
    let manager: APIManager<TinyAPI>
    let log = Log()

    init(
        _ credentials: any CredentialStore = .memory(Credential(token: secret)),
        _ script: @escaping InMemoryTransport.Script
    ) {
        transport = InMemoryTransport(script)
        manager = APIManager<TinyAPI>(transport: transport, credentials: credentials) {
            [clock, log] in
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
            $0.onEvent = { log.add($0.description) }
        }
    }

    func call(
        _ options: CallOptions = CallOptions(), after: [OperationHandle] = []
    ) -> DataOperation<[User]> {
        manager.operation(UsersRequests.get(ids: ["1"]), options: options, after: after)
    }

    /// Advances the clock. The engine has handled it on return, so everything due in that time
    /// comes before the next action.
    func pass(_ time: Duration) {
        clock.advance(by: time)
        manager.engine.send(.tick)
    }

    /// Returns once this many calls share requests. There is no event for that.
    func subscribers(_ count: Int) async {
        await until { manager.engine.subscriberCount == count }
    }

    static let retrying = CallOptions(
        retry: RetryPolicy(backoff: Backoff(initial: .seconds(1), jitter: 0)))
}

extension Engine {
    /// How many calls wait for the requests of `EngineRequests.shared`.
    fileprivate var subscriberCount: Int {
        let all = state.withLock { $0.operations.values }.filter(\.isShared)
        return all.reduce(0) { count, shared in
            let users = shared as? DataOperation<[User]>
            return count + (users?.live.withLock { $0.waiters.count } ?? 0)
        }
    }
}

extension OperationHandle {
    /// Returns once the operation is in such a state, or has ended.
    func reach(_ isThere: (OperationState) -> Bool) async {
        for await state in states where isThere(state) { return }
    }
}
