import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("Background sessions after somebody has logged out")
struct BackgroundForgettingTests {
    @Test("nothing is left for anybody once it has been forgotten")
    func forgotten() async throws {
        let rig = try BackgroundRig { request in
            request.path == "/stall" ? .silence : .text("film")
        }
        defer { rig.stop() }
        let unread = try await rig.transport().send(rig.request(.post, body: .bytes([1])))
        let stalled = rig.request(.get, "/stall")
        let transport = rig.transport(left: rig.left(by: stalled))
        await transport.forgetBackgroundTransfers()
        #expect(rig.files.isEmpty)
        await rig.server.waitUntilNoConnectionIsOpen()
        _ = try await transport.send(rig.request(.post, body: .bytes([1])))
        #expect(rig.server.requests.filter { $0.path == "/film" }.count == 2)
        withExtendedLifetime(unread) {}
    }

    @Test("a reply that is being read is not forgotten")
    func read() async throws {
        let rig = try BackgroundRig { _ in .text("film") }
        defer { rig.stop() }
        let transport = rig.transport()
        let reply = try await transport.send(rig.request())
        await transport.forgetBackgroundTransfers()
        #expect(try await reply.body.collect(upTo: 4) == Array("film".utf8))
    }
}
