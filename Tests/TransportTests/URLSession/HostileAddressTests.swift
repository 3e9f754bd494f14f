import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Requests that no transport can send")
struct HostileAddressTests {
    @Test(
        "requests to an invalid port end in an error, not in a trap",
        arguments: TransportKind.allCases,
        [
            "127.0.0.1:65536", "127.0.0.1:99999999999999999999", "[::1]:70000", "127.0.0.1:-1",
            "127.0.0.1:+80", "127.0.0.1:8x", "127.0.0.1:80:80", "host.test:70000",
        ])
    func port(_ kind: TransportKind, _ authority: String) async throws {
        let fixture = try TransportFixture(kind) { _ in .bytes() }
        defer { fixture.stop() }
        var request = fixture.request()
        request.head.authority = authority
        let error = await TransportError.kind { _ = try await fixture.transport.send(request) }
        #expect(error == .invalidRequest)
    }

    @Test("requests with a pipe instead of a file fail without waiting for a writer")
    func pipe() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-\(UUID().uuidString).pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        #expect(throws: TransportError.self) { try RequestBody.checkFile(path: path, length: 0) }
    }
}
