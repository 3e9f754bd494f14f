import TelexRuntime
import TelexURLSession

/// `URLSessionTransport` without the time-out of silence, since a server of these tests is silent for
/// as long as a busy machine gives it no time.
struct PatientTransport: Transport {
    private let transport = URLSessionTransport()

    var probe: ReachabilityProbe? { transport.probe }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        var request = request
        request.timeout = .noTimeout
        return try await transport.send(request)
    }
}
