import HTTPTypes
import Synchronization
import Testing

@testable import TelexRuntime
@testable import TelexTesting

let secret = "s3cr3t-t0k3n"

/// A manager with a token over a transport that answers with a script.
func tiny(
    credential: Credential? = Credential(token: secret, values: ["user_id": "7"]),
    definition: ServerChoice = .first, clock: RuntimeClock = .stopped,
    onEvent: (@Sendable (APIEvent) -> Void)? = nil, _ script: @escaping InMemoryTransport.Script
) -> (manager: APIManager<Tiny>, transport: InMemoryTransport) {
    let transport = InMemoryTransport(script)
    let manager = APIManager<Tiny>(
        transport: transport, credentials: MemoryCredentialStore(credential), server: definition,
        settings: EngineSettings(clock: clock), onEvent: onEvent)
    return (manager, transport)
}

/// The error that a call ends in.
func failure<Output>(_ operation: DataOperation<Output>) async -> APIError? {
    do {
        _ = try await operation.value
        return nil
    } catch {
        return error as? APIError
    }
}

/// The error of asking the tiny API for users and getting this.
func failure(replying reply: @escaping @Sendable () -> TransportReply) async -> APIError? {
    let (manager, _) = tiny { _ in reply() }
    return await failure(manager.operation(UsersRequests.get(ids: ["1"])))
}

extension HTTPFields {
    static func location(_ address: String) -> HTTPFields { [.location: address] }

    static func requestID(_ id: String) -> HTTPFields {
        HTTPField.Name("X-Request-ID").map { [$0: id] } ?? [:]
    }
}

/// Returns once a condition is true, or the task is cancelled. For conditions without an event to wait
/// for. There is no time limit, so that the speed of the machine does not matter.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

extension RuntimeClock {
    /// A clock of its own on which no time passes, so that no time-out can end.
    static var stopped: RuntimeClock { VirtualClock().runtimeClock }
}

/// Collects what is told from anywhere.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}
