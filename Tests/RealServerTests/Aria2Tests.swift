import Aria2Client
import Foundation
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("aria2, by JSON-RPC", .with("aria2c", of: "aria2"))
    struct Aria2Tests {
        private static let secret = "token:s3cret"
        private static let server = LocalServer(
            program: "aria2c",
            arguments: [
                "--enable-rpc", "--rpc-listen-port={port}", "--rpc-secret=s3cret", "--no-conf",
                "--dir={folder}",
            ])

        private static func run(
            _ body: @Sendable (APIManager<Aria2>) async throws -> Void
        ) async throws {
            try await Self.server.run { address in
                try await body(
                    APIManager<Aria2>(transport: PatientTransport()) {
                        $0.server = .url(address)
                    })
            }
        }

        private static func error<Value>(
            of operation: NetworkOperation<Value>
        ) async -> APIError? {
            do { _ = try await operation.value } catch { return error as? APIError }
            return nil
        }

        @Test("aria2 answers calls with positional parameters, and calls without any")
        func calls() async throws {
            try await Self.run { aria2 in
                let version = try await aria2.program.version(secret: Self.secret).value
                #expect(version.enabledFeatures.contains("GZip"))
                let procedures = try await aria2.program.procedures().value
                #expect(procedures.contains("aria2.addUri"))
            }
        }

        @Test("aria2 keeps paused downloads in a list, which has pages")
        func downloads() async throws {
            try await Self.run { aria2 in
                var added: [String] = []
                for number in 1...3 {
                    let uri = try #require(URL(string: "http://127.0.0.1:9/\(number)"))
                    added.append(
                        try await aria2.downloads.add(
                            secret: Self.secret, uris: [uri], options: Options(pause: true)
                        ).value)
                }
                var waiting: [String] = []
                let list = aria2.downloads.waitingPages(secret: Self.secret, count: 2)
                for try await download in list.items { waiting.append(download.gid) }
                #expect(waiting == added)
                let status = try await aria2.downloads.status(secret: Self.secret, gid: added[0])
                    .value
                #expect(status.status == .paused && status.completedLength == 0)
            }
        }

        @Test("aria2 says what is wrong with code and message")
        func refusals() async throws {
            try await Self.run { aria2 in
                let error = await Self.error(of: aria2.program.version(secret: "token:wrong"))
                #expect(error?.code == "1" && error?.message == "Unauthorized")
                #expect(error?.description.contains("wrong") == false)
            }
        }
    }
}
