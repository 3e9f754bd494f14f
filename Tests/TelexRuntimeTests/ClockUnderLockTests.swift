import Foundation
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A clock that looks at an operation")
struct ClockUnderLockTests {
    /// Its clock asks the operation for its state whenever it is asked for the time.
    private final class Watch: Sendable {
        let operation = Mutex<OperationHandle?>(nil)
        var clock: RuntimeClock {
            RuntimeClock(
                now: { Date(timeIntervalSince1970: 0) },
                elapsed: {
                    _ = self.operation.withLock { $0 }?.state
                    return .zero
                }, sleep: RuntimeClock.stopped.sleep)
        }
    }

    @Test("may be asked for the progress of one that has ended")
    func progressAfterEnd() async throws {
        let watch = Watch()
        let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }
        let manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "t")),
            settings: EngineSettings(clock: watch.clock, seed: 7))
        let call = manager.operation(UsersRequests.get(ids: ["1"]))
        _ = try await call.value
        watch.operation.withLock { $0 = call }
        for await _ in call.progress {}
    }
}
