import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

/// What a background session does about redirects, which it hears of too late.
@Suite("Background sessions and secrets")
struct BackgroundSecretsTests {
    @Test("a field that a redirect could carry to others is refused before anything is sent")
    func secretField() async throws {
        let rig = try BackgroundRig { .text($0.fields[.cookie] ?? "-") }
        defer { rig.stop() }
        let request = rig.request(fields: [.cookie: "session=1", .authorization: "Bearer 1"])
        let error = await #expect(throws: TransportError.self) {
            try await rig.transport().send(request)
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("Cookie") == true)
        #expect(rig.server.requests.isEmpty)
        var settings = rig.settings
        settings.redirectedFields = [.cookie]
        let reply = try await rig.transport(settings).send(request)
        #expect(try await reply.body.collect(upTo: 99) == Array("session=1".utf8))
    }

    @Test("a reply that came over http is no answer to what was asked over https")
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

    @Test("a field that a request calls a secret is refused, whatever the app allows")
    func declaredField() async throws {
        let rig = try BackgroundRig { _ in .text("-") }
        defer { rig.stop() }
        var settings = rig.settings
        settings.redirectedFields = [.cookie]
        var request = rig.request(fields: [.cookie: "hunter2", .userAgent: "hunter3"])
        for name in [HTTPField.Name.cookie, .userAgent] {
            request.secretFields = [name]
            let error = await #expect(throws: TransportError.self) {
                try await rig.transport(settings).send(request)
            }
            #expect(error?.kind == .unsupported)
            #expect(error?.message.contains("`\(name)`") == true)
            #expect(error?.message.contains("hunter") == false)
        }
        #expect(rig.server.requests.isEmpty)
    }

    @Test("a body with a secret is refused before anything is sent or written")
    func secretBody() async throws {
        let rig = try BackgroundRig { _ in .text("-") }
        defer { rig.stop() }
        var request = rig.request(.post, body: .bytes(Array("hunter2".utf8)))
        request.hasSecretBody = true
        let error = await #expect(throws: TransportError.self) {
            try await rig.transport().send(request)
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("the body") == true)
        #expect(error?.message.contains("hunter2") == false)
        #expect(rig.server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: rig.folder.path))
        request.hasSecretBody = false
        _ = try await rig.transport().send(request)
        #expect(rig.server.requests.count == 1)
    }
}
