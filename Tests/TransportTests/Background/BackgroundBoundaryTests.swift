import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

/// The limits of background sessions, and the decisions of the system.
@Suite("Limits of background sessions")
struct BackgroundBoundaryTests {
    @Test("a redirect is followed by the system without a callback")
    func redirect() async throws {
        let fixture = try BackgroundFixture { request in
            request.path == "/film"
                ? .bytes(status: 302, fields: [.location: "/there"]) : .text(request.path)
        }
        defer { fixture.stop() }
        let reply = try await fixture.transport().send(fixture.request())
        #expect(reply.head.status == .ok)
        #expect(try await reply.body.collect(upTo: 9) == Array("/there".utf8))
    }

    @Test("cancelled downloads end while others continue")
    func storm() async throws {
        let fixture = try BackgroundFixture { request in
            request.path == "/stall" ? .stalled([1], declaring: 9) : .text("film")
        }
        defer { fixture.stop() }
        let transport = fixture.transport()
        let stalling = fixture.request(.get, "/stall")
        let stalled = (0..<100).map { _ in
            Task { await TransportError.kind { _ = try await transport.send(stalling) } }
        }
        for task in stalled { task.cancel() }
        for _ in 0..<100 {
            let reply = try await transport.send(fixture.request())
            #expect(try await reply.body.collect(upTo: 4) == Array("film".utf8))
        }
        for task in stalled { #expect(await task.value == .cancelled) }
    }

    @Test("a platform without background sessions uses ordinary ones", .enabled(if: isLinux))
    func elsewhere() async throws {
        let fixture = try BackgroundFixture { .text($0.fields[.cookie] ?? "-") }
        defer { fixture.stop() }
        let transport = URLSessionTransport(background: fixture.settings)
        let reply = try await transport.send(fixture.request(fields: [.cookie: "a=1"]))
        #expect(try await reply.body.collect(upTo: 9) == Array("a=1".utf8))
        #expect(await !transport.handleBackgroundEvents(ofSession: "test.0.transfers"))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
    }

    private static var isLinux: Bool {
        #if canImport(Darwin)
            false
        #else
            true
        #endif
    }

    @Test("an ephemeral session is not a background session")
    func ephemeral() async throws {
        let fixture = try BackgroundFixture { .text($0.fields[.cookie] ?? "-") }
        defer { fixture.stop() }
        var request = fixture.request(fields: [.cookie: "a=1"])
        request.session.isEphemeral = true
        let reply = try await fixture.transport().send(request)
        #expect(try await reply.body.collect(upTo: 9) == Array("a=1".utf8))
    }
}
