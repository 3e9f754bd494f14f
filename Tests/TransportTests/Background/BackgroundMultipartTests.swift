import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

/// Bodies whose boundary differs between processes for the same call.
@Suite("Multipart bodies of background sessions")
struct BackgroundMultipartTests {
    @Test("a multipart body keeps its fingerprint with another boundary, not with other content")
    func boundaries() throws {
        let fixture = try BackgroundFixture { _ in .silence }
        defer { fixture.stop() }
        let path = try fixture.file("a.mov", [1, 2])
        func fingerprint(
            _ boundary: String, _ text: String, type: String? = nil, file: Bool = true
        ) throws -> String {
            let type = type ?? "multipart/form-data; boundary=\(boundary)"
            let start = RequestBody.Part.bytes(Array(text.utf8))
            let end = RequestBody.Part.bytes(Array("\r\n--\(boundary)--\r\n".utf8))
            let parts = file ? [start, .file(path: path, length: 2), end] : [start, end]
            return try fixture.request(.post, fields: [.contentType: type], body: .parts(parts))
                .fingerprint()
        }
        let one = try fingerprint("telex-1", "--telex-1\r\n")
        #expect(try fingerprint("telex-2", "--telex-2\r\n") == one)
        #expect(try fingerprint("telex-2", "--telex-2\r\n", file: false) != one)
        #expect(try fingerprint("telex-2", "--telex-1\r\n") != one)
        #expect(try fingerprint("telex-2", "--telex-2\r\n--telex-2\r\n") != one)
        #expect(try fingerprint("telex-2", "--\r\n") != one)
        #expect(try fingerprint("a", "--a\r\n", type: "multipart/mixed; boundary=a") != one)
        #expect(try fingerprint("a", "--a\r\n", type: "text/plain; boundary=a") != one)
        let quoted = "Multipart/form-data; Boundary=\"a b\"; charset=x"
        let other = quoted.replacingOccurrences(of: "a b", with: "c d")
        #expect(
            try fingerprint("a b", "--a b\r\n", type: quoted)
                == fingerprint("c d", "--c d\r\n", type: other))
    }

    @Test("background multipart bodies are not sent again if an earlier process got the reply")
    func reply() async throws {
        let fixture = try BackgroundFixture { .text("\($0.body.count)") }
        defer { fixture.stop() }
        func request(_ boundary: String) -> TransportRequest {
            fixture.request(
                .post, fields: [.contentType: "multipart/form-data; boundary=\(boundary)"],
                body: .bytes(Array("--\(boundary)--".utf8)))
        }
        let unread = try await fixture.transport().send(request("telex-1"))
        let reply = try await fixture.transport().send(request("telex-2"))
        #expect(try await reply.body.collect(upTo: 9) == Array("11".utf8))
        #expect(fixture.server.requests.count == 1)
        withExtendedLifetime(unread) {}
    }
}
