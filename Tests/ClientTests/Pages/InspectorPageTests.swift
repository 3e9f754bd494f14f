import GalleryClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on the inspector")
struct InspectorPageTests {
    /// An inspector on this machine, or on another one, and the app's server.
    private let transport = InMemoryTransport { request in
        if request.head.path == "/lines" { return .bytes(status: .noContent) }
        return .json(#"[{"id": 7, "title": "Dusk"}]"#)
    }

    private var sent: [SentRequest] { transport.requests.filter { $0.head.path == "/lines" } }

    @Test("the page on the inspector adds the listener to debug builds")
    func listener() async throws {
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            #if DEBUG
                $0.listeners.append(InspectorListener(transport: transport))
            #endif
        }
        _ = try await gallery.pictures.list().value
        #if DEBUG
            while sent.isEmpty { await Task.yield() }
            #expect(sent.first?.head.authority == "127.0.0.1:4020")
        #else
            #expect(sent.isEmpty)
        #endif
    }

    @Test("the page on the inspector sends to another machine with a pairing code, to the end")
    func machines() async throws {
        let listener = InspectorListener(
            transport: transport, address: "http://192.168.1.5:4020", pairingCode: "K7QF-3MWD")
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.listeners = [listener]
        }
        _ = try await gallery.pictures.list().value
        await listener.flush()
        #expect(sent.first?.head.authority == "192.168.1.5:4020")
        #expect(sent.map(\.text).joined().contains("\"event\":\"succeeded\""))
    }
}
