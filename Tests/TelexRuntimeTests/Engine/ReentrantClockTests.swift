import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A clock that reads an operation")
struct ReentrantClockTests {
    /// A clock that reads the state of the operation for each moment.
    private final class ReentrantClock: Sendable {
        let operation = Lock<OperationHandle?>(nil)
        var clock: RuntimeClock {
            RuntimeClock(
                now: { Date(timeIntervalSince1970: 0) },
                elapsed: {
                    _ = self.operation.withLock { $0 }?.state
                    return .zero
                }, sleep: RuntimeClock.stopped.sleep)
        }
    }

    @Test("a clock that reads an operation may be read for the progress of an ended operation")
    func progressAfterEnd() async throws {
        let watch = ReentrantClock()
        let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "t"))
        ) {
            $0.settings.clock = watch.clock
            $0.settings.seed = 7
        }
        let call = manager.operation(UsersRequests.get(ids: ["1"]))
        _ = try await call.value
        watch.operation.withLock { $0 = call }
        for await _ in call.progress {}
    }
}
