import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting

/// An inspector that keeps what a listener sends to it.
final class SpiedInspector: Sendable {
    let listener: InspectorListener
    /// What the standard error would be told.
    let faults: Log
    private let transport: InMemoryTransport

    /// - Parameter answer: The status of each reply; `nil` if the inspector cannot be reached.
    init(
        address: String = "http://127.0.0.1:4020", pairingCode: String? = nil,
        clock: RuntimeClock = .stopped, answer: @escaping @Sendable () async -> Int? = { 204 }
    ) {
        let faults = Log()
        self.faults = faults
        transport = InMemoryTransport { _ throws(TransportError) in
            guard let status = await answer() else {
                throw TransportError(.cannotConnect, "nothing listens")
            }
            return .bytes(status: .init(code: status))
        }
        listener = InspectorListener(
            transport: transport, address: address, pairingCode: pairingCode, app: "Spied",
            bodyLimit: 1 << 20, clock: clock, onFault: { faults.add($0) })
    }

    var requests: [SentRequest] { transport.requests }

    /// All that was sent, with the heads of the requests.
    var text: String {
        get async {
            await listener.flush()
            return requests.map { "\($0.head) \($0.text)" }.joined(separator: "\n")
        }
    }
}
