import HTTPTypes
@_exported import RuntimeTestSupport
import Testing

@testable import TelexRuntime
@testable import TelexTesting

let secret = "s3cr3t-t0k3n"

/// Returns a manager with a token over a transport with a script.
func tiny(
    credential: Credential? = Credential(token: secret, values: ["user_id": "7"]),
    server: ServerChoice = .first, clock: RuntimeClock = .stopped,
    onEvent: (@Sendable (APIEvent) -> Void)? = nil, _ script: @escaping InMemoryTransport.Script
) -> (manager: APIManager<TinyAPI>, transport: InMemoryTransport) {
    let transport = InMemoryTransport(script)
    let manager = APIManager<TinyAPI>(
        transport: transport, credentials: MemoryCredentialStore(credential)
    ) {
        $0.server = server
        $0.settings.clock = clock
        $0.onEvent = onEvent
    }
    return (manager, transport)
}

/// Returns the error of a call.
func failure<Output>(_ operation: DataOperation<Output>) async -> APIError? {
    do {
        _ = try await operation.value
        return nil
    } catch {
        return error as? APIError
    }
}

/// Returns the error of a request for users with this reply.
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
