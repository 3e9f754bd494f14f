import Foundation
import RuntimeTestSupport
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("replies of an nginx", .withNginx)
    struct NginxReplyTests {
        @Test("replies of an nginx that are compressed are decompressed")
        func compressed() async throws {
            try await Nginx.run { nginx in
                let text = Data((0..<50_000).map { "\($0)" }.joined(separator: "\n").utf8)
                try nginx.folder.write("data/files/numbers.json", text)
                let manager = TestAPI.manager(at: nginx.address)
                let request = ServerRequests.bytes("zipped", "numbers.json")
                #expect(try await manager.operation(request).value == text)
                #expect(try await nginx.log(ofLength: 1).map(\.encoding) == ["gzip"])
            }
        }

        @Test("redirects are followed: a 303 with a GET, a 307 with the same method and body")
        func redirects() async throws {
            try await Nginx.run { nginx in
                let manager = TestAPI.manager(at: nginx.address)
                let other = try await manager.operation(ServerRequests.post("other", "1")).value
                #expect(other == EchoReply(method: "GET"))
                let moved = try await manager.operation(ServerRequests.post("moved", "1")).value
                #expect(moved == EchoReply(method: "POST", length: "10"))
                let log = try await nginx.log(ofLength: 4)
                #expect(log.map(\.method) == ["POST", "GET", "POST", "POST"])
                #expect(log.map(\.status) == [303, 200, 307, 200])
            }
        }

        @Test(
            "replies of an nginx that redirect to another host get the call without its token there"
        )
        func away() async throws {
            try await Nginx.run { nginx in
                let manager = TestAPI.manager(at: nginx.address)
                try await manager.credentials.save(Credential(token: "secret"))
                let here = try await manager.operation(ServerRequests.secret("moved", "1")).value
                #expect(here == EchoReply(method: "GET", token: "Bearer secret"))
                let there = try await manager.operation(ServerRequests.secret("away", "1")).value
                #expect(there == EchoReply(method: "GET"))
            }
        }
    }
}
