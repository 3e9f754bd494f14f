import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("Background sessions after a log-out")
struct BackgroundForgettingTests {
    @Test("forgetting removes replies and ends tasks")
    func forgotten() async throws {
        let fixture = try BackgroundFixture { request in
            request.path == "/stall" ? .silence : .text("film")
        }
        defer { fixture.stop() }
        let unread = try await fixture.transport().send(fixture.request(.post, body: .bytes([1])))
        let stalled = fixture.request(.get, "/stall")
        let transport = fixture.transport(left: fixture.left(by: stalled))
        await transport.forgetBackgroundTransfers()
        #expect(fixture.files.isEmpty)
        await fixture.server.waitUntilNoConnectionIsOpen()
        _ = try await transport.send(fixture.request(.post, body: .bytes([1])))
        #expect(fixture.server.requests.filter { $0.path == "/film" }.count == 2)
        withExtendedLifetime(unread) {}
    }

    @Test("forgetting keeps a reply that is being read")
    func read() async throws {
        let fixture = try BackgroundFixture { _ in .text("film") }
        defer { fixture.stop() }
        let transport = fixture.transport()
        let reply = try await transport.send(fixture.request())
        await transport.forgetBackgroundTransfers()
        #expect(try await reply.body.collect(upTo: 4) == Array("film".utf8))
    }
}
