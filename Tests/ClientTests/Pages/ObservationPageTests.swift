import Foundation
import GalleryClient
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on observation")
struct ObservationPageTests {
    struct SlowCalls: APIEventListener {
        let log: Display

        func handle(_ event: APIEvent) {
            guard case .received(let exchange) = event.kind else { return }
            if exchange.timings.lastByte > .seconds(1) { log.show(exchange.request.curl) }
        }
    }

    struct Signing: Interceptor {
        let sign: @Sendable (String) -> String

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            var request = request
            if !call.leavesOrigin, let name = HTTPField.Name("X-Signature") {
                request.head.headerFields[name] = sign(call.method)
            }
            return try await next(request)
        }
    }

    private struct KeyLocked: Error {}

    private struct Locked: Interceptor {
        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply { throw KeyLocked() }
    }

    private let label = Display()
    private let log = Display()

    @Test("the page on observation tells a closure, without the token")
    func closures() async throws {
        let transport = galleryTransport
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.onEvent = { event in log.show(event) }
        }
        _ = try await gallery.pictures.list().value
        let text = log.lines.joined(separator: "\n")
        #expect(text.contains("→ pictures.list: curl -X GET"))
        #expect(text.contains("‹redacted›") && !text.contains("t0k3n"))
    }

    @Test("the page on observation tells a listener how long things took")
    func listeners() async throws {
        let clock = VirtualClock()
        let transport = InMemoryTransport { _ in
            clock.advance(by: .seconds(2))
            return .json("[]")
        }
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.settings.clock = clock.runtimeClock
            $0.listeners = [SlowCalls(log: log)]
        }
        _ = try await gallery.pictures.list().value
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasPrefix("curl -X GET 'https://api.gallery.example") == true)
    }

    @Test("the page on observation keeps exchanges")
    func recorders() async throws {
        try await withPath { path in
            let transport = galleryTransport
            let recorder = HARRecorder()
            let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
                $0.listeners = [recorder]
            }
            _ = try await gallery.pictures.get(id: 7).value
            try recorder.write(to: path)
            let archive = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            #expect(archive.contains("pictures/7") && !archive.contains("t0k3n"))
        }
    }

    @Test("the page on observation says how far the network reached")
    func diagnosis() async throws {
        let gallery = makeGallery(
            InMemoryTransport { _ throws(TransportError) in
                throw TransportError(.tls, "the certificate is for somebody else")
            })
        do {
            _ = try await gallery.pictures.get(id: 7).value
        } catch let error as APIError {
            log.show(error)
            if let diagnosis = error.diagnosis { label.show(diagnosis) }
        }
        #expect(log.lines.first?.contains("certificate") == true)
        #expect(label.lines.first?.contains("no trust could be established") == true)
    }

    @Test("the page on observation lets an interceptor sign")
    func interceptors() async throws {
        let transport = InMemoryTransport { request in
            guard request.head.authority == "api.gallery.example" else { return .json("[]") }
            return .bytes(status: .found, fields: [.location: "https://other.example/"])
        }
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.interceptors = [Signing { "signed \($0)" }]
        }
        _ = try await gallery.pictures.list().value
        let name = try #require(HTTPField.Name("X-Signature"))
        let signatures = transport.requests.map { $0.head.headerFields[name] }
        #expect(signatures == ["signed pictures.list", nil])
    }

    @Test("the page on observation has what an interceptor threw")
    func refusingInterceptors() async throws {
        let gallery = APIManager<Gallery>(transport: galleryTransport, credentials: credentials) {
            $0.interceptors = [Locked()]
        }
        do {
            _ = try await gallery.pictures.get(id: 7).value
        } catch let error as APIError where error.cause is KeyLocked {
            label.show("unlock your key")
        }
        #expect(label.lines == ["unlock your key"])
    }
}
