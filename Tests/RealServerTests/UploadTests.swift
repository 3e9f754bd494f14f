import Foundation
import RuntimeTestSupport
import TelexJSON
import TelexRuntime
import Testing

extension RealServerTests {
    /// No upload uses `Transfer-Encoding: chunked`, because streams also declare their length.
    @Suite("an upload")
    struct UploadTests {
        private static let film = Data.seeded(3, count: 9_000_000)

        /// A stream of the film in pieces of odd sizes. It can be read once.
        private func stream() -> UploadFile {
            let rest = Lock(Self.film)
            return UploadFile(streaming: Self.film.count, name: "film") {
                let piece = rest.withLock { rest in
                    defer { rest = rest.dropFirst(77_777) }
                    return Array(rest.prefix(77_777))
                }
                return piece.isEmpty ? nil : piece
            }
        }

        @Test("an upload to nginx arrives unchanged from a file and from a stream", .withNginx)
        func put() async throws {
            try await Nginx.run { nginx in
                try nginx.folder.write("film", Self.film)
                let manager = TestAPI.manager(at: nginx.address)
                let file = UploadFile(path: nginx.folder.place("film"))
                try await manager.operation(ServerRequests.put(file, "written", "file")).value
                try await manager.operation(ServerRequests.put(stream(), "written", "stream")).value
                #expect(try nginx.folder.read("data/written/file") == Self.film)
                #expect(try nginx.folder.read("data/written/stream") == Self.film)
                let log = try await nginx.log(ofLength: 2)
                #expect(log.map(\.status) == [201, 201])
                #expect(log.map(\.length) == ["9000000", "9000000"])
                #expect(log.map(\.coding) == ["", ""])
            }
        }

        @Test("an upload that nginx refuses with 413 is sent once", .withNginx)
        func tooLarge() async throws {
            try await Nginx.run { nginx in
                try nginx.folder.write("film", Self.film)
                let manager = TestAPI.manager(at: nginx.address)
                for file in [UploadFile(path: nginx.folder.place("film")), stream()] {
                    let upload = manager.operation(ServerRequests.put(file, "small", "film"))
                    let error = await #expect(throws: APIError.self) { try await upload.value }
                    #expect(error?.reason == .status(413))
                    #expect(error?.phase == .status)
                    #expect(error?.fault == .caller)
                    #expect(error?.isRetryable == false)
                    #expect(upload.attempts.count == 1)
                }
                #expect(try nginx.folder.names("data/written").isEmpty)
            }
        }

        @Test("an upload to Flask arrives unchanged from a stream", .withAuthlib)
        func raw() async throws {
            try await TokenServer.run { server in
                let manager = TestAPI.manager(at: server.address)
                let arrival = try await manager.operation(ServerRequests.raw(stream())).value
                #expect(arrival == ReceivedBody(declared: "9000000"))
                #expect(try server.folder.read("arrived") == Self.film)
            }
        }

        @Test(
            "an upload as a form is parsed by Flask, and sent again after a refresh", .withAuthlib)
        func form() async throws {
            try await TokenServer.run { server in
                try server.folder.write("film", Self.film)
                let manager = try await server.manager()
                try await server.expireTokens(holdingFor: 1)
                let file = UploadFile(
                    path: server.folder.place("film"), name: "fïlm 1.mp4", type: "video/mp4")
                let upload = manager.operation(
                    ServerRequests.upload(file, title: "Ünïcode \"q\""))
                let arrival = try await upload.value
                #expect(arrival.name == "fïlm 1.mp4")
                #expect(arrival.title == "Ünïcode \"q\"")
                #expect(arrival.coding == nil)
                #expect(try server.folder.read("arrived") == Self.film)
                let counts = try await server.counts
                #expect(counts.refused == 1)
                #expect(counts.granted == 1)
            }
        }
    }
}
