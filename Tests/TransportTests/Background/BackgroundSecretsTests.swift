import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

/// The secrets of requests in background sessions, which report redirects too late.
@Suite("Background sessions and secrets")
struct BackgroundSecretsTests {
    @Test("a field that a redirect could carry to others is refused before anything is sent")
    func secretField() async throws {
        let fixture = try BackgroundFixture { .text($0.fields[.cookie] ?? "-") }
        defer { fixture.stop() }
        let request = fixture.request(fields: [.cookie: "session=1", .authorization: "Bearer 1"])
        let error = await #expect(throws: TransportError.self) {
            try await fixture.transport().send(request)
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("Cookie") == true)
        #expect(fixture.server.requests.isEmpty)
        var settings = fixture.settings
        settings.redirectedFields = [.cookie]
        let reply = try await fixture.transport(settings).send(request)
        #expect(try await reply.body.collect(upTo: 99) == Array("session=1".utf8))
    }

    @Test("a reply over http to a request over https is refused")
    func downgrade() {
        let (safe, open) = (URL(string: "https://a.example/"), URL(string: "http://a.example/"))
        let refused = #expect(throws: TransportError.self) {
            try BackgroundRecord.check(open, against: safe)
        }
        #expect(refused?.kind == .tls)
        #expect(throws: Never.self) {
            try BackgroundRecord.check(safe, against: safe)
            try BackgroundRecord.check(open, against: open)
            try BackgroundRecord.check(safe, against: open)
        }
    }

    @Test("a declared secret field is refused, whatever the app allows")
    func declaredField() async throws {
        let fixture = try BackgroundFixture { _ in .text("-") }
        defer { fixture.stop() }
        var settings = fixture.settings
        settings.redirectedFields = [.cookie]
        var request = fixture.request(fields: [.cookie: "hunter2", .userAgent: "hunter3"])
        for name in [HTTPField.Name.cookie, .userAgent] {
            request.secretFields = [name]
            let error = await #expect(throws: TransportError.self) {
                try await fixture.transport(settings).send(request)
            }
            #expect(error?.kind == .unsupported)
            #expect(error?.message.contains("`\(name)`") == true)
            #expect(error?.message.contains("hunter") == false)
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("a body with a secret is refused before anything is sent or written")
    func secretBody() async throws {
        let fixture = try BackgroundFixture { _ in .text("-") }
        defer { fixture.stop() }
        var request = fixture.request(.post, body: .bytes(Array("hunter2".utf8)))
        request.hasSecretBody = true
        let error = await #expect(throws: TransportError.self) {
            try await fixture.transport().send(request)
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("the body") == true)
        #expect(error?.message.contains("hunter2") == false)
        #expect(fixture.server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
        request.hasSecretBody = false
        _ = try await fixture.transport().send(request)
        #expect(fixture.server.requests.count == 1)
    }
}
